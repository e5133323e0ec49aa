/** What a filter with its search text asks of records: columns, a phrase of the index, and what is checked record by record. */
import { readSearch, type SearchQuery } from '#contract/history/search-query.ts'
import type { HistoryFilter } from '#contract/history/queries.ts'
import { finder } from '#kit/text/folding.ts'
import { codeOfState, sieveOf, type RecordColumns, type SearchedBy, type Sieve } from '../projections/columns.ts'
import type { CatalogueReader } from '../projections/catalogue-reader.ts'
import type { Dictionary } from '../projections/dictionary.ts'
import type { Reader } from '../records/reader.ts'
import type { PeopleSearch } from './people.ts'
import { soughtOf, type Also, type Finder, type Phrase, type Sought } from './search.ts'

export interface Wanted {
  /** `none`: the search cannot be answered, and `readSearch` or the length of its text says why. */
  readonly sought: Sought | { readonly kind: 'none' }
  readonly sieve: Sieve
  readonly also?: Also | undefined
}
export interface WantedParts {
  readonly columns: RecordColumns
  readonly dictionary: Dictionary
  readonly reader: Reader
  readonly finder: Finder
  readonly catalogue: Pick<CatalogueReader, 'wordingOf' | 'meaningsOf'>
  readonly people: PeopleSearch
  readonly batchNames: () => ReadonlyMap<string, string>
}

/** Texts counted before the rarest of several phrases is chosen. */
const counted = 2000
const answered = codeOfState('answered')
const isPhrase = (sought: Sought): sought is Phrase => sought.kind === 'phrase'
const anyOf = (texts: readonly string[]): ((text: string) => boolean) | undefined => {
  const all = texts.flatMap((text) => finder(text) ?? [])
  return texts.length === 0 ? undefined : (text) => all.some((found) => found(text))
}

/** Whether a record's message contains all texts: by the catalogue, or read where that does not have it. */
function inMessage(texts: readonly string[], { columns, reader, catalogue }: WantedParts): Also | undefined {
  if (texts.length === 0) return undefined
  const found = texts.map((text) => finder(text) ?? (() => false))
  const says = (message: string): boolean => found.every((each) => each(message))
  const { message, messages, state } = columns.all()
  const known = new Map<number, boolean>()
  return (seq) => {
    const number = message[seq] ?? 0
    if (number === 0) return state[seq] === answered && says(reader.summary(seq).message ?? '')
    const isSaid = known.get(number) ?? says(catalogue.wordingOf(messages.values[number] ?? 0))
    known.set(number, isSaid)
    return isSaid
  }
}

const sought = (kind: 'all' | 'none') => ({ kind })

/** The columns that a filter and the operators of its search ask for. */
function sieveFor(filter: HistoryFilter, asked: SearchQuery, parts: WantedParts): Sieve {
  const { columns, dictionary, catalogue, batchNames } = parts
  const [isBatch, isOperator] = [anyOf(asked.batches), anyOf(asked.operators)]
  const names = isBatch && batchNames()
  const meanings = filter.meanings?.length ? catalogue.meaningsOf() : undefined
  const by: SearchedBy = {
    statuses: asked.statuses,
    ...(isOperator && { isOperator }),
    ...(isBatch && { isBatch: (id) => isBatch(`${id}\n${names?.get(id) ?? ''}`) }),
    ...(meanings && { meaningOf: (message) => meanings.get(message) ?? 'unreviewed' })
  }
  const isNamed = isBatch ?? meanings ?? (filter.batches?.length || filter.messages?.length)
  return {
    ...sieveOf(filter, dictionary, isNamed ? columns.all() : columns.known, by),
    from: Math.max(filter.from ?? -Infinity, asked.from ?? -Infinity),
    until: Math.min(filter.until ?? Infinity, asked.until ?? Infinity)
  }
}

export function wantedOf(filter: HistoryFilter, parts: WantedParts): Wanted {
  const { finder: find, people } = parts
  const asked = readSearch(filter.search)
  const sieve = sieveFor(filter, asked, parts)
  if (asked.faults.length > 0) return { sought: sought('none'), sieve }
  const all = asked.phrases
    .map(soughtOf)
    .map((each): Sought => (isPhrase(each) ? { ...each, people: people.of(each) } : each))
  const [only, ...others] = all
  const isSaid = inMessage(asked.messages, parts)
  if (!isSaid && others.length === 0) return { sought: only ?? sought('all'), sieve }
  // A text that is too short for the index stands for an ID only where it is alone.
  if (!all.every(isPhrase)) return { sought: sought('none'), sieve }
  const indexed = [...all, ...asked.messages.map(soughtOf).filter(isPhrase)]
  const [rarest, ...rest] = indexed
    .map((phrase) => ({ phrase, times: indexed.length > 1 ? find.frequency(phrase, counted) : 0 }))
    .sort((one, other) => one.times - other.times)
    .map(({ phrase }) => phrase)
  const checked = rest.filter((phrase) => all.includes(phrase))
  const also: Also = (seq) => checked.every((phrase) => find.holds(seq, phrase)) && isSaid?.(seq) !== false
  return { sought: rarest ?? sought('all'), sieve, also }
}
