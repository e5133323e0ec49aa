/** Forged packs: refused for the right reason, or accepted for one that the format names. */
import { randomInt } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkPack } from '#core/evidence/pack/check.ts'
import { findBrowser } from '../../electron/hosts/node/chromium/browser.ts'
import { fileText } from './evidence-builder.ts'
import { acceptedLies, claims } from './evidence-claims.ts'
import { forgeries, type Forgery } from './evidence-forgeries.ts'
import { genuinePacks } from './evidence-genuine.ts'
import { mutants } from './evidence-mutants.ts'
import { verifier } from './evidence-workspace.ts'
import { counted, times } from './support/times.ts'
import { rulesOf } from './support/verifier-rules.ts'

interface Alone {
  verifyPack(
    text: string,
    key?: string
  ): Promise<{ readonly status: string; readonly verified: boolean; readonly why?: string }>
}

const changes = 400 * times
const forged = forgeries()
const accepted = acceptedLies()
const format = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'evidence-format.md'), 'utf8')
const alone = (await import(verifier)) as Alone
let folder: string

beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'veridesk-forgeries-'))))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function answerOf({ verifyPack }: Alone, { text }: Forgery): Promise<string> {
  try {
    const { status, why } = await verifyPack(text)
    return status === 'refused' ? (why ?? '') : 'ACCEPTED'
  } catch (error) {
    return String(error)
  }
}
/** The verifier's answer to each forgery, in order. */
const answersOf = (verify: Alone): Promise<string[]> => Promise.all(forged.map((each) => answerOf(verify, each)))
interface Weakened extends Alone {
  /** The place of the rule that is not applied, and of the one that was met last. */
  readonly rules: { off?: number; met?: number }
}
/** The verifier, in which each of these rules can be turned off: loaded once, since each copy of it would be compiled anew. */
async function weakenable(source: string, rules: readonly number[]): Promise<Weakened> {
  const text = rules.reduceRight(
    (before, at) => `${before.slice(0, at)}rule(${at})(${before.slice(at + 'must('.length)}`,
    source
  )
  const path = join(folder, 'weakenable.mjs')
  const rule = 'const rule = (at) => ((rules.met = at) === rules.off ? () => undefined : must)'
  writeFileSync(path, `${text}\nexport const rules = {}\n${rule}\n`)
  return (await import(path)) as Weakened
}
/** Whether any forgery has another answer; the likely ones are tried first. */
async function answersDiffer(
  weakened: Alone,
  expected: readonly string[],
  isLikely: (index: number) => boolean
): Promise<boolean> {
  const order = forged.map((_, index) => index).sort((a, b) => Number(isLikely(b)) - Number(isLikely(a)))
  for (const index of order) if ((await answerOf(weakened, forged[index]!)) !== expected[index]) return true
  return false
}
const wrong = (answers: readonly string[]): string[] =>
  forged.flatMap(({ name, why }, index) => (why.test(answers[index] ?? '') ? [] : [`${name}: ${answers[index]}`]))

