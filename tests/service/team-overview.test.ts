/** What a team is doing, and evidence against a member: whole consoles, real histories and a real database. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TeamInstallation } from '#contract/team/overview.ts'
import { openWorkbook } from '#kit/workbook/read.ts'
import { verifyForkFile } from '#team/log/fork.ts'
import { verifyFork } from '../../electron/hosts/cli/team-overview.ts'
import { checked } from './support/acts.ts'
import { hasPostgres, startTeamDatabase, type TeamDatabase } from './support/postgres.ts'
import { admit, createTeam, member, type Member } from './support/team-consoles.ts'
import type { Exchanging } from './support/team-exchange.ts'
import { forked } from './support/team-fork.ts'
import { installed, requestOf } from './support/team-installation.ts'

const patient = { timeout: 30_000 }
const day = 24 * 60 * 60_000

describe.skipIf(!hasPostgres)('the overview of a team', { timeout: 120_000 }, () => {
  let database: TeamDatabase
  let anna: Member
  let ben: Member
  let mallory: Exchanging | undefined
  const period = () => ({ from: Date.now() - day, until: Date.now() + day })
  const overviewOf = ({ console }: Member) => console.get('team.overview', period())
  const at = async (name: string): Promise<TeamInstallation | undefined> =>
    (await overviewOf(anna))?.installations.find((each) => each.name === name)
  const decide = async ({ console }: Member, applicantId: string, decision: 'approve' | 'decline'): Promise<void> => {
    const { evidence } = await console.get('applicants.show', { applicantId })
    await console.get('decisions.make', {
      applicantId,
      decision,
      reasons: ['reviewed-by-hand'],
      note: 'Seen',
      evidence,
      known: []
    })
  }
  beforeAll(async () => {
    database = await startTeamDatabase()
    anna = await member('Anna Weber')
    ben = await member('Ben Okoro')
    await createTeam(anna, database)
    await admit(anna, ben, database)
    for (const one of [anna, ben]) {
      // A practice service that is added after the choice is not shared.
      await one.console.get('practice.start')
      await one.console.get('team.share', { kept: [] })
    }
  }, 120_000)
  afterAll(async () => {
    await mallory?.close()
    if (mallory) rmSync(mallory.one.folder, { recursive: true, force: true })
    await Promise.all([anna?.end(), ben?.end()])
    await database?.end()
  })

  test('counts what each installation and each person did, and what waits', async () => {
    for (const applicant of ['PRACTICE-1', 'PRACTICE-2', 'PRACTICE-3']) await checked(ben.console, applicant)
    await checked(anna.console, 'PRACTICE-4')
    await decide(ben, 'PRACTICE-1', 'approve')
    await ben.console.get('queue.assign', { applicantId: 'PRACTICE-2', assignee: 'Carla Diaz' })
    await expect.poll(async () => (await at('Ben Okoro'))?.decisions, patient).toBe(1)
    await expect
      .poll(() => at('Ben Okoro'), patient)
      .toMatchObject({ role: 'reviewer', own: false, checks: 3, decisions: 1, waiting: 2, unknown: 0, findings: [] })
    expect(await at('Anna Weber')).toMatchObject({ role: 'supervisor', own: true, checks: 1, decisions: 0, waiting: 1 })
    const overview = await overviewOf(anna)
    expect(
      overview?.people.map(({ member: of, person, checks, decisions }) => [of, person, checks, decisions])
    ).toEqual([
      ['Ben Okoro', 'Ben Okoro', 3, 1],
      ['Anna Weber', 'Anna Weber', 1, 0]
    ])
    await expect
      .poll(async () => (await overviewOf(anna))?.queue, patient)
      .toEqual([
        { person: '', count: 2 },
        { person: 'Carla Diaz', count: 1 }
      ])
    // Who decided here about a colleague's applicant ended its waiting.
    await checked(anna.console, 'PRACTICE-3')
    await decide(anna, 'PRACTICE-3', 'approve')
    await expect.poll(async () => (await at('Ben Okoro'))?.waiting, patient).toBe(1)
  })

  test('colleagues’ decisions are among the figures, in the lists behind them and in the report', async () => {
    const month = () => ({
      period: { edges: [Date.now() - day, Date.now() + day], offsets: [{ from: 0, minutes: 0 }] },
      before: { from: 0, until: 0 }
    })
    const figures = async () => {
      const counted = await anna.console.get('overview.decisions', month())
      return counted.kind === 'counted' ? counted : undefined
    }
    await expect
      .poll(async () => (await figures())?.reviewers?.map(({ name, decided }) => [name, decided]), patient)
      .toEqual([
        ['Anna Weber', 1],
        ['Ben Okoro', 1],
        ['', 0]
      ])
    const { period: of, before } = month()
    const [from = 0, until = 0] = of.edges
    expect(await figures()).toMatchObject({ decided: 2, decisions: { approve: 2 }, times: { count: 2 } })
    expect(await figures()).toMatchObject({ own: 1 })
    // Also who is no supervisor learns how many of them are their own, and of nobody else.
    const ofBen = async () => {
      const counted = await ben.console.get('overview.decisions', month())
      return counted.kind === 'counted' ? counted : undefined
    }
    await expect.poll(async () => (await ofBen())?.decided, patient).toBe(2)
    expect(await ofBen()).toMatchObject({ own: 1 })
    expect((await ofBen())?.reviewers).toBeUndefined()
    // One of a colleague alone is named, and leads to what it counts.
    const messages = (await figures())?.messages ?? []
    expect(messages.map(({ decided, message = '' }) => [decided, /“\d”/.exec(message)?.[0]])).toEqual([
      [1, '“1”'],
      [1, '“3”']
    ])
    const list = (query: object) =>
      anna.console.get('overview.list', {
        of: { what: 'decided', from, until, ...query },
        reviewer: 'Ben Okoro',
        visit: crypto.randomUUID(),
        offset: 0,
        limit: 10
      })
    for (const query of [{}, { message: messages[0]?.id }])
      expect(await list(query)).toMatchObject({
        total: 1,
        rows: [{ applicantId: 'PRACTICE-1', decision: 'approve', reviewer: 'Ben Okoro' }]
      })
    const path = (anna.console.save = anna.console.fileAt('report.xlsx'))
    await anna.console.get('overview.report', { month: '2025-10', period: of, before, format: 'xlsx', names: true })
    const rows: string[][] = []
    for await (const { cells } of (await openWorkbook(readFileSync(path))).rows(0)) rows.push([...cells])
    expect(rows.find(([label]) => label === 'Decided')?.[1]).toBe('2')
    expect(rows.flat().some((cell) => /as of .*, of colleagues/.test(cell))).toBe(true)
  })

  test('counts what was looked at before decisions for supervisors, of three people and 30 decisions on', async () => {
    const looked = async ({ console }: Member) => {
      const counted = await console.get('overview.decisions', {
        period: { edges: [Date.now() - day, Date.now() + day], offsets: [{ from: 0, minutes: 0 }] },
        before: { from: 0, until: 0 }
      })
      return counted.kind === 'counted' ? { decided: counted.decided, looked: counted.looked } : undefined
    }
    // A third person at Anna's computer, and who made more than half of them has a rate of their own.
    const as = async (name: string, turn: number): Promise<void> => {
      await anna.console.get('settings.change', { displayName: name })
      await checked(anna.console, `PRACTICE-${turn}`)
      await decide(anna, `PRACTICE-${turn}`, 'approve')
    }
    for (let turn = 10; turn < 38; turn += 1) await as(turn < 28 ? 'Carla Diaz' : 'Anna Weber', turn)
    await expect.poll(() => looked(anna), patient).toEqual({ decided: 30, looked: {} })
    for (let turn = 38; turn < 44; turn += 1) await as('Anna Weber', turn)
    await expect.poll(() => looked(anna), patient).toEqual({ decided: 36, looked: { unshown: { part: 36, of: 36 } } })
    await expect.poll(() => looked(ben), patient).toEqual({ decided: 36, looked: undefined })
    await anna.console.get('settings.change', { displayName: 'Anna Weber' })
  })

  test('names decisions that differ, and erasures that are pending somewhere', async () => {
    await checked(anna.console, 'PRACTICE-1')
    await decide(anna, 'PRACTICE-1', 'decline')
    await expect
      .poll(async () => (await overviewOf(anna))?.conflicts.map(({ applicantId }) => applicantId), patient)
      .toEqual(['PRACTICE-1'])
    await ben.console.close()
    await anna.console.get('erasure.run', {
      applicantId: 'PRACTICE-1',
      confirmation: 'PRACTICE-1',
      reason: 'asked for'
    })
    await expect.poll(async () => (await at('Ben Okoro'))?.erasures, patient).toBeGreaterThan(0)
    expect((await overviewOf(anna))?.keysDueSince).toBeGreaterThan(0)
    await ben.again()
    await expect.poll(async () => (await at('Ben Okoro'))?.erasures, patient).toBe(0)
    await expect.poll(async () => (await at('Ben Okoro'))?.kept, patient).toBeGreaterThan(0)
    await ben.console.get('erasure.run', { applicantId: 'PRACTICE-1', confirmation: 'PRACTICE-1', reason: 'asked for' })
    await expect.poll(async () => (await at('Ben Okoro'))?.kept, patient).toBe(0)
  })

  test('is for supervisors and auditors, is a view in the audit trail, and there without the database', async () => {
    expect(await ben.console.ask('team.overview', period())).toMatchObject({
      ok: false,
      failure: { code: 'team-change-refused', details: { reason: 'overview' } }
    })
    const [, other] = (await anna.console.get('team.exchange'))?.members ?? []
    await anna.console.get('team.changeRole', { installation: other?.installation ?? '', role: 'auditor' })
    await expect.poll(async () => (await ben.console.ask('team.overview', period())).ok, patient).toBe(true)
    const { events } = await ben.console.get('audit.page', { limit: 10 })
    expect(events.some(({ kind, words }) => kind === 'view.opened' && words.includes('team'))).toBe(true)
    await database.postgres.stop()
    await expect.poll(async () => (await overviewOf(anna))?.state, patient).toBe('offline')
    expect(await at('Ben Okoro')).toMatchObject({ checks: 3 })
    await database.postgres.start()
  })

  test('evidence of a fork is saved as a file that anybody can verify', async () => {
    const newcomer = await installed(database, 'Mallory')
    anna.console.save = anna.console.fileAt('invitation.json')
    const invited = await anna.console.get('team.invite')
    const request = await requestOf(newcomer, readFileSync(invited?.path ?? '', 'utf8'), invited?.words ?? '')
    await anna.console.get('team.admit', { ...request, role: 'analyst' })
    const { installation } = newcomer
    expect(await anna.console.ask('team.saveProof', { installation })).toMatchObject({
      ok: false,
      failure: { code: 'team-proof-missing' }
    })
    const fork = await forked(newcomer, database, (seq) =>
      expect.poll(async () => (await at('Mallory'))?.events, patient).toBe(seq)
    )
    mallory = fork.exchanging
    await expect
      .poll(async () => (await at('Mallory'))?.findings.map(({ failure }) => failure.code), patient)
      .toContain('team-events-forked')
    const path = (anna.console.save = anna.console.fileAt('fork.json'))
    expect(await anna.console.get('team.saveProof', { installation })).toEqual({ path })
    const text = readFileSync(path, 'utf8')
    expect(verifyForkFile(text)).toMatchObject({ ok: true, value: { installation, event: fork.event } })
    expect(text).not.toContain('APP-')
    expect(await verifyFork([path], {})).toMatchObject({
      exit: 'done',
      out: expect.stringContaining(`number ${fork.event}`)
    })
    // Changed in any way, it proves nothing.
    expect(verifyForkFile(text.replace(installation, 'ab'.repeat(16)))).toMatchObject({
      ok: false,
      failure: { code: 'team-proof-refused', details: { reason: 'signature' } }
    })
    expect(verifyForkFile('{}')).toMatchObject({ ok: false, failure: { details: { reason: 'form' } } })
    expect(await verifyFork([join(anna.console.dataFolder, 'none.json')], {})).toMatchObject({
      exit: 'failed',
      error: expect.stringContaining('none.json')
    })
  })
})
