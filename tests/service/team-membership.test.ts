/** Members of a team on a real PostgreSQL: founded, admitted, removed, and what its administrator can do to them. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { schemaSql } from '#team/database/schema.ts'
import { contentKeys } from '#team/keys/epochs.ts'
import { newMailbox, type Mailbox } from '#team/keys/mailbox.ts'
import { admitMember, draftTeam, foundTeam, removeMember, type Author, type Known } from '#team/membership/changes.ts'
import { giveBox, ownKeys, storedRoster, type TeamPlace } from '#team/membership/store.ts'
import { applicationOf, signRequest, type Application } from '#team/roster/request.ts'
import type { Roster } from '#team/roster/roster.ts'
import { openLine, type TeamLine } from '#team/transport/line.ts'
import { hasPostgres, startTeamDatabase, type TeamDatabase } from './support/postgres.ts'

interface Person {
  readonly line: TeamLine
  readonly member: Application
  readonly key: KeyObject
  readonly mailbox: Mailbox
  readonly author: Author
}

const value = <T>(
  given: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: unknown }
): T => {
  if (!given.ok) throw new Error(JSON.stringify(given.failure))
  return given.value
}

describe.skipIf(!hasPostgres)('members of a team', () => {
  let database: Promise<TeamDatabase> | undefined
  let team: TeamDatabase
  const lines: TeamLine[] = []
  let founder: Person
  let second: Person
  let analyst: Person
  let place: TeamPlace
  let known: Known

  async function person(name: string): Promise<Person> {
    const { installation, login, password, client } = await team.join()
    await client.end()
    const line = value(
      await openLine({
        host: '127.0.0.1',
        port: team.postgres.port,
        database: 'team',
        user: login,
        password,
        trust: undefined
      })
    )
    lines.push(line)
    const { privateKey: key } = generateKeyPairSync('ed25519')
    const mailbox = newMailbox()
    return {
      line,
      key,
      mailbox,
      member: applicationOf(key, { installation, mailbox: mailbox.publicKey, name }),
      author: { installation, key, at: 1_790_000_000_000 }
    }
  }
  const at = ({ line }: Person): TeamPlace => ({ ...place, line })
  const admit = async (newcomer: Person, role: 'analyst' | 'supervisor'): Promise<Roster> =>
    value(
      await admitMember(
        place,
        known,
        { member: newcomer.member, role, request: signRequest(place.team, newcomer.member, newcomer.key) },
        founder.author
      )
    )
  const keysOf = ({ member, mailbox, ...rest }: Person, roster: Roster) =>
    ownKeys(at({ member, mailbox, ...rest }), roster, member.installation, mailbox)
  const sql = (text: string): string => team.postgres.sql(text, 'team')

  beforeEach(async () => {
    team = await (database ??= startTeamDatabase())
    // An empty one for each test.
    sql('DROP SCHEMA veridesk CASCADE')
    sql(schemaSql)
    ;[founder, second, analyst] = [await person('Founder'), await person('Second'), await person('Analyst')]
    const founded = value(await foundTeam(founder.line, draftTeam(founder.member, founder.author)))
    place = founded.place
    known = founded
    known = { ...known, roster: await admit(second, 'supervisor') }
    known = { ...known, roster: await admit(analyst, 'analyst') }
  })
  afterEach(async () => void (await Promise.all(lines.splice(0).map((line) => line.close()))))
  afterAll(async () => (await database)?.end())

  it('read the same list and have the same keys', async () => {
    for (const each of [founder, second, analyst]) {
      const roster = value(await storedRoster(at(each), undefined))
      expect(roster).toEqual(known.roster)
      expect(value(await keysOf(each, roster))).toEqual(known.keys)
    }
    // Names, roles and public keys are not readable in the database.
    const stored = sql(`SELECT string_agg(encode(body, 'escape'), '') FROM veridesk.roster`)
    for (const text of ['Analyst', 'supervisor', analyst.member.identity, analyst.member.mailbox])
      expect(stored).not.toContain(text)
  })

  it('found no second team in a database that has one', async () => {
    for (const { line, member, author } of [second, founder])
      expect(await foundTeam(line, draftTeam(member, author))).toEqual({
        ok: false,
        failure: { code: 'team-roster-overtaken' }
      })
    // The founder still has its own box.
    expect(value(await keysOf(founder, known.roster))).toEqual(known.keys)
  })

  it('who are removed do not get the next keys, and newcomers read the past', async () => {
    const removed = value(
      await removeMember(place, known, { installation: analyst.member.installation, last: null }, founder.author)
    )
    // Even if it still had access to the database, and everybody’s boxes.
    const roster = value(await storedRoster(at(analyst), known.roster.head))
    expect(roster.members.has(analyst.member.installation)).toBe(false)
    expect(await keysOf(analyst, roster)).toMatchObject({
      ok: false,
      failure: { code: 'team-key-refused', details: { reason: 'none' } }
    })
    sql(
      `INSERT INTO veridesk.grant_box SELECT epoch, '\\x${analyst.member.installation}', author, box FROM veridesk.grant_box WHERE epoch = 2 AND installation = '\\x${second.member.installation}'`
    )
    expect(await keysOf(analyst, roster)).toMatchObject({ ok: false, failure: { details: { reason: 'sealed' } } })
    known = removed
    const newcomer = await person('Newcomer')
    const now = await admit(newcomer, 'analyst')
    const keys = value(await keysOf(newcomer, now))
    expect(keys.number).toBe(2)
    expect([...value(contentKeys(place.team, now.epochs, keys)).keys()]).toEqual([2, 1])
  })

  it('remove somebody at the same moment: one is first, and the other does it again', async () => {
    const later = { ...known }
    value(await removeMember(place, known, { installation: analyst.member.installation, last: null }, founder.author))
    const overtaken = await removeMember(
      at(second),
      later,
      { installation: analyst.member.installation, last: null },
      second.author
    )
    expect(overtaken).toEqual({ ok: false, failure: { code: 'team-roster-overtaken' } })
    // Its boxes for the same number do not harm: only keys that the list announces are used.
    const roster = value(await storedRoster(at(second), known.roster.head))
    const keys = value(await keysOf(second, roster))
    const newcomer = await person('Newcomer')
    known = { roster, keys }
    known = { ...known, roster: await admit(newcomer, 'analyst') }
    value(
      await removeMember(at(second), known, { installation: newcomer.member.installation, last: null }, second.author)
    )
    const last = value(await storedRoster(place, roster.head))
    expect(value(await keysOf(founder, last)).number).toBe(3)
  })

  it('notice a list that was cut, put in another order, copied from another place, or begun anew', async () => {
    const seen = known.roster.head
    const refused = (reason: string, number: number): unknown => ({
      ok: false,
      failure: { code: 'team-roster-refused', details: { reason, number } }
    })
    sql('CREATE TABLE veridesk.copy AS SELECT * FROM veridesk.roster')
    const restore = (): string =>
      sql('DELETE FROM veridesk.roster; INSERT INTO veridesk.roster SELECT * FROM veridesk.copy')
    const attacks = [
      ['DELETE FROM veridesk.roster WHERE height = 3', refused('older', 2)],
      ['DELETE FROM veridesk.roster WHERE height = 2', refused('gap', 2)],
      ['DELETE FROM veridesk.roster', refused('empty', 1)],
      [
        'UPDATE veridesk.roster r SET body = o.body FROM veridesk.copy o WHERE r.height + o.height = 5 AND r.height > 1',
        refused('form', 2)
      ],
      [
        'UPDATE veridesk.roster SET body = set_byte(body, 40, get_byte(body, 40) # 1) WHERE height = 3',
        refused('form', 3)
      ],
      [
        'INSERT INTO veridesk.roster SELECT 4, installation, hash, body FROM veridesk.copy WHERE height = 3',
        refused('form', 4)
      ]
    ] as const
    for (const [attack, expected] of attacks) {
      sql(attack)
      expect(await storedRoster(at(second), seen), attack).toEqual(expected)
      restore()
    }
    expect(value(await storedRoster(at(second), seen))).toEqual(known.roster)
  })

  it('do not take keys that the administrator seals for them', async () => {
    const forged = { number: 1, content: Buffer.alloc(32, 1), vault: Buffer.alloc(32, 2) }
    // The administrator knows the public key and can write any row.
    value(await giveBox(at(second), forged, analyst.member))
    sql(`DELETE FROM veridesk.grant_box WHERE author <> '\\x${second.member.installation}'`)
    expect(await keysOf(analyst, known.roster)).toMatchObject({
      ok: false,
      failure: { code: 'team-key-refused', details: { reason: 'commitment' } }
    })
    // Any member who has the keys gives them again.
    value(await giveBox(at(founder), known.keys, analyst.member))
    expect(value(await keysOf(analyst, known.roster))).toEqual(known.keys)
  })
})
