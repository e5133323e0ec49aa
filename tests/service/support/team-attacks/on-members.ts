/** What an administrator can do to the list of members and to keys. */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { failure } from '#contract/failures/failures.ts'
import { canonical } from '#kit/hashing/canonical-json.ts'
import { memberRoleSql } from '#team/database/member-role.ts'
import { scramVerifier } from '#team/database/scram.ts'
import { withRoster } from '#core/team/installation/session.ts'
import { sealBox } from '#team/keys/boxes.ts'
import { newMailbox } from '#team/keys/mailbox.ts'
import { openUnder, sealUnder } from '#team/keys/sealing.ts'
import type { TeamPlace } from '#team/membership/store.ts'
import { entryText, parseEntry } from '#team/roster/entry.ts'
import { applicationOf, signRequest } from '#team/roster/request.ts'
import { following, type Roster } from '#team/roster/roster.ts'
import { valueOf } from '../team-installation.ts'
import { reported, type Attack } from './attack.ts'
import { hand, idOf, readBy, sessionOf, type Scene } from './scene.ts'

/** What somebody knows who has an invitation: where the list is, and the key that opens it. */
async function invited({ anna }: Scene): Promise<{ readonly place: Omit<TeamPlace, 'line'>; readonly roster: Roster }> {
  return valueOf(
    await withRoster(sessionOf(anna), async ({ place, roster }) => ({ ok: true, value: { place, roster } }))
  )
}
const hex = (bytes: Uint8Array): string => `'\\x${Buffer.from(bytes).toString('hex')}'`
const bindingOf = (team: string, height: number): Buffer => Buffer.from(canonical({ height, team }), 'utf8')
const sealedEntry = ({ team, rosterKey }: Omit<TeamPlace, 'line'>, height: number, text: string): string =>
  hex(sealUnder(rosterKey, 'roster-entry', bindingOf(team, height), Buffer.from(text, 'utf8')))

/** The newest entry of the list as its stored form says it, with a text of it replaced. */
async function changedEntry(scene: Scene, change: (text: string, roster: Roster) => string): Promise<void> {
  const { place, roster } = await invited(scene)
  const { height } = roster.head
  const body = Buffer.from(scene.sql(`SELECT encode(body, 'hex') FROM veridesk.roster WHERE height = ${height}`), 'hex')
  const text = openUnder(place.rosterKey, 'roster-entry', bindingOf(place.team, height), body)?.toString('utf8') ?? ''
  scene.sql(
    `UPDATE veridesk.roster SET body = ${sealedEntry(place, height, change(text, roster))} WHERE height = ${height}`
  )
}

async function eraseAtAnna({ anna }: Scene, applicantId: string): Promise<void> {
  const { people } = valueOf(await anna.store.erasure.scope(applicantId))
  valueOf(await anna.store.erasure.erase({ ...hand, reason: 'Requested', cause: 'request', subjects: people }))
}

/** Everybody has read what Anna recorded about APP-1. Throws otherwise: the search could not fail. */
async function readByAll(scene: Scene): Promise<void> {
  for (const each of [scene.ben, scene.carla, scene.anna]) await each.settle()
  if (stillReads(scene).length === 0) throw new Error('the search finds nothing where it must')
  scene.sql(
    'CREATE TABLE veridesk.keys_before AS SELECT * FROM veridesk.subject_key; CREATE TABLE veridesk.events_before AS SELECT * FROM veridesk.event'
  )
}
const stillReads = ({ anna, ben, carla }: Scene): readonly string[] =>
  [ben, carla].flatMap((who) => (readBy(who, anna).includes('APP-1') ? [`${who.one.name} reads what was erased`] : []))

/** Also by somebody who joins when everything is over. */
async function readsAnywhere(scene: Scene): Promise<readonly string[]> {
  const dora = await scene.admit('Dora Lang')
  for (const each of [scene.anna, scene.ben, dora]) await each.settle()
  return [
    ...stillReads(scene),
    ...(readBy(dora, scene.anna).includes('APP-1') ? ['a newcomer reads what was erased'] : [])
  ]
}

