/**
 * Opens the document behind a link of a form or of a record: fetches it and reads its facts. Nothing of it is stored,
 * on disk or in memory: the answer is the only copy. Where a record has kept one, that is opened, and nothing is fetched.
 */
import type { DocumentSource } from '#contract/documents/channels.ts'
import { defaultDocumentRules, type Connection } from '#contract/connections/connection.ts'
import type { CopyTime, DocumentFacts, KeptDocument, OpenedDocument } from '#contract/documents/documents.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { removedMark } from '#contract/links/links.ts'
import type { RecordDetail } from '#contract/history/records.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { Settings } from '#contract/settings/settings.ts'
import { fieldFault } from '#contract/verification/verification.ts'
import type { Network } from '#core/client/network.ts'
import type { Clock } from '#kit/clock.ts'
import type { AddressRules } from './addresses.ts'
import type { Admit } from './fetch.ts'
import { systemResolve, type Resolve } from './guard.ts'

export interface Documents {
  /**
   * The copy of a record’s document, if there is one. Failures: `document-*`, `record-missing`, `connection-missing`, and those of the settings and the proxy. `stop` ends
   * it with `document-not-fetched`.
   */
  open(source: DocumentSource, stop?: AbortSignal): Promise<Result<OpenedDocument, Failure>>
  /** Fetches it likewise, and gives facts and bytes to `take`; they are gone after it. */
  take<Taken>(
    source: DocumentSource,
    take: (bytes: Buffer, facts: DocumentFacts) => Promise<Result<Taken, Failure>>,
    stop?: AbortSignal,
    admit?: Admit
  ): Promise<Result<Taken, Failure>>
  /** Fetches it as a form’s, also where a record has a copy, and returns its facts alone. `stop` ends it with `document-not-fetched`. */
  read(source: DocumentSource, stop?: AbortSignal): Promise<Result<DocumentFacts, Failure>>
}

/** A copy that was kept. */
export interface Copy {
  readonly bytes: Buffer
  /** When it was kept, Unix milliseconds. */
  readonly at: number
  readonly when: CopyTime
}

export interface DocumentParts {
  readonly clock: Clock
  readonly settings: () => Settings
  /** Why nothing may be sent, if the settings are not in effect. */
  readonly sendingRefusal: () => Failure | undefined
  readonly network: Pick<Network, 'to'>
  connection(id: string): Connection | undefined
  record(id: string): Promise<Result<RecordDetail, Failure>>
  /**
   * The first whole copy that a record has of a document, or the one with a SHA-256; undefined if it has none. Failures: `document-copy-unusable`,
   * and those of the history.
   */
  readonly copy?: (recordId: string, field: string, sha256?: string) => Promise<Result<Copy | undefined, Failure>>
  /** The system's resolver by default. */
  readonly resolve?: Resolve
  /** Seconds for a whole document; 30 by default. */
  readonly seconds?: number
}

// The HTTP client and the readers are not needed before a document is opened.
const work = () => Promise.all([import('./fetch.ts'), import('./inspect.ts')])

/** A link, and the rules and circumstances under which it is opened. */
interface Link {
  readonly url: string
  /** The rules of its connection as they are now. */
  rules(): Result<AddressRules, Failure>
  readonly verifiedAt?: number
  readonly before?: KeptDocument
}

