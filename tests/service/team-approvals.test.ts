/** Four-eyes approval in a team: two whole consoles, with real workers, keyrings and a real database. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TeamApproval } from '#contract/team/approvals.ts'
import { checked } from './support/acts.ts'
import { runCommand } from './support/cli.ts'
import { packedEvents } from './support/packs.ts'
import { hasPostgres, startTeamDatabase, type TeamDatabase } from './support/postgres.ts'
import { admit, colleaguesOf, createTeam, member, type Member } from './support/team-consoles.ts'

const patient = { timeout: 30_000 }
let database: TeamDatabase
let anna: Member
let ben: Member

const listed = async ({ console }: Member, applicantId?: string) => {
  const found = await console.get('team.approvals', { limit: 50, ...(applicantId !== undefined && { applicantId }) })
  if (!found) throw new Error('no team')
  return found
}
const newest = async (one: Member, applicantId: string): Promise<TeamApproval | undefined> =>
  (await listed(one, applicantId)).approvals[0]
const stateAt = async (one: Member, applicantId: string): Promise<string | undefined> =>
  (await newest(one, applicantId))?.state
const decided = async (
  { console }: Member,
  applicantId: string,
  decision: 'approve' | 'decline' = 'approve'
): Promise<number> => {
  const { evidence } = await console.get('applicants.show', { applicantId })
  const shown = await console.get('decisions.make', {
    applicantId,
    decision,
    reasons: ['reviewed-by-hand'],
    note: `because ${decision}`,
    evidence
  })
  return shown.decision?.seq ?? 0
}
const request = async (one: Member, applicantId: string, decision: number, note = '') =>
  one.console.ask('team.askApproval', {
    applicantId,
    decision,
    note,
    evidence: (await listed(one, applicantId)).evidence.map(([installation, seq]) => [installation, seq])
  })
const answer = async (one: Member, applicantId: string, agrees: boolean, note = '') => {
  const { installation = '', seq = 0 } = (await newest(one, applicantId)) ?? {}
  return one.console.ask('team.answerApproval', { applicantId, installation, seq, agrees, note })
}
/** A member checks an applicant, decides and asks, and the other one sees it. */
async function asked(author: Member, other: Member, applicantId: string, note = ''): Promise<number> {
  await checked(author.console, applicantId)
  const decision = await decided(author, applicantId)
  expect(await request(author, applicantId, decision, note)).toEqual({ ok: true, value: null })
  await expect.poll(() => stateAt(other, applicantId), patient).toBe('waiting')
  return decision
}

