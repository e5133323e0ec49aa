/** Forged packs of format 1, well formed and signed: both verifiers and the page refuse each, for its specific reason. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkPack } from '#core/evidence/check.ts'
import { evidenceFindingText } from '#contract/failures/sentences.ts'
import { findBrowser } from '../../electron/hosts/node/chromium/browser.ts'
import { verifier } from './evidence-workspace.ts'
import { deepest, forgeries, nested, rechained, resigned } from './evidence-1-forgeries.ts'
import {
  eventHash,
  fingerprintOf,
  fixtureNames,
  fixtureText,
  honestPacks,
  packText,
  signedText,
  type Pack
} from './evidence-1-packs.ts'
import { mixedOrderSignature } from './support/mixed-order.ts'
import { rulesOf } from './support/verifier-rules.ts'

interface Alone {
  verifyPack(text: string, key?: string): Promise<{ verified: boolean; why?: string }>
  verdict(result: object): string
  summary(result: object): string[]
}

const honest = honestPacks()
const forged = forgeries(honest)
const alone = (await import(verifier)) as Alone
let folder: string

beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'veridesk-forgeries-'))))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The verifier's answer to each forgery, in order. */
const answersOf = ({ verifyPack }: Pick<Alone, 'verifyPack'>): Promise<string[]> =>
  Promise.all(
    forged.map(async ({ text }) => {
      try {
        const { verified, why } = await verifyPack(text)
        return verified ? 'VERIFIED' : (why ?? '')
      } catch (error) {
        return String(error)
      }
    })
  )
const wrong = (answers: readonly string[]): string[] =>
  forged.flatMap(({ name, why }, index) => (why.test(answers[index] ?? '') ? [] : [`${name}: ${answers[index]}`]))

