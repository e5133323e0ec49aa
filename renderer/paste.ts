/**
 * Spreads a pasted request (JSON, a curl command, `name: value` lines, a table row or a list of addresses) over the
 * fields of a form by name and alias. Pure; the form decides what to do with the result.
 */
import type { FieldDeclaration } from '#contract/operations.ts'

export interface Spread {
  /** Field name to value, outer spaces removed. Never empty. */
  readonly values: Readonly<Record<string, string>>
  /** The detected format, as the end of “Filled from …”. */
  readonly from: string
  /** Names or lines that matched no field. */
  readonly unused: readonly string[]
}

type Pair = readonly [name: string, value: string]
type Fields = readonly Pick<FieldDeclaration, 'name' | 'kind' | 'aliases'>[]

const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
const isAddress = (text: string): boolean => /^https?:\/\/\S+$/i.test(text)

/** Exact names are matched before aliases, so that an object that names two fields alike fills both correctly. */
function byName(fields: Fields, pairs: readonly Pair[], from: string): Spread | undefined {
  const values: Record<string, string> = {}
  const taken = new Set<Pair>()
  const take = (fits: (field: Fields[number], name: string) => boolean): void => {
    for (const field of fields) {
      if (field.name in values) continue
      const pair = pairs.find((candidate) => !taken.has(candidate) && fits(field, plain(candidate[0])))
      if (!pair) continue
      taken.add(pair)
      values[field.name] = pair[1].trim()
    }
  }
  take((field, name) => plain(field.name) === name)
  take((field, name) => field.aliases.some((alias) => plain(alias) === name))
  if (taken.size === 0) return undefined
  return { values, from, unused: pairs.filter((pair) => !taken.has(pair)).map(([name]) => name) }
}

/** Numbers keep their digits: an ID of twenty digits must not be rounded. */
function parseJson(text: string): unknown {
  const keepDigits = (_key: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' ? (context?.source ?? String(value)) : value
  try {
    return JSON.parse(text, keepDigits)
  } catch {
    return undefined
  }
}

function pairsOf(value: unknown): Pair[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value).flatMap(([name, inner]): Pair[] =>
    typeof inner === 'string' ? [[name, inner]] : pairsOf(inner)
  )
}

function fromJson(fields: Fields, text: string, from: string): Spread | undefined {
  const value = parseJson(text)
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item === 'string')) return fromLines(fields, value, 'a list')
    return byName(fields, pairsOf(value[0]), from)
  }
  return byName(fields, pairsOf(value), from)
}

/** Words of a shell command, with quotes, escapes and line continuations resolved (POSIX.1-2024, 2.2). */
function shellWords(command: string): string[] {
  const joined = command.replace(/[\\^`]\r?\n/g, ' ')
  const pieces = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)|(\s+)/gs
  const words: string[] = ['']
  for (const [, single, double, escaped, bare, space] of joined.matchAll(pieces)) {
    if (space !== undefined) words.push('')
    else words[words.length - 1] += single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? bare ?? ''
  }
  return words
}

function fromCurl(fields: Fields, text: string): Spread | undefined {
  const words = shellWords(text)
  for (const [index, word] of words.entries()) {
    const attached = /^--(?:data(?:-raw|-binary|-ascii)?|json)=(.*)$/s.exec(word)?.[1]
    const body = attached ?? (/^(?:-d|--data(?:-raw|-binary|-ascii)?|--json)$/.test(word) ? words[index + 1] : undefined)
    const spread = body && fromJson(fields, body, 'a curl command')
    if (spread) return spread
  }
  return undefined
}

/** Two lines of a table: headings, then values. */
function fromTable(fields: Fields, lines: readonly string[]): Spread | undefined {
  const [head, row] = lines
  if (!head?.includes('\t') || !row?.includes('\t')) return undefined
  const cells = row.split('\t')
  return byName(fields, head.split('\t').map((name, index): Pair => [name, cells[index] ?? '']), 'a table row')
}

function fromPairs(fields: Fields, lines: readonly string[]): Spread | undefined {
  const split = lines.map((line): Pair | undefined => {
    const match = /^["']?([\p{L}\p{N}][\p{L}\p{N} _.-]{0,60}?)["']?\s*(?:\t|[:=])\s*(.+)$/u.exec(line)
    if (!match || /^https?$/i.test(match[1] ?? '')) return undefined
    return [match[1] ?? '', (match[2] ?? '').replace(/,$/, '').replace(/^(["'])(.*)\1$/, '$2')]
  })
  return byName(fields, split.filter((pair) => pair !== undefined), 'name and value lines')
}

/** Addresses go to the address fields in order, the first other line to the applicant field. */
function fromLines(fields: Fields, lines: readonly string[], from: string): Spread | undefined {
  const values: Record<string, string> = {}
  const unused: string[] = []
  for (const line of lines) {
    const kind = isAddress(line) ? 'url' : 'applicant-id'
    const field = fields.find((candidate) => candidate.kind === kind && !(candidate.name in values))
    if (field) values[field.name] = line.trim()
    else unused.push(line)
  }
  return Object.keys(values).length === 0 ? undefined : { values, from, unused }
}

/**
 * Spreads pasted text over the fields; undefined if it is one plain value for the focused field. @param alone No field is
 * focused, so one plain value goes to the first field of its kind.
 */
export function spreadPaste(fields: Fields, pasted: string, alone = false): Spread | undefined {
  const text = pasted.trim()
  if (text.length === 0 || text.length > 100_000) return undefined
  if (/^[{[]/.test(text)) return fromJson(fields, text, 'JSON')
  if (/^curl(?:\.exe)?\s/i.test(text)) return fromCurl(fields, text)
  const lines = text.split(/\r?\n/).map((line) => line.trim()).filter((line) => line !== '')
  // Lines with one tab each match both formats; the one that fills more fields is used.
  const [table, pairs] = [fromTable(fields, lines), fromPairs(fields, lines)]
  const filled = (spread: Spread | undefined): number => Object.keys(spread?.values ?? {}).length
  const named = filled(pairs) > filled(table) ? pairs : table
  if (named) return named
  return lines.length > 1 || alone ? fromLines(fields, lines, lines.length === 1 ? 'one line' : `${lines.length} lines`) : undefined
}
