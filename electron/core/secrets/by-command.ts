/**
 * Credentials that a command of the organisation prints, for a ready-made connection whose policy names it. They are held in memory
 * for a short time, since a batch needs them many times a minute, and are stored nowhere.
 */
import {
  credentialFault,
  credentialIds,
  credentials as declared,
  type CredentialPresence,
  type CredentialValues
} from '#contract/connections/credentials.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import type { Clock } from '#kit/clock.ts'
import type { CommandFault, RunCredentialsCommand } from '#core/ports/secret-store.ts'
import type { BoundCredentials } from './bound.ts'
import { credentialsInLines } from './credential-lines.ts'

export interface ByCommandParts {
  readonly clock: Pick<Clock, 'monotonic'>
  readonly policies: {
    /** The command of a connection; undefined if it has none. */
    credentialsCommand(connectionId: string): readonly string[] | undefined
    organisation(): string
  }
  /** Absent if this host runs none. */
  readonly run?: RunCredentialsCommand | undefined
}

/** Milliseconds for which printed values are used. */
const heldFor = 60_000

const all = Object.fromEntries(credentialIds.map((id) => [id, true])) as CredentialPresence

interface Held {
  readonly command: string
  readonly at: number
  readonly values: Promise<Result<CredentialValues, Failure>>
}

export interface CredentialsByCommand extends BoundCredentials {
  /** Drops what was printed. */
  forget(): void
}

/** Credentials of connections that have a command come from it; all others as before. */
export function credentialsByCommand(
  bound: BoundCredentials,
  { clock, policies, run }: ByCommandParts
): CredentialsByCommand {
  const held = new Map<string, Held>()
  const broken = (fault: CommandFault): Result<never, Failure> =>
    failed('credentials-command-failed', { organisation: policies.organisation(), ...fault })
  const refuse = () => failed('credentials-by-command', { organisation: policies.organisation() })

  async function print(command: readonly string[]): Promise<Result<CredentialValues, Failure>> {
    const printed = (await run?.(command)) ?? fail<CommandFault>({ reason: 'path' })
    if (!printed.ok) return broken(printed.failure)
    const values = credentialsInLines(printed.value)
    if (!values || credentialIds.some((id) => values[id] === undefined)) return broken({ reason: 'output' })
    const wrong = declared.find(({ id }) => credentialFault(values[id] ?? '') !== undefined)
    return wrong ? broken({ reason: 'value', header: wrong.header }) : ok(values as CredentialValues)
  }

  async function values(id: string, command: readonly string[]): Promise<Result<CredentialValues, Failure>> {
    const known = held.get(id)
    const now = clock.monotonic()
    const same = known?.command === JSON.stringify(command) && now - known.at < heldFor
    const next = same ? known : { command: JSON.stringify(command), at: now, values: print(command) }
    held.set(id, next)
    const found = await next.values
    // A failure is asked again at the next request.
    if (!found.ok && held.get(id) === next) held.delete(id)
    return found
  }

  return {
    ...bound,
    forget: () => held.clear(),
    async presence(to) {
      if (!policies.credentialsCommand(to.id)) return bound.presence(to)
      const { refused } = await bound.presence(to)
      return { credentials: all, kept: 'keychain', byCommand: true, ...(refused && { refused }) }
    },
    values(to) {
      const command = policies.credentialsCommand(to.id)
      return command ? values(to.id, command) : bound.values(to)
    },
    async held(id) {
      const known = await held.get(id)?.values
      const printed = known?.ok ? credentialIds.map((each) => [each, known.value[each]] as const) : []
      return [...printed, ...(await bound.held(id))]
    },
    set: async (to, credential, value) =>
      policies.credentialsCommand(to.id) ? refuse() : bound.set(to, credential, value),
    clear: async (id, credential) => (policies.credentialsCommand(id) ? refuse() : bound.clear(id, credential)),
    answered(id, revision, refused) {
      if (refused) held.delete(id)
      return bound.answered(id, revision, refused)
    }
  }
}
