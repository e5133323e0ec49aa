/** `applicant erase` and `applicant receipt`. */
import type { ErasurePreview, ErasureReceipt } from '#contract/data-management/data-management.ts'
import { oneLine, spelledOut } from '#contract/text/hidden-text.ts'
import { failureEnding, textOption, usage, type Context, type Ending } from './context.ts'
import { failureText } from './print.ts'
import { count, print, time } from './print-text.ts'

const how = 'applicant erase ID --confirm ID --reason TEXT --to FILE'

/** Where the id would remain after the erasure, and how to include it. */
function mentionLines({
  applicantId,
  mentions: { total, records, notes, batchRows, more },
  leftovers
}: ErasurePreview): string[] {
  const linkable = records.filter((record) => record.linkable)
  const others = [
    ...(notes > 0 ? [count(notes, 'note or reason', 'notes and reasons')] : []),
    ...(batchRows > 0 ? [count(batchRows, 'row of a batch', 'rows of batches')] : [])
  ]
  return [
    ...(total > 0
      ? [
          `${count(total, 'other record contains', 'other records contain')} this ID in the request or the response, and would remain:`
        ]
      : []),
    ...records.map(
      ({ id, startedAt, operation, applicantId: of, linkable: free }) =>
        `  ${id}  ${time(startedAt)}  ${operation}  ${free ? 'no applicant' : of === undefined ? 'linked to another applicant' : `of ${oneLine(of)}`}`
    ),
    ...(total > records.length
      ? [`  and ${total - records.length} more: history search ${JSON.stringify(applicantId)}`]
      : []),
    ...(linkable.length > 0
      ? [`To also erase those without an applicant, link them first: applicant link ID RECORD…`]
      : []),
    ...(others.length > 0 ? [`${others.join(' and ')} of other applicants contain this ID, and would remain.`] : []),
    ...(more ? ['Some data could not be searched. There may be more.'] : []),
    ...leftovers.map((path) => `Left by an interrupted export and not removed yet: ${oneLine(path)}`)
  ]
}

/** Look-alikes, written so that the difference shows. */
const alikeLines = ({ applicantId, lookAlikes }: ErasurePreview): string[] =>
  lookAlikes.length === 0
    ? []
    : [
        `Applicants with IDs that look like ${spelledOut(applicantId)} would remain. To erase one as well, preview it: applicant erase ID`,
        ...lookAlikes.map((other) => `  ${oneLine(other)}  ${spelledOut(other)}`)
      ]

function previewLines(preview: ErasurePreview): string[] {
  const { applicantId, records, linked, batchRows, oldest, newest, backups, hold, heldBy } = preview
  return [
    `${applicantId}: ${count(records, 'record', 'records')} from ${time(oldest)} to ${time(newest)}, ${linked} of them linked in Veridesk only, ${count(batchRows, 'row', 'rows')} of batches.`,
    `${count(backups, 'backup', 'backups')} would be rewritten.`,
    ...(hold ? [`Held since ${time(hold.at)} by ${hold.by}: ${hold.reason}`] : []),
    ...(heldBy === undefined ? [] : [`Held by a colleague: ${heldBy}`]),
    ...alikeLines(preview),
    ...mentionLines(preview)
  ]
}

/** Who in the team has acknowledged an erasure, and who is pending. */
function teamLines({ team }: ErasureReceipt): string[] {
  if (!team) return []
  if (!team.shared) return ['  The team does not know of it yet.']
  return team.installations.map(
    ({ name, state, at }) =>
      `  ${oneLine(name)}: ${state === 'acknowledged' ? `acknowledged ${time(at ?? 0)}` : state === 'removed' ? 'was removed from the team before acknowledging' : 'pending'}`
  )
}

function receiptLines({
  records,
  batchRows,
  backupsRewritten,
  copiesNotReached,
  documents = 0,
  documentsNotDeleted = 0,
  id
}: ErasureReceipt): string[] {
  return [
    `Erased: ${count(records, 'record', 'records')}, ${count(batchRows, 'row', 'rows')} of batches. ${count(backupsRewritten, 'backup or copy was', 'backups and copies were')} rewritten.`,
    ...(documents > 0 ? [`${count(documents, 'copy of a document', 'copies of documents')} destroyed.`] : []),
    ...(documentsNotDeleted > 0
      ? [`${count(documentsNotDeleted, 'file', 'files')} of them could not be deleted. Nobody can open what is left.`]
      : []),
    ...(copiesNotReached.length > 0
      ? [`Could not be reached and may still contain personal data: ${copiesNotReached.join(', ')}`]
      : []),
    `Receipt ${id}`
  ]
}

