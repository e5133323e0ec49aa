/**
 * Checks the links of a checked file before a batch is created from it: each once, a few at a time. Only figures,
 * findings and digests are held, never a document, and only for a limited number of links.
 */
import {
  batchSeconds,
  linkKindOf,
  maxCheckedLinks,
  type BatchLinkCheck,
  type BatchLinkRow,
  type BatchLinksOrder,
  type LinkKind
} from '#contract/batches/links.ts'
import type { RowFault } from '#contract/batches/batches.ts'
import { isMissing, type SeenDocument } from '#contract/documents/documents.ts'
import { failure, invalidField, type Failure, type FieldFault } from '#contract/failures/failures.ts'
import { fieldsOfRows } from '#contract/verification/recipes.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { findingsOfLink } from '#core/documents/link-checks.ts'
import type { Documents } from '#core/documents/documents.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import type { Clock } from '#kit/clock.ts'
import type { Checked } from './held-checks.ts'
import { openRows, type ValidatedRow } from './reading/check.ts'
import { RowsError } from './reading/lines.ts'

/** Links asked at the same time. A document may have 20 MiB, and all of them may lead to one server. */
const atOnce = 4
/** Milliseconds between two events of progress. */
const announceInterval = 250

export interface LinkRunParts {
  readonly clock: Clock
  readonly documents: Pick<Documents, 'read'>
  readonly history: () => Promise<Result<HistoryStore, Failure>>
  readonly onProgress: (state: BatchLinkCheck) => void
}

/** What the check of one file has found so far. */
export interface LinkRun {
  state(): BatchLinkCheck
  /** The first rows with findings, of one kind if it is given. */
  rows(limit: number, kind: LinkKind | undefined): readonly BatchLinkRow[]
  faultsOf(row: number): readonly Omit<RowFault, 'row'>[]
  seenIn(row: number): Readonly<Record<string, SeenDocument>> | undefined
  stop(): void
  /** Resolves when no link is asked any more. */
  readonly ended: Promise<void>
}

type Fault = Omit<RowFault, 'row'>

/** What a failure means for a row. */
function faultOfFailure({ code, details }: Failure): FieldFault {
  if (code === 'document-not-fetched')
    return details?.['reason'] === 'status' && typeof details['status'] === 'number'
      ? invalidField('link-status', { status: details['status'] })
      : invalidField('link-unreachable')
  if (code === 'document-address-private' || code === 'document-address-refused')
    return invalidField('link-address-refused')
  if (code === 'document-too-large') return invalidField('link-too-large')
  return code === 'document-type-refused' || code === 'document-damaged' || code === 'document-too-many-pixels'
    ? invalidField('link-no-document')
    : invalidField('link-unreachable')
}

const faultOfFinding = {
  'expired': () => invalidField('link-expired'),
  'expires-soon': () => invalidField('link-expires-early'),
  'not-valid-yet': () => invalidField('link-not-valid-yet'),
  'times-damaged': () => invalidField('link-times-damaged')
} as const

/** The number of links that a check of a file would ask. */
export const linksOf = ({ check }: Checked): number =>
  (check.good - check.duplicates) * fieldsOfRows(check.reading.operations).filter(({ kind }) => kind === 'url').length

/** The faults that a check found, by row. */
function createFaults({ columns, reading: { mapping } }: Checked['check']) {
  const faults = new Map<number, Fault[]>()
  /** Links with findings. */
  const links = new Set<string>()
  return {
    add(row: number, field: string, fault: FieldFault): void {
      faults.set(row, [...(faults.get(row) ?? []), { column: columns[mapping[field] ?? -1] ?? '', fault }])
      links.add(`${row} ${field}`)
    },
    of: (row: number): readonly Fault[] => faults.get(row) ?? [],
    rows: (): number => faults.size,
    links: (): number => links.size,
    /** The number of faults of each kind. */
    figures(): Record<string, number> {
      const figures: Record<string, number> = {}
      for (const found of faults.values())
        for (const { fault } of found) figures[linkKindOf(fault.code)] = (figures[linkKindOf(fault.code)] ?? 0) + 1
      return figures
    },
    /** The first rows with a fault, or with one of this kind. */
    list(limit: number, kind: Parameters<LinkRun['rows']>[1]): BatchLinkRow[] {
      const found: BatchLinkRow[] = []
      for (const row of [...faults.keys()].sort((one, other) => one - other)) {
        const own = faults.get(row) ?? []
        if (kind !== undefined && !own.some(({ fault }) => linkKindOf(fault.code) === kind)) continue
        found.push({ row, faults: own })
        if (found.length === limit) break
      }
      return found
    }
  }
}

/** What a link alone shows. */
function faultsOfLink(
  url: string,
  facts: Awaited<ReturnType<Documents['read']>>,
  at: number,
  needed: number
): FieldFault[] {
  const found: FieldFault[] = facts.ok ? [] : [faultOfFailure(facts.failure)]
  let incomplete = false
  for (const finding of findingsOfLink(url, facts.ok ? facts.value : undefined, at, needed)) {
    if (finding.code === 'small') found.push(invalidField('link-small', finding.details))
    else if (isMissing(finding)) incomplete = true
    else if (finding.code in faultOfFinding) found.push(faultOfFinding[finding.code as keyof typeof faultOfFinding]())
  }
  if (incomplete) found.push(invalidField('link-incomplete'))
  return found
}

