/** What the text in the history's search field asks for. The window, the command line and core read it with the same function. */

/** Operators, and what each expects. */
export const searchOperators = ['status', 'message', 'batch', 'by', 'before', 'after'] as const
export type SearchOperator = (typeof searchOperators)[number]

export interface SearchQuery {
  /** Texts that a record must all contain. */
  readonly phrases: readonly string[]
  /** HTTP statuses; one of them. */
  readonly statuses: readonly number[]
  /** Texts that the service's message must all contain. */
  readonly messages: readonly string[]
  /** Texts in the name or the ID of the batch; one of them. */
  readonly batches: readonly string[]
  /** Texts in the name of the operator; one of them. */
  readonly operators: readonly string[]
  /** Inclusive start and exclusive end, Unix milliseconds. */
  readonly from?: number
  readonly until?: number
  /** What cannot be understood, in sentences. Nothing is found then. */
  readonly faults: readonly string[]
}

/** Said where a search is too short to be answered, in the window and on the command line. */
export const searchTooShort =
  'The search text is too short, so no records are listed. Enter three characters or more, two of Chinese, Japanese or Korean, or a complete applicant ID.'

const inWords = searchOperators.map((name) => `${name}:`).join(', ')
const unknownOperator = (name: string): string =>
  `There is no operator “${name}:”. The operators are ${inWords}. To search for the text itself, put it in quotation marks.`
const missingValue = (name: string): string => `“${name}:” needs a value, such as ${exampleOf[name as SearchOperator]}.`
const exampleOf: Readonly<Record<SearchOperator, string>> = {
  status: 'status:404',
  message: 'message:"photo expired"',
  batch: 'batch:november',
  by: 'by:berg',
  before: 'before:2026-11-01',
  after: 'after:2026-11-01'
}
const badStatus = (value: string): string =>
  `“status:${value}” is no HTTP status. It has three digits, such as status:404.`
const badDay = (name: string, value: string): string =>
  `“${name}:${value}” is no date. Write the year, month and day, such as ${name}:2026-11-01.`
const openQuote = 'A quotation mark is not closed.'

/** The start of a day of the calendar in the local time zone; `days` later. Undefined if there is no such day. */
function startOfDay(text: string, days: number): number | undefined {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []
  if (year === undefined || month === undefined || day === undefined) return undefined
  const [y, m, d] = [Number(year), Number(month) - 1, Number(day)]
  const start = new Date(y, m, d)
  if (start.getFullYear() !== y || start.getMonth() !== m || start.getDate() !== d) return undefined
  const at = new Date(y, m, d + days).getTime()
  return at < 0 ? undefined : at
}

interface Term {
  readonly operator?: string
  readonly text: string
  readonly quoted: boolean
}

/** White space ends a term, a quotation mark begins a text up to the next one. `undefined` if that is missing. */
function termsOf(text: string): readonly Term[] | undefined {
  const terms: Term[] = []
  // An operator stands before its value without white space; what follows with `//` is an address.
  const term = /\s*(?:([A-Za-z]+):(?!\/\/))?(?:"([^"]*)("?)|([^\s"]\S*|))/uy
  while (term.lastIndex < text.length) {
    const found = term.exec(text)
    if (!found || found[0] === '') break
    const [, operator, quoted, closed, bare = ''] = found
    if (quoted !== undefined && closed === '') return undefined
    if (operator === undefined && quoted === undefined && bare === '') continue
    terms.push({ ...(operator !== undefined && { operator }), text: quoted ?? bare, quoted: quoted !== undefined })
  }
  return terms
}

/** One operator with its value; returns why it cannot be understood. */
function take(query: Writable, name: SearchOperator, value: string): string | undefined {
  if (value.trim() === '') return missingValue(name)
  switch (name) {
    case 'status':
      if (!/^[1-9]\d\d$/.test(value)) return badStatus(value)
      query.statuses.push(Number(value))
      return undefined
    case 'message':
      query.messages.push(value)
      return undefined
    case 'batch':
      query.batches.push(value)
      return undefined
    case 'by':
      query.operators.push(value)
      return undefined
    case 'before': {
      const until = startOfDay(value, 0)
      if (until === undefined) return badDay(name, value)
      query.until = Math.min(query.until ?? Infinity, until)
      return undefined
    }
    case 'after': {
      const from = startOfDay(value, 1)
      if (from === undefined) return badDay(name, value)
      query.from = Math.max(query.from ?? 0, from)
      return undefined
    }
  }
}
type Writable = {
  -readonly [Name in keyof SearchQuery]: SearchQuery[Name] extends readonly (infer Item)[] ? Item[] : SearchQuery[Name]
}

/**
 * Reads a search.
 *
 * ```
 * search    = *( term )                      terms are parted by white space
 * term      = word / phrase / operator
 * word      = what begins with no quotation mark; neighbouring words are one phrase, as they stand
 * phrase    = `"` *( any character but `"` ) `"`
 * operator  = name `:` ( word / phrase )     without white space
 * name      = status / message / batch / by / before / after, in capitals or not
 * ```
 *
 * A record matches if it contains all phrases and passes all operators; several of `status`, `batch` or `by` are alternatives.
 * `before:` ends with the day before, `after:` begins with the day after, both in the local time zone. Letters before a colon are an
 * operator, also unknown ones, unless `//` follows: `https://…` is a word. There is no escape for a quotation mark; a text that needs
 * one is searched for by what is beside it.
 */
export function readSearch(search: string | undefined): SearchQuery {
  const query: Writable = { phrases: [], statuses: [], messages: [], batches: [], operators: [], faults: [] }
  const text = (search ?? '').replaceAll('\0', ' ').trim()
  const terms = termsOf(text)
  if (!terms) return { ...query, faults: [openQuote] }
  let run: string[] = []
  const endRun = (): void => {
    if (run.length > 0) query.phrases.push(run.join(' '))
    run = []
  }
  for (const { operator, text: value, quoted } of terms) {
    if (operator === undefined && !quoted) {
      run.push(value)
      continue
    }
    endRun()
    if (operator === undefined) {
      if (value.trim() !== '') query.phrases.push(value)
      continue
    }
    const name = searchOperators.find((each) => each === operator.toLowerCase())
    const fault = name === undefined ? unknownOperator(operator) : take(query, name, value)
    if (fault !== undefined && !query.faults.includes(fault)) query.faults.push(fault)
  }
  endRun()
  return query
}
