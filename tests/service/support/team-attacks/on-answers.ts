/** What an administrator can answer, and when. */
import { Client } from 'pg'
import { valueOf } from '../team-installation.ts'
import { codeOf, idOf, type Scene } from './scene.ts'
import type { Attack } from './attack.ts'

/** Signs in as the administrator, over the socket. */
async function administrator({ database: { postgres } }: Scene): Promise<Client> {
  const client = new Client({ ...postgres.administrator, database: 'team' })
  await client.connect()
  return client
}

/** Replaces a function by one that does something else. Its rights stay. */
const replaced = (signature: string, returns: string, sql: string): string =>
  `CREATE OR REPLACE FUNCTION veridesk.${signature} RETURNS ${returns} LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$ ${sql} $$`

/** Everybody has the same, which is everything. */
async function differing(scene: Scene): Promise<readonly string[]> {
  for (const each of [scene.anna, scene.ben, scene.carla, scene.anna]) await each.settle()
  const hashes = new Set(await Promise.all([scene.anna, scene.ben, scene.carla].map((each) => each.hash())))
  return hashes.size === 1 ? [] : ['the installations do not have the same events']
}

export const attacksOnAnswers: readonly Attack[] = [
  {
    of: 'delay',
    does: 'lets a question wait without an end',
    noticed: ['team-database-silent'],
    attack: async (scene) => {
      const client = await administrator(scene)
      await client.query('BEGIN; LOCK TABLE veridesk.event IN ACCESS EXCLUSIVE MODE')
      scene.release = async () => {
        await client.query('ROLLBACK')
        await client.end()
      }
    },
    look: async ({ ben, release }) => {
      const done = await ben.round()
      await release?.()
      return done.ok ? [] : [codeOf(done.failure)]
    },
    gained: differing
  },
  {
    of: 'delay',
    does: 'holds an installation’s events back for a while, and then shows them',
    noticed: [],
    because:
      'They arrive later and change nothing. Until somebody has confirmed them, they cannot be told from those of a quiet colleague; the window says when the last ones were confirmed, and by whom',
    attack: ({ sql, anna, known }) =>
      sql(`CREATE TABLE veridesk.later AS SELECT * FROM veridesk.event WHERE installation = ${idOf(anna)} AND seq > ${known}; CREATE TABLE veridesk.head_later AS SELECT * FROM veridesk.head WHERE installation = ${idOf(anna)};
           DELETE FROM veridesk.event WHERE installation = ${idOf(anna)} AND seq > ${known}; UPDATE veridesk.head h SET seq = e.seq, hash = e.hash FROM veridesk.event e WHERE h.installation = ${idOf(anna)} AND e.installation = h.installation AND e.seq = ${known}`),
    look: async ({ sql, ben, carla, anna }) => {
      for (const each of [ben, carla, ben]) valueOf(await each.round())
      sql(
        `INSERT INTO veridesk.event SELECT * FROM veridesk.later; UPDATE veridesk.head h SET seq = l.seq, hash = l.hash FROM veridesk.head_later l WHERE h.installation = l.installation`
      )
      for (const each of [ben, carla, anna]) await each.settle()
      return []
    },
    gained: differing
  },
  {
    of: 'answer falsely',
    does: 'says that events were stored, and stores none',
    noticed: ['team-events-rolled-back'],
    attack: async ({ sql, anna }) => {
      sql(
        replaced(
          'append(first bigint, prev bytea, hashes bytea[], epochs integer[], bodies bytea[], sig bytea, wake boolean DEFAULT false)',
          'bigint',
          'SELECT first + cardinality(hashes) - 1'
        )
      )
      await anna.check('APP-6')
      valueOf(await anna.round())
    }
  },
  {
    of: 'answer falsely',
    does: 'names a head that no event has',
    noticed: ['team-events-refused hidden', 'team-events-refused signature'],
    attack: ({ sql, anna }) =>
      sql(`UPDATE veridesk.head SET seq = seq + 3, hash = sha256('x') WHERE installation = ${idOf(anna)}`)
  },
  {
    of: 'answer falsely',
    does: 'answers in a form that no answer has',
    noticed: ['team-answer-unusable rows'],
    attack: ({ sql }) =>
      sql(`ALTER TABLE veridesk.head DROP CONSTRAINT head_hash_check; UPDATE veridesk.head SET hash = 'x'`)
  },
  {
    of: 'answer falsely',
    does: 'answers with other bytes in an event that is stored',
    noticed: ['team-events-refused body'],
    attack: ({ sql, known }) =>
      sql(`UPDATE veridesk.event SET body = set_byte(body, 100, get_byte(body, 100) # 1) WHERE seq = ${known + 1}`)
  },
  {
    of: 'answer falsely',
    does: 'puts a view in the place of a table, which answers one member differently',
    noticed: ['team-schema-partial owner'],
    // The functions go on with the true table.
    attack: ({ sql, anna, ben, known }) =>
      sql(`ALTER TABLE veridesk.head RENAME TO head_true;
        DO $$ BEGIN EXECUTE replace(replace(pg_get_functiondef('veridesk.append'::regproc), 'veridesk.head', 'veridesk.head_true'), 'WHERE head.', 'WHERE head_true.'); END $$;
        CREATE VIEW veridesk.head AS SELECT installation,
          CASE WHEN h.installation = ${idOf(anna)} AND session_user = 'vd_${ben.one.installation}' THEN ${known}::bigint ELSE h.seq END AS seq,
          CASE WHEN h.installation = ${idOf(anna)} AND session_user = 'vd_${ben.one.installation}' THEN (SELECT e.hash FROM veridesk.event e WHERE e.installation = h.installation AND e.seq = ${known}) ELSE h.hash END AS hash
        FROM veridesk.head_true h;
        GRANT SELECT ON veridesk.head TO vd_member`)
  }
]