const resurrection =
  'UPDATE veridesk.subject_key k SET wrapped = o.wrapped, vault_epoch = o.vault_epoch FROM veridesk.keys_before o WHERE o.tag = k.tag'

export const attacksOnMembers: readonly Attack[] = [
  {
    of: 'swap a key',
    does: 'exchanges the keys of two applicants',
    noticed: ['team-applicant-keys-refused'],
    attack: ({ sql }) =>
      sql(
        'UPDATE veridesk.subject_key k SET wrapped = (SELECT o.wrapped FROM veridesk.subject_key o WHERE o.tag <> k.tag ORDER BY o.tag LIMIT 1)'
      )
  },
  {
    of: 'swap a key',
    does: 'gives a member the sealed keys of another',
    noticed: ['team-key-refused sealed'],
    attack: ({ sql, ben, carla }) =>
      sql(
        `UPDATE veridesk.grant_box b SET box = o.box FROM veridesk.grant_box o WHERE b.installation = ${idOf(ben)} AND o.installation = ${idOf(carla)}`
      )
  },
  {
    of: 'swap a key',
    does: 'seals keys of their own for a member, with that member’s public key',
    noticed: ['team-key-refused commitment'],
    attack: async (scene) => {
      const {
        place: { team },
        roster
      } = await invited(scene)
      const { installation } = scene.ben.one
      const box = valueOf(
        sealBox(
          { number: 1, content: randomBytes(32), vault: randomBytes(32) },
          { team, installation },
          roster.members.get(installation)?.mailbox ?? ''
        )
      )
      scene.sql(`UPDATE veridesk.grant_box SET box = ${hex(box)} WHERE installation = ${idOf(scene.ben)}`)
    }
  },
  {
    of: 'swap a key',
    does: 'puts another public key of a member into the list, which an invitation opens',
    noticed: ['team-roster-refused signature'],
    attack: (scene) =>
      changedEntry(scene, (text, roster) => {
        const envelope = JSON.parse(text) as { payload: string }
        const mailbox = roster.members.get(scene.carla.one.installation)?.mailbox ?? ''
        const payload = Buffer.from(envelope.payload, 'base64')
          .toString('utf8')
          .replace(mailbox, newMailbox().publicKey)
        return canonical({ ...envelope, payload: Buffer.from(payload).toString('base64') })
      })
  },
  {
    of: 'resurrect an erased key',
    does: 'puts the key of an erased applicant back, from a backup',
    noticed: [],
    because: 'The erasure is a signed event: nobody asks for that key again, and what was opened with it is gone',
    prepare: async (scene) => {
      await readByAll(scene)
      await eraseAtAnna(scene, 'APP-1')
      for (const each of [scene.anna, scene.ben, scene.carla, scene.anna]) await each.settle()
    },
    attack: ({ sql }) => sql(resurrection),
    gained: readsAnywhere
  },
  {
    of: 'resurrect an erased key',
    does: 'lets the function that erases keys do nothing',
    noticed: [],
    because: 'Everybody follows the signed event and not the table',
    prepare: readByAll,
    attack: async (scene) => {
      scene.sql(
        `CREATE OR REPLACE FUNCTION veridesk.erase_key(tag bytea) RETURNS boolean LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS 'SELECT true'`
      )
      await eraseAtAnna(scene, 'APP-1')
      for (const each of [scene.anna, scene.ben, scene.carla]) await each.settle()
    },
    gained: readsAnywhere
  },
  {
    of: 'resurrect an erased key',
    does: 'shows a newcomer the moment before the erasure, with the key',
    noticed: ['team-events-rolled-back'],
    prepare: async (scene) => {
      await readByAll(scene)
      await eraseAtAnna(scene, 'APP-1')
      for (const each of [scene.anna, scene.ben, scene.carla, scene.anna]) await each.settle()
    },
    attack: async (scene) => {
      const { sql } = scene
      sql(`${resurrection}; DELETE FROM veridesk.event; INSERT INTO veridesk.event SELECT * FROM veridesk.events_before;
           UPDATE veridesk.head h SET seq = e.seq, hash = e.hash FROM (SELECT DISTINCT ON (installation) * FROM veridesk.event ORDER BY installation, seq DESC) e WHERE e.installation = h.installation`)
      const dora = await scene.admit('Dora Lang')
      await dora.settle()
    },
    look: async (scene) => {
      const codes = await reported(scene)
      for (const each of [scene.anna, scene.ben, scene.carla]) await each.settle()
      return codes
    },
    gained: readsAnywhere
  },
  {
    of: 'replay a list of members',
    does: 'shows the list from before a removal',
    noticed: ['team-roster-refused older'],
    prepare: async (scene) => {
      const dora = await scene.admit('Dora Lang')
      scene.sql('CREATE TABLE veridesk.roster_before AS SELECT * FROM veridesk.roster')
      valueOf(await scene.anna.one.team.remove({ installation: dora.one.installation, name: 'Dora Lang' }))
      for (const each of [scene.anna, scene.ben, scene.carla]) await each.refresh()
    },
    attack: ({ sql }) =>
      sql('DELETE FROM veridesk.roster; INSERT INTO veridesk.roster SELECT * FROM veridesk.roster_before')
  },
  {
    of: 'replay a list of members',
    does: 'puts an older entry in the place of the newest',
    noticed: ['team-roster-refused form'],
    attack: ({ sql }) =>
      sql(
        'UPDATE veridesk.roster r SET body = o.body, hash = o.hash FROM veridesk.roster o WHERE r.height = 3 AND o.height = 2'
      )
  },
  {
    of: 'forge a member',
    does: 'gives somebody a role in the database, and writes events in their name',
    noticed: ['team-installation-refused unknown'],
    attack: ({ sql, anna }) => {
      const installation = randomBytes(16).toString('hex')
      sql(memberRoleSql({ installation, verifier: scramVerifier('word') }))
      sql(`INSERT INTO veridesk.event SELECT '\\x${installation}', seq, hash, epoch, body, sig FROM veridesk.event WHERE installation = ${idOf(anna)};
           INSERT INTO veridesk.head SELECT '\\x${installation}', seq, hash FROM veridesk.head WHERE installation = ${idOf(anna)}`)
    }
  },
  {
    of: 'forge a member',
    does: 'adds an entry to the list that admits somebody, signed with a key of their own',
    noticed: ['team-roster-refused stranger'],
    attack: (scene) => forgeAdmission(scene, undefined)
  },
  {
    of: 'forge a member',
    does: 'adds such an entry in the name of a supervisor',
    noticed: ['team-roster-refused signature'],
    attack: (scene) => forgeAdmission(scene, scene.anna.one.installation)
  },
  {
    of: 'forge a member',
    does: 'adds a row of garbage to the list',
    noticed: ['team-roster-refused form'],
    attack: ({ sql, anna }) =>
      sql(`INSERT INTO veridesk.roster VALUES (4, ${idOf(anna)}, sha256('entry'), sha256('body'))`)
  }
]

/** The entry is well formed, in its place, and sealed with the key of an invitation. @param by In whose name; a stranger's if undefined. */
async function forgeAdmission(scene: Scene, by: string | undefined): Promise<void> {
  const { place, roster } = await invited(scene)
  const { privateKey: key } = generateKeyPairSync('ed25519')
  const member = applicationOf(key, {
    installation: randomBytes(16).toString('hex'),
    mailbox: newMailbox().publicKey,
    name: 'Mallory'
  })
  const text = entryText(
    following(roster, {
      kind: 'admit',
      at: hand.at,
      by: by ?? member.installation,
      member,
      role: 'supervisor',
      request: signRequest(place.team, member, key)
    }),
    key
  )
  const read = parseEntry(text)
  if (!read) throw new Error(failure('team-roster-refused', { reason: 'form', number: 0 }).code)
  scene.sql(
    `INSERT INTO veridesk.roster VALUES (${roster.head.height + 1}, '\\x${member.installation}', '\\x${read.hash}', ${sealedEntry(place, roster.head.height + 1, text)})`
  )
}
