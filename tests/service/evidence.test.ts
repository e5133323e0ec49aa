/** Evidence packs from a real history, verified by the console. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EvidenceAbout, RedactionProfile } from '#contract/evidence/evidence.ts'
import { evidenceFindingText, sentencesOf } from '#contract/failures/sentences.ts'
import { checkPack } from '#core/evidence/pack/check.ts'
import { packPage } from '#core/evidence/page.ts'
import { verifyEvidence } from '../../electron/hosts/cli/evidence.ts'
import {
  check,
  evidenceWorkspace,
  furnish,
  loadVerifier,
  person,
  savedPack,
  verifier,
  type SavedPack,
  type Workspace
} from './evidence-workspace.ts'
import { answer } from './history-fixtures.ts'

let folder: string
let first: Workspace
let second: Workspace
let recordId: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'veridesk-evidence-'))
  ;[first, second] = [await evidenceWorkspace(folder, 'first.person'), await evidenceWorkspace(folder, 'second.person')]
  recordId = await furnish(first)
})
afterAll(async () => {
  for (const { store } of [first, second]) await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const pack = (about: EvidenceAbout, profile?: RedactionProfile): Promise<SavedPack> =>
  savedPack(first, folder, about, profile)
const abouts = (): EvidenceAbout[] => [
  { kind: 'record', id: recordId },
  { kind: 'applicant', id: person }
]
const profiles: RedactionProfile[] = ['full', 'no-personal-data']
const applicant = { kind: 'applicant', id: person } as const
/** The signed content, which the file has as base64. */
const contentIn = ({ pack: { content } }: SavedPack): string => JSON.stringify(content)
async function fingerprint({ evidence }: Workspace): Promise<string> {
  const key = await evidence.publicKey()
  if (!key.ok) throw new Error(sentencesOf(key.failure).what)
  return key.value.fingerprint
}
/** Number of events in the audit trail that record a pack. */
async function packsRecorded(): Promise<number> {
  const page = await first.store.audit.page({ limit: 200 })
  return page.ok ? page.value.events.filter(({ kind }) => kind === 'pack.made').length : 0
}

describe('a pack', () => {
  test.each(profiles)('with the profile %s verifies', async (profile) => {
    for (const about of abouts()) {
      const { text } = await pack(about, profile)
      const { verified, findings } = checkPack(text)
      expect(findings.filter(({ passed }) => !passed).map(evidenceFindingText)).toEqual([])
      expect(verified).toBe(true)
      expect(await (await loadVerifier()).verifyPack(text, await fingerprint(first))).toMatchObject({ verified: true })
    }
  })

  test('contains all events of the person, the last of which records it, and continues the pack before it', async () => {
    await first.store.applicants.note(person, 'A note more', { at: 1_760_000_002_000, operator: 'first.person' })
    const before = (await pack(applicant)).view
    const { text, view } = await pack(applicant, 'no-personal-data')
    const texts = checkPack(text).findings.map(evidenceFindingText)
    expect(view.events.at(-1)).toMatchObject({ kind: 'pack.made', seq: view.tree.size })
    expect(texts.join('\n')).toMatch(
      new RegExp(`All \\d+ events of person \\d+ up to event ${view.tree.size.toLocaleString('en')} are shown\\.`)
    )
    expect(texts).toContain(
      `The audit trail continues that of the pack before it, which ended with event ${before.tree.size.toLocaleString('en')}.`
    )
  })

  test('names the key that signed it, as the window and the command line compare it', async () => {
    const { path } = await pack({ kind: 'record', id: recordId })
    expect(await verifyEvidence([path], { key: await fingerprint(first) })).toMatchObject({ exit: 'done' })
    expect(await verifyEvidence([path], { key: '0'.repeat(64) })).toMatchObject({ exit: 'refused' })
    first.open = second.open = path
    expect(await first.evidence.check()).toMatchObject({ ok: true, value: { verified: true, ownKey: true } })
    expect(await second.evidence.check()).toMatchObject({ ok: true, value: { verified: true, ownKey: false } })
  })

  test('withholds what its profile says, behind digests', async () => {
    const full = contentIn(await pack(applicant))
    for (const word of [person, 'Évident', 'secretly', 'tester']) expect(full).toContain(word)
    const nameless = contentIn(await pack(applicant, 'no-personal-data'))
    for (const word of [
      person,
      'Évident',
      'secretly',
      'tester',
      'first.person',
      'files.example.com',
      '0011223344556677'
    ])
      expect(nameless).not.toContain(word)
    expect(nameless).toContain('validate-applicant-id-document')
  })

  test('and a later one are shown to be from one audit trail, or neither to continue nor to contradict', async () => {
    const earlier = await pack(applicant)
    const kept = join(folder, 'earlier.json')
    writeFileSync(kept, earlier.text)
    await check(first, answer('Accepted'), 'APP-BETWEEN')
    const { path } = await pack(applicant, 'no-personal-data')
    const { out, exit } = await verifyEvidence([path], { beside: kept })
    expect(exit).toBe('signerUnknown')
    expect(out).toMatch(/passed +beside +The audit trail of the larger pack provably continues that of the smaller one/)
    const others = await evidenceWorkspace(join(folder, 'others'), 'first.person')
    await check(others)
    const foreign = await savedPack(others, folder, applicant, 'no-personal-data')
    await others.store.close()
    expect(await verifyEvidence([foreign.path], { beside: kept })).toMatchObject({
      exit: 'refused',
      out: expect.stringContaining('another key') as string
    })
  })

  test('about something missing is a failure with a message, and records nothing', async () => {
    const recorded = await packsRecorded()
    first.save = join(folder, 'never.json')
    for (const about of [
      { kind: 'record', id: '00000000-0000-7000-8000-000000000000' },
      { kind: 'batch', id: '00000000-0000-7000-8000-000000000000' },
      { kind: 'applicant', id: 'NOBODY' }
    ] as const)
      expect(await first.evidence.make({ about, profile: 'full', pdf: false })).toMatchObject({
        ok: false,
        failure: { code: 'evidence-nothing' }
      })
    expect(await packsRecorded()).toBe(recorded)
    expect(existsSync(first.save)).toBe(false)
  })

  test('that is cancelled in the file dialog is not recorded', async () => {
    const recorded = await packsRecorded()
    delete first.save
    expect(await first.evidence.make({ about: applicant, profile: 'full', pdf: true })).toEqual({
      ok: true,
      value: null
    })
    expect(await packsRecorded()).toBe(recorded)
    await pack(applicant)
    expect(await packsRecorded()).toBe(recorded + 1)
  })

  test('has a page on which nothing runs, loads or reverses the reading direction', async () => {
    const { view } = await pack({ kind: 'record', id: recordId })
    const page = packPage(view)
    expect(page).toContain('Évident &lt;script&gt;')
    expect(page).toContain(view.tree.root)
    expect(page).not.toMatch(/<script|<img|<iframe|<object|\u202e|href=|src=/i)
    expect(page.match(/https?:/g)?.length ?? 0).toBeGreaterThan(0)
    expect(page).toContain("default-src 'none'")
  })
})

