/** Two-person admission on a real PostgreSQL: who gets keys when, what each audit trail has, and what a database that hides events changes. */
import { readFileSync, rmSync } from 'node:fs'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TeamRole } from '#contract/team/team.ts'
import { ok } from '#contract/failures/result.ts'
import { withRoster } from '#core/team/installation/session.ts'
import { schemaSql } from '#team/database/schema.ts'
import { hasPostgres, startTeamDatabase, type TeamDatabase } from './support/postgres.ts'
import { createTeam, member } from './support/team-consoles.ts'
import { exchanging } from './support/team-exchange.ts'
import { addressOf, installed, requestOf, valueOf as value, type Installation } from './support/team-installation.ts'

const refused = (reason: string): unknown => ({
  ok: false,
  failure: { code: 'team-change-refused', details: { reason } }
})

describe.skipIf(!hasPostgres)('two-person admission', () => {
  let starting: Promise<TeamDatabase> | undefined
  let database: TeamDatabase
  const folders: string[] = []
  const sql = (text: string): string => database.postgres.sql(text, 'team')
  let anna: Installation
  let ben: Installation
  let carla: Installation

  async function arrived(name: string): Promise<Installation> {
    const one = await installed(database, name)
    folders.push(one.folder)
    return one
  }
  async function asked(newcomer: Installation): Promise<{ readonly request: string; readonly words: string }> {
    const invitation = value(await anna.team.invite())
    return requestOf(newcomer, readFileSync(anna.file, 'utf8'), invitation?.words ?? '')
  }
  const joined = async (newcomer: Installation, role: TeamRole): Promise<void> =>
    void value(await anna.team.admit({ ...(await asked(newcomer)), role }))
  const rolesAt = async ({ team }: Installation): Promise<readonly string[]> =>
    value(await team.members()).members.map(({ name, role }) => `${name} ${role}`)
  const waitingAt = async ({ team }: Installation) => value(await team.members()).waiting
  const boxesOf = ({ installation }: Installation): number =>
    Number(sql(`SELECT count(*) FROM veridesk.grant_box WHERE installation = '\\x${installation}'`))

  beforeEach(async () => {
    database = await (starting ??= startTeamDatabase())
    sql('DROP SCHEMA veridesk CASCADE')
    sql(schemaSql)
    ;[anna, ben, carla] = [await arrived('Anna Weber'), await arrived('Ben Okoro'), await arrived('Carla Rossi')]
    value(await anna.team.create({ name: 'Anna Weber', database: addressOf(database) }))
  })
  afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })))
  afterAll(async () => (await starting)?.end())

  it('cannot be switched on by the only supervisor', async () => {
    await joined(ben, 'reviewer')
    expect(await anna.team.changeRule({ twoPerson: true })).toEqual(refused('rule'))
    expect(await ben.team.changeRule({ twoPerson: true })).toEqual(refused('right'))
  })

  it('admits a reviewer with the second supervisor only, who gives the keys', async () => {
    await joined(ben, 'supervisor')
    expect(value(await anna.team.changeRule({ twoPerson: true }))).toMatchObject({ twoPerson: true, waiting: [] })
    const request = await asked(carla)
    const [entry] = value(await anna.team.admit({ ...request, role: 'reviewer' })).waiting
    expect(entry).toMatchObject({
      kind: 'admit',
      about: { installation: carla.installation, name: 'Carla Rossi', role: 'reviewer' },
      by: 'Anna Weber',
      confirmable: false
    })
    // What the newcomer sees is what both compare.
    expect(entry?.compared.words).toBe(request.words)
    // No key is sealed for her, and she is no member anywhere.
    expect(boxesOf(carla)).toBe(0)
    for (const each of [anna, ben, carla])
      expect(await rolesAt(each)).toEqual(['Anna Weber supervisor', 'Ben Okoro supervisor'])
    expect(value(await carla.team.members()).own).toBe('applicant')
    const order = { entry: entry?.entry ?? '' }
    expect(await anna.team.confirm(order)).toEqual(refused('same'))
    expect(await ben.team.confirm({ ...order, words: value(await ben.team.state())?.team?.words ?? '' })).toMatchObject(
      {
        failure: { code: 'team-words-differ' }
      }
    )
    expect(boxesOf(carla)).toBe(0)
    expect((await waitingAt(ben))[0]).toMatchObject({ confirmable: true })
    value(await ben.team.confirm({ ...order, words: request.words }))
    expect(boxesOf(carla)).toBe(1)
    for (const each of [anna, ben, carla]) expect((await rolesAt(each))[2]).toBe('Carla Rossi reviewer')
    expect(await ben.team.confirm(order)).toEqual(refused('second'))
    const change = { installation: carla.installation, role: 'reviewer' }
    expect(anna.notes.at(-1)).toEqual({ action: 'team.admission-waits', ...change })
    expect(ben.notes.at(-1)).toEqual({ action: 'team.admission-confirmed', ...change })
  })

  it('gives new keys to members alone, while an admission waits, and then those of that time', async () => {
    const dora = await arrived('Dora Klein')
    await joined(ben, 'supervisor')
    await joined(dora, 'analyst')
    value(await anna.team.changeRule({ twoPerson: true }))
    const [entry] = value(await anna.team.admit({ ...(await asked(carla)), role: 'supervisor' })).waiting
    value(await ben.team.remove({ installation: dora.installation, name: 'Dora Klein' }))
    expect(boxesOf(carla)).toBe(0)
    value(await ben.team.confirm({ entry: entry?.entry ?? '' }))
    // She opens them, and admits with the others.
    expect(value(await carla.team.withdraw({ entry: await waitsForAnalyst() }))).toMatchObject({
      epoch: 2,
      waiting: []
    })

    async function waitsForAnalyst(): Promise<string> {
      const [waiting] = value(await ben.team.changeRule({ twoPerson: false })).waiting
      return waiting?.entry ?? ''
    }
  })

  it('gives a role, and is switched off, by two; either is withdrawn by one', async () => {
    await joined(ben, 'supervisor')
    await joined(carla, 'analyst')
    value(await anna.team.changeRule({ twoPerson: true }))
    value(await anna.team.changeRole({ installation: carla.installation, role: 'reviewer' }))
    expect((await rolesAt(ben))[2]).toBe('Carla Rossi analyst')
    const [first] = await waitingAt(carla)
    expect(first).toMatchObject({ kind: 'role', confirmable: false })
    value(await anna.team.withdraw({ entry: first?.entry ?? '' }))
    expect(await ben.team.confirm({ entry: first?.entry ?? '' })).toEqual(refused('second'))
    value(await anna.team.changeRole({ installation: carla.installation, role: 'reviewer' }))
    const [second] = await waitingAt(ben)
    value(await ben.team.confirm({ entry: second?.entry ?? '' }))
    expect((await rolesAt(anna))[2]).toBe('Carla Rossi reviewer')
    // Lowering stays with one.
    value(await ben.team.changeRole({ installation: carla.installation, role: 'analyst' }))
    expect((await rolesAt(anna))[2]).toBe('Carla Rossi analyst')
    const [off] = value(await ben.team.changeRule({ twoPerson: false })).waiting
    expect(off).toMatchObject({ kind: 'rule', by: 'Ben Okoro' })
    expect(value(await anna.team.confirm({ entry: off?.entry ?? '' }))).toMatchObject({ twoPerson: false, waiting: [] })
    expect(anna.notes.at(-1)).toEqual({ action: 'team.two-person-off' })
  })

  it('is not confirmed by another installation with the name of its author', async () => {
    const laptop = await arrived('anna  WEBER')
    await joined(laptop, 'supervisor')
    await joined(ben, 'supervisor')
    value(await anna.team.changeRule({ twoPerson: true }))
    const [entry] = value(await anna.team.admit({ ...(await asked(carla)), role: 'reviewer' })).waiting
    expect((await waitingAt(laptop))[0]).toMatchObject({ confirmable: false })
    expect(await laptop.team.confirm({ entry: entry?.entry ?? '' })).toEqual(refused('same'))
    expect(boxesOf(carla)).toBe(0)
  })

  it('a role ends with what has arrived, although the database hides it when the role changes', async () => {
    sql('DROP SCHEMA veridesk CASCADE')
    sql(schemaSql)
    const dora = await member('Dora Klein')
    const emil = await arrived('Emil Novak')
    try {
      await createTeam(dora, database)
      dora.console.save = dora.console.fileAt('invitation.json')
      const invited = await dora.console.get('team.invite')
      const request = await requestOf(emil, readFileSync(invited?.path ?? '', 'utf8'), invited?.words ?? '')
      await dora.console.get('team.admit', { ...request, role: 'reviewer' })
      await dora.console.get('team.share', { kept: [] })
      const { check, settle, close } = await exchanging(emil)
      await check('APP-1')
      await settle()
      await close()
      const events = `veridesk.event WHERE installation = '\\x${emil.installation}'`
      const shared = Number(sql(`SELECT max(seq) FROM ${events}`))
      expect(shared).toBeGreaterThan(0)
      await expect
        .poll(async () => (await dora.console.get('team.activity', { limit: 5 }))?.entries.length, { timeout: 30_000 })
        .toBe(1)
      sql(`DELETE FROM ${events}`)
      await dora.console.get('team.changeRole', { installation: emil.installation, role: 'analyst' })
      const session = { dataFolder: emil.folder, keychain: emil.secrets, clock: { now: () => Date.now() } }
      const approving = value(
        await withRoster(session, async ({ roster }) => ok(roster.members.get(emil.installation)?.approving))
      )
      expect(approving).toEqual({ earlier: [[0, shared]] })
    } finally {
      await dora.end()
    }
  }, 120_000)
})