describe.skipIf(!hasPostgres)('approval in a team', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    database = await startTeamDatabase()
    anna = await member('Anna Weber')
    ben = await member('Ben Okoro')
    await createTeam(anna, database)
    await admit(anna, ben, database)
  }, 120_000)
  afterAll(async () => {
    await Promise.all([anna?.end(), ben?.end()])
    await database?.end()
  })

  test('is asked for once something is shared, and appears at the reviewer, who countersigns', async () => {
    await checked(ben.console, 'PRACTICE-pass')
    const decision = await decided(ben, 'PRACTICE-pass')
    expect(await request(ben, 'PRACTICE-pass', decision)).toMatchObject({
      failure: { code: 'team-approval-refused', details: { reason: 'not-sharing' } }
    })
    // Colleagues see nothing of it, so a file is the only way; what was asked that way is no request in the team.
    const byFile = () => ben.console.ask('cases.ask', { applicantId: 'PRACTICE-pass', note: 'Please look', pdf: false })
    ben.console.save = ben.console.fileAt('request.veridesk-case')
    expect(await byFile()).toMatchObject({ ok: true })
    expect((await listed(ben, 'PRACTICE-pass')).approvals).toEqual([])
    // A practice service that is added after the choice is kept.
    await anna.console.get('practice.start')
    await anna.console.get('team.share', { kept: [] })
    await ben.console.get('team.share', { kept: [] })
    expect(await request(ben, 'PRACTICE-pass', decision, 'Please look at the photo')).toEqual({ ok: true, value: null })

    expect(await byFile()).toMatchObject({ failure: { code: 'case-not-asked', details: { reason: 'in-team' } } })

    await expect.poll(() => stateAt(anna, 'PRACTICE-pass'), patient).toBe('waiting')
    const [shown] = (await listed(anna)).approvals
    expect(shown).toMatchObject({
      member: 'Ben Okoro',
      operator: 'Ben Okoro',
      applicantId: 'PRACTICE-pass',
      note: 'Please look at the photo',
      unshared: 0,
      answers: [],
      decision: { decision: 'approve', note: 'because approve', reasons: ['reviewed-by-hand'] }
    })
    expect(shown?.refusal).toBeUndefined()
    expect((await anna.console.get('team.approvals', { limit: 0 }))?.waiting).toBe(1)
    expect((await ben.console.get('team.approvals', { limit: 0 }))?.waiting).toBe(0)
    // Its author never answers.
    expect(await answer(ben, 'PRACTICE-pass', true)).toMatchObject({
      failure: { code: 'team-answer-refused', details: { reason: 'author' } }
    })

    expect(await answer(anna, 'PRACTICE-pass', true, 'Same face')).toEqual({ ok: true, value: null })
    await expect.poll(() => stateAt(ben, 'PRACTICE-pass'), patient).toBe('agreed')
    const { fingerprint } = await anna.console.get('evidence.publicKey')
    for (const one of [anna, ben])
      expect((await newest(one, 'PRACTICE-pass'))?.answers).toMatchObject([
        { agrees: true, note: 'Same face', key: fingerprint, operator: 'Anna Weber' }
      ])
    expect((await newest(ben, 'PRACTICE-pass'))?.answers[0]?.member).toBe('Anna Weber')
    // Who let the reviewer in, by the signed list.
    for (const one of [anna, ben])
      expect((await newest(one, 'PRACTICE-pass'))?.answers[0]?.admission).toEqual({ by: null })
    expect((await anna.console.get('team.approvals', { limit: 0 }))?.waiting).toBe(0)
    // Its author keeps the answer, with everything that its signature is over.
    const kept = async () =>
      (await ben.console.get('applicants.timeline', { applicantId: 'PRACTICE-pass', limit: 1 })).entries
    await expect
      .poll(kept, patient)
      .toMatchObject([{ kind: 'approval', agrees: true, by: 'Anna Weber', note: 'Same face' }])
    const found = await ben.console.get('audit.page', { limit: 50, kinds: ['approval.received'] })
    expect(found.events).toMatchObject([
      { applicantId: 'PRACTICE-pass', words: expect.stringContaining('countersigned by “Anna Weber”') as string }
    ])
    // Whoever answered has the applicant in their history, with what they signed.
    const { entries } = await anna.console.get('applicants.timeline', { applicantId: 'PRACTICE-pass', limit: 10 })
    expect(entries).toMatchObject([{ kind: 'approval', agrees: true, note: 'Same face' }])
    // A pack of the author has it, signed, after the request that it answers; and what was signed is in the reviewer's.
    const packed = (await packedEvents(ben.console, { kind: 'applicant', id: 'PRACTICE-pass' })).filter(
      ({ kind }) => kind === 'decision.made' || kind.startsWith('approval.')
    )
    expect(packed.map(({ kind }) => kind)).toEqual([
      'decision.made',
      'approval.asked',
      'approval.asked',
      'approval.received'
    ])
    expect(packed[3]?.plain).toMatchObject({ by: 'Anna Weber', agrees: true })
    expect(
      (await packedEvents(anna.console, { kind: 'applicant', id: 'PRACTICE-pass' })).map(({ kind }) => kind)
    ).toEqual(['approval.answered', 'pack.made'])
  })

  test('is void for both as soon as its author has newer evidence, until they decide and ask again', async () => {
    const decision = (await ben.console.get('applicants.show', { applicantId: 'PRACTICE-pass' })).decision?.seq ?? 0
    await checked(ben.console, 'PRACTICE-pass')
    await expect.poll(() => stateAt(anna, 'PRACTICE-pass'), patient).toBe('void')
    expect((await newest(anna, 'PRACTICE-pass'))?.newer).toEqual(['Ben Okoro'])
    expect(await newest(ben, 'PRACTICE-pass')).toMatchObject({ state: 'void', newer: [null] })
    expect(await answer(anna, 'PRACTICE-pass', false)).toMatchObject({
      failure: { code: 'team-answer-refused', details: { reason: 'void' } }
    })
    expect(await request(ben, 'PRACTICE-pass', decision)).toMatchObject({
      failure: { code: 'team-approval-refused', details: { reason: 'outdated' } }
    })
    const again = await decided(ben, 'PRACTICE-pass')
    expect(await request(ben, 'PRACTICE-pass', decision)).toMatchObject({
      failure: { code: 'team-approval-refused', details: { reason: 'decision' } }
    })
    await request(ben, 'PRACTICE-pass', again)
    await expect.poll(() => stateAt(anna, 'PRACTICE-pass'), patient).toBe('waiting')
    expect((await listed(anna, 'PRACTICE-pass')).approvals.map(({ state, replaced }) => [state, replaced])).toEqual([
      ['waiting', undefined],
      ['void', true]
    ])
  })

  test('is void for both if the reviewer has newer evidence, and counts again once it is named', async () => {
    const decision = await asked(ben, anna, 'PRACTICE-known')
    await checked(anna.console, 'PRACTICE-known')
    expect(await newest(anna, 'PRACTICE-known')).toMatchObject({ state: 'void', newer: [null] })
    await expect.poll(() => stateAt(ben, 'PRACTICE-known'), patient).toBe('void')
    expect((await newest(ben, 'PRACTICE-known'))?.newer).toEqual(['Anna Weber'])
    // Who was not shown it does not name it.
    expect(
      await ben.console.ask('team.askApproval', { applicantId: 'PRACTICE-known', decision, note: '', evidence: [] })
    ).toMatchObject({ failure: { code: 'team-approval-refused', details: { reason: 'newer' } } })
    await request(ben, 'PRACTICE-known', decision)
    await expect.poll(() => stateAt(anna, 'PRACTICE-known'), patient).toBe('waiting')
    await answer(anna, 'PRACTICE-known', false, 'Another face')
    await expect.poll(() => stateAt(ben, 'PRACTICE-known'), patient).toBe('disagreed')
    // The last answer counts.
    await answer(anna, 'PRACTICE-known', true)
    await expect.poll(() => stateAt(ben, 'PRACTICE-known'), patient).toBe('agreed')
  })

  test('is asked for by itself where a rule requires it, and the decision is proposed until then', async () => {
    await ben.console.get('settings.change', { requireApproval: { approve: 'low', decline: 'low' } })
    const stateOf = async () => (await ben.console.get('applicants.show', { applicantId: 'PRACTICE-rule' })).state
    await checked(ben.console, 'PRACTICE-rule')
    await decided(ben, 'PRACTICE-rule')
    expect(await stateOf()).toBe('proposed')
    await expect.poll(() => stateAt(anna, 'PRACTICE-rule'), patient).toBe('waiting')
    await answer(anna, 'PRACTICE-rule', false, 'The photo is another person’s')
    await expect.poll(stateOf, patient).toBe('returned')
    const waiting = await ben.console.get('queue.list', { limit: 10, filter: { kinds: ['returned'] } })
    expect(waiting.items).toMatchObject([{ kind: 'returned', applicant: { id: 'PRACTICE-rule' } }])
    // Decided otherwise: a request of its own, and the answer to the one before counts for nothing.
    await decided(ben, 'PRACTICE-rule', 'decline')
    expect(await stateOf()).toBe('proposed')
    await expect.poll(async () => (await newest(anna, 'PRACTICE-rule'))?.decision?.decision, patient).toBe('decline')
    await answer(anna, 'PRACTICE-rule', true)
    await expect.poll(stateOf, patient).toBe('decline')
    // Many at once: each is asked for by itself.
    const ids = ['PRACTICE-many-1', 'PRACTICE-many-2']
    for (const id of ids) await checked(ben.console, id)
    const set = await ben.console.get('decisions.prepare', { applicantIds: ids, decision: 'decline', share: 100 })
    expect(set.sample).toHaveLength(2)
    await ben.console.get('settings.change', { sampleMinimumShare: 0 })
    const made = await ben.console.get('decisions.makeMany', {
      set: { id: randomUUID(), seed: set.seed, share: 0 },
      applicants: [...set.applicants],
      decision: 'decline',
      reasons: ['reviewed-by-hand'],
      note: 'both'
    })
    expect(made).toEqual({ decided: 2, proposed: 2, leftOut: [] })
    for (const id of ids) await expect.poll(() => stateAt(anna, id), patient).toBe('waiting')
    await answer(anna, 'PRACTICE-many-1', true)
    await expect
      .poll(async () => {
        const shown = ids.map((applicantId) => ben.console.get('applicants.show', { applicantId }))
        return (await Promise.all(shown)).map(({ state }) => state)
      }, patient)
      .toEqual(['decline', 'proposed'])
    await ben.console.get('settings.change', { requireApproval: {} })
  })

  test('is not given by an analyst, nor asked for by an auditor', async () => {
    const installation = (await ben.console.get('team.state'))?.installation ?? ''
    await anna.console.get('team.changeRole', { installation, role: 'analyst' })
    await expect.poll(async () => (await listed(ben)).role, patient).toBe('analyst')
    await asked(anna, ben, 'PRACTICE-other')
    expect((await newest(ben, 'PRACTICE-other'))?.refusal).toMatchObject({ details: { reason: 'role' } })
    expect(await answer(ben, 'PRACTICE-other', true)).toMatchObject({
      failure: { code: 'team-answer-refused', details: { reason: 'role' } }
    })
    await anna.console.get('team.changeRole', { installation, role: 'auditor' })
    await expect.poll(async () => (await listed(ben)).role, patient).toBe('auditor')
    const decision = (await ben.console.get('applicants.show', { applicantId: 'PRACTICE-pass' })).decision?.seq ?? 0
    expect(await request(ben, 'PRACTICE-pass', decision)).toMatchObject({
      failure: { code: 'team-approval-refused', details: { reason: 'auditor' } }
    })
    await anna.console.get('team.changeRole', { installation, role: 'reviewer' })
    await expect.poll(async () => (await listed(ben)).role, patient).toBe('reviewer')
    expect(await answer(ben, 'PRACTICE-other', true)).toEqual({ ok: true, value: null })
    // Anna asks, and Anna let the reviewer in: both see it.
    await expect
      .poll(async () => (await newest(anna, 'PRACTICE-other'))?.answers[0]?.admission, patient)
      .toEqual({ by: 'Anna Weber', roleBy: 'Anna Weber', byAsker: true })
    expect((await newest(ben, 'PRACTICE-other'))?.answers[0]?.admission).toMatchObject({ byAsker: true })
    await expect.poll(() => stateAt(anna, 'PRACTICE-other'), patient).toBe('agreed')
    // What was approved stays approved when the reviewer has another role.
    await anna.console.get('team.changeRole', { installation, role: 'analyst' })
    await expect.poll(async () => (await listed(ben)).role, patient).toBe('analyst')
    expect(await newest(ben, 'PRACTICE-other')).toMatchObject({ state: 'agreed' })
    await anna.console.get('team.changeRole', { installation, role: 'reviewer' })
    await expect.poll(async () => (await listed(ben)).role, patient).toBe('reviewer')
  })

  test('says that a request has not left while the database is gone', async () => {
    await database.postgres.stop()
    await expect.poll(async () => (await ben.console.get('team.exchange'))?.state, patient).toBe('offline')
    await checked(ben.console, 'PRACTICE-offline')
    expect(await request(ben, 'PRACTICE-offline', await decided(ben, 'PRACTICE-offline'))).toEqual({
      ok: true,
      value: null
    })
    expect(await newest(ben, 'PRACTICE-offline')).toMatchObject({ state: 'waiting', unsent: true })
    // It outlasts the session.
    await ben.again()
    expect(await newest(ben, 'PRACTICE-offline')).toMatchObject({ state: 'waiting', unsent: true })
    await database.postgres.start()
    await expect.poll(() => stateAt(anna, 'PRACTICE-offline'), patient).toBe('waiting')
    await expect.poll(async () => (await newest(ben, 'PRACTICE-offline'))?.unsent, patient).toBeUndefined()
  })

  test('is listed and answered on the command line', async () => {
    const { dataFolder: data } = anna.console
    const request = (await newest(anna, 'PRACTICE-offline'))?.installation.slice(0, 8) ?? ''
    const seq = (await newest(anna, 'PRACTICE-offline'))?.seq ?? 0
    await anna.console.close()
    const run = async (...words: string[]): Promise<string> => {
      const { code, out, error } = await runCommand(['team', ...words], { data, env: anna.keyring.env })
      expect([code, error]).toEqual([0, ''])
      return out
    }
    expect(await run('approvals', '--applicant', 'PRACTICE-offline')).toMatch(
      new RegExp(`^${request}-${seq} {2}\\S+Z {2}PRACTICE-offline {2}approve {2}Ben Okoro {2}waiting\n$`)
    )
    // Only what a rule requires is a proposal, until somebody agrees.
    expect(await run('approvals', '--applicant', 'PRACTICE-many-2')).toContain(
      '  proposed: decline  Ben Okoro  waiting'
    )
    expect(await run('approvals', '--applicant', 'PRACTICE-rule')).toContain('  decline  Ben Okoro  countersigned')
    expect(await run('approve', `${request}-${seq}`, '--return', '--note', 'Not the same')).toContain(
      'Decision returned.'
    )
    expect(await run('approvals', '--applicant', 'PRACTICE-offline')).toMatch(
      /returned\n {2}returned {2}this installation {2}\S+Z {2}Not the same {2}\(Created the team\.\)\n$/
    )
    await anna.again()
    await expect.poll(() => stateAt(ben, 'PRACTICE-offline'), patient).toBe('disagreed')
  })

  test('goes with an erasure of its applicant', async () => {
    await ben.console.get('erasure.run', {
      applicantId: 'PRACTICE-known',
      confirmation: 'PRACTICE-known',
      reason: 'asked for'
    })
    for (const one of [anna, ben]) await expect.poll(() => stateAt(one, 'PRACTICE-known'), patient).toBeUndefined()
    const events = (await listed(anna)).approvals.map(({ applicantId }) => applicantId)
    expect(events).not.toContain('PRACTICE-known')
    expect(events).toContain('PRACTICE-offline')
  })

  test('is asked for by a file about an applicant whom a colleague erased and this installation has still', async () => {
    const applicantId = 'PRACTICE-erased'
    for (const { console } of [anna, ben]) {
      await console.get('practice.start')
      await console.get('team.share', { kept: [] })
    }
    await checked(anna.console, applicantId)
    await asked(ben, anna, applicantId)
    await expect.poll(async () => (await colleaguesOf(ben, applicantId)).length, patient).toBe(1)
    ben.console.save = ben.console.fileAt('erased.veridesk-case')
    const byFile = () => ben.console.ask('cases.ask', { applicantId, note: 'Please look', pdf: false })
    expect(await byFile()).toMatchObject({ failure: { code: 'case-not-asked', details: { reason: 'in-team' } } })
    await anna.console.get('erasure.run', { applicantId, confirmation: applicantId, reason: 'asked for' })
    // The request waits, and nobody can answer it: the list of this applicant and that of all say so.
    const unseen = { state: 'waiting', unseen: true }
    await expect.poll(() => listed(ben, applicantId), patient).toMatchObject({ unseen: true, approvals: [unseen] })
    expect((await listed(ben)).approvals.filter((each) => each.unseen)).toMatchObject([{ applicantId }])
    expect((await listed(anna, applicantId)).approvals).toEqual([])
    expect(await byFile()).toMatchObject({ ok: true })
    // What is decided later is under the same subject, which no colleague ever sees again.
    await checked(ben.console, applicantId)
    const decision = await decided(ben, applicantId)
    expect(await request(ben, applicantId, decision)).toMatchObject({
      failure: { code: 'team-approval-refused', details: { reason: 'erased' } }
    })
    expect(await byFile()).toMatchObject({ ok: true })
    // About others nothing has changed.
    await asked(ben, anna, 'PRACTICE-other')
    expect((await listed(ben, 'PRACTICE-other')).unseen).toBeUndefined()
  })
})