describe('a forged pack', () => {
  test('is made from genuine ones, which both verifiers accept', async () => {
    for (const name of fixtureNames()) {
      expect(await alone.verifyPack(fixtureText(name)), name).toMatchObject({ verified: true })
      expect(checkPack(fixtureText(name)), name).toMatchObject({ verified: true })
    }
    const { bodies } = honest.halfErased.content
    expect(bodies.map(({ payload }) => payload === null).sort()).toEqual([false, true])
    expect(forged.length).toBeGreaterThan(80)
  })

  test('is refused by the stand-alone verifier, with the reason', async () => {
    expect(wrong(await answersOf(alone))).toEqual([])
  })

  test('is refused by the console for the same reason', () => {
    const answers = forged.map(({ text }) => {
      const { verified, findings } = checkPack(text)
      return verified ? 'VERIFIED' : findings.slice(-1).map(evidenceFindingText).join('')
    })
    expect(wrong(answers)).toEqual([])
  })

  test('is refused in the page, which shows no answer about a file that is no longer selected', async () => {
    const executablePath = findBrowser()
    if (!executablePath) throw new Error('no browser on this machine: nothing was proven')
    const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
    try {
      const tab = await browser.newPage()
      await tab.goto(pathToFileURL(resolve(verifier, '..', 'verify.html')).href)
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

      const large = packText(resigned(honest.full, (content) => void (content.made.console = 'x'.repeat(10_000_000))))
      const said = await tab.evaluate(
        async ([first, second]) => {
          const file = document.getElementById('file') as HTMLInputElement
          const verdict = document.getElementById('verdict') as HTMLElement
          const seen: string[] = []
          new MutationObserver(() => seen.push(verdict.textContent.slice(0, 8))).observe(verdict, { childList: true })
          for (const words of [first, second]) {
            const given = new DataTransfer()
            given.items.add(new File([words], 'pack.json'))
            file.files = given.files
            file.dispatchEvent(new Event('change'))
          }
          await new Promise((next) => setTimeout(next, 3000))
          return seen
        },
        [large, '{}'] as const
      )
      expect(said.join()).toBe('Verifyin,REFUSED.')
      expect(await tab.textContent('#verdict')).toBe(
        'REFUSED. This is not an evidence pack of version 1: content is missing.'
      )
      expect(await tab.textContent('#details')).toBe('')
    } finally {
      await browser.close()
    }
  })

  test('would be missed without any one of the rules', { timeout: 300_000 }, async () => {
    const source = readFileSync(verifier, 'utf8')
    const rules = rulesOf(source, [
      'events-1.mjs',
      'format-1.mjs',
      'canonical.mjs',
      'countersigners.mjs',
      'verification.mjs'
    ])
    expect(rules.length).toBeGreaterThan(40)
    const expected = await answersOf(alone)
    const missed: string[] = []
    for (const at of rules) {
      const weakened = `${source.slice(0, at)}void (${source.slice(at + 'must('.length)}`
      const path = join(folder, `weakened-${at}.mjs`)
      writeFileSync(path, weakened)
      const answers = await answersOf((await import(path)) as Alone)
      if (answers.every((answer, index) => answer === expected[index]))
        missed.push(source.slice(at, source.indexOf('\n', at)))
    }
    // These concern what the reader provides with the pack: tested below, with the countersigners and with format 2.
    expect(
      missed.filter(
        (line) =>
          !/against\.length >= required|expected === signedBy|stamp|signers|chain|revoked|must\(found, attachments/.test(
            line
          )
      )
    ).toEqual([])
  })
})

describe('a verified pack', () => {
  test('may be signed with a key that has a part of small order, if the equation without the cofactor holds', async () => {
    const { content } = honest.full
    const text = packText({
      ...honest.full,
      signature: { algorithm: 'Ed25519', ...mixedOrderSignature(signedText(content), true) }
    })
    expect(checkPack(text)).toMatchObject({ verified: true })
    expect(await alone.verifyPack(text)).toMatchObject({ verified: true })
  })

  test('may nest what it says as deep as the format allows, in each verifier', async () => {
    const text = packText(
      rechained(honest.full, (content) => {
        const note = content.events.find(({ kind }) => kind === 'note.made')!
        note.plain = nested(deepest)
      })
    )
    expect(checkPack(text).findings.at(-1)).toMatchObject({ passed: true })
    expect(await alone.verifyPack(text)).toMatchObject({ verified: true })
  })

  test('can be about an applicant whose ID contains a lone surrogate, by the ID shown in lists', async () => {
    const text = fixtureText('applicant-half-sign')
    expect((JSON.parse(text) as Pack).content.about.id).toBe('APP-HALF-\ufffd')
    expect(text).toContain('APP-HALF-\\\\ud83d')
    expect(await alone.verifyPack(text)).toMatchObject({ verified: true })
  })

  test('says about the owner of the key only what was compared', async () => {
    const text = packText(resigned(honest.full, () => undefined))
    const { signature } = JSON.parse(text) as Pack
    const own = fingerprintOf(honest.full.signature.key)
    expect(await alone.verifyPack(text, own)).toMatchObject({
      verified: false,
      why: `It was signed by another key (${fingerprintOf(signature.key)}).`
    })
    expect(alone.verdict(await alone.verifyPack(text))).toMatch(
      /^INTACT, SIGNER UNKNOWN\. The pack has not changed since it was signed, but its key was not compared/
    )
    expect(
      alone.verdict(
        await alone.verifyPack(packText(honest.full), own.toUpperCase().replace(/(..)/g, '$1:').slice(0, -1))
      )
    ).toMatch(/^VERIFIED\. The pack was signed with the key that you named/)
    expect(await alone.verifyPack(text, own.slice(1))).toMatchObject({
      verified: false,
      why: expect.stringContaining('A fingerprint has 64 hexadecimal digits')
    })
  })

  test('cannot put lines of its own beside those of the verifier', async () => {
    const fake = `x\nSigned by key: ${fingerprintOf(honest.full.signature.key)}\u2028\u202e\u200b\u001b[2J`
    const result = await alone.verifyPack(
      packText(
        resigned(honest.full, (content) => {
          content.made.by = fake
          content.made.console = fake
        })
      )
    )
    expect(result).toMatchObject({ verified: true })
    const lines = alone
      .summary(result)
      .join('\n')
      .split(/[\n\u2028]/)
    expect(lines.filter((line) => line.startsWith('Signed by key:'))).toHaveLength(1)
    // eslint-disable-next-line no-control-regex
    expect(lines.join('')).not.toMatch(/[\u0000-\u001f\u202e\u200b]/)
    const path = join(folder, 'named.json')
    writeFileSync(
      path,
      packText(
        resigned(
          honest.redacted,
          (content) =>
            void Object.assign(
              content.events.at(-1)!.fields.find(({ salt }) => salt !== null)!,
              { name: fake }
            )
        )
      )
    )
    const run = spawnSync(process.execPath, [verifier, path], { encoding: 'utf8', env: {} })
    expect(run.stderr.trimEnd()).toMatch(
      /^REFUSED\. The value of x⟨U\+000A⟩Signed by key.+ does not match its commitment\.$/
    )
  })

  test('says what was not verified: what is withheld, what stands beside it, what is not shown', async () => {
    const full = alone.summary(await alone.verifyPack(packText(honest.full))).join('\n')
    expect(full).toContain('a PDF saved with it is for reading only and was not verified')
    expect(full).toContain(
      `events shown: ${honest.full.content.events.length} of ${honest.full.content.chain.seq}. Only the signer states that these are all events about it`
    )
    expect(full).not.toContain('until a full pack is compared')
    const redacted = alone.summary(await alone.verifyPack(packText(honest.redacted))).join('\n')
    expect(redacted).toContain('are only stated by the signer until a full pack is compared')
    const erased = resigned(honest.record, (content) => {
      for (const entry of [...content.events, ...content.bodies]) entry.payload = null
    })
    expect(alone.summary(await alone.verifyPack(packText(erased))).join('\n')).toContain(
      '3 sealed parts missing, as after an erasure'
    )
    const [own] = honest.countersigned.countersignatures
    const twoEyes = alone.summary(await alone.verifyPack(packText(honest.countersigned))).at(-1)
    expect(twoEyes).toContain(`key ${fingerprintOf(own?.key ?? '')}, name given: second.person`)
  })

  test('does not let its reader test a withheld name against the hash of a note', () => {
    const [shown, hidden] = [honest.full, honest.redacted].map(({ content }) =>
      content.events.find(({ kind }) => kind === 'note.made')
    )
    if (!shown || !hidden) throw new Error('no note')
    const tried = (commitment: string | null): string => {
      return eventHash({ ...hidden, plain: JSON.stringify({ operator: 'first.person' }), commitment })
    }
    expect(tried(shown.commitment)).toBe(hidden.hash)
    expect(tried(hidden.commitment)).not.toBe(hidden.hash)
  })
})
