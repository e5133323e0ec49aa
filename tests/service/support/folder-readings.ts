/**
 * What a console reads from a data folder, in stable terms: names and values on the left are used in the files of
 * tests/fixtures that contain what an earlier version read from its own folder. Names that change in the contract are
 * translated here, on the right; the fixtures are never edited.
 */
import { decisions, readingMeanings } from '#contract/applicants/applicants.ts'
import { connectionModes } from '#contract/connections/connection.ts'
import type { FailureCode } from '#contract/failures/failures.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { failureTable } from '#contract/failures/table.ts'
import { operationIds } from '#contract/verification/operations.ts'
import { outcomeIds } from '#contract/verification/outcomes.ts'
import { resolutions } from '#contract/history/records.ts'
import type { TestConsole } from './console.ts'

type Get = TestConsole['get']

/** Throws for a stored value that the contract does not list: it was read without being understood. */
function listed<Value extends string>(list: readonly Value[], value: Value): Value {
  if (!list.includes(value)) throw new Error(`“${value}” is none of ${list.join(', ')}`)
  return value
}
const failureCodes = Object.keys(failureTable) as FailureCode[]

/** Records, oldest first, each with its request, answer, resolution and applicant. */
async function recordsOf(get: Get) {
  const { records } = await get('history.page', { filter: {}, limit: 200 })
  const details = await Promise.all(records.map(({ id }) => get('history.record', { id })))
  return details.reverse().map((record) => ({
    id: record.id,
    number: record.seq,
    operation: listed(operationIds, record.operation),
    connection: record.connection.name,
    origin: record.connection.origin,
    mode: listed(connectionModes, record.connection.mode),
    outcome: listed(['open', ...outcomeIds], record.state),
    failure: record.failure ? listed(failureCodes, record.failure.code as FailureCode) : null,
    failureText: record.failure ? sentencesOf(record.failure).what : null,
    startedAt: record.startedAt,
    status: record.status ?? null,
    message: record.fullMessage ?? null,
    request: record.input,
    response: record.reply?.body ?? null,
    headers: record.reply?.headers ?? null,
    resolution: record.resolved ? { as: listed(resolutions, record.resolved.as), note: record.resolved.note } : null,
    batch: record.batchId ?? null,
    resendOf: record.rerunOf ?? null,
    erased: record.erased ?? false,
    fingerprint: record.credentialFingerprint,
    version: record.consoleVersion,
    operator: record.operator,
    applicant: record.applicant ?? null
  }))
}

/** States that had other names in version 0.1. */
const renamedStates: Readonly<Record<string, string>> = {
  'invalid': 'faulty',
  'recently-answered': 'lately',
  'outdated': 'stale',
  'unresolved': 'unsettled'
}
const stateOf = (state: string): string => renamedStates[state] ?? state

/** Applicants by id, each with state, tags, due date, decision and timeline, newest first. */
async function applicantsOf(get: Get) {
  const { applicants } = await get('applicants.list', { limit: 200 })
  const ids = applicants.map(({ id }) => id).sort()
  return Promise.all(
    ids.map(async (applicantId) => {
      const shown = await get('applicants.show', { applicantId })
      const { entries } = await get('applicants.timeline', { applicantId, limit: 1000 })
      return {
        id: shown.id,
        state: stateOf(shown.state),
        checks: shown.checks,
        tags: shown.tags,
        due: shown.due ?? null,
        decision: shown.decision?.seq ?? null,
        // Version 0.1 did not show countersignatures here; they are read with the cases.
        timeline: entries
          .filter(({ kind }) => kind !== 'countersignature')
          .map((entry) => ({
            kind: entry.kind,
            event: entry.seq,
            at: entry.at,
            ...(entry.kind === 'check' && { record: entry.record.id, interpretation: entry.reading ?? null }),
            ...(entry.kind === 'note' && { by: entry.operator, text: entry.text }),
            ...(entry.kind === 'tags' && { by: entry.operator, tags: entry.tags }),
            ...((entry.kind === 'link' || entry.kind === 'unlink') && { by: entry.operator, record: entry.recordId }),
            ...(entry.kind === 'due' && { by: entry.operator, due: entry.due }),
            ...(entry.kind === 'decision' && {
              by: entry.decision.operator,
              decision: listed(decisions, entry.decision.decision),
              reasons: entry.decision.reasons,
              note: entry.decision.note,
              evidence: entry.decision.evidence,
              records: entry.decision.records,
              interpretations: entry.decision.readings
            })
          }))
      }
    })
  )
}

