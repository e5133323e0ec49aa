/**
 * Spreads a pasted request (JSON, a command, a form, `name: value` lines, a table row or a list of addresses) over the
 * fields of a form by name and alias. Pure; the form decides what to do with the result. What looks like a request and is not understood is
 * refused: it may have credentials, and would become a value that is sent, stored and exported.
 */
import { invalidField, type FieldFault } from '#contract/failures/failures.ts'
import { credentials } from '#contract/connections/credentials.ts'
import {
  isOperationId,
  operationIds,
  operationOf,
  type FieldDeclaration,
  type OperationId
} from '#contract/verification/operations.ts'
import { looksLikeCredential, looksLikeRequest } from '#contract/text/unsafe-text.ts'
import { formPairs, pastedRequest, type Pair, type PastedRequest } from './pasted-request.ts'
import { words } from './words.ts'

export interface Spread {
  /** Field name to value, outer spaces removed. Never empty. */
  readonly values: Readonly<Record<string, string>>
  /** The detected format, as the end of “Filled from …”. */
  readonly from: string
  /** Names or lines that matched no field. */
  readonly unused: readonly string[]
  /** Labels of the credentials that the text has too; never their values. */
  readonly credentials: readonly string[]
}
/** Before the credentials of the whole text are looked for. */
type Found = Omit<Spread, 'credentials'>

/** Why a pasted text fills nothing and must not be entered either. */
export interface Refused {
  readonly refused: FieldFault
}

type Fields = readonly Pick<FieldDeclaration, 'name' | 'kind' | 'aliases'>[]

const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
const isAddress = (text: string): boolean => /^https?:\/\/\S+$/i.test(text)

/** Exact names are matched before aliases, so that an object that names two fields alike fills both correctly. */
function byName(fields: Fields, pairs: readonly Pair[], from: string): Found | undefined {
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

/**
 * JSON as people and other languages write it: typographic quotes, a comma after the last entry, names without quotes, single quotes, and
 * True, False and None of Python.
 */
function lenient(text: string): string {
  const straight = text.replaceAll(/[\u201c\u201d\u201e\u00ab\u00bb]/g, '"').replaceAll(/[\u2018\u2019]/g, "'")
  return straight
    .split(/("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/s)
    .map((part, index) => {
      if (index % 2 === 1)
        return part.startsWith("'") ? `"${part.slice(1, -1).replaceAll("\\'", "'").replaceAll('"', '\\"')}"` : part
      return part
        .replaceAll(/([{,]\s*)([A-Za-z_]\w*)(\s*:)/g, '$1"$2"$3')
        .replaceAll(/,(\s*[}\]])/g, '$1')
        .replaceAll(/\bTrue\b/g, 'true')
        .replaceAll(/\bFalse\b/g, 'false')
        .replaceAll(/\bNone\b/g, 'null')
    })
    .join('')
}

function fromJson(fields: Fields, text: string, from: string): Found | undefined {
  const value = parseJson(text)
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item === 'string')) return fromLines(fields, value, words.aList)
    return byName(fields, pairsOf(value[0]), from)
  }
  return byName(fields, pairsOf(value), from)
}

/** A body that some shell understands as JSON counts before one that is read leniently, or as a form. */
function fromRequest(fields: Fields, { from, bodies }: PastedRequest): Found | undefined {
  const readings = [
    (text: string) => fromJson(fields, text, from),
    (text: string) => fromJson(fields, lenient(text), from),
    (text: string) => byName(fields, formPairs(text), from)
  ]
  for (const read of readings)
    for (const body of bodies) {
      const spread =
        body === 'file' ? undefined : 'pairs' in body ? byName(fields, body.pairs, from) : read(body.text.trim())
      if (spread) return spread
    }
  return undefined
}

/** `a=1&b=2`, as a browser shows and sends a form. One pair without an escape is a line with name and value. */
function fromForm(fields: Fields, text: string): Found | undefined {
  return /[&%]/.test(text) && /^[\w.[\]-]+=[^\s&]*(?:&[\w.[\]-]+=[^\s&]*)*$/.test(text)
    ? byName(fields, formPairs(text), words.aForm)
    : undefined
}

/** A row without its headings, as a spreadsheet copies it, or with another delimiter before its links. */
function fromRow(fields: Fields, line: string): Found | undefined {
  const cells = line.includes('\t')
    ? line.split('\t')
    : isAddress(line)
      ? []
      : line.split(/\s*[;,|]\s*(?=https?:\/\/)/i)
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
  return filled.length > 1 ? fromLines(fields, filled, words.aTableRow) : undefined
}

/** Two lines of a table: headings, then values. */
function fromTable(fields: Fields, lines: readonly string[]): Found | undefined {
  const [head, row] = lines
  if (!head?.includes('\t') || !row?.includes('\t')) return undefined
  const cells = row.split('\t')
  return byName(
    fields,
    head.split('\t').map((name, index): Pair => [name, cells[index] ?? '']),
    words.aTableRow
  )
}

