/** Columns of dates and times: the width that their longest text needs in the person's formats. */
import { shallowRef } from 'vue'
import { formats, type Formats } from './formats.ts'
import type { DatedContent, TableColumn } from './table-columns.ts'
import { textWidth } from './text-width.ts'

/** A late evening in every month, in the time zone of the formats: its hour has two digits. */
const samplesFor = ({ offset }: Formats): readonly number[] =>
  Array.from({ length: 12 }, (_, month) => Date.UTC(2028, month, 28, 22, 58, 58)).map((utc) => utc - offset(utc))

const textsOf: Readonly<Record<DatedContent, (at: number, of: Formats) => readonly string[]>> = {
  'time': (at, of) => [of.time(at)],
  'short-time': (at, of) => [of.time(at, 'short')],
  // The date replaces it for another year.
  'brief': (at, of) => [of.brief(at), of.date(at)],
  'due': (at, of) => [of.date(at)]
}

/** The texts of every month, of which one is the longest. */
export const datedTexts = (content: DatedContent, of: Formats): readonly string[] =>
  samplesFor(of).flatMap((at) => textsOf[content](at, of))

/** Pixels beside the text, for rounding. */
const besideText = 2
const fontFor = (content: DatedContent, mono: boolean): string => {
  const family = getComputedStyle(document.documentElement).getPropertyValue(mono ? '--font-mono' : '--font-sans')
  return `${content === 'due' ? 600 : 400} ${content === 'brief' ? 11 : content === 'due' ? 13 : 12}px ${family}`
}

/** How often a font has arrived: what was measured without it is measured again. */
const arrivals = shallowRef(0)

/** Pixels of the widest text, in whole ones. */
function widest(texts: readonly string[], font: string): number {
  const isLoaded = (): boolean => document.fonts.check(font)
  if (arrivals.value >= 0 && !isLoaded())
    void document.fonts.load(font).then(
      () => isLoaded() && (arrivals.value += 1),
      () => undefined
    )
  const widthOf = textWidth(font)
  // Digits of tables all have the width of a zero.
  return Math.ceil(Math.max(...texts.map((text) => widthOf(text.replace(/\d/g, '0')))))
}

/** The column, at least as wide as its longest date or time. Columns without dates are returned as they are. */
export function withLongestText(column: TableColumn): TableColumn {
  if (column.dated === undefined) return column
  const { content, narrow = content, mono = false } = column.dated
  const needed = (of: DatedContent): number => widest(datedTexts(of, formats()), fontFor(of, mono)) + besideText
  return {
    ...column,
    width: Math.max(column.width, needed(content)),
    narrow: Math.max(column.narrow ?? column.width, needed(narrow))
  }
}
