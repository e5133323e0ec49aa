/** Where a search found its phrase in a record, so that a row without a visible hit has a reason. */
import type { RecordDetail } from '#contract/history/records.ts'
import { folded, spellings } from '#kit/text/folding.ts'

type Found = NonNullable<RecordDetail['found']>

/** Of a longer answer the values are not taken apart: a page of rows must not wait. */
const longestBody = 64 * 1024
/** Characters of a value that are shown, and those of them before the hit. */
const shown = { all: 160, before: 40 }

const placeOf = (text: string, sought: readonly string[]): number => {
  const own = folded(text)
  return Math.max(...sought.map((each) => own.indexOf(each)))
}
/** The part of a text around a phrase that it contains. */
export function around(text: string, phrase: string, at = placeOf(text, spellings(phrase))): string {
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

/** @param phrase As it was typed. Undefined if it is in none of the texts, as in one that was erased. */
export function foundIn(
  record: Pick<RecordDetail, 'id' | 'input' | 'fullMessage' | 'reply'> & { readonly applicantId?: string | undefined },
  phrase: string
): Found | undefined {
  const sought = spellings(phrase)
  const look = (where: string, text: string): Found | undefined => {
    const at = placeOf(text, sought)
    return at < 0 ? undefined : { in: where, text: around(text, phrase, at) }
  }
  const { id, input, fullMessage = '', reply, applicantId } = record
  const inMessage = look('message', fullMessage)
  if (inMessage) return inMessage
  for (const [name, text] of Object.entries(input)) {
    const found = look(name, text)
    if (found) return found
  }
  const body = reply?.body ?? ''
  const values = body === '' ? undefined : parsed(body)
  if (typeof values === 'object' && values !== null)
    for (const [path, text] of valuesOf(values, '')) {
      const found = look(path, text)
      if (found) return found
    }
  return (
    (applicantId === undefined ? undefined : look('applicant', applicantId)) ?? look('id', id) ?? look('response', body)
  )
}
