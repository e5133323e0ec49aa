/** The recovery key of a team at a real database: the computer of the last supervisor is lost, and the team goes on. */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { recoveryCode } from '#core/backup/recovery-code.ts'
import { schemaSql } from '#team/database/schema.ts'
import { readSecrets } from '#core/team/installation/saved.ts'
import { hasPostgres, startTeamDatabase, type TeamDatabase } from './support/postgres.ts'
import { addressOf, installed, requestOf, valueOf, type Installation } from './support/team-installation.ts'

let database: TeamDatabase | undefined
let anna: Installation
let words: string
let recoveryKey: string
afterAll(() => database?.end())

async function admitted(by: Installation, name: string, role: 'analyst' | 'reviewer'): Promise<Installation> {
  const newcomer = await installed(database!, name)
  const invited = valueOf(await by.team.invite())
  const request = await requestOf(newcomer, await readFile(by.file, 'utf8'), invited?.words ?? '')
  valueOf(await by.team.admit({ ...request, role }))
  return newcomer
}
const rolesSeenBy = async (one: Installation): Promise<unknown> =>
  valueOf(await one.team.members()).members.map(({ name, role }) => [name, role])

describe.skipIf(!hasPostgres)('the recovery key of a team', { timeout: 120_000 }, () => {
  beforeEach(async () => {
    database ??= await startTeamDatabase()
    database.postgres.sql('DROP SCHEMA veridesk CASCADE', 'team')
    database.postgres.sql(schemaSql, 'team')
    anna = await installed(database, 'Anna Weber')
    const created = valueOf(await anna.team.create({ name: 'Anna Weber', database: addressOf(database) }))
    ;[words, recoveryKey] = [created.words, created.recoveryKey ?? '']
  })

  test('is shown when the team is created, and then kept nowhere', async () => {
    expect(recoveryKey).toMatch(/^([0-9A-Z]{4}-){13}[0-9A-Z]{4}$/)
    const secrets = valueOf(await readSecrets(anna.secrets, anna.installation))
    expect(secrets.recovery).toBeUndefined()
    expect(JSON.stringify(valueOf(await anna.team.members()))).not.toContain(recoveryKey)
    expect(valueOf(await anna.team.state())).not.toHaveProperty('recoveryKey')
  })

  test('makes a new installation a supervisor, who removes the lost one and admits others', async () => {
    const ben = await admitted(anna, 'Ben Okoro', 'analyst')
    // Anna's computer is never used again.
    const carla = await installed(database!, 'Carla Rossi')
    const order = { name: 'Carla Rossi', database: addressOf(database!), words, recoveryKey }
    const recovered = valueOf(await carla.team.recover(order))
    expect(recovered).toMatchObject({ words, own: 'member', epoch: 2 })
    expect(await rolesSeenBy(ben)).toEqual([
      ['Anna Weber', 'supervisor'],
      ['Ben Okoro', 'analyst'],
      ['Carla Rossi', 'supervisor']
    ])
    expect(carla.notes.at(-1)).toMatchObject({ action: 'team.recovered' })
    expect(await carla.team.recover(order)).toMatchObject({ failure: { code: 'team-present' } })
    // She has the keys that a supervisor needs.
    valueOf(await carla.team.changeRole({ installation: ben.installation, role: 'reviewer' }))
    expect(valueOf(await carla.team.remove({ installation: anna.installation, name: 'Anna Weber' }))).toMatchObject({
      epoch: 3
    })
    await admitted(carla, 'Dan Lee', 'analyst')
    expect(await rolesSeenBy(ben)).toEqual([
      ['Ben Okoro', 'reviewer'],
      ['Carla Rossi', 'supervisor'],
      ['Dan Lee', 'analyst']
    ])
    expect(valueOf(await anna.team.members()).own).toBe('removed')
    // And the same key works once more, although two epochs have begun since.
    const eve = await installed(database!, 'Eve Stone')
    expect(valueOf(await eve.team.recover({ ...order, name: 'Eve Stone' }))).toMatchObject({ own: 'member', epoch: 4 })
  })

  test('is enough where nobody else is left, without an invitation', async () => {
    const carla = await installed(database!, 'Carla Rossi')
    valueOf(await carla.team.recover({ name: 'Carla Rossi', database: addressOf(database!), words, recoveryKey }))
    expect(await rolesSeenBy(carla)).toEqual([
      ['Anna Weber', 'supervisor'],
      ['Carla Rossi', 'supervisor']
    ])
  })

  test('is refused if it is another one, or for another team, and then nothing is changed', async () => {
    const carla = await installed(database!, 'Carla Rossi')
    const order = { name: 'Carla Rossi', database: addressOf(database!), words, recoveryKey }
    const answers = [
      await carla.team.recover({ ...order, recoveryKey: recoveryCode(randomBytes(32)) }),
      await carla.team.recover({
        ...order,
        recoveryKey: recoveryKey.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
      }),
      await carla.team.recover({
        ...order,
        words: words.split(' ').reverse().join(' ')
      }),
      await carla.team.recover({ ...order, recoveryKey: '' })
    ]
    expect(answers).toMatchObject([
      { failure: { code: 'recovery-key-wrong', details: { reason: 'other-team' } } },
      { failure: { code: 'recovery-key-wrong', details: { reason: 'checksum' } } },
      { failure: { code: 'team-words-differ' } },
      { failure: { code: 'recovery-key-wrong', details: { reason: 'length' } } }
    ])
    expect(await rolesSeenBy(anna)).toEqual([['Anna Weber', 'supervisor']])
    expect(valueOf(await carla.team.state())).not.toHaveProperty('team')
  })
})
