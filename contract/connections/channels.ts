/** Channels of connections, their credentials, and the practice service. */
import { z } from 'zod'
import { connectionDraftSchema, type ConnectionStatus, type ReachabilityReport } from './connection.ts'
import { credentialIds } from './credentials.ts'
import { channel, kibibyte, nothing } from '../ipc/channel.ts'

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
    announces: 'connections-changed'
  }),
  'connections.remove': channel<null>()({
    input: connection,
    maxBytes: kibibyte,
    late: 'take',
    leaves: ['connection.changed'],
    announces: 'connections-changed'
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
    leaves: ['credential.changed']
  }),
  /**
   * The value stays in core's memory for `undoClearSeconds`, so that the window can offer an undo without reading it.
   */
  'credentials.clear': channel<ConnectionStatus>()({
    input: credentialName,
    maxBytes: kibibyte,
    late: 'take',
    leaves: ['credential.changed']
  }),
  /** Restores the value that was cleared last. Failures: `credential-undo-expired`, `connection-missing`. */
  'credentials.undoClear': channel<ConnectionStatus>()({
    input: credentialName,
    maxBytes: kibibyte,
    late: 'take',
    leaves: ['credential.changed']
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
