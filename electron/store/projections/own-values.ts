/** Whether a message of the service contains a value of its applicant: who shares the screen shows no such message. Pure. */
import { namesIn, type ApplicantNames, type NameFields } from '#contract/applicants/names.ts'

/** What was sent and received with a record, and what was known of its applicant before. */
export interface RecordValues {
  readonly applicantId: string | undefined
  readonly sent: readonly string[]
  /** As received. */
  readonly body: string
  readonly names: ApplicantNames | undefined
}

/** A longer answer takes time to read; a message that shares a word with it counts as one that contains a value. */
const longestBody = 256 * 1024
/** Of a name or of a value with digits, shorter ones are in any sentence. */
const shortest = { word: 3, value: 4 } as const
/** What the service says of itself, and not of a person. */
const ofService = /^(?:code|errors?|status(?:_?code)?|type|messages?|details?|title|reasons?|description)$/i

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
const folded = (text: string): string => text.normalize('NFC').toLowerCase()

/** Whether a text contains a value: a letter or digit beside it makes it another one. */
function contains(text: string, value: string): boolean {
  for (let at = text.indexOf(value); value !== '' && at >= 0; at = text.indexOf(value, at + 1)) {
    const [before, after] = [text.slice(0, at).at(-1) ?? '', text.charAt(at + value.length)]
    if (!/[\p{L}\p{N}]/u.test(before) && !/[\p{L}\p{N}]/u.test(after)) return true
  }
  return false
}

/** Values with digits, such as dates and numbers of documents, of an answer. */
function* numbered(value: unknown, depth = 0): Generator<string> {
  if (typeof value === 'string' || typeof value === 'number') {
    const text = String(value)
    if (/\d/.test(text) && wordsOf(text).join('').length >= shortest.value) yield text
  } else if (typeof value === 'object' && value !== null && depth < 8)
    for (const [key, each] of Object.entries(value)) if (!ofService.test(key)) yield* numbered(each, depth + 1)
}

function* named({ name, birthDate }: ApplicantNames): Generator<string> {
  if (name !== undefined) {
    yield name
    for (const word of wordsOf(name)) if (word.length >= shortest.word) yield word
  }
  if (birthDate !== undefined) yield birthDate
}

function* received(message: string, body: string, fields: NameFields): Generator<string> {
  // Most answers share no word with their message but the message itself, and need not be read.
  const rest = folded(body.replace(JSON.stringify(message), ''))
  const shared = wordsOf(folded(message)).find((word) => word.length >= shortest.word && rest.includes(word))
  if (shared === undefined) return
  if (body.length > longestBody) return yield shared
  let answer: unknown
  try {
    answer = JSON.parse(body)
  } catch {
    return
  }
  yield* named(namesIn(answer, fields))
  yield* numbered(answer)
}

function* valuesOf(
  message: string,
  { applicantId, sent, body, names }: RecordValues,
  fields: NameFields
): Generator<string> {
  if (applicantId !== undefined) yield applicantId
  for (const value of sent) {
    yield value
    // Of a link, the file's name.
    const file = value.split(/[?#]/, 1)[0]?.split('/').at(-1) ?? ''
    if (file.length >= shortest.value) yield file
  }
  if (names) yield* named(names)
  yield* received(message, body, fields)
}

/** @param fields Which values of an answer are a name. */
export function containsOwnValue(message: string, values: RecordValues, fields: NameFields): boolean {
  const text = folded(message)
  for (const value of valuesOf(message, values, fields)) {
    const sought = folded(value.trim())
    if (sought !== text && contains(text, sought)) return true
  }
  return false
}
