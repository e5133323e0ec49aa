/** Four-eyes approval by file: two installations without a team, with real files. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import { heldRule } from '#core/applicants/rules.ts'
import { approvalText, readApproval, type FiledAnswer } from '#core/evidence/approval-file.ts'
import { checkPack } from '#core/evidence/pack/check.ts'
import { signAnswer } from '#wire/evidence/approval-signature.ts'
import { keyOfSigner } from '#wire/evidence/keys.ts'
import {
  answeredByFile,
  askedByFile,
  check,
  decideThere,
  evidenceWorkspace,
  loadVerifier,
  person,
  savedPack,
  type Workspace
} from './evidence-workspace.ts'
import { answer, clock } from './history-fixtures.ts'
import { day, fileOf, keeper, signed, version, type Members } from '../unit/support/trust-files.ts'

const about = { kind: 'applicant', id: person } as const
const fourEyes = heldRule({
  requireApproval: { approve: 'low' },
  riskClasses: [{ code: 'low', label: 'low', months: 12, enhanced: false }]
})
const operator = 'first.person'
/** Other spellings of the same account, and of who decided. */
const own = [
  'first.person',
  ' First.Person ',
  'FIRST.PERSON',
  'ｆｉｒｓｔ．ｐｅｒｓｏｎ',
  'first.\u200bperson',
  'first.person\u00a0',
  'Somebody Else (first.person)',
  'decider',
  'Decider'
]

let folder: string
let first: Workspace
let second: Workspace
const others: Workspace[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'veridesk-by-file-'))
  first = await evidenceWorkspace(join(folder, 'first'), operator)
  second = await evidenceWorkspace(join(folder, 'second'), 'second.person')
})
afterAll(async () => {
  for (const { store } of [first, second, ...others]) await store.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  await check(first, answer('Accepted'))
  await decideThere(first, 'decider', { fourEyes })
})

function value<T>(result: Result<T, Failure>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.failure))
  return result.value
}
const state = async () => value(await first.store.applicants.show(person))
const imports = (path: string) => first.cases.import(readFileSync(path, 'utf8'))
const answered = async (agrees = true, note?: string): Promise<string> =>
  answeredByFile(second, folder, await askedByFile(first, folder), { agrees, ...(note !== undefined && { note }) })
const read = (path: string): FiledAnswer => {
  const found = readApproval(readFileSync(path, 'utf8'))
  if (!found.ok) throw new Error(found.failure)
  return found.value
}
/** An answer as a program could sign it that checks nothing. */
function signedAs(given: FiledAnswer, change: Partial<FiledAnswer>, key: KeyObject = newKey()): string {
  const signer = keyOfSigner(key)
  const changed = { ...given, ...change, signer }
  return approvalText({ ...changed, signature: signAnswer(key, changed) }, key)
}
const newKey = (): KeyObject => generateKeyPairSync('ed25519').privateKey
const eventsOf = async (kind: string) =>
  value(await first.store.audit.page({ limit: 200 })).events.filter((event) => event.kind === kind)

describe('with the trust file of the company', () => {
  const [ann, ben] = [keeper(), keeper()]
  const path = () => join(folder, 'company.veridesk-trust')
  /** Writes a file that names the second person's key. */
  async function names(roles: readonly string[], more: Members = {}): Promise<void> {
    const key = value(await second.evidence.publicKey()).fingerprint
    const at = clock.now() - day
    const signers = [{ from: at, key, name: 'Second', roles, until: null, ...more }]
    writeFileSync(
      path(),
      fileOf(signed(version([ann, ben], { issued: at, expires: at + 300 * day, signers }), [ann, ben]))
    )
  }
  afterEach(() => {
    delete first.trust
    delete second.trust
  })

  test('only an approver gives an answer by file, and only that of an approver is taken', async () => {
    const answer = await answered()
    first.trust = path()
    for (const [roles, more] of [
      [['pack'], {}],
      [['approver'], { until: clock.now() - 1000 }]
    ] as const) {
      await names(roles, more)
      expect(await imports(answer)).toMatchObject({
        failure: { code: 'approval-refused', details: { reason: 'no-approver' } }
      })
      second.trust = path()
      await expect(answered()).rejects.toThrow('your key is not that of an approver')
      delete second.trust
    }
    writeFileSync(path(), 'none')
    expect(await imports(answer)).toMatchObject({ failure: { code: 'trust-file-refused' } })
    first.open = join(folder, 'asked.veridesk-case')
    expect(await first.evidence.check()).toMatchObject({ failure: { code: 'trust-file-refused' } })
    expect((await state()).state).toBe('proposed')
    await names(['approver'])
    second.trust = path()
    expect(value(await imports(answer))).toMatchObject({ agrees: true })
    const { path: saved } = await savedPack(first, folder, about)
    first.open = saved
    delete first.trust
    const chosen = [path(), saved]
    Object.defineProperty(first, 'open', { configurable: true, get: () => chosen.shift() })
    expect(value(await first.evidence.check())).toMatchObject({
      file: 'applicant-full.veridesk-evidence',
      signerKnown: false
    })
    Object.defineProperty(first, 'open', { configurable: true, writable: true, value: saved })
    first.trust = path()
    const verdict = value(await first.evidence.check())
    expect(verdict).toMatchObject({ verified: true, signerKnown: false })
    expect(verdict?.findings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ code: 'trust-unlisted' }),
        expect.objectContaining({
          code: 'trust-approver',
          details: expect.objectContaining({ name: 'Second' }) as unknown
        })
      ])
    )
  })
})