export function createDocuments(parts: DocumentParts): Documents {
  const { clock, settings, network, resolve = systemResolve, seconds = 30 } = parts

  async function linkOf(source: DocumentSource): Promise<Result<Link, Failure>> {
    if ('connectionId' in source) {
      const rules = (): Result<AddressRules, Failure> => {
        const refusal = parts.sendingRefusal()
        if (refusal) return { ok: false, failure: refusal }
        const connection = parts.connection(source.connectionId)
        return connection ? ok(rulesOf(connection)) : failed('connection-missing')
      }
      const now = rules()
      return now.ok ? ok({ url: source.url, rules }) : now
    }
    const record = await parts.record(source.recordId)
    if (!record.ok) return record
    const { input, linksScrubbed, startedAt, connection, documents } = record.value
    const url = input[source.field] ?? ''
    if (url === '') return failed('document-link-missing')
    if (linksScrubbed && url.includes(removedMark)) return failed('document-link-removed')
    // A connection that was removed allows nothing.
    return ok({
      url,
      rules: () => ok(rulesOf(parts.connection(connection.id))),
      verifiedAt: startedAt,
      before: documents?.[source.field]
    })
  }

  /** `take` sees the bytes; they are gone after it. */
  async function look<Taken>(
    source: DocumentSource,
    take: (bytes: Buffer, facts: DocumentFacts) => Taken | Promise<Taken>,
    stop?: AbortSignal,
    admit?: Admit
  ): Promise<
    Result<{ readonly facts: DocumentFacts; readonly taken: Taken; readonly before: KeptDocument | undefined }, Failure>
  > {
    const refusal = parts.sendingRefusal()
    if (refusal) return { ok: false, failure: refusal }
    const link = await linkOf(source)
    if (!link.ok) return link
    const { url, rules, verifiedAt, before } = link.value
    const fault = fieldFault('url', url)
    if (fault) return failed('document-link-invalid', {}, { [source.field]: fault })
    const [{ fetchDocument, release }, { inspect }] = await work()
    const fetched = await fetchDocument({
      url,
      rules,
      network,
      resolve,
      connectSeconds: settings().connectTimeout,
      seconds,
      ...(stop && { stop }),
      ...(admit && { admit })
    })
    if (!fetched.ok) return fetched
    const { bytes } = fetched.value
    try {
      const facts = inspect(fetched.value, { url, now: clock.now(), ...(verifiedAt !== undefined && { verifiedAt }) })
      return facts.ok ? ok({ facts: facts.value, taken: await take(bytes, facts.value), before }) : facts
    } finally {
      release(bytes)
    }
  }

  /** The copy of a record's document, with what it says as of when it was kept; undefined without one. */
  async function openCopy({
    recordId,
    field,
    copy: sha256
  }: Extract<DocumentSource, { readonly recordId: string }>): Promise<Result<OpenedDocument, Failure> | undefined> {
    const copy = await parts.copy?.(recordId, field, sha256)
    if (copy && !copy.ok) return copy
    // One that was asked for is not replaced by what is behind the link.
    if (!copy?.value) return sha256 === undefined ? undefined : failed('document-copy-unusable', { reason: 'missing' })
    const record = await parts.record(recordId)
    if (!record.ok) return record
    return openedCopy(copy.value, record.value, field)
  }

  return {
    async open(source, stop) {
      const copy = 'recordId' in source ? await openCopy(source) : undefined
      if (copy) return copy
      const found = await look(source, (bytes) => bytes.toString('base64'), stop)
      if (!found.ok) return found
      const { facts, taken, before } = found.value
      if (stop?.aborted) return failed('document-not-fetched', { host: facts.host, reason: 'lost' })
      return ok({ facts, ...(before && { before }), base64: taken })
    },
    async take(source, take, stop, admit) {
      const found = await look(source, take, stop, admit)
      return found.ok ? found.value.taken : found
    },
    async read(source, stop) {
      const found = await look(source, () => undefined, stop)
      return found.ok ? ok(found.value.facts) : found
    }
  }
}

/** A copy with its facts as of when it was kept. */
async function openedCopy(
  { bytes, at, when }: Copy,
  { input, startedAt }: RecordDetail,
  field: string
): Promise<Result<OpenedDocument, Failure>> {
  const [, { inspect }] = await work()
  const facts = inspect(
    { bytes, host: '', redirects: 0 },
    // A file has its own name, and not that of the link. Only what was kept later can be newer than the request.
    {
      now: at,
      ...(when !== 'file' && { url: input[field] ?? '' }),
      ...(when !== 'before' && { verifiedAt: startedAt })
    }
  )
  const kept = { when, after: at - startedAt }
  return facts.ok ? ok({ facts: { ...facts.value, kept }, base64: bytes.toString('base64') }) : facts
}

/** The practice service is on this computer, and so are the documents that people practise with: loopback alone. */
function rulesOf(connection: Connection | undefined): AddressRules {
  const { privateAddresses } = connection?.documents ?? defaultDocumentRules
  return { loopback: privateAddresses || connection?.practice === true, private: privateAddresses }
}
