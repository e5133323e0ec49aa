/** The operator's guide, built in: its paragraphs, which of them are about a page, and what a search finds in it. */
import { finder, folded } from '#kit/text/folding.ts'
import guideText from '../../../docs/guide.md?raw'

export interface Piece {
  readonly text: string
  readonly as: 'plain' | 'strong' | 'emphasis' | 'code'
}
export type Block =
  | { readonly kind: 'text'; readonly pieces: readonly Piece[] }
  | { readonly kind: 'list'; readonly items: readonly (readonly Piece[])[] }
  | { readonly kind: 'table'; readonly rows: readonly (readonly (readonly Piece[])[])[] }
  | { readonly kind: 'code'; readonly text: string }
export interface Paragraph {
  /** Its heading, which names it. */
  readonly title: string
  readonly blocks: readonly Block[]
  /** All of its words, for the search. */
  readonly text: string
}

const marked = /\*\*([^*]+)\*\*|\*([^*]+)\*|`([^`]+)`|\[([^\]]+)\]\([^)]*\)/g
function piecesOf(line: string): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (const found of line.matchAll(marked)) {
    const [whole, strong, emphasis, code, link] = found
    if (found.index > at) pieces.push({ text: line.slice(at, found.index), as: 'plain' })
    // A document that the program does not contain is only named.
    const as = strong ? 'strong' : emphasis ? 'emphasis' : code ? 'code' : 'plain'
    pieces.push({ text: strong ?? emphasis ?? code ?? link ?? '', as })
    at = found.index + whole.length
  }
  return at < line.length ? [...pieces, { text: line.slice(at), as: 'plain' }] : pieces
}
const cellsOf = (row: string): Piece[][] =>
  row
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => piecesOf(cell.trim()))

function blockOf(part: string): Block {
  if (part.startsWith('```')) return { kind: 'code', text: part.replace(/^```\w*\n|\n```$/g, '') }
  const lines = part.split('\n')
  if (part.startsWith('|'))
    return { kind: 'table', rows: lines.filter((row) => !/^\|[-| ]+\|$/.test(row)).map((row) => cellsOf(row)) }
  if (!/^(?:- |\d+\. )/.test(part)) return { kind: 'text', pieces: piecesOf(lines.join(' ')) }
  const items = part.split(/\n(?=- |\d+\. )/)
  return {
    kind: 'list',
    items: items.map((item) => piecesOf(item.replace(/^(?:- |\d+\. )/, '').replace(/\s*\n\s*/g, ' ')))
  }
}

/** The paragraphs of a text in Markdown, by its headings. */
export function paragraphsOf(text: string): Paragraph[] {
  return text
    .split(/^(?=##+ )/m)
    .filter((part) => part.startsWith('##'))
    .flatMap((part) => {
      const [heading = '', ...rest] = part.split('\n')
      const body = rest.join('\n').trim()
      if (body === '') return []
      // A heading and its table or list may follow without an empty line, fences may contain one.
      const parts = body.split(/\n\n(?![^`]*\n```(?:\n|$))|\n(?=```\w*\n)|(?<=\n```)\n/)
      return [
        {
          title: heading.replace(/^#+ /, ''),
          blocks: parts.flatMap((each) => (each.trim() === '' ? [] : [blockOf(each.trim())])),
          text: body.replace(/[*`|]/g, '')
        }
      ]
    })
}
export const guide: readonly Paragraph[] = paragraphsOf(guideText)

const cases = ['Decide a case', 'What a case shows', 'Interpretation and decision', 'Four-eyes approval', 'Documents']
const answers = ['Reading an answer', 'Documents']
const lists = ['History and tables']
/** By the name of a route: the headings of what is about that page. */
export const pageHelp: Readonly<Record<string, readonly string[]>> = {
  'queue': ['The queue', ...cases],
  'applicant': cases,
  'applicants': [...lists, 'What a case shows'],
  'batches': ['Batches'],
  'batch': ['Batches', ...lists],
  'batch-new': ['Batches', 'Before you pay'],
  'history': [...lists, ...answers],
  'verify': [...answers, 'Before you pay'],
  'check': answers,
  'overview': lists,
  'catalogue': ['Interpretation and decision'],
  'evidence': ['Proof', 'Trust file', 'Four-eyes approval'],
  'audit': ['Proof'],
  'connections': ['First start', 'Network'],
  'data-management': ['Data management', 'Lock and keychain'],
  'team': ['Four-eyes approval'],
  'keys': ['Proof', 'Four-eyes approval'],
  'settings': ['Lock and keychain', 'Network', 'Links and files from outside'],
  'diagnosis': ['Network'],
  'welcome': ['First start'],
  'about': ['First start', 'When a file is damaged']
}

/** The paragraphs about a page, in their order. */
export const helpOf = (page: string): readonly Paragraph[] =>
  (pageHelp[page] ?? []).flatMap((title) => guide.find((paragraph) => paragraph.title === title) ?? [])

/** The paragraphs that contain each typed word: those whose heading does first. */
export function foundIn(text: string): readonly Paragraph[] {
  const typed = text.split(/\s+/).flatMap((word) => finder(word) ?? [])
  const isIn = (said: string): boolean => typed.every((isFound) => isFound(said))
  const found = guide.filter((paragraph) => isIn(`${paragraph.title} ${paragraph.text}`))
  return [...found.filter(({ title }) => isIn(title)), ...found.filter(({ title }) => !isIn(title))]
}

const threes = (text: string): string[] =>
  Array.from({ length: Math.max(0, text.length - 2) }, (_, at) => text.slice(at, at + 3))
/** The three paragraphs that have most of the letters of a text, for a word that is in none. */
export function nearest(text: string): readonly Paragraph[] {
  const sought = new Set(threes(folded(text)))
  const near = (paragraph: Paragraph): number => {
    const [own, all] = [folded(paragraph.title), folded(paragraph.text)]
    return [...sought].reduce((sum, three) => sum + (own.includes(three) ? 2 : 0) + (all.includes(three) ? 1 : 0), 0)
  }
  return guide.toSorted((one, other) => near(other) - near(one)).slice(0, 3)
}
