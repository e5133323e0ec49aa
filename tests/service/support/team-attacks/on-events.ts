/** What an administrator can do to stored events. */
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isForkProof } from '#team/log/fork.ts'
import { exchanging } from '../team-exchange.ts'
import { valueOf } from '../team-installation.ts'
import { reported, reportedBy, type Attack } from './attack.ts'
import { idOf, type Scene } from './scene.ts'

/** Carla receives everything, and says in her own events what she has seen. */
async function confirmedByCarla({ carla }: Scene): Promise<void> {
  await carla.settle()
  valueOf(await carla.round(600_000))
  await carla.settle()
}

/** Events after a number disappear, and the head is that of the event with it. */
const cutAfter = (of: string, seq: number | string): string =>
  `DELETE FROM veridesk.event WHERE installation = ${of} AND seq > ${seq};
   UPDATE veridesk.head h SET seq = e.seq, hash = e.hash FROM veridesk.event e WHERE h.installation = ${of} AND e.installation = h.installation AND e.seq = ${seq}`

const keepBefore = (scene: Scene): string =>
  scene.sql(
    'CREATE TABLE veridesk.events_before AS SELECT * FROM veridesk.event; CREATE TABLE veridesk.heads_before AS SELECT * FROM veridesk.head'
  )

/** Closes Anna and opens her again on a copy of her folder and keychain from before her last check. */
async function restoreAnna(scene: Scene): Promise<void> {
  const { one } = scene.anna
  const history = join(one.folder, 'history')
  const copy = join(one.folder, 'copy')
  await scene.anna.close()
  cpSync(history, copy, { recursive: true })
  const keychain = new Map(one.secrets.entries)
  const first = await exchanging(one)
  await first.check('APP-FIRST')
  await first.settle()
  await scene.ben.settle()
  await first.close()
  rmSync(history, { recursive: true })
  cpSync(copy, history, { recursive: true })
  for (const [account, text] of keychain) one.secrets.entries.set(account, text)
  scene.anna = await exchanging(one)
  scene.open(scene.anna)
  scene.known = scene.ben.received.head(one.installation).seq
  await scene.anna.check('APP-SECOND')
  scene.hasTwoPasts = true
}