describe('a PDF', () => {
  const printed = (): { path: string; pdf: string } => {
    const path = join(folder, 'printed.veridesk-evidence')
    return { path, pdf: join(folder, 'printed.pdf') }
  }

  test('is named in the signed content, and an exchanged one is found beside the pack and on the command line', async () => {
    const { path, pdf } = printed()
    let html = ''
    const printer = await evidenceWorkspace(join(folder, 'printer'), 'first.person', undefined, async (page) => {
      html = page
      return Buffer.from(`%PDF-1.7 ${page.length}`)
    })
    await check(printer)
    Object.assign(printer, { save: path, open: path })
    expect(await printer.evidence.make({ about: applicant, profile: 'full', pdf: true })).toMatchObject({
      ok: true,
      value: { pdfPath: pdf }
    })
    const { pack: made, view } = checkPack(readFileSync(path, 'utf8'))
    expect(made?.content.attachments).toMatchObject([{ name: 'printed.pdf' }])
    expect(html).toContain(view?.tree.root)
    const beside = async (): Promise<string[]> => {
      const verdict = await printer.evidence.check()
      if (!verdict.ok || !verdict.value) throw new Error('not checked')
      return [
        String(verdict.value.verified),
        ...verdict.value.findings.filter(({ what }) => what === 'attachments').map(evidenceFindingText)
      ]
    }
    const right = 'The file printed.pdf is the one that belongs to the pack.'
    expect(await beside()).toEqual(['true', right])
    expect(await verifyEvidence([path], { attachment: [pdf] })).toMatchObject({
      exit: 'signerUnknown',
      out: expect.stringContaining(right) as string
    })
    writeFileSync(pdf, '%PDF-1.7 another')
    const wrong = 'The file printed.pdf is not the one that belongs to the pack.'
    expect(await beside()).toEqual(['false', wrong])
    expect(await verifyEvidence([path], { attachment: [pdf] })).toMatchObject({
      exit: 'refused',
      out: expect.stringContaining(wrong) as string
    })
    rmSync(pdf)
    expect(await beside()).toEqual([
      'true',
      'The file printed.pdf belongs to the pack. It is not beside it and was not compared.'
    ])
    expect(await verifyEvidence([path], { attachment: [pdf] })).toMatchObject({ exit: 'failed' })
    await printer.store.close()
  })
})

describe('the verifier', () => {
  test.each(['mjs', 'html'] as const)('is saved as it lies in its file: %s', async (form) => {
    first.save = join(folder, `saved.${form}`)
    expect(await first.evidence.saveVerifier(form)).toEqual({ ok: true, value: { path: first.save } })
    expect(readFileSync(first.save).equals(readFileSync(resolve(verifier, '..', `verify.${form}`)))).toBe(true)
  })

  test('that is missing in an installation is reported, and no file is created', async () => {
    const incomplete = await evidenceWorkspace(folder, 'third.person', join(folder, 'nowhere'))
    incomplete.save = join(folder, 'not-saved.mjs')
    const answer = await incomplete.evidence.saveVerifier('mjs')
    expect(answer).toMatchObject({
      failure: { code: 'program-file-unreadable', details: { file: 'out/verifier/verify.mjs', errno: 'ENOENT' } }
    })
    expect(existsSync(incomplete.save)).toBe(false)
    await incomplete.store.close()
  })

  test('imports nothing but Node’s own file functions, and says what it cannot read', () => {
    const source = readFileSync(verifier, 'utf8')
    expect(
      [...source.matchAll(/import\('([^']+)'\)/g)].map(([, name]) => name).every((name) => name?.startsWith('node:'))
    ).toBe(true)
    expect(source).not.toMatch(/^import |fetch\(|XMLHttpRequest/m)
    expect(spawnSync(process.execPath, [verifier]).status).toBe(2)
    expect(spawnSync(process.execPath, [verifier, join(folder, 'nowhere')]).status).toBe(2)
    writeFileSync(join(folder, 'noise'), Buffer.from([0xff, 0xfe, 0x00]))
    expect(spawnSync(process.execPath, [verifier, join(folder, 'noise')]).status).toBe(1)
    writeFileSync(join(folder, 'deep'), '['.repeat(200_000))
    expect(spawnSync(process.execPath, [verifier, join(folder, 'deep')]).status).toBe(1)
  })
})
