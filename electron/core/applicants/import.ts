/** Reads a table of relationships, risk classes and expiry dates. Nothing is entered while a line of it is wrong. */
import {
  importColumns,
  maxImportFaults,
  type ApplicantsImported,
  type ImportColumn,
  type ImportFault
} from '#contract/applicants/import.ts'
import { applicantIdSchema } from '#contract/applicants/applicant-id.ts'
import { civilDateSchema, isAhead, relationshipStates } from '#contract/applicants/relationships.ts'
import type { RiskClass } from '#contract/applicants/risk.ts'
import { failed, invalidField, type Failure, type FieldFault } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { ApplicantStore, Hand, ImportEntry } from '#wire/history/applicants.ts'
import { CsvFault, CsvLines, type CsvLine } from '#kit/csv/csv-lines.ts'

/** Applicants that are entered at a time: others can use the history in between. */
const step = 250

const oneOf = <Text extends string>(all: readonly Text[], text: string | undefined): Text | undefined =>
  all.find((each) => each === text)

interface ReadLine {
  readonly line: number
  readonly entry: ImportEntry
}
interface ReadTable {
  readonly read: readonly ReadLine[]
  readonly faults: readonly ImportFault[]
}

function linesOf(text: string): Result<readonly CsvLine[], Failure> {
  const heading = text.slice(0, text.search(/[\r\n]|$/))
  try {
    const csv = new CsvLines([';', '\t'].find((each) => heading.includes(each)) ?? ',')
    return ok([...csv.push(text), ...csv.end()])
  } catch (error) {
    if (error instanceof CsvFault) return failed('import-unreadable', { line: error.line })
    throw error
  }
}

/** The column of each heading; undefined if one is not known, or twice there. */
function headingsOf(cells: readonly string[]): readonly ImportColumn[] | undefined {
  const names = cells.map((cell) => cell.trim().toLowerCase())
  const columns = names.flatMap((name) => oneOf(importColumns, name) ?? [])
  return columns.length === names.length && new Set(columns).size === columns.length && columns.includes('applicant_id')
    ? columns
    : undefined
}

type Cells = Readonly<Partial<Record<ImportColumn, string>>>
type Faulty = readonly [ImportColumn, FieldFault]

/** What a line says, or what is wrong with it. */
function entryOf(cells: Cells, classes: readonly RiskClass[], now: number): ImportEntry | Faulty {
  const { applicant_id: applicantId = '', relationship, on, risk, document = '', document_expires: expires } = cells
  if (!applicantIdSchema.safeParse(applicantId).success) return ['applicant_id', invalidField('applicant-unknown')]
  const state = oneOf(relationshipStates, relationship)
  if (relationship !== undefined && state === undefined) return ['relationship', invalidField('relationship-invalid')]
  if ((state === undefined) !== (on === undefined)) return ['on', invalidField('relationship-incomplete')]
  if (on !== undefined && !civilDateSchema.safeParse(on).success) return ['on', invalidField('date-invalid')]
  if (on !== undefined && isAhead(on, now)) return ['on', invalidField('day-ahead')]
  const found = classes.find(({ code }) => code === risk)
  if (risk !== undefined && !found) return ['risk', invalidField('risk-unlisted')]
  if (expires !== undefined && !civilDateSchema.safeParse(expires).success)
    return ['document_expires', invalidField('date-invalid')]
  // The date alone says when a review is due; which document it is of, another system may not know.
  const named = document.slice(0, 60) || 'Document'
  return {
    applicantId,
    ...(state !== undefined && on !== undefined && { relationship: { state, on } }),
    ...(found && { rated: { risk: found.code, months: found.months } }),
    ...(expires !== undefined && { expiry: { document: named, expires } })
  }
}

/** Failures: `import-unreadable`, `import-headings`. */
export function readImport(text: string, classes: readonly RiskClass[], now: number): Result<ReadTable, Failure> {
  const all = linesOf(text.replace(/^\ufeff/, ''))
  if (!all.ok) return all
  const [first, ...lines] = all.value
  const headings = headingsOf(first?.cells ?? [])
  if (!headings) return failed('import-headings', { columns: importColumns.join(', ') })
  const seen = new Set<string>()
  const read: ReadLine[] = []
  const faults: ImportFault[] = []
  for (const { line, cells } of lines) {
    const filled = headings.flatMap((column, at) => (cells[at]?.trim() ? [[column, cells[at].trim()]] : []))
    const entry = entryOf(Object.fromEntries(filled) as Cells, classes, now)
    if (!('applicantId' in entry)) faults.push({ line, column: entry[0], fault: entry[1] })
    else if (seen.has(entry.applicantId))
      faults.push({ line, column: 'applicant_id', fault: invalidField('applicant-repeated') })
    else read.push({ line, entry })
    if ('applicantId' in entry) seen.add(entry.applicantId)
  }
  return ok({ read, faults })
}

/** Checks all lines first, then enters them in steps: what an interruption left out, another import adds. */
export async function importApplicants(
  { text, dryRun }: { readonly text: string; readonly dryRun: boolean },
  classes: readonly RiskClass[],
  store: ApplicantStore,
  by: () => Hand
): Promise<Result<ApplicantsImported, Failure>> {
  const table = readImport(text, classes, by().at)
  if (!table.ok) return table
  const { read } = table.value
  const faults = [...table.value.faults]
  const counted = { changed: 0, same: 0 }
  const differing: ImportEntry[] = []
  for (let from = 0; from < read.length; from += step) {
    const some = read.slice(from, from + step)
    const states = await store.compare(some.map(({ entry }) => entry))
    if (!states.ok) return states
    for (const [index, { line, entry }] of some.entries()) {
      const state = states.value[index] ?? 'missing'
      if (state === 'missing') faults.push({ line, column: 'applicant_id', fault: invalidField('applicant-unknown') })
      else counted[state] += 1
      if (state === 'changed') differing.push(entry)
    }
  }
  faults.sort((a, b) => a.line - b.line)
  if (!dryRun && faults.length === 0)
    for (let from = 0; from < differing.length; from += step) {
      const entered = await store.enterMany(differing.slice(from, from + step), by())
      if (!entered.ok) return entered
    }
  return ok({
    lines: read.length + table.value.faults.length,
    ...counted,
    faults: faults.slice(0, maxImportFaults),
    faulty: faults.length
  })
}
