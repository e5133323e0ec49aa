/** Where a search found its phrase in a record, so that a row without a visible hit has a reason. */
import type { RecordSummary } from '#contract/history/records.ts'
import { detailsOperation } from '#contract/verification/operations.ts'
import { folded } from '#kit/text/folding.ts'
import type { SearchedRecord } from '../records/reader.ts'

export type Found = NonNullable<RecordSummary['found']>

/** Of a longer answer the values are not taken apart: a page of rows must not wait. */
const longestBody = 64 * 1024
/** Characters of a value that are shown, and those of them before the hit. */
const shown = { all: 160, before: 40 }

export const placeOf = (text: string, sought: readonly string[]): number => {
  const own = folded(text)
  return Math.max(...sought.map((each) => own.indexOf(each)))
}
/** The part of a text around a phrase that it contains. */
export function around(text: string, at: number): string {
  if (text.length <= shown.all) return text
  const start = Math.max(0, at - shown.before)
  return `${start > 0 ? '…' : ''}${text.slice(start, start + shown.all)}${start + shown.all < text.length ? '…' : ''}`
}

/** The values of a JSON body by their paths: `address.town`, without the places in lists. */
function* valuesOf(value: unknown, path: string): Generator<readonly [string, string]> {
  if (Array.isArray(value)) for (const each of value) yield* valuesOf(each, path)
  else if (typeof value === 'object' && value !== null)
    for (const [name, each] of Object.entries(value)) yield* valuesOf(each, path === '' ? name : `${path}.${name}`)
  else if (value !== null) yield [path, String(value)]
}
function parsed(body: string): unknown {
  if (body.length > longestBody) return undefined
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** @param sought The spellings of a phrase. Undefined if it is in none of the texts, as in one that was erased. */
export function foundIn(
  { summary, applicantId, answer }: SearchedRecord,
  sought: readonly string[],
  ofPerson: () => Found | undefined
): Found | undefined {
  const look = (where: string, text: string): Found | undefined => {
    const at = placeOf(text, sought)
    return at < 0 ? undefined : { in: where, text: around(text, at) }
  }
  const { id, input, message = '', operation } = summary
  const inRequest =
    look('message', message) ??
    Object.entries(input).reduce<Found | undefined>((found, [name, text]) => found ?? look(name, text), undefined)
  if (inRequest) return inRequest
  // What the details say of the name is in them; the other answers are read if it is not the name.
  const isDetails = operation === detailsOperation
  const person = isDetails ? undefined : ofPerson()
  if (person) return person
  const { message: whole, body } = answer()
  const values = body === '' ? undefined : parsed(body)
  if (typeof values === 'object' && values !== null)
    for (const [path, text] of valuesOf(values, '')) {
      const found = look(path, text)
      if (found) return found
    }
  return (
    look('message', whole) ??
    (applicantId === undefined ? undefined : look('applicant', applicantId)) ??
    look('id', id) ??
    look('response', body) ??
    (isDetails ? ofPerson() : undefined)
  )
}
