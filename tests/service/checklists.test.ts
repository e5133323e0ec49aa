/** A checklist from the settings to a verified pack: the version that was answered, the answers, and what is refused without them. */
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Decision, DecisionMade } from '#contract/applicants/applicants.ts'
import type { Checklists } from '#contract/applicants/checklists.ts'
import { checkPack } from '#core/evidence/pack/check.ts'
import { fileReader } from '../../electron/hosts/node/policies/linux.ts'
import { contentOf, fileText, isErased, type PackEvent, type PackFile } from './evidence-builder.ts'
import { loadVerifier } from './evidence-workspace.ts'
import { checked } from './support/acts.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'

const person = 'PRACTICE-pass'
const photo = {
  code: 'photo-matches',
  label: 'The photo matches',
  required: true,
  answer: 'yes-no' as const,
  decisions: ['approve'] as Decision[]
}
const seen = {
  code: 'seen',
  label: 'Looked at',
  required: false,
  answer: 'tick' as const,
  decisions: ['approve', 'escalate'] as Decision[]
}
const values = { code: 'values-match', label: 'The values are still right', required: true, answer: 'yes-no' as const }
const checklists: Checklists = { decision: [photo, seen], review: [values] }
const shownOf = (event: PackEvent | undefined, part: 'plain' | 'sealed'): Record<string, unknown> => {
  const of = event?.[part]
  return of && !isErased(of) ? Object.fromEntries(of.shown.map(([, name, value]) => [name, value])) : {}
}