describe('a request in a file', () => {
  test('is answered elsewhere and imported, and every later pack proves the approval', async () => {
    expect((await state()).state).toBe('proposed')
    const asked = await askedByFile(first, folder)
    expect(checkPack(readFileSync(asked, 'utf8'))).toMatchObject({ intact: true, verified: false })
    const path = await answeredByFile(second, folder, asked)
    expect(value(await imports(path))).toEqual({ applicantId: person, agrees: true, by: 'second.person' })
    expect(await state()).toMatchObject({
      state: 'approve',
      decision: { answer: { agrees: true, by: 'second.person', note: 'Seen and agreed' } }
    })
    const verifier = await loadVerifier()
    for (const profile of ['full', 'full', 'no-personal-data'] as const) {
      const { text } = await savedPack(first, folder, about, profile)
      expect(checkPack(text)).toMatchObject({ intact: true, verified: true })
      expect(await verifier.verifyPack(text)).toMatchObject({ status: 'intact' })
      await first.store.applicants.note(person, 'Filed', { at: Date.now(), operator })
    }
    // Who answered has it in their own audit trail, where it can be erased as anything about a person.
    expect(value(await second.store.audit.page({ limit: 10 })).events.map(({ kind }) => kind)).toContain(
      'approval.answered'
    )
    expect(value(await second.store.applicants.list({ limit: 10 })).applicants).toMatchObject([
      { id: person, state: 'no-evidence' }
    ])
    expect(await first.store.verifyChain()).toMatchObject({ ok: true, value: { intact: true } })
  })

  test('returns the decision with the note if the answer does not agree', async () => {
    expect(value(await imports(await answered(false, 'Another face')))).toMatchObject({ agrees: false })
    expect(await state()).toMatchObject({
      state: 'returned',
      decision: { answer: { agrees: false, by: 'second.person', note: 'Another face' } }
    })
    const { text } = await savedPack(first, folder, about)
    expect(checkPack(text)).toMatchObject({ intact: true, verified: false })
  })

  test('shows everything that was recorded, and needs the fingerprint of who asked', async () => {
    await first.store.applicants.note(person, 'Looked at by hand, secretly', { at: Date.now(), operator })
    second.open = await askedByFile(first, folder)
    second.save = join(folder, 'never.veridesk-approval')
    const opened = value(await second.cases.open())
    expect(opened?.refusal).toBeUndefined()
    expect(opened?.documents.flatMap(({ fields }) => fields.map((field) => field.value))).toContain(
      'Looked at by hand, secretly'
    )
    const caseId = opened?.caseId ?? ''
    for (const signer of ['', 'not a fingerprint', 'ab'.repeat(32)])
      expect(await second.cases.answer({ caseId, signer, agrees: true, note: '' })).toMatchObject({
        failure: { code: 'case-signer-unknown' }
      })
    expect(existsSync(second.save)).toBe(false)
  })

  test('is recorded only if it is saved, and only of a decision that stands', async () => {
    const before = (await eventsOf('approval.asked')).length
    delete first.save
    expect(await first.evidence.ask({ applicantId: person, note: '', pdf: false })).toEqual({ ok: true, value: null })
    first.save = join(folder, 'never.veridesk-case')
    await check(first, answer('Newer'))
    expect(await first.evidence.ask({ applicantId: person, note: '', pdf: false })).toMatchObject({
      failure: { code: 'case-not-asked', details: { reason: 'outdated' } }
    })
    await check(first, answer('Accepted'), 'APP-UNDECIDED')
    expect(await first.evidence.ask({ applicantId: 'APP-UNDECIDED', note: '', pdf: false })).toMatchObject({
      failure: { code: 'case-not-asked', details: { reason: 'undecided' } }
    })
    expect(existsSync(first.save)).toBe(false)
    expect(await eventsOf('approval.asked')).toHaveLength(before)
  })

  test('is none in a pack that asks for nothing, and none that its own installation answers', async () => {
    second.open = (await savedPack(first, folder, about)).path
    expect(await second.cases.open()).toMatchObject({ failure: { code: 'case-without-request' } })
    first.open = await askedByFile(first, folder)
    const opened = value(await first.cases.open())
    expect(opened).toMatchObject({ refusal: { code: 'case-own-key' } })
    const signer = opened?.verdict.signedBy ?? ''
    expect(await first.cases.answer({ caseId: opened?.caseId ?? '', signer, agrees: true, note: '' })).toMatchObject({
      failure: { code: 'case-own-key' }
    })
    expect(
      await first.cases.answer({ caseId: '00000000-0000-4000-8000-000000000000', signer, agrees: true, note: '' })
    ).toMatchObject({ failure: { code: 'case-gone' } })
  })
})