function fromPairs(fields: Fields, lines: readonly string[]): Found | undefined {
  const split = lines.map((line): Pair | undefined => {
    const match = /^["']?([\p{L}\p{N}][\p{L}\p{N} _.-]{0,60}?)["']?\s*(?:\t|[:=])\s*(.+)$/u.exec(line)
    if (!match || /^https?$/i.test(match[1] ?? '')) return undefined
    return [match[1] ?? '', (match[2] ?? '').replace(/,$/, '').replace(/^(["'])(.*)\1$/, '$2')]
  })
  return byName(
    fields,
    split.filter((pair) => pair !== undefined),
    words.nameAndValueLines
  )
}

/** Addresses go to the address fields in order, the first other line to the applicant field. */
function fromLines(fields: Fields, lines: readonly string[], from: string): Found | undefined {
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

function spreadText(fields: Fields, text: string, alone: boolean): Found | Refused | undefined {
  const request = pastedRequest(text)
  if (request)
    return (
      fromRequest(fields, request) ?? {
        refused: invalidField(request.bodies.includes('file') ? 'paste-file' : 'paste-request')
      }
    )
  if (looksLikeRequest(text)) return { refused: invalidField('paste-request') }
  if (/^[{[]/.test(text))
    return (
      fromJson(fields, text, 'JSON') ??
      fromJson(fields, lenient(text), 'JSON') ?? { refused: invalidField('paste-unmatched') }
    )
  const form = fromForm(fields, text)
  if (form) return form
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  // Lines with one tab each match both formats; the one that fills more fields is used.
  const [table, pairs] = [fromTable(fields, lines), fromPairs(fields, lines)]
  const filled = (found: Found | undefined): number => Object.keys(found?.values ?? {}).length
  const named = filled(pairs) > filled(table) ? pairs : table
  if (named) return named
  const [line = ''] = lines
  const row = lines.length === 1 ? fromRow(fields, line) : undefined
  if (row) return row
  return lines.length > 1 || alone ? fromLines(fields, lines, words.countedLines({ lines: lines.length })) : undefined
}

/** Labels of the credentials whose headers a text names. */
const credentialsIn = (text: string): string[] =>
  credentials
    .filter(({ header }) => new RegExp(`(?<![\\w-])${header}["'^]*\\s*[:=]`, 'i').test(text))
    .map(({ label }) => label)

/**
 * Spreads pasted text over the fields; undefined if it is one plain value for the focused field. @param alone No field is
 * focused, so one plain value goes to the first field of its kind.
 */
export function spreadPaste(fields: Fields, pasted: string, alone = false): Spread | Refused | undefined {
  const text = pasted.trim()
  if (text.length === 0 || text.length > 100_000) return undefined
  const found = spreadText(fields, text, alone)
  const values = found === undefined ? [text] : 'refused' in found ? [] : Object.values(found.values)
  // Of several lines, one may be a header.
  if (values.some((value) => !isAddress(value) && (looksLikeRequest(value) || looksLikeCredential(value))))
    return { refused: invalidField('paste-request') }
  return found === undefined || 'refused' in found ? found : { ...found, credentials: credentialsIn(text) }
}

/**
 * The operation whose path a copied request calls, or that has all of its fields in a JSON object by name, and more of them than any other: of two with as
 * many, neither.
 */
function operationIn(text: string): OperationId | undefined {
  if (pastedRequest(text)) {
    const called = [...text.matchAll(/\/([a-z][a-z-]+)(?=["'?#^`\s]|$)/g)].map(([, segment]) => segment ?? '')
    return called.find(isOperationId)
  }
  const names = new Set(pairsOf(parseJson(text)).map(([name]) => name))
  const named = operationIds.map((id) => {
    const { fields } = operationOf(id)
    const found = fields.filter(({ name }) => names.has(name)).length
    return { id, found, whole: found === fields.length }
  })
  const most = Math.max(...named.map(({ found }) => found))
  const [first, ...more] = named.filter(({ found }) => found === most)
  return first?.whole && more.length === 0 ? first.id : undefined
}

/** A text that is for another operation than the form's, and its values there. */
export interface ForOther extends Spread {
  readonly operation: OperationId
}

/** Undefined if a text is for the form's operation, or if it does not say for which. */
export function forOtherOperation(current: OperationId, pasted: string): ForOther | undefined {
  const text = pasted.trim()
  if (text.length > 100_000) return undefined
  const operation = operationIn(text)
  if (operation === undefined || operation === current) return undefined
  const spread = spreadPaste(operationOf(operation).fields, text)
  return spread === undefined || 'refused' in spread ? undefined : { ...spread, operation }
}
