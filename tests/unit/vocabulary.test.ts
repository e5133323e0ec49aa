/** One thing has one name: code, window and documents do not use retired words. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

/**
 * Retired words and their replacements. A word with other uses in English (a promise settles, a backup keeps) has a
 * pattern that matches only the retired use.
 */
const retired: readonly (readonly [pattern: RegExp, instead: string])[] = [
  // The window
  [/[>*'"“]Keeping[<*'"”:]|open Keeping\b|keeping[ -]and[ -]letting/i, 'data management'],
  [
    /\bto settle\b|\bsettles? (?:it|them|the (?:record|outcome|rows?))\b|\bnobody (?:has )?settled\b|\bsettled (?:as|by a|in the history)\b|\bperson (?:has )?settle[ds]?\b|\bsettlements?\b/i,
    'resolve, resolution'
  ],
  [/\bwhat became of\b/i, 'resolution, result'],
  [/\bcannot be found out\b/i, 'cannot be determined'],
  [/\bsittings?\b/i, 'session'],
  [/\bpresent connection\b/i, 'current connection'],
  [/\bas the system\b['"]/i, 'system'],
  [/>Look<|["']Look["']/, 'appearance'],
  [/["'>]Needed["'<]/, 'required'],
  [/\b_?mend(?:s|ed|ing)?\b/i, 'fix'],
  [/\bunder\s+way\b|\bunderWay\b/i, 'in progress'],
  [/["'>](?:took|Took)["'<]/, 'duration'],
  [/\bapplicant or link\b|["']Where["']/i, 'subject, connection'],
  [/\bwhole reply\b/i, 'response'],
  [/>Show it<|\/>Show it$/m, 'view earlier answer'],
  [/\bunreadable repl(?:y|ies)\b/i, 'invalid response'],
  [/\bfaulty\b|\bgood rows?\b/i, 'invalid, valid'],
  [/\blately\b/i, 'recent, recently answered, recent duplicates'],
  [/["'>]What was found["'<]/, 'file settings'],
  [/\bwaits for rows\b/i, 'add rows first'],
  [/["'>]Requests at once\b|--at-once\b|--pace\b/, 'concurrency, rate limit'],
  [/>Leave out\b|["'*]Leave out\b/, 'skip'],
  [/\bkeep without starting\b/i, 'save as draft'],
  [/["'>]Tries["'<]/, 'attempts'],
  [/\bcame in \{\{|\bcame in \d/i, 'waiting'],
  [/\bunseen wording\b|\brecord a reading\b/i, 'unreviewed messages, add interpretation'],
  [/\bmeans (?:good|bad)\b/i, 'favourable, unfavourable'],
  [/\bnobody has decided\b/i, 'pending decision'],
  [/\bdecide again\b/i, 'change decision'],
  [/\bstale\b/i, 'outdated'],
  [/\bto be dealt with\b/i, 'due date'],
  [/\blink(?:ed)? locally\b|\blocal link\b/i, 'linked in Veridesk only'],
  [/\bcheck a pack\b|\bthe pack verifies\b/i, 'verify pack, pack verified'],
  [/\btake back\b|\btake a (?:countersigned )?case back\b/i, 'import countersigned case'],
  [/\byour word on\b|\bits own word\b/i, 'review, resolution'],
  [/\bmake and save\b/i, 'create pack'],
  [/\breadable PDF beside\b/i, 'include PDF'],
  [/\bchain is whole\b/i, 'audit trail intact'],
  [/\bby schedule every\b/i, 'back up every'],
  [/\bname failed\b/i, 'DNS lookup failed'],
  [/\bfor ever\b/i, 'indefinitely'],
  [/\bfor good\b/i, 'permanently'],
  [/\bwhat would go\b/i, 'preview deletions'],
  [/\bJump to a da(?:te|y)\b/, 'go to date'],
  [/\bis told nothing\b|\bwas told nothing\b/i, 'not sent to provider'],
  [/\bfind their places\b/i, 'fields fill automatically'],
  [/["'>]Program["'<]/, 'application'],
  // Code and documents
  [/\bhouse\b|\brooms?\b/i, 'folder, module, space'],
  [/\w+Room\b|\bRoom[A-Z]\w*/, 'space'],
  [/\bknots?\b/i, 'cycle'],
  [/\bkeeper\b|\bkeeping(?=\s*(?:[.=-]|:\s))/i, 'the part by its name: backup, exports, …'],
  [/\bcourtesy\b|\bst(?:and|ood)s? back\b|\bg(?:ive|ave)s? way\b/i, 'yield to user'],
  [/\bWordBar\b|\bhush\b/i, 'toast, dismiss'],
  [/\bdeeds?\b|\baftermath\b/i, 'command handlers, post-commit'],
  [/\bhear(?:Core|Count)?\s*[(=]|\.hear\b/, 'on…, update'],
  [/\bdesk\b/i, 'draft, shared'],
  [/\bdoors?\b/i, 'IPC router'],
  [/\bjudge[sd]?\b/i, 'validate, check'],
  [/\bsecond pair of eyes\b/i, 'four-eyes approval, countersignature'],
  [/\bparts that are not ours\b/i, 'dependencies'],
  [/\bquote stands where none can\b/i, 'unexpected quote'],
  [/\blaid beside\b/i, 'added to, compared with'],
  [/(?<!\baudit[\s*-]{1,5})\btrail\b(?!-\w|\.ts)/i, 'audit trail']
]

/** Retired in the product and its documents altogether; tests and scripts use them of promises and files. */
const retiredInProduct: typeof retired = [
  [/(?:['"`]record\.)?\b(?!allSettled\b)\w*settl(?:e|ing)\w*/i, 'resolve; of a promise: resolve, finish'],
  [/\bkeeping\b/i, 'data management; keep']
]
const isProduct = /^(?:contract|electron|kit|renderer|practice|docs(?!\/decisions\/)|README\.md)(?:\/|$)/

/**
 * Places where a retired word is allowed, because it is stored or exported, or because it is the word being replaced.
 */
const allowed: readonly (readonly [path: RegExp, word: RegExp, reason: string])[] = [
  [/^tests\/unit\/vocabulary\.test\.ts$/, /./, 'this list'],
  [/./, /^['"`]record\.settled$/, 'the kind of an event, stored and exported since version 0.1'],
  [/^electron\/wire\/sqlite\/resolution-column\.ts$/, /^settled$/, 'a column in every data folder since version 0.1'],
  [/^electron\/core\/exports\/texts\.ts$/, /^settled_/, 'columns of exports since version 0.1'],
  [
    /^electron\/hosts\/cli\/parse\.ts$/,
    /faulty|settle|--at-once|--pace/i,
    'words and options of version 0.1 that still work'
  ],
  [/^electron\/store\/erasure\/intents\.ts$/, /under way/i, 'name of a list in the data folder since version 0.1'],
  [/^docs\/evidence-format\.md$/, /trail|the pack verifies/i, 'words that the format defines'],
  [
    /^tests\/unit\/cli-parse\.test\.ts$/,
    /faulty|--at-once|--pace/i,
    'words and options of version 0.1 that still work'
  ],
  [/^tests\/unit\/(?:evidence-pack|values)\.test\.ts$/, /took/, 'a name that the evidence format defines'],
  [/^docs\/proof\.md$/, /faulty/i, 'written by the run that is on the page']
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

/** Each retired word in a text, with its line and replacement. */
function retiredIn(path: string, text: string): string[] {
  const words = isProduct.test(path) ? [...retired, ...retiredInProduct] : retired
  return words.flatMap(([pattern, instead]) =>
    [...text.matchAll(new RegExp(pattern.source, `g${pattern.flags}`))]
      .filter(([word]) => !allowed.some(([place, stays]) => place.test(path) && stays.test(word)))
      .map(({ 0: word, index }) => `${path}:${text.slice(0, index).split('\n').length}: “${word.trim()}” is ${instead}`)
  )
}

describe('retired words', () => {
  it('are found in no code, window or document', () => {
    const files = walked.flatMap(filesUnder)
    expect(files.length).toBeGreaterThan(400)
    expect(files.flatMap((path) => retiredIn(path, readFileSync(join(root, path), 'utf8')))).toEqual([])
  })

  it.each([
    ['<h1>Keeping</h1>', 'data management'],
    ['kept for this sitting', 'session'],
    ['two outcomes to settle', 'resolve, resolution'],
    ['requests that are under way', 'in progress'],
    ['Faulty rows are never sent', 'invalid, valid'],
    ['rows that were answered lately', 'recent, recently answered, recent duplicates'],
    ['npm run cli -- batch run --at-once 4', 'concurrency, rate limit'],
    ['the door between window and core', 'IPC router'],
    ['an event of the trail', 'audit trail']
  ])('are seen in “%s”', (text, instead) => {
    expect(retiredIn('tests/page.md', text)).toEqual([expect.stringContaining(instead)])
  })

  it.each([
    ['a promise that settles', 'resolve; of a promise'],
    ['record.settled === null', 'resolve; of a promise'],
    ['keeping the focus', 'data management; keep']
  ])('of the product are seen in “%s”, except in a test', (text, instead) => {
    expect(retiredIn('docs/page.md', text)).toEqual([expect.stringContaining(instead)])
    expect(retiredIn('tests/unit/page.test.ts', text)).toEqual([])
  })

  it.each([
    'await Promise.allSettled(all)',
    'the event `record.settled`',
    'keeps the focus',
    'an event of the audit trail',
    'the audit\n * trail',
    'npm run prove'
  ])('are not seen in “%s”', (text) => expect(retiredIn('docs/page.md', text)).toEqual([]))

  it('are allowed in places that exist', () => {
    const files = walked.flatMap(filesUnder)
    for (const [place] of allowed)
      expect(
        files.some((path) => place.test(path)),
        String(place)
      ).toBe(true)
  })
})