describe('nobody approves their own decision', () => {
  test.each(own)('in a second data folder, with another key, as %j', async (name) => {
    const workspace = await evidenceWorkspace(join(folder, String(others.length)), name)
    others.push(workspace)
    workspace.open = await askedByFile(first, folder)
    workspace.save = join(folder, 'never.veridesk-approval')
    const opened = value(await workspace.cases.open())
    expect(opened).toMatchObject({ refusal: { code: 'case-own-name' } })
    const signer = opened?.verdict.signedBy ?? ''
    expect(
      await workspace.cases.answer({ caseId: opened?.caseId ?? '', signer, agrees: true, note: '' })
    ).toMatchObject({ failure: { code: 'case-own-name' } })
    // Nor with a program that does not ask.
    const forged = signedAs(read(await answered()), { by: name })
    expect(await first.cases.import(forged)).toMatchObject({
      failure: { code: 'approval-refused', details: { reason: 'same-person' } }
    })
    expect((await state()).state).toBe('proposed')
  })

  test.each(['', ' \u200b', 'unknown'])('under no name: %j', async (by) => {
    expect(await first.cases.import(signedAs(read(await answered()), { by }))).toMatchObject({
      failure: { details: { reason: 'unknown-person' } }
    })
  })

  test('with the key of the installation', async () => {
    const given = read(await answered())
    const key = await first.evidence.publicKey()
    const { signingKey } = await import('#core/evidence/signing-key.ts')
    const mine = value(await signingKey(first.keychain))
    expect(key.ok).toBe(true)
    expect(await first.cases.import(signedAs(given, { by: 'second.person' }, mine))).toMatchObject({
      failure: { details: { reason: 'own-key' } }
    })
    expect((await state()).state).toBe('proposed')
  })
})