describe('a checklist', () => {
  let console: TestConsole
  beforeAll(async () => {
    console = await startTestConsole()
    await checked(console)
  })
  afterAll(() => console.dispose())

  const decide = async (more: object, decision: Decision = 'approve') =>
    console.ask('decisions.make', {
      applicantId: person,
      decision,
      reasons: [decision === 'approve' ? 'documents-in-order' : 'reviewed-by-hand'],
      note: 'looked at',
      evidence: (await console.get('applicants.show', { applicantId: person })).evidence,
      ...more
    })
  const noted = async (): Promise<readonly string[]> =>
    (await console.get('audit.page', { kinds: ['checklist.noted'], limit: 50 })).events.map(({ words }) => words)
  const lastDecision = async (): Promise<DecisionMade | undefined> =>
    (await console.get('applicants.show', { applicantId: person })).decision
  const savedPack = async (profile: 'full' | 'no-personal-data'): Promise<PackFile> => {
    console.save = console.fileAt(`${randomUUID()}.veridesk-evidence.json`)
    await console.get('evidence.create', { about: { kind: 'applicant', id: person }, profile, pdf: false })
    return JSON.parse(readFileSync(console.save, 'utf8')) as PackFile
  }

  test('that nobody has set leaves nothing: no event, no value', async () => {
    expect(await decide({})).toMatchObject({ ok: true })
    expect(await noted()).toEqual([])
    const decision = contentOf(await savedPack('full')).events.find(({ kind }) => kind === 'decision.made')
    expect(Object.keys({ ...shownOf(decision, 'plain'), ...shownOf(decision, 'sealed') })).not.toContain('checklist')
    expect(Object.keys(shownOf(decision, 'sealed'))).toEqual(['note', 'reasons', 'seenList'])
    expect((await lastDecision())?.checklist).toBeUndefined()
  })

  test('is refused at the item without an answer, and recorded once for each version', async () => {
    await console.get('settings.change', { checklists })
    expect(await decide({})).toMatchObject({
      failure: { code: 'decision-invalid', fields: { 'checks.photo-matches': { code: 'check-needed' } } }
    })
    expect(await noted()).toEqual([])
    expect(await decide({ checks: { 'photo-matches': 'yes' } })).toMatchObject({ ok: true })
    expect(await decide({ checks: { 'photo-matches': 'not-applicable', 'seen': 'yes' } })).toMatchObject({ ok: true })
    expect(await noted()).toEqual(['Checklist of 2 items for decisions answered for the first time.'])
    expect((await lastDecision())?.checklist).toEqual({
      complete: true,
      items: [
        { label: 'The photo matches', answer: 'not-applicable' },
        { label: 'Looked at', answer: 'yes' }
      ]
    })
    // A decision that it has no item for names none.
    expect(await decide({}, 'decline')).toMatchObject({ ok: true })
    expect((await lastDecision())?.checklist).toBeUndefined()
  })

  test('that changed is another version; earlier answers keep their own labels', async () => {
    const renamed = { ...checklists, decision: [{ ...photo, label: 'The face is the same' }, seen] }
    await console.get('settings.change', { checklists: renamed })
    expect(await decide({ checks: { 'photo-matches': 'no' } })).toMatchObject({ ok: true })
    expect(await noted()).toHaveLength(2)
    await console.get('settings.change', { checklists })
    expect(await decide({ checks: { 'photo-matches': 'yes' } })).toMatchObject({ ok: true })
    expect(await noted(), 'the first version again').toHaveLength(2)
    const { entries } = await console.get('applicants.timeline', {
      applicantId: person,
      limit: 50,
      visit: randomUUID()
    })
    const labels = entries.flatMap((entry) =>
      entry.kind === 'decision' && entry.decision.checklist ? [entry.decision.checklist.items[0]?.label] : []
    )
    expect(labels).toEqual(['The photo matches', 'The face is the same', 'The photo matches', 'The photo matches'])
  })

  test('of reviews is answered with a review, and with a decision that is one', async () => {
    const review = (more: object) =>
      console.ask('applicants.review', { applicantId: person, outcome: 'unchanged', note: '', ...more })
    expect(await review({})).toMatchObject({
      failure: { code: 'review-invalid', fields: { 'checks.values-match': { code: 'check-needed' } } }
    })
    expect(await review({ checks: { 'values-match': 'yes' } })).toMatchObject({ ok: true })
    const both = { review: 'unchanged', checks: { 'photo-matches': 'yes' } }
    expect(await decide(both)).toMatchObject({ failure: { fields: { 'reviewChecks.values-match': {} } } })
    expect(await decide({ ...both, reviewChecks: { 'values-match': 'no' } })).toMatchObject({ ok: true })
    expect(await noted()).toHaveLength(3)
    const { entries } = await console.get('applicants.timeline', {
      applicantId: person,
      limit: 50,
      visit: randomUUID()
    })
    expect(entries.flatMap((entry) => (entry.kind === 'review' ? [entry.checklist] : []))).toEqual([
      { complete: true, items: [{ label: 'The values are still right', answer: 'no' }] },
      { complete: true, items: [{ label: 'The values are still right', answer: 'yes' }] }
    ])
  })

  test('is in a full pack with its answers, and in a redacted one without them; both verifiers accept both', async () => {
    for (const profile of ['full', 'no-personal-data'] as const) {
      const pack = await savedPack(profile)
      const text = fileText(pack)
      expect(checkPack(text).findings.filter(({ passed }) => !passed)).toEqual([])
      expect(await (await loadVerifier()).verifyPack(text)).toMatchObject({ verified: true })
      const { events } = contentOf(pack)
      const versions = events.filter(({ kind }) => kind === 'checklist.noted').map((event) => shownOf(event, 'plain'))
      expect(versions.map(({ ref }) => ref)).toEqual([1, 2, 3])
      expect(JSON.parse(versions[0]?.['text'] as string)).toEqual({ kind: 'decision', items: [photo, seen] })
      const decision = events.findLast(({ kind }) => kind === 'decision.made')
      expect(shownOf(decision, 'plain')['checklist']).toEqual({ ref: 1, complete: false })
      expect(shownOf(decision, 'sealed')['checks']).toEqual(profile === 'full' ? { 'photo-matches': 'yes' } : undefined)
      const review = events.findLast(({ kind }) => kind === 'review.recorded')
      expect(shownOf(review, 'plain')['checklist']).toEqual({ ref: 3, complete: true })
      expect(shownOf(review, 'sealed')['checks']).toEqual(profile === 'full' ? { 'values-match': 'no' } : undefined)
    }
    expect(await console.get('audit.verify')).toMatchObject({ intact: true })
  })

  test('with required items lets many be decided one by one only', async () => {
    for (let n = 0; n < 7; n += 1) await checked(console, `PRACTICE-${n}`)
    const required = { ...photo, decisions: ['decline' as const] }
    await console.get('settings.change', { sampleMinimumShare: 0, checklists: { decision: [required], review: [] } })
    const applicantIds = Array.from({ length: 7 }, (_, n) => `PRACTICE-${n}`)
    const query = { applicantIds, decision: 'decline' as const, visit: randomUUID() }
    const refused = { ok: false, failure: { code: 'checklist-one-by-one' } }
    for (const share of [0, 10])
      expect(await console.ask('decisions.prepare', { ...query, share })).toMatchObject(refused)
    const { applicants, seed } = await console.get('decisions.prepare', { ...query, share: 100 })
    const many = {
      applicants: [...applicants],
      decision: 'decline' as const,
      reasons: ['reviewed-by-hand'],
      note: 'x'
    }
    const set = { id: randomUUID(), seed, share: 0 }
    expect(await console.ask('decisions.makeMany', { ...many, set })).toMatchObject(refused)
    // What nobody has to answer is recorded as not answered.
    await console.get('settings.change', { checklists: { decision: [{ ...required, required: false }], review: [] } })
    expect(await console.get('decisions.makeMany', { ...many, set })).toMatchObject({ decided: applicants.length })
    const { decision } = await console.get('applicants.show', { applicantId: applicants[0]?.applicantId ?? '' })
    expect(decision?.checklist).toEqual({ complete: false, items: [{ label: 'The photo matches' }] })
  })
})

test('a checklist of the organisation is in force and cannot be changed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-checklists-'))
  const file = join(folder, 'policies.json')
  writeFileSync(
    `${file}.new`,
    JSON.stringify({ format: 'veridesk-policies', version: 1, policies: { Checklists: checklists } })
  )
  chmodSync(`${file}.new`, 0o644)
  renameSync(`${file}.new`, file)
  const policies = { ...fileReader(file, [process.getuid?.() ?? 0]), confirmAfter: 1 }
  const console = await startTestConsole(undefined, 'tester', { policies })
  const state = await console.get('app.state')
  expect(state.settings.checklists).toEqual(checklists)
  expect(state.managed?.locked).toEqual({ checklists: file })
  expect(await console.ask('settings.change', { checklists: { decision: [], review: [] } })).toMatchObject({
    failure: { code: 'setting-managed', details: { names: 'Checklists' } }
  })
  await checked(console)
  const { evidence } = await console.get('applicants.show', { applicantId: person })
  const draft = {
    applicantId: person,
    decision: 'approve' as const,
    reasons: ['documents-in-order'],
    note: 'x',
    evidence
  }
  expect(await console.ask('decisions.make', draft)).toMatchObject({ failure: { code: 'decision-invalid' } })
  await console.dispose()
  rmSync(folder, { recursive: true, force: true })
})