/** Whether the history has the file with another applicant. */
async function isOthers(
  { history }: Pick<LinkRunParts, 'history'>,
  connectionId: string,
  sha256: string,
  applicantId: string
): Promise<boolean> {
  const store = await history()
  const records = store.ok ? await store.value.documents.seen(connectionId, [sha256]) : store
  return (
    records.ok &&
    (records.value[0] ?? []).some((record) => record.applicantId !== undefined && record.applicantId !== applicantId)
  )
}

function refusalOf(links: number): Failure | undefined {
  if (links === 0) return failure('batch-links-none')
  return links > maxCheckedLinks ? failure('batch-links-many', { count: links, limit: maxCheckedLinks }) : undefined
}

/** Starts a check. Failures: `batch-links-none`, `batch-links-many`. */
export function startLinkRun(checked: Checked, order: BatchLinksOrder, parts: LinkRunParts): Result<LinkRun, Failure> {
  const { source, check } = checked
  const { clock, documents } = parts
  const fields = fieldsOfRows(check.reading.operations).filter(({ kind }) => kind === 'url')
  const links = linksOf(checked)
  const refusal = refusalOf(links)
  if (refusal) return fail(refusal)

  const stopped = new AbortController()
  const needed = batchSeconds(check.good - check.duplicates, order) * 1000
  const faults = createFaults(check)
  const seen = new Map<number, Record<string, SeenDocument>>()
  /** The first row with each file. */
  const firstRow = new Map<string, { readonly row: number; readonly field: string; known: boolean }>()
  let done = 0
  let state: BatchLinkCheck['state'] = 'running'
  let stop: Failure | undefined
  let announced = -Infinity

  const now = (): BatchLinkCheck => ({
    checkId: check.checkId,
    connectionId: order.connectionId,
    state,
    links,
    done,
    fine: Math.max(0, done - faults.links()),
    found: faults.rows(),
    figures: faults.figures(),
    ...(stop && { failure: stop })
  })
  function announce(): void {
    const at = clock.monotonic()
    if (state === 'running' && at - announced < announceInterval) return
    announced = at
    parts.onProgress(now())
  }
  /** Another row may have the same file: then the first one is as suspicious as the second. */
  function sameFile(row: number, field: string, sha256: string): FieldFault[] {
    const first = firstRow.get(sha256)
    if (!first) firstRow.set(sha256, { row, field, known: false })
    if (!first) return []
    if (!first.known) faults.add(first.row, first.field, invalidField('link-same-file', { number: row }))
    first.known = true
    return [invalidField('link-same-file', { number: first.row })]
  }

  async function checkLink(row: number, field: string, url: string, applicantId: string | undefined): Promise<void> {
    const facts = await documents.read({ connectionId: order.connectionId, field, url }, stopped.signal)
    if (stopped.signal.aborted) return
    // It says nothing about this link: the connection was removed, or nothing may be sent any more.
    if (!facts.ok && !facts.failure.code.startsWith('document-')) {
      stop = facts.failure
      return stopped.abort()
    }
    const at = clock.now()
    const found = faultsOfLink(url, facts, at, needed)
    if (facts.ok) {
      const { type, bytes, sha256 } = facts.value
      seen.set(row, { ...seen.get(row), [field]: { type, bytes, sha256, at } })
      found.push(...sameFile(row, field, sha256))
      if (applicantId !== undefined && (await isOthers(parts, order.connectionId, sha256, applicantId)))
        found.push(invalidField('link-other-applicant'))
    }
    for (const fault of found) faults.add(row, field, fault)
    done += 1
    announce()
  }

  async function checkAll(rows: AsyncGenerator<ValidatedRow>): Promise<void> {
    const asked = new Set<Promise<void>>()
    for await (const { row, faults: invalid, duplicate, input, applicantId } of rows) {
      if (invalid.length > 0 || duplicate) continue
      for (const { name } of fields) {
        while (asked.size >= atOnce) await Promise.race(asked)
        if (stopped.signal.aborted) return void (await Promise.all(asked))
        const one: Promise<void> = checkLink(row, name, input[name] ?? '', applicantId).finally(() => asked.delete(one))
        asked.add(one)
      }
    }
    await Promise.all(asked)
  }

  async function run(): Promise<void> {
    const opened = await openRows(source, check.reading)
    if (!opened.ok) stop = opened.failure
    else {
      try {
        await checkAll(opened.value.rows())
        const { digest, unchanged } = opened.value.reading
        if (!stopped.signal.aborted && (digest().sha256 !== check.sha256 || !(await unchanged())))
          stop = failure('batch-file-changed', { file: source.name })
      } catch (error) {
        if (!(error instanceof RowsError)) throw error
        stop = error.failure
      }
    }
    state = stop || stopped.signal.aborted ? 'stopped' : 'done'
    announce()
  }

  return ok({
    state: now,
    rows: (limit, kind) => faults.list(limit, kind),
    faultsOf: faults.of,
    seenIn: (row) => seen.get(row),
    stop: () => stopped.abort(),
    ended: run()
  })
}
