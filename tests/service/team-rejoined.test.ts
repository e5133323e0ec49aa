/** A member who leaves and joins again under a new number, with a real PostgreSQL: what was erased meanwhile stays erased. */
import { readFileSync, rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { unseal } from '#kit/sealing/seal.ts'
import { readContent } from '#team/log/content.ts'
import { hasPostgres, startTeamDatabase, type TeamDatabase } from './support/postgres.ts'
import { exchanging, type Exchanging } from './support/team-exchange.ts'
import { addressOf, installed, requestOf, valueOf as value, type Installation } from './support/team-installation.ts'

const hand = { at: 1_790_000_000_000, operator: 'tester' }

describe.skipIf(!hasPostgres)('a member who joins again after an erasure', { timeout: 60_000 }, () => {
  let database: TeamDatabase
  let folders: string[]
  let anna: Exchanging
  let ben: Exchanging

  async function admit(one: Installation, role: 'analyst' | 'reviewer' = 'analyst'): Promise<void> {
    const invitation = value(await anna.one.team.invite())
    value(
      await anna.one.team.admit({
        ...(await requestOf(one, readFileSync(anna.one.file, 'utf8'), invitation?.words ?? '')),
        role
      })
    )
    await anna.refresh()
  }
  async function newcomer(name: string): Promise<Exchanging> {
    const one = await installed(database, name)
    folders.push(one.folder)
    await admit(one)
    return exchanging(one)
  }
  /** Leaves, and joins again with its history and a new number. */
  async function again(who: Exchanging): Promise<Exchanging> {
    await who.close()
    value(await who.one.team.leave())
    value(await anna.one.team.remove({ installation: who.one.installation, name: who.one.name }))
    await anna.refresh()
    await anna.settle()
    const access = value(await who.one.team.access())
    expect(access.installation).not.toBe(who.one.installation)
    database.postgres.sql(access.sql, 'team')
    const one = { ...who.one, installation: access.installation }
    await admit(one)
    return exchanging(one)
  }
  /** What an installation can read of a number: the sealed parts that it can open, as one text. */
  const readBy = (who: Exchanging, installation: string): string =>
    who.received
      .events(installation, 0, 10_000)
      .map(({ content }) => {
        const event = readContent(content)
        if (!event || event === 'newer' || event.subject === null || !event.sealed) return ''
        const key = who.received.subjects.find({ installation, number: event.subject })?.key
        return key ? (unseal(key, event.kind, event.sealed)?.payload ?? 'it does not open') : ''
      })
      .join('\n')
  const numberOf = async (who: Exchanging, applicant: string): Promise<number> => {
    const subjects = value(await who.store.exchange.subjects(Array.from({ length: 20 }, (_, index) => index + 1)))
    return subjects.find(({ applicantId }) => applicantId === applicant)?.number ?? 0
  }
  const given = (): number =>
    Number(database.postgres.sql('SELECT count(*) FROM veridesk.subject_key WHERE wrapped IS NOT NULL', 'team'))
  async function erase(who: Exchanging, applicantId: string): Promise<void> {
    const { people } = value(await who.store.erasure.scope(applicantId))
    value(await who.store.erasure.erase({ ...hand, reason: 'Requested', cause: 'request', subjects: people }))
  }
  async function settle(...everybody: readonly Exchanging[]): Promise<void> {
    for (const each of [...everybody, ...everybody]) await each.settle()
  }

  beforeEach(async () => {
    database = await startTeamDatabase()
    const founder = await installed(database, 'Anna Weber')
    folders = [founder.folder]
    value(await founder.team.create({ name: 'Anna Weber', database: addressOf(database) }))
    anna = await exchanging(founder)
    ben = await newcomer('Ben Okoro')
    await ben.refresh()
    for (const who of [anna, ben]) await who.check('APP-ERASED')
    await ben.check('APP-LEFT')
    await settle(anna, ben)
    expect(readBy(anna, ben.one.installation)).toContain('APP-ERASED')
  }, 60_000)
  afterEach(async () => {
    await Promise.all([anna.close(), ben.close()])
    await database.end()
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })

  it('shares no key of the applicant, and has the erasure before it again', async () => {
    await erase(anna, 'APP-ERASED')
    await settle(anna, ben)
    const number = await numberOf(ben, 'APP-ERASED')
    expect(ben.received.subjects.erasuresPending()).toEqual([number])
    ben = await again(ben)
    const before = given()
    const first = value(await ben.round())
    expect(first.sent).toBeGreaterThan(0)
    // What nobody erased is shared again under the new number, and nothing else.
    const published = given() - before
    expect(published).toBeGreaterThan(0)
    expect([
      ben.received.subjects.erasuresPending(),
      ben.received.subjects.isErased(ben.one.installation, number)
    ]).toEqual([[number], true])
    await settle(anna, ben)
    expect(readBy(anna, ben.one.installation)).toContain('APP-LEFT')
    expect(readBy(anna, ben.one.installation)).not.toContain('APP-ERASED')
    expect(anna.received.subjects.find({ installation: ben.one.installation, number })).toEqual({ closed: 'erased' })
    expect(given() - before).toBe(published)
    // Whoever joins now cannot read it either.
    const carla = await newcomer('Carla Ruiz')
    await carla.settle()
    expect(readBy(carla, ben.one.installation)).toContain('APP-LEFT')
    expect(readBy(carla, ben.one.installation)).not.toContain('APP-ERASED')
    await carla.close()
    expect([anna, ben].flatMap((who) => who.received.findings.all().map(({ failure: { code } }) => code))).toEqual([])
    // Erased in its history, nothing is left to do.
    await erase(ben, 'APP-ERASED')
    await settle(ben, anna)
    expect(ben.received.subjects.erasuresPending()).toEqual([])
  })

  it('is followed by an erasure that names the former number alone', async () => {
    await ben.check('APP-LATER')
    await ben.settle()
    const former = ben.one.installation
    const number = await numberOf(ben, 'APP-ERASED')
    ben = await again(ben)
    await settle(ben, anna)
    expect(readBy(anna, ben.one.installation)).toContain('APP-ERASED')
    value(await anna.parts.history.withdraw({ [former]: [number] }))
    await settle(anna, ben)
    expect(ben.received.subjects.erasuresPending()).toEqual([number])
    const carla = await newcomer('Carla Ruiz')
    await carla.settle()
    for (const installation of [former, ben.one.installation])
      expect(readBy(carla, installation)).not.toContain('APP-ERASED')
    expect(readBy(carla, ben.one.installation)).toContain('APP-LATER')
    await carla.close()
  })
})
