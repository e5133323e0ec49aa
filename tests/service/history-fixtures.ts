/** Made-up records for the tests of the history. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { failure } from '#contract/failures/failures.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { applicantFieldOf, operationOf, type OperationId } from '#contract/verification/operations.ts'
import type { RecordConnection, RecordEnding } from '#contract/history/records.ts'
import { openEngine } from '#store/engine/opening.ts'
import type { Engine } from '#store/engine/engine.ts'
import type { EvidenceAbout } from '#contract/evidence/evidence.ts'
import type { Evidence } from '#wire/history/evidence.ts'
import type { RecordIntent } from '#wire/history/record-intent.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { madeUpContext } from '../../scripts/seed-data.ts'

export const testKey = '0123456789abcdef'.repeat(4)

export const connectionNamed = (name: string, id = '00000000-0000-4000-8000-00000000000a'): RecordConnection => ({
  id,
  name,
  origin: 'https://kyc.example.com',
  mode: 'sandbox',
  colour: 'blue',
  mark: 'SB'
})

export interface IntentParts {
  readonly operation?: OperationId
  readonly applicant?: string
  readonly url?: string
  readonly startedAt?: number
  readonly connection?: RecordConnection
  readonly batchId?: string
  readonly operator?: string
}

export function intentOf(parts: IntentParts = {}): RecordIntent {
  const {
    operation = 'validate-applicant-id-document',
    applicant = 'APP-000123',
    url = 'https://files.example.com/id.jpg'
  } = parts
  const input = Object.fromEntries(
    operationOf(operation).fields.map((field) => [field.name, field.kind === 'applicant-id' ? applicant : url])
  )
  return {
    ...madeUpContext({ path: operationOf(operation).path }),
    ...(parts.operator !== undefined && { operator: parts.operator }),
    operation,
    connection: parts.connection ?? connectionNamed('Sandbox'),
    input,
    applicantId: applicantFieldOf(operation) ? applicant : undefined,
    startedAt: parts.startedAt ?? 1_760_000_000_000,
    batchId: parts.batchId
  }
}

export function answer(message = 'Document accepted', status = 200, body = JSON.stringify({ message })): RecordEnding {
  const reply = {
    status,
    statusText: 'OK',
    headers: [['content-type', 'application/json']] as const,
    body,
    bytes: Buffer.byteLength(body),
    truncated: false
  }
  return { outcome: 'answered', endedAt: 1_760_000_000_100, took: 100, reply, message }
}

export const lost: RecordEnding = {
  outcome: 'unknown',
  endedAt: 1_760_000_030_000,
  took: 30_000,
  failure: failure('total-timeout', { seconds: 30 })
}
export const unsent: RecordEnding = {
  outcome: 'not-sent',
  endedAt: 1_760_000_000_001,
  failure: failure('name-not-found', { host: 'kyc.example.com' })
}

/** Adds one complete record through the engine; returns its id. */
export function add(engine: Engine, parts: IntentParts = {}, ending: RecordEnding | null = answer()): string {
  const [begun] = engine.commit([(writer) => writer.begin(intentOf(parts))])
  if (!begun?.ok) throw new Error(begun?.failure.code)
  if (ending) {
    const [ended] = engine.commit([(writer) => writer.finish(begun.value.id, ending)])
    if (!ended?.ok) throw new Error(ended?.failure.code)
  }
  return begun.value.id
}

/** Records a pack and collects its content. Throws if it is refused. */
export function packOf(engine: Engine, about: EvidenceAbout): Evidence {
  const request = { about, profile: 'full', operator: 'tester', at: 1_760_000_200_000 } as const
  const [made] = engine.commit([(writer) => engine.packs.begin(request, writer)])
  const collected = made?.ok ? engine.packs.collect(made.value) : made
  if (!collected?.ok) throw new Error(collected?.failure.code)
  return collected.value
}

/** An engine on files in a folder, or in memory. Throws if it does not open. */
export function opened(folder?: string, masterKey = testKey): Engine {
  const result = openEngine({
    folder: folder ?? '',
    masterKey: folder === undefined ? undefined : masterKey,
    now: 1_760_000_000_000
  })
  if (!result.ok) throw new Error(`${result.failure.code}: ${sentencesOf(result.failure).what}`)
  return result.value.engine
}

/** Runs with a new folder that is removed afterwards. */
export async function inFolder<T>(work: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-history-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Secrets in memory; the real keychain has its own tests. */
export function secretsInMemory(
  entries = new Map<string, string>()
): SecretStore & { readonly entries: Map<string, string> } {
  return {
    entries,
    get: (account) => Promise.resolve({ ok: true, value: entries.get(account) }),
    set: (account, value) => {
      entries.set(account, value)
      return Promise.resolve({ ok: true, value: null })
    },
    remove: (account) => {
      entries.delete(account)
      return Promise.resolve({ ok: true, value: null })
    },
    probe: () => Promise.resolve('ready'),
    state: () => 'ready',
    close: () => Promise.resolve()
  }
}

export const clock = { now: () => Date.now(), monotonic: () => performance.now() }
