/** Installations of a team, each with its folder and keychain: creating, joining, admitting, removing, leaving, and what is interrupted. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TeamDatabaseAddress, TeamRole } from '#contract/team/team.ts'
import { replaceSigningKey } from '#core/evidence/signing-key.ts'
import { createChosenFiles } from '#core/files/unfinished.ts'
import { endMemberSql } from '#team/database/member-role.ts'
import { schemaSql } from '#team/database/schema.ts'
import { readSecrets } from '#core/team/installation/saved.ts'
import { mailboxText } from '#team/keys/mailbox.ts'
import { createTeam } from '#core/team/team.ts'
import { secretsInMemory } from './history-fixtures.ts'
import { hasPostgres, startTeamDatabase, type TeamDatabase } from './support/postgres.ts'
import { addressOf, installed, requestOf, valueOf as value, type Installation } from './support/team-installation.ts'

const refused = (reason: string): unknown => ({
  ok: false,
  failure: { code: 'team-change-refused', details: { reason } }
})

describe.skipIf(!hasPostgres)('an installation', () => {
  let starting: Promise<TeamDatabase> | undefined
  let database: TeamDatabase
  let address: TeamDatabaseAddress
  const folders: string[] = []
  const sql = (text: string): string => database.postgres.sql(text, 'team')

  async function arrived(name: string, secrets?: Installation['secrets']): Promise<Installation> {
    const one = await installed(database, name, secrets)
    folders.push(one.folder)
    return one
  }
  const found = async (founder: Installation): Promise<unknown> =>
    value(await founder.team.create({ name: founder.name, database: address }))
  /** Invites and asks to join; returns the request and its words. */
  async function asked(
    member: Installation,
    newcomer: Installation
  ): Promise<{ readonly request: string; readonly words: string }> {
    const invitation = value(await member.team.invite())
    return requestOf(newcomer, readFileSync(member.file, 'utf8'), invitation?.words ?? '')
  }
  async function joined(supervisor: Installation, newcomer: Installation, role: TeamRole = 'analyst'): Promise<void> {
    value(await supervisor.team.admit({ ...(await asked(supervisor, newcomer)), role }))
  }
  const names = async ({ team }: Installation): Promise<readonly string[]> =>
    value(await team.members()).members.map(({ name, role }) => `${name} ${role}`)
  const keptBy = async ({ secrets, installation }: Installation) => value(await readSecrets(secrets, installation))

  let anna: Installation
  beforeEach(async () => {
    database = await (starting ??= startTeamDatabase())
    sql('DROP SCHEMA veridesk CASCADE')
    sql(schemaSql)
    address = addressOf(database)
    anna = await arrived('Anna Weber')
  })
  afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })))
  afterAll(async () => (await starting)?.end())

  it('creates a team, invites, is joined, admits, gives roles, removes; each change is in its audit trail', async () => {
    const [ben, carla] = [await arrived('Ben Okoro'), await arrived('Carla Ruiz')]
    expect(value(await anna.team.create({ name: 'Anna Weber', database: address }))).toMatchObject({
      own: 'member',
      epoch: 1,
      members: [{ name: 'Anna Weber', role: 'supervisor', own: true, access: true }],
      strangers: [ben.installation, carla.installation].sort().map((installation) => ({ installation }))
    })
    const request = await asked(anna, ben)
    expect(value(await ben.team.members())).toMatchObject({ own: 'applicant' })
    expect(await ben.team.invite()).toEqual(refused('not-admitted'))
    value(await anna.team.admit({ ...request, role: 'analyst' }))
    await joined(anna, carla, 'reviewer')
    for (const each of [anna, ben, carla])
      expect(await names(each)).toEqual(['Anna Weber supervisor', 'Ben Okoro analyst', 'Carla Ruiz reviewer'])
    value(await anna.team.changeRole({ installation: carla.installation, role: 'supervisor' }))
    const removal = value(await carla.team.remove({ installation: ben.installation, name: 'Ben Okoro' }))
    expect(removal).toMatchObject({
      epoch: 2,
      readUpTo: 1,
      strangers: [{ installation: ben.installation, name: 'Ben Okoro' }]
    })
    expect(value(await ben.team.members())).toMatchObject({ own: 'removed' })
    expect(await ben.team.invite()).toEqual(refused('removed'))
    // The administrator ends its access with the SQL of the removal.
    sql(removal.sql)
    expect(await ben.team.members()).toMatchObject({ ok: false, failure: { code: 'team-sign-in-refused' } })
    expect(value(await anna.team.members()).strangers).toEqual([])
    const words = value(await anna.team.state())?.team?.words
    expect(anna.notes).toEqual([
      { action: 'team.access-prepared', installation: anna.installation },
      { action: 'team.created', words },
      { action: 'team.invitation-saved' },
      { action: 'team.admitted', installation: ben.installation, role: 'analyst' },
      { action: 'team.invitation-saved' },
      { action: 'team.admitted', installation: carla.installation, role: 'reviewer' },
      { action: 'team.role-given', installation: carla.installation, role: 'supervisor' }
    ])
    expect(ben.notes.slice(1)).toEqual([{ action: 'team.join-asked', words }])
    expect(carla.notes.slice(-1)).toEqual([{ action: 'team.removed', installation: ben.installation }])
  })

  it('keeps its password and keys in the keychain, and nothing of them in files or in the SQL', async () => {
    await found(anna)
    const { password, rosterKey, mailbox } = await keptBy(anna)
    const files = readFileSync(join(anna.folder, 'team.json'), 'utf8') + value(await anna.team.access()).sql
    for (const secret of [
      password,
      rosterKey ?? '',
      mailbox?.key.export({ format: 'der', type: 'pkcs8' }).toString('hex').slice(-64) ?? ''
    ]) {
      expect(secret).toMatch(/^.{43,}$/)
      expect(files).not.toContain(secret)
    }
    // Printing the SQL again changes nothing.
    expect(await keptBy(anna)).toMatchObject({ password })
  })

  it('refuses a file whose words are other ones, and files that were changed or are for something else', async () => {
    const ben = await arrived('Ben Okoro')
    await found(anna)
    const words = value(await anna.team.invite())?.words ?? ''
    const invitation = readFileSync(anna.file, 'utf8')
    const other = invitation.replace(/"team": "[0-9a-f]{64}"/, `"team": "${'ab'.repeat(32)}"`)
    expect(await ben.team.join({ name: 'Ben', invitation: other, words })).toMatchObject({
      ok: false,
      failure: { code: 'team-words-differ' }
    })
    expect(
      await ben.team.join({
        name: 'Ben',
        invitation,
        words: words.split(' ').reverse().join(' ')
      })
    ).toMatchObject({ ok: false, failure: { code: 'team-words-differ' } })
    expect(await ben.team.join({ name: 'Ben', invitation, words: words.split(' ').slice(1).join(' ') })).toMatchObject({
      ok: false,
      failure: { code: 'team-words-incomplete', details: { count: 11, number: 11 } }
    })
    expect(await ben.team.join({ name: 'Ben', invitation: '{}', words })).toMatchObject({
      failure: { code: 'team-file-refused', details: { reason: 'invitation' } }
    })
    // Another key of the list, as somebody would set who cannot know the right one.
    const rosterKey = invitation.replace(/"rosterKey": "[0-9a-f]{64}"/, `"rosterKey": "${'cd'.repeat(32)}"`)
    expect(await ben.team.join({ name: 'Ben', invitation: rosterKey, words })).toMatchObject({
      failure: { code: 'team-roster-refused', details: { reason: 'form', number: 1 } }
    })
    expect(value(await ben.team.state())).toEqual({ installation: ben.installation })

    const request = await asked(anna, ben)
    const mallory = await asked(anna, await arrived('Ben Okoro'))
    expect(await anna.team.admit({ request: mallory.request, words: request.words, role: 'analyst' })).toMatchObject({
      failure: { code: 'team-words-differ' }
    })
    expect(
      await anna.team.admit({
        ...request,
        request: request.request.replace('Ben Okoro', 'Ben O’Koro'),
        role: 'analyst'
      })
    ).toMatchObject({ failure: { code: 'team-file-refused', details: { reason: 'signature' } } })
    expect(
      await anna.team.admit({
        ...request,
        request: request.request.replace(/"team": "[0-9a-f]{64}"/, `"team": "${'ab'.repeat(32)}"`),
        role: 'analyst'
      })
    ).toMatchObject({ failure: { details: { reason: 'team' } } })
    expect(await anna.team.admit({ ...request, request: invitation, role: 'analyst' })).toMatchObject({
      failure: { details: { reason: 'request' } }
    })
    expect(await names(anna)).toEqual(['Anna Weber supervisor'])
    // As people type them.
    value(await anna.team.admit({ ...request, words: request.words.replaceAll(' ', ', '), role: 'analyst' }))
  })

  it('creates no second team where there is one, and can join that one', async () => {
    const ben = await arrived('Ben Okoro')
    await found(anna)
    expect(await ben.team.create({ name: 'Ben Okoro', database: address })).toMatchObject({
      failure: { code: 'team-database-used' }
    })
    expect(await anna.team.create({ name: 'Anna Weber', database: address })).toMatchObject({
      failure: { code: 'team-present' }
    })
    await joined(anna, ben)
    expect(await names(ben)).toEqual(['Anna Weber supervisor', 'Ben Okoro analyst'])
    expect(
      await ben.team.join({
        name: 'Ben',
        invitation: readFileSync(anna.file, 'utf8'),
        words: value(await anna.team.state())?.team?.words ?? ''
      })
    ).toMatchObject({ failure: { code: 'team-present' } })
  })

  it('says what is missing without a team', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'veridesk-team-'))
    folders.push(folder)
    const none = createTeam({
      dataFolder: folder,
      keychain: secretsInMemory(),
      clock: { now: () => 0 },
      auditTrail: { note: async () => undefined },
      files: createChosenFiles(folder),
      chooseSavePath: async () => undefined
    })
    expect(value(await none.state())).toBeNull()
    expect(await none.create({ name: 'Nobody', database: address })).toMatchObject({
      failure: { code: 'team-access-missing' }
    })
    for (const action of [none.members, none.invite])
      expect(await action()).toMatchObject({ failure: { code: 'team-access-missing' } })
    expect(await none.leave()).toMatchObject({ failure: { code: 'team-missing' } })
    expect(await anna.team.members()).toMatchObject({ failure: { code: 'team-missing' } })
    expect(await anna.team.admit({ request: '{}', words: '', role: 'analyst' })).toMatchObject({
      failure: { code: 'team-missing' }
    })
    expect(existsSync(join(folder, 'team.json'))).toBe(false)
  })

  it('goes on with a creation that succeeded without an answer', async () => {
    const saved = join(anna.folder, 'team.json')
    await found(anna)
    const before = await names(anna)
    const words = value(await anna.team.state())?.team?.words
    // As the file was before the database answered.
    const data = JSON.parse(readFileSync(saved, 'utf8')) as { data: { head?: unknown } }
    delete data.data.head
    writeFileSync(saved, JSON.stringify(data))
    expect(value(await anna.team.create({ name: 'Anna Weber', database: address }))).toMatchObject({
      words,
      own: 'member'
    })
    expect(await names(anna)).toEqual(before)
    await joined(anna, await arrived('Ben Okoro'))
  })

  it('keeps the keys of such a team while the database does not answer', async () => {
    const saved = join(anna.folder, 'team.json')
    await found(anna)
    const data = JSON.parse(readFileSync(saved, 'utf8')) as { data: { head?: unknown } }
    delete data.data.head
    writeFileSync(saved, JSON.stringify(data))
    const before = await keptBy(anna)
    sql('REVOKE SELECT ON veridesk.roster FROM vd_member')
    expect(await anna.team.create({ name: 'Anna Weber', database: address })).toMatchObject({
      failure: { code: 'team-member-missing' }
    })
    expect(await keptBy(anna)).toMatchObject({ rosterKey: before.rosterKey })
    sql('GRANT SELECT ON veridesk.roster TO vd_member')
    expect(value(await anna.team.create({ name: 'Anna Weber', database: address }))).toMatchObject({
      own: 'member',
      members: [{ name: 'Anna Weber' }]
    })
  })

  it('begins again after a creation that did not reach the database', async () => {
    const refusedOnce = 'REVOKE EXECUTE ON FUNCTION veridesk.extend_roster FROM vd_member'
    sql(refusedOnce)
    expect(await anna.team.create({ name: 'Anna Weber', database: address })).toMatchObject({
      failure: { code: 'team-member-missing' }
    })
    sql(refusedOnce.replace('REVOKE', 'GRANT').replace('FROM', 'TO'))
    await found(anna)
    await joined(anna, await arrived('Ben Okoro'))
  })

  it('replaces its mailbox key after a removal and destroys the old one, even if it is interrupted', async () => {
    const [ben, carla] = [await arrived('Ben Okoro'), await arrived('Carla Ruiz')]
    await found(anna)
    await joined(anna, ben)
    await joined(anna, carla, 'supervisor')
    const before = { anna: await keptBy(anna), carla: await keptBy(carla) }
    value(await anna.team.remove({ installation: ben.installation, name: 'Ben Okoro' }))
    // A change by Carla needs her keys, so she visits as a member.
    value(await carla.team.changeRole({ installation: anna.installation, role: 'supervisor' }))
    const after = await keptBy(carla)
    expect(after.mailbox?.publicKey).not.toBe(before.carla.mailbox?.publicKey)
    expect(after.next).toBeUndefined()
    const stored = [...carla.secrets.entries.values()].join()
    expect(
      [after.mailbox, before.carla.mailbox].map((mailbox) => mailbox && stored.includes(mailboxText(mailbox)))
    ).toEqual([true, false])
    // Anna's keychain takes the new key and then nothing: the list has the new key, the keychain both.
    const { set } = anna.secrets
    let writes = 0
    anna.secrets.set = async (account, text) =>
      (writes += 1) === 1 ? set(account, text) : { ok: false, failure: { code: 'keychain-locked' } }
    expect(await anna.team.changeRole({ installation: carla.installation, role: 'reviewer' })).toMatchObject({
      failure: { code: 'keychain-locked' }
    })
    anna.secrets.set = set
    const half = await keptBy(anna)
    expect(half.mailbox?.publicKey).toBe(before.anna.mailbox?.publicKey)
    value(await anna.team.changeRole({ installation: carla.installation, role: 'reviewer' }))
    const now = await keptBy(anna)
    expect(now.mailbox?.publicKey).toBe(half.next?.publicKey)
    expect(now.next).toBeUndefined()
    expect(await names(carla)).toEqual(['Anna Weber supervisor', 'Carla Ruiz reviewer'])
  })

  it('is given access in the right database after the wrong one, and again after it ended', async () => {
    const { sql: access } = value(await anna.team.access())
    database.postgres.sql('CREATE DATABASE wrong')
    database.postgres.sql(schemaSql.replace(/^DO \$\$\nDECLARE[\s\S]*?END \$\$;/m, ''), 'wrong')
    database.postgres.sql(access, 'wrong')
    sql(access)
    await found(anna)
    sql(endMemberSql(anna.installation))
    expect(await anna.team.members()).toMatchObject({ failure: { code: 'team-sign-in-refused' } })
    sql(access)
    expect(await names(anna)).toEqual(['Anna Weber supervisor'])
    database.postgres.sql('DROP DATABASE wrong WITH (FORCE)')
  })

  it('does not use a database that was prepared in part, by a client that went on after an error', async () => {
    sql('ALTER TABLE veridesk.event OWNER TO CURRENT_USER')
    expect(await anna.team.create({ name: 'Anna Weber', database: address })).toMatchObject({
      failure: { code: 'team-schema-partial' }
    })
    expect(value(await anna.team.state())).toEqual({ installation: anna.installation })
  })

  it('whose keychain was lost says what to do, and can join again', async () => {
    const ben = await arrived('Ben Okoro')
    await found(anna)
    await joined(anna, ben)
    const { installation } = ben
    ben.secrets.entries.delete(`team/${installation}`)
    for (const action of [ben.team.members, ben.team.access])
      expect(await action()).toMatchObject({ failure: { code: 'team-keys-lost' } })
    value(await ben.team.leave())
    value(await anna.team.remove({ installation, name: 'Ben Okoro' }))
    sql(value(await ben.team.access()).sql)
    await joined(anna, ben)
    expect(await names(ben)).toEqual(['Anna Weber supervisor', 'Ben Okoro analyst'])
  })

  it.each(['Ben\nOkoro', 'Ben\u001b[2J', 'Ben \u202eorokO', ' Ben', ''])(
    'refuses a request whose name is %j',
    async (name) => {
      await found(anna)
      const ben = await arrived('Ben Okoro')
      const { request } = await asked(anna, ben)
      const forged = JSON.stringify({
        ...(JSON.parse(request) as { member: object }),
        member: { ...(JSON.parse(request) as { member: object }).member, name }
      })
      expect(await anna.team.admit({ request: forged, words: '', role: 'analyst' })).toMatchObject({
        failure: { code: 'team-file-refused' }
      })
    }
  )

  it('replaces its mailbox key once, however many actions are asked for at one moment', async () => {
    const [ben, carla] = [await arrived('Ben Okoro'), await arrived('Carla Ruiz')]
    await found(anna)
    await joined(anna, ben)
    await joined(anna, carla, 'supervisor')
    value(await anna.team.remove({ installation: ben.installation, name: 'Ben Okoro' }))
    const roles = ['reviewer', 'analyst', 'auditor', 'supervisor'] as const
    for (const done of await Promise.all(
      roles.map((role) => carla.team.changeRole({ installation: anna.installation, role }))
    ))
      value(done)
    expect(await keptBy(carla)).toMatchObject({ next: undefined })
    value(await carla.team.changeRole({ installation: anna.installation, role: 'auditor' }))
    expect(await names(carla)).toEqual(['Anna Weber auditor', 'Carla Ruiz supervisor'])
  })

  it('makes its change again if a colleague’s was first', async () => {
    const ben = await arrived('Ben Okoro')
    await found(anna)
    await joined(anna, ben, 'supervisor')
    const [carla, dewi] = [await arrived('Carla Ruiz'), await arrived('Dewi Hart')]
    const requests = [await asked(anna, carla), await asked(anna, dewi)]
    const done = await Promise.all([
      anna.team.admit({ ...requests[0]!, role: 'analyst' }),
      ben.team.admit({ ...requests[1]!, role: 'auditor' })
    ])
    done.forEach(value)
    expect((await names(anna)).toSorted()).toEqual([
      'Anna Weber supervisor',
      'Ben Okoro supervisor',
      'Carla Ruiz analyst',
      'Dewi Hart auditor'
    ])
  })

  it('does only what its role allows, and never leaves the team without a supervisor', async () => {
    const [ben, carla] = [await arrived('Ben Okoro'), await arrived('Carla Ruiz')]
    await found(anna)
    await joined(anna, ben, 'reviewer')
    const request = await asked(ben, carla)
    expect(await ben.team.admit({ ...request, role: 'analyst' })).toEqual(refused('right'))
    expect(await ben.team.changeRole({ installation: ben.installation, role: 'supervisor' })).toEqual(refused('right'))
    expect(await ben.team.remove({ installation: anna.installation, name: 'Anna Weber' })).toEqual(refused('right'))
    expect(await anna.team.changeRole({ installation: anna.installation, role: 'analyst' })).toEqual(
      refused('last-supervisor')
    )
    expect(await anna.team.remove({ installation: anna.installation, name: 'Anna Weber' })).toEqual(refused('itself'))
    expect(await anna.team.remove({ installation: ben.installation, name: 'Ben' })).toEqual(refused('unconfirmed'))
    expect(await anna.team.changeRole({ installation: carla.installation, role: 'analyst' })).toEqual(refused('absent'))
    value(await anna.team.admit({ ...request, role: 'analyst' }))
    expect(await anna.team.admit({ ...request, role: 'analyst' })).toEqual(refused('present'))
    value(await anna.team.remove({ installation: carla.installation, name: 'Carla Ruiz' }))
    expect(await anna.team.admit({ ...request, role: 'analyst' })).toEqual(refused('left'))
    expect(await names(anna)).toEqual(['Anna Weber supervisor', 'Ben Okoro reviewer'])
  })

  it('of a user who is a member already is not admitted beside the first', async () => {
    await found(anna)
    // A second folder of the same user: one keychain, one signing key.
    const second = await arrived('Anna Weber, laptop', anna.secrets)
    expect(await anna.team.admit({ ...(await asked(anna, second)), role: 'analyst' })).toEqual(refused('present'))
  })

  it('with a replaced signing key is told to join again', async () => {
    const ben = await arrived('Ben Okoro')
    await found(anna)
    await joined(anna, ben, 'supervisor')
    value(await replaceSigningKey(ben.secrets))
    expect(await ben.team.changeRole({ installation: anna.installation, role: 'reviewer' })).toEqual(
      refused('identity')
    )
    value(await anna.team.remove({ installation: ben.installation, name: 'Ben Okoro' }))
    value(await ben.team.leave())
    sql(value(await ben.team.access()).sql)
    await joined(anna, ben)
    expect(await names(ben)).toEqual(['Anna Weber supervisor', 'Ben Okoro analyst'])
  })

  it('remembers the list: an older one is refused, also after a restart', async () => {
    const ben = await arrived('Ben Okoro')
    await found(anna)
    await joined(anna, ben)
    value(await anna.team.members())
    sql('CREATE TABLE veridesk.gone AS SELECT * FROM veridesk.roster WHERE height = 2')
    sql('DELETE FROM veridesk.roster WHERE height = 2')
    const older = { ok: false, failure: { code: 'team-roster-refused', details: { reason: 'older', number: 1 } } }
    for (const action of [
      anna.team.members,
      anna.team.invite,
      () => anna.team.changeRole({ installation: ben.installation, role: 'auditor' })
    ])
      expect(await action()).toEqual(older)
    sql('INSERT INTO veridesk.roster SELECT * FROM veridesk.gone')
    expect(await names(anna)).toHaveLength(2)
  })

  it('does nothing with a damaged file, and leaves with neither keys nor file', async () => {
    await found(anna)
    const path = join(anna.folder, 'team.json')
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.slice(0, 40))
    for (const action of [
      anna.team.state,
      anna.team.access,
      anna.team.members,
      anna.team.leave,
      () => anna.team.create({ name: 'Anna', database: address })
    ])
      expect(await action()).toMatchObject({ ok: false, failure: { code: 'data-file-unreadable' } })
    expect(readFileSync(path, 'utf8')).toBe(text.slice(0, 40))
    writeFileSync(path, text)
    value(await anna.team.leave())
    expect(existsSync(path)).toBe(false)
    expect([...anna.secrets.entries.keys()].filter((account) => account.startsWith('team/'))).toEqual([])
    expect(anna.notes.at(-1)).toEqual({ action: 'team.left', installation: anna.installation })
  })
})
