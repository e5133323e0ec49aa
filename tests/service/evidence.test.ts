/** Evidence packs from a real history, verified by the console and by the stand-alone verifier. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EvidenceAbout, RedactionProfile } from '#contract/evidence.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { checkPack } from '#core/evidence/check.ts'
import { comparePacks } from '#core/evidence/format-1/compare.ts'
import type { Pack, PackEvent, PackField } from '#core/evidence/format-1/pack.ts'
import { packPage } from '#core/evidence/page.ts'
import { refuseMutants } from './evidence-mutants.ts'
import { check, countersignedPack, evidenceWorkspace, furnish, loadVerifier, person, savedPack, verifier, type Alone, type Workspace, type SavedPack } from './evidence-workspace.ts'
import { answer, lost, unsent } from './history-fixtures.ts'

/** The long form is `npm run prove`. */
const mutants = 300

let folder: string
let first: Workspace
let second: Workspace
let recordId: string
let alone: Alone

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'veridesk-evidence-'))
  alone = await loadVerifier()
  ;[first, second] = [await evidenceWorkspace(folder, 'first.person'), await evidenceWorkspace(folder, 'second.person')]
  recordId = await furnish(first)
})
afterAll(async () => {
  for (const { store } of [first, second]) await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const pack = (about: EvidenceAbout, profile?: RedactionProfile): Promise<SavedPack> => savedPack(first, folder, about, profile)
const abouts = (): EvidenceAbout[] => [{ kind: 'record', id: recordId }, { kind: 'applicant', id: person }]
const profiles: RedactionProfile[] = ['full', 'no-personal-data', 'for-applicant']

describe('a pack', () => {
  test.each(profiles)('with the profile %s verifies by the console and by Node alone', async (profile) => {
    for (const about of abouts()) {
      const { path, text, pack: made } = await pack(about, profile)
      expect(checkPack(text)).toMatchObject({ verified: true })
      const run = spawnSync(process.execPath, [verifier, path], { encoding: 'utf8', env: {} })
      expect(`${run.status} ${run.stderr}`).toBe('3 ')
      expect(run.stdout).toContain(`head: event ${made.content.chain.seq}, ${made.content.chain.hash}`)
    }
  })

  test('names the key that signed it, and is refused if another was expected', async () => {
    const { path, text } = await pack({ kind: 'record', id: recordId })
    const key = await first.evidence.publicKey()
    if (!key.ok) throw new Error(sentencesOf(key.failure).what)
    expect(await alone.verifyPack(text, key.value.fingerprint)).toMatchObject({ verified: true, signedBy: key.value.fingerprint })
    expect(await alone.verifyPack(text, '0'.repeat(64))).toMatchObject({ verified: false })
    first.open = second.open = path
    expect(await first.evidence.check()).toMatchObject({ ok: true, value: { verified: true, ownKey: true } })
    expect(await second.evidence.check()).toMatchObject({ ok: true, value: { verified: true, ownKey: false } })
  })

  test(`of ${mutants} damaged ones, none passes either verifier`, { timeout: 600_000 }, async () => {
    const packs = []
    for (const about of abouts()) for (const profile of profiles) packs.push((await pack(about, profile)).text)
    packs.push(readFileSync(await countersignedPack(second, folder, (await pack({ kind: 'applicant', id: person })).path), 'utf8'))
    for (const text of packs) expect(await alone.verifyPack(text)).toMatchObject({ verified: true })
    expect(await refuseMutants(packs, mutants, alone.verifyPack)).toEqual({ tried: mutants, accepted: [] })
  })

  test('withholds what its profile says, behind the same commitments as a full one', async () => {
    const about = { kind: 'applicant', id: person } as const
    const full = await pack(about)
    for (const word of [person, 'Évident', 'secretly', 'tester']) expect(full.text).toContain(word)
    const nameless = await pack(about, 'no-personal-data')
    for (const word of [person, 'Évident', 'secretly', 'tester', 'first.person', 'files.example.com', '0011223344556677']) expect(nameless.text).not.toContain(word)
    expect(nameless.text).toContain('validate-applicant-id-document')
    const forThem = await pack(about, 'for-applicant')
    for (const word of [person, 'Évident', 'files.example.com']) expect(forThem.text).toContain(word)
    for (const word of ['secretly', 'first.person', '"tester"', '0011223344556677']) expect(forThem.text).not.toContain(word)
  })

  test('that is redacted is confirmed by a fuller one, and by none with other content', async () => {
    const about = { kind: 'applicant', id: person } as const
    const full = (await pack(about)).pack
    const nameless = (await pack(about, 'no-personal-data')).pack
    const forThem = (await pack(about, 'for-applicant')).pack
    const fieldsOf = ({ content: { events, bodies } }: Pack): PackField[] => [...events, ...bodies].flatMap(({ fields }) => fields)
    for (const redacted of [nameless, forThem]) {
      const found = comparePacks(redacted, full)
      expect(found).toMatchObject({ events: redacted.content.events.length, differing: [] })
      expect(found.values + found.open).toBe(fieldsOf(redacted).length)
      // Without a sealed part there is no salt that both would know.
      expect(found.open).toBeLessThan(found.values / 2)
    }
    // Only about one verification: what both contain is confirmed, the rest is ignored.
    const one = (await pack({ kind: 'record', id: recordId })).pack
    expect(comparePacks(nameless, one)).toMatchObject({ events: one.content.events.length, differing: [] })
    // Between two redacted packs, only what the other discloses can be compared.
    expect(comparePacks(nameless, forThem)).toMatchObject({ differing: [] })

    const withEvent = (change: (event: PackEvent) => PackEvent): Pack => ({ ...forThem, content: { ...forThem.content, events: forThem.content.events.map(change) } })
    const withField = (which: (field: PackField) => boolean, change: (field: PackField) => PackField): Pack =>
      withEvent((event) => ({ ...event, fields: event.fields.map((field) => (which(field) ? change(field) : field)) }))
    const sealedValue = ({ name, value }: PackField): boolean => value !== null && name.startsWith('input.')
    const withheld = ({ name, value }: PackField): boolean => value === null && !name.startsWith('plain.')
    const lies: Pack[] = [
      withField(sealedValue, (field) => ({ ...field, value: 'APP-SOMEBODY-ELSE' })),
      withField(withheld, (field) => ({ ...field, commitment: '00'.repeat(32) })),
      withField(sealedValue, (field) => ({ ...field, name: 'input.invented' })),
      withEvent((event) => ({ ...event, fields: event.fields.filter(({ name }) => name !== 'input.applicant_id') })),
      withEvent((event) => ({ ...event, hash: '00'.repeat(32) }))
    ]
    for (const [at, lie] of lies.entries()) expect(comparePacks(lie, full).differing, `lie ${at}`).not.toEqual([])
  })

  test('about something missing is a failure with a message', async () => {
    for (const about of [{ kind: 'record', id: '00000000-0000-7000-8000-000000000000' }, { kind: 'batch', id: '00000000-0000-7000-8000-000000000000' }, { kind: 'applicant', id: 'NOBODY' }] as const)
      expect(await first.evidence.make({ about, profile: 'full', pdf: false })).toMatchObject({ ok: false, failure: { code: 'evidence-nothing' } })
  })

  test('has a page on which nothing runs, loads or reverses the reading direction', async () => {
    const { pack: made } = await pack({ kind: 'record', id: recordId })
    const page = packPage(made, '0'.repeat(64))
    expect(page).toContain('Évident &lt;script&gt;')
    expect(page).not.toMatch(/<script|<img|<iframe|<object|\u202e|href=|src=/i)
    expect(page.match(/https?:/g)?.length ?? 0).toBeGreaterThan(0)
    expect(page).toContain("default-src 'none'")
  })
})

describe('four eyes', () => {
  const countersigned = async (): Promise<string> => countersignedPack(second, folder, (await pack({ kind: 'applicant', id: person })).path)

  test('an opened case shows the content of the pack', async () => {
    second.open = (await pack({ kind: 'applicant', id: person })).path
    const opened = await second.cases.open()
    expect(opened).toMatchObject({ ok: true, value: { verdict: { verified: true, ownKey: false } } })
    if (opened.ok && opened.value) expect(opened.value.documents.flatMap(({ fields }) => fields.map(({ value }) => value))).toContain('Looked at by hand, secretly')
  })

  test('a case is sent, countersigned with another key, imported, and void once evidence is added', async () => {
    const path = await countersigned()
    expect(await alone.verifyPack(readFileSync(path, 'utf8'))).toMatchObject({ verified: true })
    first.open = path
    const about = { kind: 'applicant', id: person } as const
    expect(await first.cases.import()).toMatchObject({
      ok: true, value: { about, state: 'valid', newer: 0, countersignature: { by: 'second.person', agrees: true, note: 'Seen and agreed' } }
    })
    const valid = { ok: true, value: [{ state: 'valid', newer: 0 }] }
    for (const failure of [answer('The service is busy', 503), answer('Unauthorized', 401), lost, unsent]) await check(first, failure)
    await first.store.applicants.note(person, 'Filed', { at: Date.now(), operator: 'first.person' })
    expect(await first.cases.list(about)).toMatchObject(valid)
    await check(first, answer('Answered later'))
    expect(await first.cases.list(about)).toMatchObject({ ok: true, value: [{ state: 'void', newer: 1 }] })
    expect(await first.cases.list({ kind: 'record', id: recordId })).toEqual({ ok: true, value: [] })
    expect(await first.store.verifyChain()).toMatchObject({ ok: true, value: { intact: true } })
  })

  test('a disagreeing countersignature is imported with the agreeing one signed after it, each once', async () => {
    const about = { kind: 'applicant', id: person } as const
    const { path } = await pack(about)
    Object.assign(second, { open: path, save: join(folder, 'against.json') })
    for (const [agrees, note] of [[false, 'The portrait is another person'], [true, 'Seen again']] as const) {
      const opened = await second.cases.open()
      if (!opened.ok || !opened.value) throw new Error('the case does not open')
      expect(await second.cases.countersign(opened.value.caseId, agrees, note)).toMatchObject({ ok: true })
      second.open = second.save
    }
    first.open = second.save
    expect(await first.cases.import()).toMatchObject({ ok: true, value: { countersignature: { agrees: true, note: 'Seen again' } } })
    const both = await first.cases.list(about)
    const notes = both.ok ? both.value.map(({ countersignature }) => countersignature.note) : []
    expect(notes.slice(0, 2)).toEqual(['Seen again', 'The portrait is another person'])
    expect(await first.cases.import()).toMatchObject({ failure: { code: 'case-known' } })
    expect(await first.cases.list(about)).toEqual(both)
  })

  test('one’s own pack, a changed one, a foreign one and one that nobody signed are refused', async () => {
    const own = await pack({ kind: 'record', id: recordId })
    first.open = own.path
    const opened = await first.cases.open()
    expect(opened).toMatchObject({ ok: true, value: { refusal: { code: 'case-own-key' } } })
    if (opened.ok && opened.value) expect(await first.cases.countersign(opened.value.caseId, true, '')).toMatchObject({ failure: { code: 'case-own-key' } })
    expect(await first.cases.import()).toMatchObject({ failure: { code: 'evidence-refused' } })
    const path = await countersigned()
    second.open = path
    expect(await second.cases.import()).toMatchObject({ failure: { code: 'case-not-ours' } })
    writeFileSync(path, readFileSync(path, 'utf8').replace('Seen and agreed', 'Seen and refused'))
    first.open = path
    expect(await first.cases.import()).toMatchObject({ failure: { code: 'evidence-refused' } })
    expect(await second.cases.countersign('00000000-0000-4000-8000-000000000000', true, '')).toMatchObject({ failure: { code: 'case-gone' } })
  })
})

describe('the verifier', () => {
  test('is the same in the page as in its file', () => {
    const root = resolve(verifier, '..', '..')
    const made = execFileSync(process.execPath, ['-e', `
      import(${JSON.stringify(join(root, 'scripts', 'verifier.ts'))}).then(async ({ verifierPage }) => {
        const { readFileSync } = await import('node:fs')
        const program = readFileSync(${JSON.stringify(verifier)}, 'utf8')
        console.log(verifierPage(program) === readFileSync(${JSON.stringify(join(root, 'verifier', 'verify.html'))}, 'utf8'))
      })`], { encoding: 'utf8' })
    expect(made.trim()).toBe('true')
  })

  test.each(['mjs', 'html'] as const)('is saved as it lies in its file: %s', async (form) => {
    first.save = join(folder, `saved.${form}`)
    expect(await first.evidence.saveVerifier(form)).toEqual({ ok: true, value: { path: first.save } })
    expect(readFileSync(first.save).equals(readFileSync(resolve(verifier, '..', `verify.${form}`)))).toBe(true)
  })

  test('that is missing in an installation is reported, and no file is created', async () => {
    const incomplete = await evidenceWorkspace(folder, 'third.person', join(folder, 'nowhere'))
    incomplete.save = join(folder, 'not-saved.mjs')
    const answer = await incomplete.evidence.saveVerifier('mjs')
    expect(answer).toMatchObject({ failure: { code: 'program-file-unreadable', details: { file: 'verifier/verify.mjs', errno: 'ENOENT' } } })
    expect(existsSync(incomplete.save)).toBe(false)
    await incomplete.store.close()
  })

  test('imports nothing but Node’s own file functions, and says what it cannot read', () => {
    const source = readFileSync(verifier, 'utf8')
    expect([...source.matchAll(/import\('([^']+)'\)/g)].map(([, name]) => name).every((name) => name?.startsWith('node:'))).toBe(true)
    expect(source).not.toMatch(/^import |fetch\(|XMLHttpRequest/m)
    expect(spawnSync(process.execPath, [verifier]).status).toBe(2)
    expect(spawnSync(process.execPath, [verifier, join(folder, 'nowhere')]).status).toBe(2)
    writeFileSync(join(folder, 'noise'), Buffer.from([0xff, 0xfe, 0x00]))
    expect(spawnSync(process.execPath, [verifier, join(folder, 'noise')]).status).toBe(1)
    writeFileSync(join(folder, 'deep'), '['.repeat(200_000))
    expect(spawnSync(process.execPath, [verifier, join(folder, 'deep')]).status).toBe(1)
  })
})