export const attacksOnEvents: readonly Attack[] = [
  {
    of: 'drop',
    does: 'deletes an event that a colleague has not received yet',
    noticed: ['team-events-refused gap'],
    attack: ({ sql, known }) => sql(`DELETE FROM veridesk.event WHERE seq = ${known + 1}`)
  },
  {
    of: 'drop',
    does: 'deletes the newest events of an installation, and shows the head before them',
    noticed: ['team-events-withheld', 'team-events-rolled-back'],
    prepare: confirmedByCarla,
    attack: ({ sql, anna, known }) => sql(cutAfter(idOf(anna), known)),
    // Anna shares them again, so Ben looks before she does.
    look: async (scene) => [
      ...(await reportedBy(scene.ben)),
      ...(await reportedBy(scene.ben)),
      ...(await reported(scene))
    ]
  },
  {
    of: 'reorder',
    does: 'gives two events each other’s place',
    noticed: ['team-events-refused body'],
    attack: (scene) => {
      keepBefore(scene)
      const place = (seq: number, other: number): string =>
        `UPDATE veridesk.event e SET hash = o.hash, epoch = o.epoch, body = o.body, sig = o.sig FROM veridesk.events_before o WHERE e.installation = ${idOf(scene.anna)} AND o.installation = e.installation AND e.seq = ${seq} AND o.seq = ${other}`
      scene.sql(`${place(scene.known + 1, scene.known + 2)}; ${place(scene.known + 2, scene.known + 1)}`)
    }
  },
  {
    of: 'reorder',
    does: 'puts the content of an event of one installation into that of another',
    noticed: ['team-events-refused body'],
    attack: (scene) => {
      keepBefore(scene)
      const { sql, anna, ben, known } = scene
      sql(
        `UPDATE veridesk.event e SET body = o.body FROM veridesk.events_before o WHERE e.installation = ${idOf(anna)} AND e.seq = ${known + 1} AND o.installation = ${idOf(ben)} AND o.seq = 2`
      )
    }
  },
  {
    of: 'roll back',
    does: 'restores the events of an earlier moment',
    noticed: ['team-events-rolled-back'],
    attack: ({ sql, anna, ben, carla }) => sql([anna, ben, carla].map((each) => cutAfter(idOf(each), 3)).join(';\n'))
  },
  {
    of: 'roll back',
    does: 'restores the whole database of an earlier moment',
    noticed: ['team-events-rolled-back', 'team-roster-refused older'],
    prepare: async (scene) => {
      const tables = ['member', 'roster', 'head', 'event', 'grant_box', 'subject_key']
      scene.sql(
        tables.map((table) => `CREATE TABLE veridesk.${table}_before AS SELECT * FROM veridesk.${table}`).join(';\n')
      )
      await scene.admit('Dora Lang')
      await scene.ben.check('APP-6')
      for (const each of [scene.ben, scene.anna, scene.carla]) await each.settle()
    },
    attack: ({ sql }) =>
      sql(
        ['member', 'roster', 'head', 'event', 'grant_box', 'subject_key']
          .map(
            (table) =>
              `DELETE FROM veridesk.${table}; INSERT INTO veridesk.${table} SELECT * FROM veridesk.${table}_before`
          )
          .join(';\n')
      ),
    // Whoever shares first makes the database the newer one again.
    look: async (scene) => {
      const { ben, carla } = scene
      const rolledBack = valueOf(await ben.round())
        .found.concat(valueOf(await carla.round()).found)
        .map(({ code }) => code)
      return [...rolledBack, ...(await reported(scene))]
    }
  },
  {
    of: 'fork',
    does: 'continues an installation’s events with some of their own making',
    noticed: ['team-events-refused body', 'team-events-refused signature'],
    attack: ({ sql, anna, known }) =>
      sql(`UPDATE veridesk.event SET hash = sha256(hash), body = body || sha256(body), sig = CASE WHEN sig IS NOT NULL THEN sha256(sig) || sha256(hash) END WHERE installation = ${idOf(anna)} AND seq > ${known};
           UPDATE veridesk.head SET hash = sha256(hash) WHERE installation = ${idOf(anna)}`)
  },
  {
    of: 'fork',
    does: 'helps an installation that was restored from a copy to a second past',
    noticed: ['team-events-forked'],
    prepare: restoreAnna,
    attack: async ({ sql, anna, known }) => {
      const shared = valueOf(await anna.store.exchange.read({ after: known - 2, events: 0, bytes: 0, kept: [] }))
      sql(
        `DELETE FROM veridesk.event WHERE installation = ${idOf(anna)} AND seq > ${known - 2}; UPDATE veridesk.head SET seq = ${known - 2}, hash = '\\x${shared.before}' WHERE installation = ${idOf(anna)}`
      )
      await anna.settle()
    },
    gained: ({ ben, anna, known }) => {
      const proof = ben.received.forkOf(anna.one.installation)
      return [
        ...(ben.received.head(anna.one.installation).seq === known ? [] : ['Ben has followed the second past']),
        ...(proof !== undefined && isForkProof(JSON.parse(proof)) ? [] : ['there is no proof'])
      ]
    }
  },
  {
    of: 'fork',
    does: 'shows one member fewer events than another, each whenever they look',
    noticed: ['team-events-withheld'],
    prepare: confirmedByCarla,
    attack: (scene) => {
      keepBefore(scene)
      scene.sql(cutAfter(idOf(scene.anna), scene.known))
    },
    look: async ({ sql, anna, ben, carla }) => {
      const said = [...(await reportedBy(ben)), ...(await reportedBy(ben))]
      if (sql("SELECT to_regclass('veridesk.events_before') IS NOT NULL") === 't')
        sql(
          'DELETE FROM veridesk.event; INSERT INTO veridesk.event SELECT * FROM veridesk.events_before; DELETE FROM veridesk.head; INSERT INTO veridesk.head SELECT * FROM veridesk.heads_before'
        )
      const others = [...(await reportedBy(carla)), ...(await reportedBy(anna))]
      return [...said, ...others]
    }
  },
  {
    of: 'truncate',
    does: 'empties the tables of events',
    noticed: ['team-events-rolled-back'],
    attack: ({ sql }) => sql('TRUNCATE veridesk.event, veridesk.head')
  },
  {
    of: 'truncate',
    does: 'empties the list of members',
    noticed: ['team-roster-refused empty'],
    attack: ({ sql }) => sql('TRUNCATE veridesk.roster')
  },
  {
    of: 'truncate',
    does: 'empties the table of applicants’ keys',
    noticed: ['team-applicant-keys-missing'],
    attack: ({ sql }) => sql('TRUNCATE veridesk.subject_key')
  }
]