describe('a forged pack', () => {
  test('is refused by the stand-alone verifier, with the reason', async () => {
    expect(forged.length).toBeGreaterThan(200)
    expect(wrong(await answersOf(alone))).toEqual([])
  })

  test('is refused by the console', () => {
    expect(forged.filter(({ text }) => checkPack(text).intact).map(({ name }) => name)).toEqual([])
  })

  test.each(accepted.map((each) => [each.name, each] as const))(
    'is accepted for a reason that the format names: %s',
    async (_name, { text }) => {
      expect(await alone.verifyPack(text)).toMatchObject({ status: 'intact', verified: true })
      expect(checkPack(text)).toMatchObject({ intact: true, verified: true })
    }
  )

  test.each(Object.entries(claims))(
    'is accepted only for reasons that are in docs/evidence-format.md: %s',
    (_name, sentence) => {
      expect(format).toContain(sentence)
    }
  )

  test(`is refused after each of ${changes} changes, except for what the format names`, async ({ task }) => {
    const seed = times === 1 ? 2 : randomInt(2 ** 31)
    const believed: string[] = []
    for (const { text, level, place, claim } of mutants(changes, seed)) {
      const [byConsole, byAlone] = [checkPack(text).intact, (await alone.verifyPack(text)).status !== 'refused']
      if ((byConsole || byAlone) && claim === undefined) believed.push(`${level}: ${place}`)
      expect(byConsole, `${level}: ${place}, seed ${seed}`).toBe(byAlone)
      counted(task, { tried: 1, [byAlone ? 'accepted' : 'refused']: 1 })
    }
    expect(believed, `seed ${seed}`).toEqual([])
  })

  test('is refused in the page, which shows the events of a genuine one', async () => {
    const executablePath = findBrowser()
    if (!executablePath) throw new Error('no browser on this machine: nothing was proven')
    const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
    try {
      const tab = await browser.newPage()
      const faults: string[] = []
      const asked: string[] = []
      tab.on('pageerror', (error) => faults.push(error.message))
      tab.on('request', (request) => asked.push(request.url()))
      const page = pathToFileURL(resolve(verifier, '..', 'verify.html')).href
      await tab.goto(page)
      const inPage = (text: string): Promise<string> =>
        tab.evaluate(async (words) => {
          const file = document.getElementById('file') as HTMLInputElement
          const verdict = document.getElementById('verdict') as HTMLElement
          const given = new DataTransfer()
          given.items.add(new File([words], 'pack.json'))
          file.files = given.files
          file.dispatchEvent(new Event('change'))
          while (verdict.textContent === 'Verifying …') await new Promise((next) => setTimeout(next, 1))
          return verdict.textContent
        }, text)
      const answers: string[] = []
      for (const { text } of forged) answers.push((await inPage(text)).replace(/^REFUSED\. /, ''))
      expect(wrong(answers)).toEqual([])
      expect(await inPage(fileText(genuinePacks['applicant'].file))).toMatch(/^INTACT, SIGNER UNKNOWN\./)
      expect(await tab.locator('#details').innerText()).toContain('Complete: all 14 events of person 3, up to event 22')
      expect(await tab.locator('#events').innerText()).toContain('Looked at by hand')
      // Everything that is compared can be given in the page, too.
      const other = join(folder, 'other.json')
      writeFileSync(other, fileText(genuinePacks['next'].file))
      await tab.locator('summary').click()
      await inPage(fileText(genuinePacks['applicant'].file))
      await tab.setInputFiles('#others', other)
      await tab.locator('#details', { hasText: 'provably continues the smaller one' }).waitFor()
      await tab.setInputFiles('#attachments', other)
      await tab.locator('#verdict', { hasText: 'NOT BELONGING TO IT: other.json.' }).waitFor()
      await tab.setInputFiles('#authorities', other)
      await tab.locator('#verdict', { hasText: 'NOT VERIFIED. A file of certificates contains none.' }).waitFor()
      expect(faults).toEqual([])
      expect(asked).toEqual([page])
    } finally {
      await browser.close()
    }
  })

  test('would be missed without any one of the rules', { timeout: 600_000 }, async () => {
    const source = readFileSync(verifier, 'utf8')
    const rules = rulesOf(source, [
      'dsse.mjs',
      'events.mjs',
      'completeness.mjs',
      'subject.mjs',
      'approvals.mjs',
      'pack.mjs'
    ])
    expect(rules.length).toBeGreaterThan(55)
    const expected = await answersOf(alone)
    const weakened = await weakenable(source, rules)
    const refusing: (number | undefined)[] = []
    for (const [index, each] of forged.entries()) {
      expect(await answerOf(weakened, each)).toBe(expected[index])
      refusing.push(weakened.rules.met)
    }
    const missed: string[] = []
    for (const at of rules) {
      weakened.rules.off = at
      if (!(await answersDiffer(weakened, expected, (index) => refusing[index] === at)))
        missed.push(source.slice(at, source.indexOf('\n', at)))
    }
    expect(missed).toEqual([])
  })
})
