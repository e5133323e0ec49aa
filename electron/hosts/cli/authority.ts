/** `applicant status` and `export authority`: what an authority asks about a list of IDs. */
import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { applicantIdSchema } from '#contract/applicants/applicant-id.ts'
import { maxStatusIds, periodText, type ApplicantStatus } from '#contract/applicants/status.ts'
import { maxAuthorityPersons, type AuthorityEntry } from '#contract/evidence/authority.ts'
import { phraseOf } from '#contract/failures/sentences.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { oneLine } from '#contract/text/hidden-text.ts'
import { readRegular } from '#wire/files/regular.ts'
import { failureEnding, textOption, usage, type Context, type Ending } from './context.ts'
import { documentLines } from './evidence.ts'
import { count, number, print, sizeText, time } from './print-text.ts'

/** Bytes of a file of IDs: more than a million lines. */
const maxIdsBytes = 64 * 1024 * 1024
/** Lines that are named if they are no IDs. */
const maxNamed = 20

/** The IDs of a file, one a line, each once and in its order; how the command ends if one of them cannot be an ID. */
async function idsOf(path: string): Promise<Result<readonly string[], Ending>> {
  let text: string
  try {
    // A byte order mark is not part of the first ID.
    text = new TextDecoder('utf-8', { fatal: true }).decode(await readRegular(resolve(path), maxIdsBytes))
  } catch {
    return fail({
      exit: 'failed',
      error: `${path} cannot be read as UTF-8 of at most ${sizeText(maxIdsBytes)}. Nothing was written.`
    })
  }
  const ids = new Set<string>()
  const wrong: number[] = []
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    const id = line.trim()
    if (id === '' || ids.has(id)) continue
    if (applicantIdSchema.safeParse(id).success) ids.add(id)
    else wrong.push(index + 1)
  }
  if (wrong.length > 0) {
    const named = wrong.slice(0, maxNamed).join(', ')
    const more = wrong.length > maxNamed ? `, and ${wrong.length - maxNamed} more` : ''
    return fail({
      exit: 'failed',
      error: `These lines cannot be the ID of an applicant: ${named}${more}.\nNothing was written.\nThe file has one ID a line, and no headings.`
    })
  }
  return ids.size === 0 ? fail({ exit: 'failed', error: `${path} has no IDs. Nothing was written.` }) : ok([...ids])
}

function statusLine(id: string, status: ApplicantStatus | null): string {
  if (!status) return `${oneLine(id)}  not found`
  const { relationship, periods, firstAt, last } = status
  const parts = [
    relationship ? `${relationship.state} ${relationship.on}` : 'no relationship recorded',
    // One that is active since a day says so itself.
    ...periods.filter(({ until }) => until !== undefined).map((each) => `relationship ${periodText(each)}`),
    `first ${time(firstAt)}`,
    last ? `last verification ${time(last.at)}` : 'no verification'
  ]
  return `${oneLine(id)}  ${parts.join('  ')}`
}

/** Prints relationship and dates of each applicant of a file of IDs. Changes nothing. */
export async function showStatus(context: Context): Promise<Ending> {
  const path = textOption(context, 'ids')
  if (path === undefined || context.operands.length > 0) return usage('Name a file of IDs: applicant status --ids FILE')
  const ids = await idsOf(path)
  if (!ids.ok) return ids.failure
  // One look at a list, however many requests it takes.
  const visit = randomUUID()
  const found: { readonly id: string; readonly status: ApplicantStatus | null }[] = []
  for (let from = 0; from < ids.value.length; from += maxStatusIds) {
    const some = ids.value.slice(from, from + maxStatusIds)
    const answer = await context.ask('applicants.status', { applicantIds: some, visit })
    if (!answer.ok) return failureEnding(answer.failure)
    found.push(...some.map((id, index) => ({ id, status: answer.value[index] ?? null })))
  }
  const known = found.filter(({ status }) => status !== null).length
  return {
    exit: 'done',
    out: print(context.options.json, found, [
      ...found.map(({ id, status }) => statusLine(id, status)),
      `${number(known)} of ${count(found.length, 'ID', 'IDs')} found. IDs are the provider’s; names of persons are not searched, and who was erased is not found.`
    ])
  }
}

const entryLine = ({ id, file, records = 0, failure }: AuthorityEntry): string =>
  file === undefined
    ? `${oneLine(id)}  ${failure ? `not packed: ${phraseOf(failure)}` : 'not found'}`
    : `${oneLine(id)}  ${file}  ${count(records, 'record', 'records')}`

/** Writes a pack for each person of a file of IDs, and an index, for an authority. */
export async function exportAuthority(context: Context): Promise<Ending> {
  const [path, recipient, basis] = ['ids', 'recipient', 'basis'].map((name) => textOption(context, name)?.trim())
  if (!path || !recipient || !basis || !textOption(context, 'to') || context.operands.length > 0)
    return usage('export authority --ids FILE --to DIR --recipient TEXT --basis TEXT [--documents]')
  const ids = await idsOf(path)
  if (!ids.ok) return ids.failure
  if (ids.value.length > maxAuthorityPersons)
    return usage(
      `At most ${number(maxAuthorityPersons)} people at once; the file has ${number(ids.value.length)}. Nothing was written.`
    )
  const documents = context.options['documents'] === true
  const made = await context.ask('evidence.authority', { applicantIds: [...ids.value], recipient, basis, documents })
  if (!made.ok) return failureEnding(made.failure)
  if (!made.value) return usage('Name the folder: --to DIR')
  const { entries, index } = made.value
  const packed = entries.filter(({ result }) => result === 'packed').length
  const failed = entries.filter(({ result }) => result === 'not-packed')
  const lines = entries.flatMap((entry) => [
    entryLine(entry),
    ...(entry.documents ? documentLines(entry.documents).map((line) => `  ${line}`) : [])
  ])
  return {
    exit: failed.length > 0 ? 'fileMissing' : 'done',
    out: print(context.options.json, made.value, [
      ...lines,
      `${number(packed)} of ${count(entries.length, 'ID', 'IDs')} packed`,
      index
    ]),
    ...(failed.length > 0 && {
      error: `${count(failed.length, 'person', 'people')} could not be packed. The index says why.`
    })
  }
}
