/** Channels of connections, their credentials, and the practice service. */
import { z } from 'zod'
import { connectionDraftSchema, type ConnectionStatus, type ReachabilityReport } from './connection.ts'
import { credentialIds } from './credentials.ts'
import { channel, kibibyte, nothing, type SavedFile } from '../ipc/channel.ts'
import type { DiagnosisReport } from './diagnosis.ts'

const connection = z.strictObject({ id: z.uuid() })
const credentialName = z.strictObject({ connectionId: z.uuid(), credential: z.enum(credentialIds) })

export const connectionChannels = {
  'connections.list': channel<readonly ConnectionStatus[]>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'It lists connections, which contain no personal data.' }
  }),
  /** `credentialsCleared` if a new host requires the credentials to be entered again. */
  'connections.save': channel<{ readonly connection: ConnectionStatus; readonly credentialsCleared: boolean }>()({
    input: connectionDraftSchema,
    maxBytes: 16 * kibibyte,
    late: 'take',
    leaves: ['connection.changed'],
    announces: () => 'connections-changed'
  }),
  'connections.remove': channel<null>()({
    input: connection,
    maxBytes: kibibyte,
    late: 'take',
    leaves: ['connection.changed'],
    announces: () => 'connections-changed'
  }),
  /** Of a connection, or of an address before it is saved. */
  'connections.reach': channel<ReachabilityReport>()({
    input: z.union([connection, z.strictObject({ baseUrl: z.string().max(2048) })]),
    maxBytes: 16 * kibibyte,
    late: 'take',
    leaves: { none: 'It tests DNS, connection and certificate and sends no personal data.' }
  }),
  'credentials.set': channel<ConnectionStatus>()({
    // Core validates the value and returns a failure; the router only limits its size.
    input: z.strictObject({
      connectionId: z.uuid(),
      credential: z.enum(credentialIds),
      value: z.string().max(16 * kibibyte)
    }),
    maxBytes: 64 * kibibyte,
    late: 'take',
    leaves: ['credential.changed'],
    announces: () => 'connections-changed'
  }),
  /**
   * The value stays in core's memory for `undoClearSeconds`, so that the window can offer an undo without reading it.
   */
  'credentials.clear': channel<ConnectionStatus>()({
    input: credentialName,
    maxBytes: kibibyte,
    late: 'take',
    leaves: ['credential.changed'],
    announces: () => 'connections-changed'
  }),
  /** Restores the value that was cleared last. Failures: `credential-undo-expired`, `connection-missing`. */
  'credentials.undoClear': channel<ConnectionStatus>()({
    input: credentialName,
    maxBytes: kibibyte,
    late: 'take',
    leaves: ['credential.changed'],
    announces: () => 'connections-changed'
  }),
  /** Starts the bundled practice service and prepares its connection and made-up credentials. */
  'practice.start': channel<ConnectionStatus>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: ['connection.changed'],
    when: 'The practice connection is added or its address changes.'
  })
}

/** What a window may know of the user names and passwords for proxies. */
export interface ProxySignInStatus {
  /** Scheme, host and port. */
  readonly proxy: string
  /** `session` without a keychain: lost when the console is closed. */
  readonly kept: 'keychain' | 'session'
}

const proxy = z.string().max(2048)

/** What is stored for signing in to proxies. None returns a user name or a password. */
export const proxySignInChannels = {
  /** The proxies for which something is stored. */
  'proxySignIns.list': channel<readonly ProxySignInStatus[]>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'It lists addresses of proxies, without user names.' }
  }),
  /** Core validates the values and returns a failure; the router only limits their size. */
  'proxySignIns.set': channel<readonly ProxySignInStatus[]>()({
    input: z.strictObject({ proxy, user: z.string().max(kibibyte), password: z.string().max(4 * kibibyte) }),
    maxBytes: 32 * kibibyte,
    late: 'take',
    leaves: ['setting.changed']
  }),
  'proxySignIns.clear': channel<readonly ProxySignInStatus[]>()({
    input: z.strictObject({ proxy }),
    maxBytes: 16 * kibibyte,
    late: 'take',
    leaves: ['setting.changed'],
    when: 'Something was stored for the proxy.'
  })
}

const diagnosis = z.strictObject({ diagnosisId: z.uuid() })

/** The network diagnosis. */
export const diagnosisChannels = {
  /**
   * Diagnoses a connection or an address; each finished step is an event before the answer. Sends no credentials of a connection.
   */
  'diagnosis.run': channel<DiagnosisReport>()({
    input: z.union([diagnosis.extend({ id: z.uuid() }), diagnosis.extend({ baseUrl: z.string().max(2048) })]),
    maxBytes: 16 * kibibyte,
    late: 'take',
    leaves: { none: 'It tests the way to a service and sends no personal data.' }
  }),
  /** Cancels one that is running; its answer then says so. */
  'diagnosis.stop': channel<null>()({
    input: diagnosis,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'A diagnosis reads nothing about anybody.' }
  }),
  /** Saves the last report as text. Failure: `diagnosis-gone` if another one has replaced it. */
  'diagnosis.save': channel<SavedFile>()({
    input: diagnosis,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'A report has no personal data.' }
  })
}
