/**
 * The sentences of the window: each is whole and has one place, its key says what it says, and an element within it is
 * given for each of its places. TypeScript already compares the values of a sentence that is a function.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { faultsOf, sentencesIn, slotFaults, wordsWithin } from './support/sentences.ts'

const root = join(import.meta.dirname, '../../renderer')
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })

const wordsOf = new Map(
  files
    .filter((path) => /words\.ts$/.test(path))
    .map((path) => [path, sentencesIn(readFileSync(join(root, path), 'utf8'))] as const)
)

const templates = files.filter((path) => path.endsWith('.vue'))

describe('the sentences of the window', () => {
  it.each([...wordsOf].filter(([, { length }]) => length > 0))(
    'are whole, once each, under a key that says it: %s',
    (_path, sentences) => expect(faultsOf(sentences)).toEqual([])
  )

  it.each(templates)('get the elements that they have a place for: %s', (path) => {
    const source = readFileSync(join(root, path), 'utf8')
    const imported = /import \{[^}]*\bwords\b[^}]*\} from '(.*words\.ts)'/.exec(source)?.[1]
    const sentences = imported ? (wordsOf.get(relative(root, join(root, dirname(path), imported))) ?? []) : []
    expect(slotFaults(source, sentences)).toEqual([])
  })

  it('hold no other sentence', () => {
    const sources = files.filter((path) => /\.(?:vue|ts)$/.test(path) && basename(path) !== 'words.ts')
    expect(sources.length).toBeGreaterThan(50)
    expect(
      sources.flatMap((path) => wordsWithin(readFileSync(join(root, path), 'utf8')).map((found) => `${path}: ${found}`))
    ).toEqual([])
  })

  it.each([
    ['a part of another', "by: ' by {operator}'", 'is a part'],
    ['a word for the middle of one', "wrong: 'does not agree'", 'begins small'],
    ['a number for a name', "due2: 'Due date'", 'ends in a number'],
    ['said twice', "due: 'Due date', dueDate: 'Due date'", 'says the same as due'],
    [
      'with a plural inside',
      "rows: ({ rows }) => `${plural(rows, { one: '{n} row', other: '{n} rows' })} left`",
      'has a part'
    ],
    [
      'with a place in one form',
      "rows: ({ rows }) => plural(rows, { one: 'One by {who}', other: 'Others' })",
      'places in each'
    ]
  ])('are refused if one is %s', (_what, english, fault) => {
    expect(faultsOf(sentencesIn(`inLanguage({ ${english} })`)).join()).toContain(fault)
  })

  it.each([
    ['without a slot', '<PhraseText :text="words.by" />', 'by: has the places operator, and is given '],
    ['with one too many', '<PhraseText :text="words.by" :values="{ operator, time }" />', 'is given operator,time'],
    [
      'with another sentence',
      '<PhraseText :text="words.by"><template #operator>{{ words.by }}</template></PhraseText>',
      'holds words.by'
    ]
  ])('are refused %s', (_what, template, fault) => {
    expect(
      slotFaults(`<template>${template}</template>`, sentencesIn("inLanguage({ by: 'By {operator}' })")).join()
    ).toContain(fault)
  })
})
