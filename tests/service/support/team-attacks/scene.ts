/** A team of three at a real database, and what its administrator has to work with. */
import { readFileSync, rmSync } from 'node:fs'
import type { Failure } from '#contract/failures/failures.ts'
import { unseal } from '#kit/sealing/seal.ts'
import { schemaSql } from '#team/database/schema.ts'
import { withKeys } from '#core/team/installation/session.ts'
import { readContent } from '#team/log/content.ts'
import { clock } from '../../history-fixtures.ts'
import type { TeamDatabase } from '../postgres.ts'
import { exchanging, type Exchanging } from '../team-exchange.ts'
import { addressOf, installed, requestOf, valueOf, type Installation } from '../team-installation.ts'

export interface Scene {
  readonly database: TeamDatabase
  /** Supervisor. Replaced when it is restored from a copy. */
  anna: Exchanging
  readonly ben: Exchanging
  readonly carla: Exchanging
  /** SQL as the database's owner. */
  sql(text: string): string
  /** The last event of Anna that Ben has received. The database has later ones. */
  known: number
  /** Anna has signed two pasts: neither is what the other one’s readers have. */
  hasTwoPasts?: boolean
  /** Ends what an attack holds. */
  release?: () => Promise<void>
  admit(name: string): Promise<Exchanging>
  /** Lets an installation be closed at the end; those that are admitted are. */
  open(who: Exchanging): void
}

/** An installation's number as SQL. */
export const idOf = ({ one }: Exchanging): string => `'\\x${one.installation}'`

/** A failure as a code and, if it has one, its reason. */
export const codeOf = ({ code, details }: Failure): string =>
  [code, details && 'reason' in details ? details.reason : ''].filter(Boolean).join(' ')

export const hand = { at: 1_790_000_000_000, operator: 'tester' }

/** What the keychain and the data folder of an installation say about its team, as it reads them for each visit. */
export const sessionOf = ({ one: { folder, secrets } }: Exchanging) => ({
  dataFolder: folder,
  keychain: secrets,
  clock
})

/** Reads the list of members and the keys anew. @returns Why they are refused; undefined if they are not. */
export async function listRefusal(who: Exchanging): Promise<string | undefined> {
  const read = await withKeys(sessionOf(who), async () => ({ ok: true, value: null }))
  return read.ok ? undefined : codeOf(read.failure)
}

/** Every text that an installation can read of another one. */
export function readBy(who: Exchanging, of: Exchanging): string {
  const { installation } = of.one
  return who.received
    .events(installation, 0, 10_000)
    .flatMap(({ content }) => {
      const event = readContent(content)
      if (!event || event === 'newer' || event.subject === null || !event.sealed) return []
      const key = who.received.subjects.find({ installation, number: event.subject })?.key
      return key ? (unseal(key, event.kind, event.sealed)?.payload ?? '') : []
    })
    .join('\n')
}

/**
 * Calls `work` with a new team in an emptied database: Anna, Ben and Carla have each other's events, and the database has
 * two checks of Anna that nobody has received yet.
 */
export async function inScene<T>(database: TeamDatabase, work: (scene: Scene) => Promise<T>): Promise<T> {
  const sql = (text: string): string => database.postgres.sql(text, 'team')
  sql('DROP SCHEMA veridesk CASCADE')
  sql(schemaSql)
  const arrived: Installation[] = []
  const open: Exchanging[] = []
  const admit = async (name: string): Promise<Exchanging> => {
    const one = await installed(database, name)
    const [founder] = arrived
    arrived.push(one)
    if (founder) {
      const invitation = valueOf(await founder.team.invite())
      const request = await requestOf(one, readFileSync(founder.file, 'utf8'), invitation?.words ?? '')
      valueOf(await founder.team.admit({ ...request, role: 'analyst' }))
    } else valueOf(await one.team.create({ name, database: addressOf(database) }))
    const made = await exchanging(one)
    open.push(made)
    for (const each of open) await each.refresh()
    return made
  }
  try {
    const [anna, ben, carla] = [await admit('Anna Weber'), await admit('Ben Okoro'), await admit('Carla Ruiz')]
    for (let n = 1; n <= 3; n += 1) {
      for (const each of [anna, ben, carla]) await each.check(`APP-${n}`, `A message of the service, ${n}`)
      await anna.settle()
    }
    for (const each of [ben, carla, anna, ben, carla]) await each.settle()
    const known = ben.received.head(anna.one.installation).seq
    for (let n = 4; n <= 5; n += 1) {
      await anna.check(`APP-${n}`)
      await anna.settle()
    }
    return await work({ database, anna, ben, carla, sql, known, admit, open: (who) => void open.push(who) })
  } finally {
    await Promise.all(open.map((each) => each.close()))
    for (const { folder } of arrived) rmSync(folder, { recursive: true, force: true })
  }
}
