/** Batches over a real history and a real service, without keychain and window, for benchmarks and proofs. */
import { randomUUID } from 'node:crypto'
import type { Connection } from '#contract/connections/connection.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import type { ConsoleEvent } from '#contract/ipc/ipc.ts'
import { defaultSettings, type Settings } from '#contract/settings/settings.ts'
import { ok } from '#contract/failures/result.ts'
import { createAuditTrail } from '#core/audit/audit-trail.ts'
import { createBatches, type Batches } from '#core/batches/batches.ts'
import type { TeamOfBatches } from '#core/batches/shared/ports.ts'
import { createCopies } from '#core/documents/copies.ts'
import { createDocuments } from '#core/documents/documents.ts'
import { createVault } from '#core/documents/vault.ts'
import { createChosenFiles } from '#core/files/unfinished.ts'
import { sendVerification } from '#core/client/send.ts'
import { createTrustStore } from '#wire/trust.ts'
import { masterKeyAccount, openHistory, type OpenHistory } from '#core/history/open.ts'
import type { Clock } from '#kit/clock.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { createSessionSecrets } from '#core/secrets/session-secrets.ts'
import { launchInNode } from '../electron/hosts/node/workers.ts'
import { practiceCredentials } from '#practice/service.ts'
import { systemClock } from '../electron/hosts/node/ports.ts'

export const groundConnection: Connection = {
  id: '00000000-0000-4000-8000-0000000000b1',
  name: 'Ground',
  baseUrl: '',
  mode: 'sandbox',
  colour: 'blue',
  mark: 'G',
  documents: { privateAddresses: false, openAutomatically: false },
  createdAt: 0,
  changedAt: 0
}

export interface Ground {
  readonly batches: Batches
  readonly store: OpenHistory
  readonly events: ConsoleEvent[]
  close(): Promise<void>
}

export interface GroundOptions {
  readonly folder: string
  readonly baseUrl: string
  /** 64 hex digits; by default a key for this session. */
  readonly masterKey?: string
  readonly settings?: Partial<Settings>
  readonly connection?: Partial<Connection>
  readonly secrets?: SecretStore
  readonly random?: () => number
  /** Default: the system clock. */
  readonly clock?: Clock
  /** Default: the console's own function. */
  readonly send?: typeof sendVerification
  readonly announce?: (event: ConsoleEvent) => void
  /** The team of its shared batches. */
  readonly team?: (store: OpenHistory) => TeamOfBatches
}

/**
 * Opens the history in a folder and the batches over it. Throws if it does not open, since nothing could then be
 * proved.
 */
export async function openGround(options: GroundOptions): Promise<Ground> {
  const secrets = options.secrets ?? createSessionSecrets()
  if (options.masterKey !== undefined) await secrets.set(masterKeyAccount, options.masterKey)
  const opened = await openHistory({ folder: options.folder, secrets, launch: launchInNode(), clock: systemClock })
  if (!opened.ok) throw new Error(`${opened.failure.code}: ${sentencesOf(opened.failure).what}`)
  const { store } = opened.value
  const events: ConsoleEvent[] = []
  const trust = await createTrustStore().trust('')
  if (!trust.ok) throw new Error(sentencesOf(trust.failure).what)
  const clock = options.clock ?? systemClock
  const settings = (): Settings => ({ ...defaultSettings, proxyMode: 'none', ...options.settings })
  const connection: Connection = { ...groundConnection, baseUrl: options.baseUrl, ...options.connection }
  const network = async () => ok({ route: { hops: [{ kind: 'direct' }] } as const, trust: trust.value })
  const documents = createDocuments({
    clock,
    settings,
    sendingRefusal: () => undefined,
    network: { to: network },
    connection: () => connection,
    record: store.record
  })
  const vault = createVault(options.folder, { quota: () => Infinity })
  const batches = createBatches({
    clock,
    consoleVersion: '0.0.0-ground',
    operator: 'ground',
    settings,
    connection: async () => ok(connection),
    documents,
    copies: createCopies({ documents, vault, lasting: () => true, now: clock.now }),
    areCopiesOff: () => connection.copies === 'off',
    credentials: async () => ok(practiceCredentials),
    fingerprint: async () => '0011223344556677',
    network,
    send: options.send ?? sendVerification,
    announce: options.announce ?? ((event) => void events.push(event)),
    host: {
      showProgress: () => undefined,
      notify: () => undefined,
      chooseFile: async () => undefined,
      chooseSavePath: async () => undefined,
      launchWorker: launchInNode()
    },
    history: () => Promise.resolve(ok(store)),
    files: createChosenFiles(options.folder),
    auditTrail: createAuditTrail({
      clock: systemClock,
      operator: 'ground',
      history: () => ok(store),
      onFailure: () => undefined
    }),
    onRemoval: () => undefined,
    ...(options.team && { team: options.team(store) }),
    random: options.random ?? Math.random
  })
  return {
    batches,
    store,
    events,
    async close() {
      await batches.close()
      await store.close()
    }
  }
}

/** Creates a batch of verifications of one applicant each without starting it; returns its ID. */
export async function makeApplicantBatch(
  { batches }: Ground,
  ids: readonly string[],
  order: { readonly atOnce?: number; readonly pace?: number } = {}
): Promise<string> {
  const check = await batches.checkText('rows.csv', ['applicant_id', ...ids].join('\n'), {
    operations: ['get-applicant-details']
  })
  if (!check.ok) throw new Error(sentencesOf(check.failure).what)
  const made = await batches.create({
    checkId: check.value.checkId,
    connectionId: groundConnection.id,
    name: `Rows ${randomUUID().slice(0, 8)}`,
    atOnce: order.atOnce ?? 2,
    pace: order.pace ?? 0,
    skipDuplicates: true,
    skipRecent: true
  })
  if (!made.ok) throw new Error(sentencesOf(made.failure).what)
  return made.value.id
}
