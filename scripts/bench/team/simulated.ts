/**
 * Simulated installations: each has a role, a connection and a key of its own, and signs, seals and shares events in the
 * product's own form, but has no history on disk and reads nobody's events.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { keyOfSigner } from '#wire/evidence/keys.ts'
import { partDigest } from '#kit/hashing/values.ts'
import type { OutgoingEvent } from '#wire/history/exchange.ts'
import { sha256 } from '#kit/bytes.ts'
import { memberRoleSql, roleOf } from '#team/database/member-role.ts'
import { scramVerifier } from '#team/database/scram.ts'
import { contentOf, hashedBytesOf, readContent } from '#team/log/content.ts'
import { teamTables, type TeamTables } from '#team/log/database.ts'
import type { ContentKeys } from '#team/thread/ports.ts'
import { segmentOf } from '#exchange/log/segments.ts'
import { openLine, type TeamLine } from '#team/transport/line.ts'
import type { TeamDatabase } from '../../../tests/service/support/postgres.ts'
import { valueOf } from '../../../tests/service/support/team-installation.ts'
import type { People } from './people.ts'

export interface Simulated {
  readonly installation: string
  /** Ed25519, hex. */
  readonly publicKey: string
  /** How many events it has shared. */
  shared: number
  /** Makes events and shares them in one segment; then looks at the heads, as each round does. Milliseconds of both. */
  round(events: number): Promise<{ readonly append: number; readonly heads: number }>
  readonly tables: TeamTables
  close(): Promise<void>
}

/** What such an event says; its size is that of an ordinary note. */
const valuesOf = (seq: number) => ({ operator: 'simulated', subjects: { note: `Simulated event ${seq}` } })

function eventAfter(previous: Buffer, seq: number, at: number): OutgoingEvent {
  const values = valuesOf(seq)
  const salt = randomBytes(16).toString('hex')
  const draft = {
    seq,
    at,
    kind: 'copies.cleared',
    subject: null,
    record: null,
    links: '{}',
    digests: salt + partDigest(salt, values),
    plain: JSON.stringify(values),
    sealed: null,
    reply: null,
    hash: ''
  } satisfies OutgoingEvent
  const shared = readContent(contentOf(draft))
  const hashed = shared && shared !== 'newer' ? hashedBytesOf(shared, seq, previous) : undefined
  if (!hashed) throw new Error('an event that nobody would accept')
  return { ...draft, hash: sha256(hashed).toString('hex') }
}

interface WithRole {
  readonly installation: string
  open(): Promise<TeamLine>
}

/** Gives roles in the database to so many. */
export function withRoles({ postgres }: TeamDatabase, count: number): readonly WithRole[] {
  const roles = Array.from({ length: count }, () => ({
    installation: randomBytes(16).toString('hex'),
    password: randomBytes(32).toString('base64url')
  }))
  postgres.sql(
    roles
      .map(({ installation, password }) => memberRoleSql({ installation, verifier: scramVerifier(password) }))
      .join('\n'),
    'team'
  )
  return roles.map(({ installation, password }) => ({
    installation,
    open: async () =>
      valueOf(
        await openLine({
          host: '127.0.0.1',
          port: postgres.port,
          database: 'team',
          user: roleOf(installation),
          password,
          trust: undefined
        })
      )
  }))
}

/** Gives roles to so many, and opens their connections. */
export async function simulate(
  { database }: People,
  count: number,
  team: string,
  keys: Pick<ContentKeys, 'current'>
): Promise<Simulated[]> {
  const made: Simulated[] = []
  for (const { installation, open } of withRoles(database, count)) {
    const line = await open()
    made.push(simulated(teamTables(line, '127.0.0.1'), { installation, team, keys, close: () => line.close() }))
  }
  return made
}

function simulated(
  tables: TeamTables,
  {
    installation,
    team,
    keys,
    close
  }: {
    readonly installation: string
    readonly team: string
    readonly keys: Pick<ContentKeys, 'current'>
    close(): Promise<void>
  }
): Simulated {
  const { privateKey: signingKey } = generateKeyPairSync('ed25519')
  let last: Buffer = Buffer.alloc(32)
  const one: Simulated = {
    installation,
    publicKey: keyOfSigner(signingKey),
    shared: 0,
    tables,
    close,
    async round(count) {
      const events: OutgoingEvent[] = []
      let previous = last
      for (let n = 1; n <= count; n += 1) {
        const event = eventAfter(previous, one.shared + n, Date.now())
        previous = Buffer.from(event.hash, 'hex')
        events.push(event)
      }
      const [first, ...rest] = events
      const segment = first && valueOf(segmentOf([first, ...rest], last, { keys, signingKey, team, installation }))
      const from = performance.now()
      if (segment) {
        valueOf(await tables.append(segment))
        one.shared += segment.hashes.length
        last = segment.hashes.at(-1) ?? last
      }
      const between = performance.now()
      valueOf(await tables.heads())
      return { append: between - from, heads: performance.now() - between }
    }
  }
  return one
}
