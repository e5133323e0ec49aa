/** What an administrator can read: every row of every table, and every byte that reaches the database or leaves it. */
import { valueOf } from '../team-installation.ts'
import type { TeamDatabase } from '../postgres.ts'
import { secretForms } from '../secret-forms.ts'
import { startRelay } from './relay.ts'
import { hand, inScene, readBy } from './scene.ts'

interface Reading {
  readonly texts: number
  readonly bytes: number
  readonly faults: readonly string[]
}

/** What members record and must stay among them. */
const canaries = {
  applicant: 'APP-CANARY-7351',
  message: 'A message that nobody else may read',
  note: 'Looked at by hand and found odd',
  name: 'Anna Weber',
  other: 'Ben Okoro',
  operator: 'tester',
  service: 'kyc.example.com',
  file: 'files.example.com'
} as const

const holds = (bytes: Buffer, secrets: readonly (string | Buffer)[]): readonly string[] =>
  secrets.flatMap((secret) => {
    const forms =
      typeof secret === 'string'
        ? [...secretForms(secret), Buffer.from(secret).toString('hex')]
        : [secret, secret.toString('hex'), secret.toString('base64')]
    return forms.some((form) => bytes.includes(form)) ? [typeof secret === 'string' ? secret : 'a key'] : []
  })

/** Two members record and exchange through a relay; then everything stored and everything that passed is searched. */
export async function readAll(database: TeamDatabase): Promise<Reading> {
  const relay = await startRelay(database.postgres.port)
  try {
    return await inScene(
      { ...database, postgres: { ...database.postgres, port: relay.port } },
      async ({ anna, ben, carla, sql }) => {
        await anna.check(canaries.applicant, canaries.message)
        valueOf(await anna.store.applicants.note(canaries.applicant, canaries.note, hand))
        for (const each of [anna, ben, carla, anna]) await each.settle()
        const { number, vault } = anna.parts.keys.vault() ?? { number: 0, vault: Buffer.alloc(0) }
        const keys = valueOf(await anna.store.exchange.subjects([1, 2, 3])).map(({ key }) => Buffer.from(key))
        const secrets = [...Object.values(canaries), vault, anna.parts.keys.of(number) ?? Buffer.alloc(32), ...keys]
        const tables = sql(
          `SELECT string_agg(relname, ',') FROM pg_class WHERE relnamespace = 'veridesk'::regnamespace AND relkind = 'r'`
        ).split(',')
        // As text, where bytes are hexadecimal, and each column of bytes as such.
        const stored = Buffer.concat(
          tables.map((table) => {
            const text = sql(`SELECT t::text FROM veridesk.${table} t`)
            return Buffer.concat([
              Buffer.from(text),
              Buffer.from([...text.matchAll(/\\x([0-9a-f]+)/g)].map(([, digits]) => digits).join(''), 'hex')
            ])
          })
        )
        const passed = relay.seen()
        const opened = Buffer.from(readBy(ben, anna))
        const found = [
          ...holds(stored, secrets).map((each) => `the database has ${each}`),
          ...holds(passed, secrets).map((each) => `the line has carried ${each}`)
        ]
        // The same search finds what a member reads, and the sealed keys that the database has to have.
        const missed = [canaries.applicant, canaries.message, canaries.note].filter(
          (each) => holds(opened, [each]).length === 0
        )
        const blind = [stored, passed].some((bytes) => holds(bytes, [anna.one.installation]).length === 0)
        return {
          texts: secrets.length,
          bytes: stored.length + passed.length,
          faults: [
            ...found,
            ...missed.map((each) => `the search does not find ${each} where it is`),
            ...(blind ? ['the search does not find what the database has'] : [])
          ]
        }
      }
    )
  } finally {
    relay.end()
  }
}