/**
 * Destroys an applicant's key here and in every copy, and writes the receipt. Without `--confirm` it only previews
 * what would be erased. The confirmation is the id typed again, as in the window.
 */
export async function eraseApplicant(context: Context): Promise<Ending> {
  const [applicantId, ...more] = context.operands
  if (applicantId === undefined || more.length > 0) return usage(`Name one applicant: ${how}`)
  const preview = await context.ask('erasure.preview', { applicantId })
  if (!preview.ok) return failureEnding(preview.failure)
  const confirmation = textOption(context, 'confirm')
  const reason = textOption(context, 'reason')?.trim()
  const to = textOption(context, 'to')
  if (confirmation === undefined || !reason || !to)
    return {
      ...usage(`Nothing was erased. Erasure cannot be undone. To erase, give all of: ${how}`),
      out: print(context.options.json, preview.value, previewLines(preview.value))
    }
  const erased = await context.ask('erasure.run', { applicantId, confirmation, reason })
  if (!erased.ok) return failureEnding(erased.failure)
  const out = print(context.options.json, erased.value, [
    ...receiptLines(erased.value),
    ...[...alikeLines(preview.value), ...mentionLines(preview.value)].map((line) =>
      line.replace('would remain', 'remained')
    )
  ])
  const saved = await context.ask('erasure.saveReceipt', { id: erased.value.id })
  if (saved.ok && saved.value) return { exit: 'done', out: context.options.json ? out : `${out}\n${saved.value.path}` }
  const why = saved.ok ? 'The receipt was not written.' : failureText(saved.failure)
  return {
    exit: 'fileMissing',
    out,
    error: `${why}\nThe applicant was erased, and the history keeps the receipt: applicant receipt ${erased.value.id} --to FILE`
  }
}

/**
 * Links records without an applicant to one, as the window does, so that they are erased with it. Stops at the first
 * that cannot be linked.
 */
export async function linkRecords(context: Context): Promise<Ending> {
  const [applicantId, ...records] = context.operands
  if (applicantId === undefined || records.length === 0)
    return usage('Name the applicant and the records: applicant link ID RECORD…')
  for (const [done, recordId] of records.entries()) {
    const linked = await context.ask('applicants.link', { recordId, applicantId })
    if (!linked.ok)
      return {
        ...failureEnding(linked.failure),
        out: `Linked: ${done} of ${records.length}. Refused: ${oneLine(recordId)}`
      }
  }
  return {
    exit: 'done',
    out: `${count(records.length, 'record', 'records')} linked to ${oneLine(applicantId)} in Veridesk only.`
  }
}

/** Lists erasure receipts, or writes one to a file. They do not identify whose data was erased. */
export async function showReceipts(context: Context): Promise<Ending> {
  const [id, ...more] = context.operands
  if (more.length > 0 || (id !== undefined && !textOption(context, 'to')))
    return usage('Name the receipt and the file: applicant receipt ID --to FILE. Without ID they are listed.')
  if (id === undefined) {
    const receipts = await context.ask('erasure.receipts')
    if (!receipts.ok) return failureEnding(receipts.failure)
    if (receipts.value.length === 0 && !context.options.json)
      return { exit: 'done', error: 'There are no erasure receipts.' }
    const lines = receipts.value.flatMap((one) => [
      `${one.id}  ${time(one.at)}  ${one.cause.padEnd(9)}  ${count(one.records, 'record', 'records')}  ${one.replaced ? 'of a history that was replaced' : `by ${oneLine(one.by ?? '')}`}`,
      ...teamLines(one)
    ])
    return { exit: 'done', out: print(context.options.json, receipts.value, lines) }
  }
  const saved = await context.ask('erasure.saveReceipt', { id })
  if (!saved.ok) return failureEnding(saved.failure)
  return saved.value ? { exit: 'done', out: saved.value.path } : usage('Name the file: --to FILE')
}