describe('an answer', () => {
  test('counts once, however often it is imported, also under another name of its event', async () => {
    const path = await answered()
    value(await imports(path))
    expect(await imports(path)).toMatchObject({ failure: { code: 'approval-known' } })
    const before = (await eventsOf('approval.received')).length
    const given = read(path)
    expect(readApproval(readFileSync(path, 'utf8').replace('"payload"', '"Payload"'))).toMatchObject({ ok: false })
    expect(given.answer[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(await eventsOf('approval.received')).toHaveLength(before)
  })

  test('after newer evidence is kept, counts for nothing and schedules no review', async () => {
    const path = await answered()
    await check(first, answer('Newer'))
    const before = await state()
    expect(value(await imports(path))).toMatchObject({ agrees: true, void: true })
    const after = await state()
    expect([after.state, after.review]).toEqual([before.state, before.review])
    expect(after.state).toBe('outdated')
    const timeline = value(await first.store.applicants.timeline({ applicantId: person, limit: 5 }))
    expect(timeline.entries[0]).toMatchObject({ kind: 'approval', by: 'second.person', agrees: true, void: true })
  })

  test('that its author has changed counts for nothing, in whatever order the files come', async () => {
    const request = await askedByFile(first, folder)
    const yes = await answeredByFile(second, folder, request, { agrees: true })
    const no = await answeredByFile(second, folder, request, { agrees: false, note: 'Another face' })
    expect(value(await imports(no))).toMatchObject({ agrees: false })
    expect(value(await imports(yes))).toMatchObject({ agrees: true, void: true })
    expect((await state()).state).toBe('returned')
    expect(checkPack((await savedPack(first, folder, about)).text)).toMatchObject({ intact: true, verified: false })
  })

  test('names the request that it answers in the timeline, with the time at which it was signed', async () => {
    const path = await answered()
    const [, asked] = read(path).asked
    await decideThere(first, 'decider', { fourEyes })
    await askedByFile(first, folder)
    value(await imports(path))
    const { entries } = value(await first.store.applicants.timeline({ applicantId: person, limit: 20 }))
    const approvals = entries.filter((entry) => entry.kind === 'approval').slice(0, 3)
    expect(approvals).toMatchObject([
      { by: 'second.person', asked, signedAt: read(path).at, byFile: true, void: true },
      { byFile: true },
      { seq: asked, byFile: true, void: true }
    ])
    expect(approvals[1]).not.toHaveProperty('void')
    // Who answered asked for nothing.
    const there = value(await second.store.applicants.timeline({ applicantId: person, limit: 1 })).entries[0]
    expect(there).toMatchObject({ kind: 'approval', agrees: true })
    expect(there).not.toHaveProperty('byFile')
  })

  test('to an earlier decision approves no later one', async () => {
    const path = await answered()
    await decideThere(first, 'decider', { fourEyes })
    expect(value(await imports(path))).toMatchObject({ void: true })
    expect((await state()).state).toBe('proposed')
    expect(checkPack((await savedPack(first, folder, about)).text)).toMatchObject({ intact: true, verified: false })
  })

  test('is not one for another request, decision or audit trail, whoever signs it again', async () => {
    const given = read(await answered())
    const key = newKey()
    const [installation, seq, hash] = given.asked
    const decision = value(await first.store.applicants.decisions(person))[0]
    for (const [change, reason] of [
      [{ asked: [installation, seq, 'ab'.repeat(32)] }, 'other-request'],
      [{ asked: [installation, seq - 1, hash] }, 'other-request'],
      [{ asked: ['ab'.repeat(16), seq, hash] }, 'other-request'],
      [{ asked: [installation, decision?.seq ?? 0, decision?.hash ?? ''] }, 'other-request'],
      [{ scope: 'ab'.repeat(32) }, 'elsewhere']
    ] as const)
      expect(await first.cases.import(signedAs(given, change, key))).toMatchObject({
        failure: { code: 'approval-refused', details: { reason } }
      })
    expect(await second.cases.import(signedAs(given, {}, key))).toMatchObject({
      failure: { details: { reason: 'elsewhere' } }
    })
    expect((await state()).state).toBe('proposed')
  })

  test('about an applicant who was erased since says so, and another with its number does not', async () => {
    const path = await answered()
    const given = read(path)
    const [installation, seq] = given.asked
    const scope = value(await first.store.erasure.scope(person))
    const order = {
      subjects: scope.people,
      cause: 'request',
      at: clock.now(),
      operator,
      reason: 'asked for it'
    } as const
    value(await first.store.erasure.erase(order))
    expect(await imports(path)).toMatchObject({ failure: { code: 'approval-erased' } })
    const other = signedAs(given, { asked: [installation, seq, 'ab'.repeat(32)] })
    expect(await first.cases.import(other)).toMatchObject({ failure: { details: { reason: 'other-request' } } })
  })

  test('is refused if a byte of it differs, its note too', async () => {
    const text = readFileSync(await answered(false, 'Another face'), 'utf8')
    const envelope = JSON.parse(text) as { payload: string }
    const payload = Buffer.from(envelope.payload, 'base64').toString('utf8')
    const altered = (change: (payload: string) => string): string =>
      `${JSON.stringify({ ...envelope, payload: Buffer.from(change(payload)).toString('base64') })}\n`
    for (const change of [
      (whole: string) => whole.replace('"agrees":false', '"agrees":true'),
      (whole: string) => whole.replace('Another face', 'Same face'),
      (whole: string) => whole.replace('second.person', 'third.person')
    ])
      expect(await first.cases.import(altered(change))).toMatchObject({
        failure: { code: 'approval-refused', details: { reason: 'signature' } }
      })
    for (const other of [
      '',
      '{}',
      'null',
      text.trimEnd(),
      ` ${text}`,
      altered((whole) => `${whole} `),
      altered(() => '{}')
    ])
      expect(await first.cases.import(other)).toMatchObject({ failure: { details: { reason: 'form' } } })
    // Each bit of the first kilobyte.
    for (let place = 0; place < Math.min(text.length, 1000); place += 1) {
      const bytes = Buffer.from(text)
      bytes[place] = (bytes[place] ?? 0) ^ 1
      expect(readApproval(bytes.toString('utf8')).ok, String(place)).toBe(false)
    }
    expect((await state()).state).toBe('proposed')
  })

  test('is refused whose inner signature is another’s, and a file that cannot be read is named', async () => {
    const given = read(await answered())
    const key = newKey()
    const forged = approvalText({ ...given, signer: keyOfSigner(key) }, key)
    expect(await first.cases.import(forged)).toMatchObject({ failure: { details: { reason: 'signature' } } })
    first.open = join(folder, 'nowhere.veridesk-approval')
    expect(await first.cases.import()).toMatchObject({ failure: { code: 'file-unreadable' } })
    first.open = join(folder, 'third.veridesk-approval')
    writeFileSync(first.open, signedAs(given, { by: 'third.person' }, key))
    expect(value(await first.cases.import())).toMatchObject({ by: 'third.person' })
    delete first.open
    expect(await first.cases.import()).toEqual({ ok: true, value: null })
  })
})
