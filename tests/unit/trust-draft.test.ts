/** The form of a new version of the trust file: what it begins with, its faults, and the draft that becomes of it. */
import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { trustDraftSchema } from '#contract/evidence/trust-file.ts'
import type { TrustFileView } from '#contract/evidence/trust-view.ts'
import { draftOf, faultsOf, formOf, publicKeyIn } from '../../renderer/features/evidence/trust-draft.ts'
import { issued } from './support/trust-files.ts'

const [ann, ben, cat] = ['aa', 'bb', 'cc'].map((each) => each.repeat(32)) as [string, string, string]
/** At times that no day begins with. */
const odd = issued + 12_345_678
const before: TrustFileView = {
  organisation: 'Sample Bank',
  version: 3,
  issued,
  expires: issued + 1,
  threshold: 2,
  origin: ann,
  waitsFor: 0,
  keepers: [
    { publicKey: ann, fingerprint: cat, signed: true, former: false },
    { publicKey: ben, fingerprint: ben, signed: true, former: false },
    { publicKey: cat, fingerprint: ann, signed: false, former: true }
  ],
  signers: [{ key: ann, name: 'Ann', roles: ['approver', 'pack'], from: odd, until: odd + 1_000_000_000 }],
  revocations: [{ key: ben, reason: 'lost', since: odd, recorded: odd }],
  timestamps: 0,
  ca: 0,
  verifiers: 0
}
const parsed = (form: ReturnType<typeof formOf>) => trustDraftSchema.parse(draftOf(form, before))

describe('a form', () => {
  it('of a first version begins with this installation as a keeper', () => {
    expect(formOf(undefined, ann)).toMatchObject({
      organisation: '',
      days: '365',
      keepers: [{ key: ann }, { key: '' }]
    })
  })

  it('that nobody touches keeps every time exactly', () => {
    const form = formOf(before, cat)
    expect(faultsOf(form, odd).size).toBe(0)
    expect(parsed(form)).toMatchObject({
      organisation: 'Sample Bank',
      days: 365,
      keepers: [ann, ben],
      signers: [{ key: ann, roles: ['approver', 'pack'], from: odd, until: odd + 1_000_000_000 }],
      revocations: [{ key: ben, reason: 'lost', since: odd }]
    })
  })

  it('gives a last day to its end', () => {
    const form = formOf(before, cat)
    Object.assign(form.signers[0] ?? {}, { from: '2026-02-01', last: '2026-02-01' })
    expect(faultsOf(form, odd).size).toBe(0)
    const { from = 0, until } = parsed(form).signers?.[0] ?? {}
    expect((until ?? 0) - from).toBe(24 * 60 * 60 * 1000)
    Object.assign(form.signers[0] ?? {}, { from: '', last: '' })
    expect(parsed(form).signers?.[0]).toMatchObject({ until: null })
    expect(parsed(form).signers?.[0]).not.toHaveProperty('from')
  })

  it('says each fault at its field', () => {
    const form = formOf(before, cat)
    form.organisation = ' '
    form.days = '401'
    form.keepers = [{ key: ann }, { key: ann.toUpperCase() }, { key: 'ben' }]
    form.signers.push(
      { name: '', key: 'short', roles: [], from: '2026-03-02', last: '2026-03-01' },
      { name: 'Twice', key: ann, roles: ['pack'], from: '', last: '' }
    )
    form.revocations.push({ key: ben, reason: 'left', since: '2027-01-01' })
    expect([...faultsOf(form, issued).keys()]).toEqual([
      'organisation',
      'days',
      'keepers.1',
      'keepers.2',
      'signers.1.name',
      'signers.1.key',
      'signers.1.roles',
      'signers.1.last',
      'signers.2.key',
      'revocations.1.key',
      'revocations.1.since'
    ])
    form.keepers = [{ key: ann }]
    expect(faultsOf(form, issued).has('keepers')).toBe(true)
  })
})

it('takes a public key from its digits or the text of a PEM file, and nothing else', () => {
  const { publicKey } = generateKeyPairSync('ed25519')
  const der = publicKey.export({ type: 'spki', format: 'der' })
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const raw = der.subarray(-32).toString('hex')
  // A field of one line loses the ends of lines that are pasted.
  for (const text of [raw, ` ${raw.toUpperCase()} `, pem, pem.replaceAll('\n', '')]) expect(publicKeyIn(text)).toBe(raw)
  const other = generateKeyPairSync('x25519').publicKey.export({ type: 'spki', format: 'pem' }).toString()
  for (const text of ['', 'ab', other, '-----BEGIN PUBLIC KEY-----=-----END PUBLIC KEY-----'])
    expect(publicKeyIn(text)).toBeUndefined()
})
