/** The steps of opening a connection, as they are reported: what was found, also by a step that failed. */
import type { Failure } from '#contract/failures/failures.ts'
import type { Handshake } from './handshake.ts'
import type { SocketFault } from './socket-faults.ts'
import type { TunnelAnswer } from './tunnel.ts'

/** What every step says. */
export interface DialStepBase {
  /** Host and port, if the step leads to a proxy or goes through one. */
  readonly proxy?: string
  /** Milliseconds. */
  readonly took: number
  /** Why it failed; absent if it did not. */
  readonly failure?: Failure
  /** The error of the socket behind it. */
  readonly fault?: SocketFault
}

export interface DialTlsStep extends DialStepBase {
  readonly step: 'proxy-tls' | 'tls'
  readonly host: string
  readonly handshake?: Handshake
}

export type DialStep =
  | DialTlsStep
  | (DialStepBase &
      /** `addresses` is empty if the host is an address, or was not found. */
      (
        | { readonly step: 'name'; readonly host: string; readonly addresses: readonly string[] }
        /** `attempts`: addresses that were tried in vain, with the system's error code. */
        | {
            readonly step: 'connect'
            readonly address?: string
            readonly attempts: readonly { readonly address: string; readonly error: string }[]
          }
        /** `given`: whether the first CONNECT had a user name and a password, which only an environment variable can give it. */
        | { readonly step: 'tunnel'; readonly given: 'none' | 'environment'; readonly answer?: TunnelAnswer }
        /** The second CONNECT, with what is stored for this proxy. */
        | { readonly step: 'sign-in'; readonly answer?: TunnelAnswer }
      ))
