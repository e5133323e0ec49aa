/** Packs of format 1, as consoles of version 0.1 made them: both verifiers accept them indefinitely, and no changed one. */
import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { checkPack } from '#core/evidence/check.ts'
import { comparePacks } from '#core/evidence/format-1/compare.ts'
import { refuseMutants } from './evidence-mutants.ts'
import {
  fingerprintOf,
  fixture,
  fixtureNames,
  fixturePath,
  fixtureText,
  type Pack,
  type PackEvent,
  type PackField
} from './evidence-1-packs.ts'
import { loadVerifier, person, verifier } from './evidence-workspace.ts'

/** The long form is `npm run prove`. */
const mutants = 300
const alone = await loadVerifier()

describe('a pack of format 1', () => {
  test.each(fixtureNames())('is verified by the console and by Node alone: %s', (name) => {
    const { content } = fixture(name)
    expect(checkPack(fixtureText(name))).toMatchObject({ verified: true })
    const run = spawnSync(process.execPath, [verifier, fixturePath(name)], { encoding: 'utf8', env: {} })
    expect(`${run.status} ${run.stderr}`).toBe('3 ')
    expect(run.stdout).toContain(`head: event ${content.chain.seq}, ${content.chain.hash}`)
  })

  test('names the key that signed it, and is refused if another was expected', async () => {
    const { signature } = fixture('record')
    const signedBy = fingerprintOf(signature.key)
    expect(await alone.verifyPack(fixtureText('record'), signedBy)).toMatchObject({ verified: true, signedBy })
    expect(await alone.verifyPack(fixtureText('record'), '0'.repeat(64))).toMatchObject({ verified: false })
  })

  test(`is refused after each of ${mutants} changes, by both verifiers`, { timeout: 600_000 }, async () => {
    const packs = fixtureNames()
      .filter((name) => name.startsWith('furnished-'))
      .map(fixtureText)
    expect(packs).toHaveLength(7)
    expect(await refuseMutants(packs, mutants, alone.verifyPack)).toEqual({ tried: mutants, accepted: [] })
  })

  test('withholds what its profile says', () => {
    const full = fixtureText('furnished-applicant-full')
    for (const word of [person, 'Évident', 'secretly', 'tester']) expect(full).toContain(word)
    const nameless = fixtureText('furnished-applicant-no-personal-data')
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
    const forThem = fixtureText('furnished-applicant-for-applicant')
    for (const word of [person, 'Évident', 'files.example.com']) expect(forThem).toContain(word)
    for (const word of ['secretly', 'first.person', '"tester"', '0011223344556677']) expect(forThem).not.toContain(word)
  })

  test('that is redacted is confirmed by a fuller one, and by none with other content', () => {
    const full = fixture('furnished-applicant-full')
    const nameless = fixture('furnished-applicant-no-personal-data')
    const forThem = fixture('furnished-applicant-for-applicant')
    const fieldsOf = ({ content: { events, bodies } }: Pack): PackField[] =>
      [...events, ...bodies].flatMap(({ fields }) => fields)
    for (const redacted of [nameless, forThem]) {
      const found = comparePacks(redacted, full)
      expect(found).toMatchObject({ events: redacted.content.events.length, differing: [] })
      expect(found.values + found.open).toBe(fieldsOf(redacted).length)
      // Without a sealed part there is no salt that both would know.
      expect(found.open).toBeLessThan(found.values / 2)
    }
    // Only about one verification: what both contain is confirmed, the rest is ignored.
    const one = fixture('furnished-record-full')
    expect(comparePacks(nameless, one)).toMatchObject({ events: one.content.events.length, differing: [] })
    // Between two redacted packs, only what the other discloses can be compared.
    expect(comparePacks(nameless, forThem)).toMatchObject({ differing: [] })

    const withEvent = (change: (event: PackEvent) => PackEvent): Pack => ({
      ...forThem,
      content: { ...forThem.content, events: forThem.content.events.map(change) }
    })
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

  test('keeps the bytes of a response that is not valid UTF-8', () => {
    const payload = JSON.parse(fixture('record-invalid-utf-8').content.bodies[0]?.payload?.text ?? '{}') as {
      readonly raw?: string
    }
    expect(Buffer.from(payload.raw ?? '', 'base64').toString('latin1')).toBe('{"message":"Prüfung bestanden: Müller"}')
  })
})