/** Batches by name, with their counts and all rows. */
async function batchesOf(get: Get) {
  const batches = await get('batches.list', { limit: 200 })
  const inOrder = [...batches].sort((one, other) => one.name.localeCompare(other.name, 'en'))
  return Promise.all(
    inOrder.map(async (batch) => {
      const { rows } = await get('batches.rows', { id: batch.id, after: 0, limit: 500 })
      const { columns, applicantColumn } = await get('batches.columns', { id: batch.id })
      return {
        id: batch.id,
        name: batch.name,
        file: batch.fileName,
        sha256: batch.sha256,
        operation: batch.operation,
        connection: batch.connection.name,
        state: batch.state,
        reason: batch.reason ? listed(failureCodes, batch.reason.code as FailureCode) : null,
        reasonText: batch.reason ? sentencesOf(batch.reason).what : null,
        concurrency: batch.atOnce,
        rateLimit: batch.pace,
        counts: Object.fromEntries(Object.entries(batch.counts).map(([state, count]) => [stateOf(state), count])),
        unresolved: batch.unresolved,
        columns,
        applicantColumn,
        rows: rows.map((row) => ({
          row: row.row,
          state: stateOf(row.state),
          cells: row.cells,
          fault: row.fault ?? null,
          record: row.recordId ?? null,
          status: row.status ?? null,
          message: row.message ?? null,
          attempts: row.tries,
          resolution: row.resolved ?? null
        }))
      }
    })
  )
}

/** Every message, with all its interpretations, newest first. */
async function messagesOf(get: Get) {
  const { messages } = await get('catalogue.list', { limit: 200 })
  return Promise.all(
    messages.map(async (message) => ({
      id: message.id,
      operation: message.operation,
      status: message.status,
      message: message.message,
      count: message.count,
      interpretations: (await get('catalogue.readings', { id: message.id })).map((reading) => ({
        version: reading.version,
        means: listed(readingMeanings, reading.means),
        note: reading.note,
        at: reading.at,
        by: reading.operator
      }))
    }))
  )
}

/** Everything in a folder that a user can view. Viewing is recorded in the audit trail: read that first. */
export async function readFolder(get: Get) {
  const { settings } = await get('app.state')
  const savedViews = settings.savedViews.map(({ filter: { unresolved, ...filter }, ...view }) => ({
    ...view,
    filter: unresolved === undefined ? filter : { ...filter, unsettled: unresolved }
  }))
  const [connections, queue, holds, receipts, backups, cases, recovery] = [
    await get('connections.list'),
    await get('queue.list', { limit: 200 }),
    await get('holds.list', {}),
    await get('erasure.receipts'),
    await get('backups.list'),
    await get('cases.list', {}),
    await get('recovery.state')
  ]
  return {
    settings: { ...settings, savedViews },
    connections: connections.map(({ id, name, baseUrl, mode, colour, mark, practice, credentials, kept }) => ({
      id,
      name,
      baseUrl,
      mode,
      colour,
      mark,
      bundled: practice ?? false,
      credentials,
      kept
    })),
    records: await recordsOf(get),
    applicants: await applicantsOf(get),
    batches: await batchesOf(get),
    messages: await messagesOf(get),
    queue: queue.items.map((item) => ({
      kind: stateOf(item.kind),
      due: item.due ?? null,
      subject: item.kind === 'unresolved' ? item.record.id : item.applicant.id
    })),
    holds: holds.map(({ applicantId, reason, at, by }) => ({ applicantId, reason, at, by })),
    receipts: receipts.map((receipt) => ({
      id: receipt.id,
      at: receipt.at,
      by: receipt.by,
      cause: receipt.cause,
      subjects: receipt.subjects,
      records: receipt.records,
      batchRows: receipt.batchRows,
      backupsRewritten: receipt.backupsRewritten,
      copiesNotReached: receipt.copiesNotReached,
      event: receipt.event,
      head: receipt.head
    })),
    backups: backups.backups.map(({ id, at, events, records, head, state }) => ({
      id,
      at,
      events,
      records,
      head,
      state
    })),
    cases: cases.map(({ about, importedAt, newer, state, countersignature: { by, key, at, agrees, note } }) => ({
      about,
      importedAt,
      newer,
      state,
      countersignature: { by, key, at, agrees, note }
    })),
    recovery: { exists: recovery.exists, createdAt: recovery.createdAt, confirmed: recovery.confirmed }
  }
}

/** What a console knows of its team without the team's database. */
export async function readTeam(get: Get) {
  const { entries } = await get('team.activity', { limit: 50 })
  return {
    state: await get('team.state'),
    activity: entries.map(({ member, applicantId, at, what }) => ({
      member,
      applicant: applicantId ?? null,
      at,
      kind: what.kind
    }))
  }
}

/** The first events of the audit trail, oldest first: what is chained, and the chaining hash. */
export async function readAuditTrail(get: Get, events: number) {
  const auditTrail = []
  for (let before = events + 1; before > 1;) {
    const page = await get('audit.page', { limit: 200, before })
    auditTrail.push(
      ...page.events.map(({ seq, at, kind, operator, recordId, erased, hash }) => ({
        seq,
        at,
        kind,
        operator: operator ?? null,
        record: recordId ?? null,
        erased,
        hash
      }))
    )
    before = page.events.at(-1)?.seq ?? 0
  }
  return auditTrail.reverse()
}
