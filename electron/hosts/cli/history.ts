/** `history search`, `history show` and `history copy`. */
import { randomUUID } from 'node:crypto'
import { documentFields } from '#contract/documents/documents.ts'
import { readSearch, searchTooShort } from '#contract/history/search-query.ts'
import { isOperationId } from '#contract/verification/operations.ts'
import { outcomeIds, type Outcome } from '#contract/verification/outcomes.ts'
import { maxPageSize, type HistoryFilter } from '#contract/history/queries.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { isIndexed } from '#kit/text/folding.ts'
import { jsonText } from './print-text.ts'
import { failureEnding, findConnection, textOption, usage, type Context, type Ending } from './context.ts'
import { recordLine, recordText } from './print.ts'

/** The filter given by the options, or how the command ends. */
export async function filterOf(context: Context): Promise<Result<HistoryFilter, Ending>> {
  const filter: HistoryFilter = {}
  const search = context.operands.join(' ')
  const { faults } = readSearch(search)
  if (faults.length > 0) return fail(usage(faults.join(' ')))
  if (search) filter.search = search
  const operation = textOption(context, 'operation')
  if (operation !== undefined) {
    if (!isOperationId(operation)) return fail(usage(`There is no operation “${operation}”.`))
    filter.operations = [operation]
  }
  const outcome = textOption(context, 'outcome')
  if (outcome !== undefined) {
    if (!outcomeIds.includes(outcome as Outcome)) return fail(usage(`--outcome is one of ${outcomeIds.join(', ')}.`))
    filter.states = [outcome as Outcome]
  }
  const status = textOption(context, 'status')
  if (status !== undefined) {
    if (!/^[1-9]\d\d$/.test(status)) return fail(usage('--status is a three-digit HTTP status.'))
    filter.statuses = [Number(status)]
  }
  const connection = textOption(context, 'connection')
  if (connection !== undefined) {
    const found = await findConnection(context, connection)
    if (!found.ok) return found
    filter.connections = [found.value.id]
  }
  for (const edge of ['from', 'until'] as const) {
    const text = textOption(context, edge)
    if (text === undefined) continue
    const time = Date.parse(text)
    if (Number.isNaN(time))
      return fail(usage(`--${edge} is a date or time such as 2026-01-31 or 2026-01-31T12:00:00Z.`))
    filter[edge] = time
  }
  return ok(filter)
}

/** Prints records newest first, one per line; with --json, one JSON object per line. */
export async function searchHistory(context: Context): Promise<Ending> {
  const limit = Number(textOption(context, 'limit') ?? 50)
  if (!Number.isInteger(limit) || limit < 1) return usage('--limit is a whole number from 1.')
  const filter = await filterOf(context)
  if (!filter.ok) return filter.failure
  const lines: string[] = []
  const visit = randomUUID()
  let before: number | undefined
  while (lines.length < limit) {
    const page = await context.ask('history.page', {
      filter: filter.value,
      limit: Math.min(limit - lines.length, maxPageSize),
      before,
      visit
    })
    if (!page.ok) return failureEnding(page.failure)
    for (const record of page.value.records) lines.push(context.options.json ? jsonText(record) : recordLine(record))
    before = page.value.records.at(-1)?.seq
    if (!page.value.older || before === undefined) break
  }
  const isTooShort = readSearch(filter.value.search).phrases.some((phrase) => !isIndexed(phrase))
  if (lines.length === 0 && !context.options.json)
    return { exit: 'done', error: isTooShort ? searchTooShort : 'No records match.' }
  return { exit: 'done', out: lines.join('\n') }
}

/** The ID of the record that is named, or how the command ends. */
function idOf({ operands: [id] }: Context, command: string): Result<string, Ending> {
  if (!id) return fail(usage(`Name a record: ${command}`))
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)
    ? ok(id)
    : fail(usage('An ID looks like 01890a5d-ac96-774b-bcce-b302099a8057.'))
}

/** Keeps a copy of a record's document, from its link or from a file. */
export async function copyDocument(context: Context): Promise<Ending> {
  const named = idOf(context, 'history copy ID --field FIELD')
  if (!named.ok) return named.failure
  const field = textOption(context, 'field')
  if (field === undefined || !documentFields.includes(field))
    return usage(`--field is one of ${documentFields.join(', ')}.`)
  const place = { recordId: named.value, field }
  const isFile = textOption(context, 'path') !== undefined
  const record = await (isFile ? context.ask('documents.addFile', place) : context.ask('documents.keep', place))
  if (!record.ok) return failureEnding(record.failure)
  const kept = record.value?.copies?.[field] ?? []
  return { exit: 'done', out: context.options.json ? jsonText(kept) : `A copy of the document of ${field} was kept.` }
}

/** Prints one record in detail. */
export async function showRecord(context: Context): Promise<Ending> {
  const named = idOf(context, 'history show ID')
  if (!named.ok) return named.failure
  const record = await context.ask('history.record', { id: named.value })
  if (!record.ok) return failureEnding(record.failure)
  return { exit: 'done', out: context.options.json ? jsonText(record.value) : recordText(record.value) }
}
