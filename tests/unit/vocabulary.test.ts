/** One thing has one name: code, window and documents do not use the words that the vocabulary forbids. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

/**
 * Forbidden words and what to use instead. A word with other uses in English (a promise settles, a backup keeps) has a
 * pattern that matches only the forbidden use.
 */
const forbidden: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/[>*'"“]Keeping[<*'"”:]|open Keeping\b|keeping[ -]and[ -]letting/i, 'data management'],
  [
    /\bto settle\b|\bsettles? (?:it|them|the (?:record|outcome|rows?))\b|\bnobody (?:has )?settled\b|\bsettled (?:as|by a|in the history)\b|\bperson (?:has )?settle[ds]?\b|\bsettlements?\b/i,
    'resolve, resolution'
  ],
  [/\bsittings?\b/i, 'session'],
  [/\bhouse\b|\brooms?\b/i, 'folder, module, space'],
  [/\w+Room\b|\bRoom[A-Z]\w*/, 'space'],
  [/\bdesk\b/i, 'draft, shared'],
  [/\bsecond pair of eyes\b/i, 'four-eyes approval, countersignature'],
  [/(?<!\baudit[\s*-]{1,5})\btrail\b(?!-\w|\.ts)/i, 'audit trail']
]

/** Forbidden in the product and its documents altogether; tests and scripts use them of promises and files. */
const forbiddenInProduct: typeof forbidden = [
  [/\b(?!allSettled\b)\w*settl(?:e|ing)\w*/i, 'resolve; of a promise: resolve, finish'],
  [/\bkeeping\b/i, 'data management; keep']
]
const isProduct = /^(?:contract|electron|kit|renderer|practice|docs(?!\/decisions\/)|README\.md)(?:\/|$)/

/** Places where a forbidden word is allowed. */
const allowed: readonly (readonly [path: RegExp, word: RegExp, reason: string])[] = [
  [/^tests\/unit\/vocabulary\.test\.ts$/, /./, 'this list'],
  [/^docs\/evidence-format\.md$/, /trail/i, 'a word that the format defines']
]

const walked = [
  'contract',
  'electron',
  'renderer',
  'practice',
  'scripts',
  'tests',
  'docs',
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md'
]
const isText = /\.(?:ts|vue|mjs|cjs|md|css|html|sh)$/

function filesUnder(path: string): string[] {
  if (!statSync(join(root, path)).isDirectory()) return [path]
  return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesUnder(`${path}/${entry.name}`) : isText.test(entry.name) ? [`${path}/${entry.name}`] : []
  )
}

/** Each forbidden word in a text, with its line and replacement. */
function forbiddenIn(path: string, text: string): string[] {
  const words = isProduct.test(path) ? [...forbidden, ...forbiddenInProduct] : forbidden
  return words.flatMap(([pattern, instead]) =>
    [...text.matchAll(new RegExp(pattern.source, `g${pattern.flags}`))]
      .filter(([word]) => !allowed.some(([place, stays]) => place.test(path) && stays.test(word)))
      .map(({ 0: word, index }) => `${path}:${text.slice(0, index).split('\n').length}: “${word.trim()}” is ${instead}`)
  )
}

describe('forbidden words', () => {
  it('are found in no code, window or document', () => {
    const files = walked.flatMap(filesUnder)
    expect(files.length).toBeGreaterThan(400)
    expect(files.flatMap((path) => forbiddenIn(path, readFileSync(join(root, path), 'utf8')))).toEqual([])
  })

  it.each([
    ['<h1>Keeping</h1>', 'data management'],
    ['kept for this sitting', 'session'],
    ['two outcomes to settle', 'resolve, resolution'],
    ['an event of the trail', 'audit trail']
  ])('are seen in “%s”', (text, instead) => {
    expect(forbiddenIn('tests/page.md', text)).toEqual([expect.stringContaining(instead)])
  })

  it.each([
    ['a promise that settles', 'resolve; of a promise'],
    ['record.settling === null', 'resolve; of a promise'],
    ['keeping the focus', 'data management; keep']
  ])('of the product are seen in “%s”, except in a test', (text, instead) => {
    expect(forbiddenIn('docs/page.md', text)).toEqual([expect.stringContaining(instead)])
    expect(forbiddenIn('tests/unit/page.test.ts', text)).toEqual([])
  })

  it.each([
    'await Promise.allSettled(all)',
    'keeps the focus',
    'an event of the audit trail',
    'the audit\n * trail',
    'npm run prove'
  ])('are not seen in “%s”', (text) => expect(forbiddenIn('docs/page.md', text)).toEqual([]))

  it('are allowed in places that exist', () => {
    const files = walked.flatMap(filesUnder)
    for (const [place] of allowed)
      expect(
        files.some((path) => place.test(path)),
        String(place)
      ).toBe(true)
  })
})
