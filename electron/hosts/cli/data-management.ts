/** `export`, `applicant data`, `applicant letter`, `retention --dry-run`, `backup`, `restore` and `restore --dry-run`. */
import { phraseOf } from '#contract/failures/sentences.ts'
import { randomUUID } from 'node:crypto'
import {
  backupIdSchema,
  exportFormats,
  type ApplicantDataOrder,
  type Backup,
  type Exported,
  type ExportFormat,
  type Restored
} from '#contract/data-management/data-management.ts'
import type { Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { oneLine } from '#contract/text/hidden-text.ts'
import { sinceBackupText } from '#contract/data-management/since-backup.ts'
import { filterOptions } from './filter-options.ts'
import { failureEnding, textOption, usage, type Context, type Ending } from './context.ts'
import { filterOf } from './history.ts'
import { count, cutLine, oneOf, print, sizeText, time } from './print-text.ts'
import { onSignal, signalEndings, type EndingSignal } from './signals.ts'

/** What can be exported; each always contains all of it, except the history. */
const exported = ['history', 'applicants', 'batches', 'catalogue'] as const
/** Options that only an export of the history takes. */
const filterNames = Object.keys(filterOptions)

export async function exportData(context: Context): Promise<Ending> {
  const [kind = '', ...search] = context.operands
  const what = oneOf(exported, kind)
  if (!what || !textOption(context, 'to'))
    return usage(`Name what to write and the file: export ${exported.join('|')} --to FILE`)
  const format = oneOf<ExportFormat>(exportFormats, textOption(context, 'format') ?? 'csv')
  if (!format) return usage(`--format is one of ${exportFormats.join(', ')}.`)
  if (what !== 'history' && (search.length > 0 || filterNames.some((name) => context.options[name] !== undefined)))
    return usage('Only export history takes a text or filters. The other exports are always complete.')
  const filter = await filterOf({ ...context, operands: search })
  if (!filter.ok) return filter.failure
  const exportId = randomUUID()
  let stopped: EndingSignal = 'SIGINT'
  const unwatch = onSignal((signal) => {
    stopped = signal
    void context.ask('exports.stop', { exportId })
  })
  const ask = {
    history: () => context.ask('exports.history', { exportId, filter: filter.value, format }),
    applicants: () => context.ask('exports.applicants', { exportId, format }),
    batches: () => context.ask('exports.batches', { exportId, format }),
    catalogue: () => context.ask('exports.catalogue', { exportId, filter: {}, format })
  }
  const done = await ask[what]()
  unwatch()
  if (!done.ok)
    return done.failure.code === 'export-stopped'
      ? { ...failureEnding(done.failure), exit: signalEndings[stopped] }
      : failureEnding(done.failure)
  if (!done.value) return usage('Name the file: --to FILE')
  const { path, rows, bytes, sha256, head, cut } = done.value
  return {
    exit: 'done',
    out: print(context.options.json, done.value, [
      path,
      `${count(rows, 'row', 'rows')}, ${sizeText(bytes)}`,
      `SHA-256 ${sha256}`,
      `Audit trail: event ${head.seq}, ${head.hash}`,
      ...(cut > 0 ? [cutLine(cut)] : [])
    ])
  }
}

/** Shows what is handed to an applicant or, as it was shown, saves it. */
async function handedOver(
  context: Context,
  name: 'data' | 'letter',
  read: (
    applicantId: string
  ) => Promise<Result<{ readonly lines: readonly string[]; readonly digest: string }, Failure>>,
  save: (order: ApplicantDataOrder) => Promise<Result<Exported | null, Failure>>
): Promise<Ending> {
  const applicantId = context.operands.join(' ')
  const [to, digest] = [textOption(context, 'to'), textOption(context, 'digest')]
  if (applicantId === '' || (to === undefined) !== (digest === undefined))
    return usage(`Read it first, and save what you have read: applicant ${name} ID [--to FILE --digest HEX]`)
  if (to === undefined || digest === undefined) {
    const found = await read(applicantId)
    if (!found.ok) return failureEnding(found.failure)
    const { lines, ...value } = found.value
    return { exit: 'done', out: print(context.options.json, value, [...lines, `Digest ${value.digest}`]) }
  }
  if (!/^[0-9a-f]{64}$/.test(digest)) return usage(`--digest has 64 hex digits. “applicant ${name} ID” shows it.`)
  if (!context.canPrint)
    return {
      exit: 'unavailable',
      error: 'No Chromium, Chrome or Edge was found to print the PDF with.\nNothing was written.\nInstall one.'
    }
  const saved = await save({ applicantId, digest })
  if (!saved.ok) return failureEnding(saved.failure)
  if (!saved.value) return usage('Name the file: --to FILE')
  const { path, rows, sha256 } = saved.value
  const counted = name === 'data' ? [count(rows, 'request', 'requests')] : []
  return { exit: 'done', out: print(context.options.json, saved.value, [path, ...counted, `SHA-256 ${sha256}`]) }
}

/** Shows an applicant's data or, as it was shown, saves it. */
export const showApplicantData = (context: Context): Promise<Ending> =>
  handedOver(
    context,
    'data',
    async (applicantId) => {
      const read = await context.ask('exports.readApplicantData', { applicantId })
      if (!read.ok) return read
      const lines = read.value.sections.flatMap(({ title, rows }) => [
        title,
        ...rows.map(([label, value]) => `  ${label}: ${oneLine(value)}`)
      ])
      return ok({ ...read.value, lines })
    },
    (order) => context.ask('exports.applicantData', order)
  )

/** Shows the letter that explains a decision to the applicant or, as it was shown, saves it. */
export const showLetter = (context: Context): Promise<Ending> =>
  handedOver(
    context,
    'letter',
    async (applicantId) => {
      const read = await context.ask('exports.readLetter', { applicantId })
      if (!read.ok) return read
      const { title, rows, reasons, challenge } = read.value
      const lines = [title, ...rows.map(([label, value]) => `  ${label}: ${oneLine(value)}`), ...reasons, challenge]
      return ok({ ...read.value, lines: lines.map(oneLine) })
    },
    (order) => context.ask('exports.letter', order)
  )

export async function retentionPlan(context: Context): Promise<Ending> {
  if (context.options['dry-run'] !== true)
    return usage(
      'The command line only previews: retention --dry-run. Erase the records in the window, where a person confirms it.'
    )
  const plan = await context.ask('retention.plan')
  if (!plan.ok) return failureEnding(plan.failure)
  const { lines, subjects, records, heldSubjects, heldRecords, undated, passed } = plan.value
  const rows = lines.map(
    (line) =>
      `${line.relationship ? `${line.relationship.state} ${line.relationship.on}` : time(line.newest)}  ${count(line.records, 'record', 'records')}  ${line.applicantId ?? '(no applicant)'}${line.held ? `  held${line.colleague === undefined ? '' : ` by ${line.colleague}`}` : ''}`
  )
  // A verification without an applicant is a subject of its own.
  const amount = (of: number, checks: number): string =>
    of === 0 ? 'nothing' : `${count(checks, 'record', 'records')} of ${count(of, 'subject', 'subjects')}`
  const total = `Would be erased: ${amount(subjects, records)}. Held: ${amount(heldSubjects, heldRecords)}. Nothing was erased.`
  const never =
    undated === undefined
      ? []
      : [`Without a recorded relationship, and never due: ${count(undated, 'applicant', 'applicants')}.`]
  const over = passed.map(
    ({ applicantId, until, reference }) =>
      `Past its last day, ${until}: the legal hold of ${applicantId}${reference ? ` (${reference})` : ''}`
  )
  return { exit: 'done', out: print(context.options.json, plan.value, [...rows, total, ...never, ...over]) }
}

const backupLine = ({ id, at, records, bytes, state, failure }: Backup): string =>
  `${id}  ${time(at)}  ${count(records, 'record', 'records')}  ${sizeText(bytes)}  ${state}${failure ? ` (${phraseOf(failure)})` : ''}`

export async function makeBackup(context: Context): Promise<Ending> {
  if (context.options.list === true) {
    const list = await context.ask('backups.list')
    if (!list.ok) return failureEnding(list.failure)
    return {
      exit: 'done',
      out: print(context.options.json, list.value, [
        `Backups in ${list.value.folder}`,
        ...list.value.backups.map(backupLine)
      ])
    }
  }
  const made = await context.ask('backups.create')
  return made.ok
    ? { exit: 'done', out: print(context.options.json, made.value, [backupLine(made.value)]) }
    : failureEnding(made.failure)
}

/** What a restore holds for confirmation, in the words of the window. */
function restoredLines({ known, sent, batches, rows }: Restored['held']): string[] {
  const checks = known
    ? [
        `Sent after that backup: ${count(sent, 'request', 'requests')}. The spend guard asks before it sends one of them again.`
      ]
    : ['The requests sent after that backup cannot be determined. The spend guard asks before each request.']
  const held =
    batches === 0
      ? []
      : [
          `Held until you confirm: ${count(batches, 'batch', 'batches')}, with ${count(rows, 'unknown row', 'unknown rows')}. “batch list” shows them.`
        ]
  return [...checks, ...held]
}

export async function restoreBackup(context: Context): Promise<Ending> {
  const [id = ''] = context.operands
  if (!backupIdSchema.safeParse(id).success) return usage('Name the backup: restore ID. “backup --list” shows them.')
  if (context.options['dry-run'] === true) {
    const since = await context.ask('backups.since', { id })
    return since.ok
      ? {
          exit: 'done',
          out: print(context.options.json, since.value, [
            ...sinceBackupText(since.value, count),
            'Nothing was restored.'
          ])
        }
      : failureEnding(since.failure)
  }
  const restored = await context.ask('backups.restore', { id })
  if (!restored.ok) return failureEnding(restored.failure)
  const { setAside, history, held, since, documents } = restored.value
  const kept = setAside === undefined ? [] : [`The earlier files are kept in ${setAside}.`]
  return {
    exit: 'done',
    out: print(context.options.json, restored.value, [
      `Restored ${id}: the history is ${history.state}.`,
      ...kept,
      ...sinceBackupText(since, count),
      ...restoredLines(held),
      ...(documents && documents.missing > 0
        ? [
            `Of ${count(documents.files, 'copy of a document', 'copies of documents')}, ${count(documents.missing, 'file is', 'files are')} missing from the folder “documents”. “documents verify” lists them.`
          ]
        : [])
    ])
  }
}
