/** What the company's trust file says of a pack, for the console and for the stand-alone verifier alike. */
import { describe, expect, it } from 'vitest'
import { checkPack } from '#core/evidence/pack/check.ts'
import { reliesOnNothing, checkTrust, type TrustOrder } from '#core/evidence/trust.ts'
import { readCountingTrustFile, type TrustFile } from '#core/evidence/trust-file.ts'
import { approverName, signerStanding } from '#core/evidence/trust-standing.ts'
import { revocationText, readRevocation, sealedRevocation } from '#core/evidence/revocation.ts'
import { fingerprintOf, keyOfSigner } from '#wire/evidence/keys.ts'
// @ts-expect-error The stand-alone verifier is plain JavaScript.
import { verifyPack } from '../../verifier/source/verification.mjs'
// @ts-expect-error As above.
import { approverBy, trustStanding } from '../../verifier/source/trust-file.mjs'
// @ts-expect-error As above.
import { summary, verdict } from '../../verifier/source/words.mjs'
import { sealed, signer as packSigner, AuditTrail, happened, person } from './support/audit-trail.ts'
import { day, fileOf, issued, keeper, signed, version, type Members } from './support/trust-files.ts'

const [ann, ben, cat] = [keeper(), keeper(), keeper()]
const key = fingerprintOf(keyOfSigner(packSigner))
const text = sealed(new AuditTrail(happened()).content({ kind: 'applicant', id: person }))
const checked = checkPack(text)
const madeAt = checked.view?.madeAt ?? 0
/** The file says what it must while the pack was made. */
const around = { issued: madeAt - day, expires: madeAt + 300 * day }
const textWith = (more: Members = {}): string => fileOf(signed(version([ann, ben], { ...around, ...more }), [ann, ben]))
function fileWith(more: Members = {}): TrustFile {
  const read = readCountingTrustFile(textWith(more))
  if (!read.ok) throw new Error(read.failure.reason)
  return read.value
}
const entry = (more: Members = {}): Members => ({
  from: madeAt - day,
  key,
  name: 'Cat',
  roles: ['pack'],
  until: null,
  ...more
})
const listed = (more: Members = {}, others: Members = {}): Members => ({ signers: [entry(more)], ...others })
const now = madeAt + day

interface Alone {
  readonly status: string
  readonly why?: string
}
const [alike, words, lines] = [verifyPack, verdict, summary] as [
  (pack: string, fingerprint: string | undefined, asked: object) => Promise<Alone>,
  (result: Alone) => string,
  (result: Alone) => string[]
]

/** By both verifiers: whether the signer is known, what refuses the pack, and the codes about the signer. */
async function standing(members: Members, order: Partial<TrustOrder> = {}, at = now) {
  const found = await checkTrust(checked, {
    ...reliesOnNothing,
    ...order,
    company: { file: fileWith(members), now: at }
  })
  const refused = found.findings.some(({ passed }) => !passed)
  const revocations = (order.revocations ?? []).map(({ file }) => revocationText(file))
  const alone = await alike(text, undefined, { others: [textWith(members)], now: at, revocations })
  expect(alone.status).toBe(refused ? 'refused' : found.known === true ? 'verified' : 'intact')
  if (!refused) {
    expect(words(alone)).toContain('trust file of Sample Bank')
    expect(lines(alone)).toContain(`Digest of its first keepers, to compare: ${fileWith(members).origin}`)
  }
  return {
    known: found.known,
    refused,
    codes: found.findings.flatMap((each) => ('code' in each && each.what === 'signer' ? [each.code] : []))
  }
}

describe('a pack without a time-stamp', () => {
  it('of a key with the role is known', async () => {
    expect(checked.verified).toBe(true)
    expect(await standing(listed())).toEqual({ known: true, refused: false, codes: ['trust-speaks', 'trust-signer'] })
  })
  it('of a key without the role, of none, or out of its period is not', async () => {
    for (const [members, code] of [
      [listed({ roles: ['approver'] }), 'trust-role'],
      [{}, 'trust-unlisted'],
      [listed({ from: madeAt + 1 }), 'trust-period'],
      // Made before, as it says; but whoever has the key can date it back.
      [listed({ until: madeAt + 1 }), 'trust-period']
    ] as const)
      expect(await standing(members)).toEqual({ known: false, refused: false, codes: ['trust-speaks', code] })
  })
  it('is not known once the file has expired', async () => {
    expect(await standing(listed(), {}, around.expires)).toEqual({
      known: false,
      refused: false,
      codes: ['trust-expired']
    })
  })
  it('of a revoked key is refused', async () => {
    const revocations = (since: number) => [{ key, reason: 'lost', recorded: around.issued, since }]
    const revoked = listed({}, { revocations: revocations(around.issued) })
    expect(await standing(revoked)).toMatchObject({ refused: true })
  })
  it('is refused by a revocation that a keeper signed, and by none of another key', async () => {
    const by = (who: typeof ann) => {
      const file = sealedRevocation({ at: now, key, note: '', reason: 'lost', since: now }, who.key)
      const read = readRevocation(revocationText(file))
      return { revocations: read ? [read] : [] }
    }
    expect(await standing(listed(), by(ann))).toMatchObject({ refused: true })
    expect(await standing(listed(), by(cat))).toMatchObject({ refused: false, known: true })
  })
})

describe('a time-stamp', () => {
  const file = fileWith(listed({ until: madeAt + 10 * day }))
  const at = (stamped: readonly number[], moment: number) => {
    const times = { madeAt, stamped, now: moment }
    const own = signerStanding(file, key, false, times)
    const other = (trustStanding as (...words: unknown[]) => { known: boolean })(file.speaking, key, false, times)
    expect(other.known).toBe(own.known)
    return own
  }
  it('shows that a pack is older than the end of a period, or of the file', () => {
    expect(at([madeAt + day], around.expires + day)).toMatchObject({
      known: true,
      findings: [{ code: 'trust-spoke' }, { code: 'trust-signer' }]
    })
    expect(at([madeAt + 10 * day], now)).toMatchObject({ known: false })
    expect(at([madeAt - 2 * day], now)).toMatchObject({ known: false })
    expect(at([around.expires], around.expires)).toMatchObject({ known: false, findings: [{ code: 'trust-expired' }] })
  })
  it('of the earliest moment counts', () => {
    expect(at([around.expires + day, madeAt + day], around.expires + 2 * day)).toMatchObject({ known: true })
  })
})

it('names who may approve at a time', () => {
  const approver = { ...entry({ roles: ['approver'], until: issued + day, from: issued }), key } as never
  const of = (at: number, revocations: never[] = []) => {
    const name = approverName({ signers: [approver], revocations }, key, at)
    const alone = approverBy as (trust: object, signer: string, moment: number) => string | undefined
    expect(alone({ signers: [approver], revocations }, key, at)).toBe(name)
    return name
  }
  expect([of(issued - 1), of(issued), of(issued + day - 1), of(issued + day)]).toEqual([
    undefined,
    'Cat',
    'Cat',
    undefined
  ])
  expect(of(issued + 5, [{ key, reason: 'lost', recorded: issued + 9, since: issued + 5 } as never])).toBeUndefined()
  expect(approverName({ signers: [entry() as never], revocations: [] }, key, madeAt)).toBeUndefined()
})

it('a trust file that does not count verifies nothing', async () => {
  for (const others of [[fileOf(signed(version([ann, ben]), [ann]))], [textWith(), textWith()]])
    expect(await alike(text, undefined, { others })).toMatchObject({ status: 'not-verified' })
})
