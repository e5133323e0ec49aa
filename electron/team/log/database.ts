/** The questions that the exchange asks the team's database. Every answer is checked for its form: it may come from anybody. */
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { claimTables, type ClaimTables } from '../claims/order.ts'
import { keyTables, type KeyTables } from '../subjects/database.ts'
import type { TeamLine } from '../transport/line.ts'
import { askingRows, bytesOf, type ShownRow } from '../transport/rows.ts'

type Answer<T> = Promise<Result<T, Failure>>

/** The last event of an installation, as the database says. */
export interface ShownHead {
  readonly installation: string
  readonly seq: number
  readonly hash: Buffer
}

/** A stored event. The signature is that of the last event of a segment. */
export interface ShownEvent {
  readonly seq: number
  readonly hash: Buffer
  readonly epoch: number
  readonly body: Buffer
  readonly sig: Buffer | null
}

export interface Gap {
  readonly first: number
  readonly last: number
}

export interface GivenBox {
  readonly installation: string
  readonly author: string
}

/** Consecutive events of this installation, sealed. */
export interface Segment {
  readonly first: number
  /** The hash of the event before the first. */
  readonly previous: Buffer
  readonly epoch: number
  readonly hashes: readonly Buffer[]
  readonly bodies: readonly Buffer[]
  readonly sig: Buffer
}

/** No installation has more events: their numbers share 53 bits with that of their installation in the local file. */
export const mostEvents = 2 ** 40
/** Most installations that are looked at: a team has 200, and those that were removed. */
export const mostInstallations = 4000
/** Gaps of one look; the next one finds the rest. */
const mostGaps = 256
/** Of one answer. In its text form it has twice as many bytes, and a line takes 64 MiB. */
export const pageLimits = { events: 4096, bytes: 16 * 1024 * 1024 } as const

/** Numbers of the database arrive as texts. */
function seqOf(value: unknown): number | undefined {
  const seq = typeof value === 'string' && /^\d{1,13}$/.test(value) ? Number(value) : 0
  return seq > 0 && seq < mostEvents ? seq : undefined
}

function headOf({ installation, seq, hash }: ShownRow): ShownHead | undefined {
  const [id, number, digest] = [bytesOf(installation, 16), seqOf(seq), bytesOf(hash, 32)]
  return id && number !== undefined && digest
    ? { installation: id.toString('hex'), seq: number, hash: digest }
    : undefined
}

/** Without a head, there is one row all the same. */
function shownHeadOf(row: ShownRow): { readonly standby: boolean; readonly head?: ShownHead } | undefined {
  const { standby } = row
  if (typeof standby !== 'boolean') return undefined
  if (row['installation'] === null) return { standby }
  const head = headOf(row)
  return head && { standby, head }
}

function eventOf({ seq, hash, epoch, body, sig }: ShownRow): ShownEvent | undefined {
  const [number, digest, content] = [seqOf(seq), bytesOf(hash, 32), bytesOf(body)]
  if (!number || !digest || !content || typeof epoch !== 'number' || !Number.isInteger(epoch) || epoch < 0)
    return undefined
  const signature = sig === null ? null : bytesOf(sig, 64)
  return signature === undefined ? undefined : { seq: number, hash: digest, epoch, body: content, sig: signature }
}

function gapOf({ first, last }: ShownRow): Gap | undefined {
  const [from, until] = [seqOf(first), seqOf(last)]
  return from !== undefined && until !== undefined && from <= until ? { first: from, last: until } : undefined
}

function boxOf({ installation, author }: ShownRow): GivenBox | undefined {
  const [to, by] = [bytesOf(installation, 16), bytesOf(author, 16)]
  return to && by ? { installation: to.toString('hex'), author: by.toString('hex') } : undefined
}

function hashOf({ seq, hash }: ShownRow): { readonly seq: number; readonly hash: Buffer } | undefined {
  const [number, digest] = [seqOf(seq), bytesOf(hash, 32)]
  return number !== undefined && digest ? { seq: number, hash: digest } : undefined
}

export interface TeamTables {
  /** Failures: the line's; `team-answer-unusable`; `team-database-standby`. */
  heads(): Answer<readonly ShownHead[]>
  /** Events after a number, in the order of the answer: at most a page, and at least one if there is one. */
  events(installation: string, after: number): Answer<readonly ShownEvent[]>
  /** Hashes of the events up to a number, the newest first. */
  hashes(
    installation: string,
    until: number,
    count: number
  ): Answer<readonly { readonly seq: number; readonly hash: Buffer }[]>
  /** Repeating it changes nothing. @returns The last event that the database has then. */
  append(segment: Segment): Answer<number>
  /** Events up to a number that the database does not have, as first and last of each gap, the last gap first: at most so many. */
  missing(installation: string, until: number): Answer<readonly Gap[]>
  /** Who has keys of an epoch, and who gave them. */
  boxes(epoch: number): Answer<readonly GivenBox[]>
  /** Gives an installation keys of an epoch, sealed for it. Repeating it changes nothing. */
  giveBox(epoch: number, installation: string, box: Buffer): Answer<null>
  readonly keys: KeyTables
  readonly claims: ClaimTables
}

/** @param host Names the database in failures. */
export function teamTables(line: Pick<TeamLine, 'query'>, host: string): TeamTables {
  const unusable = failed('team-answer-unusable', { host, reason: 'rows' })
  const rows = askingRows(line, host)
  const id = (installation: string): Buffer => Buffer.from(installation, 'hex')
  return {
    keys: keyTables(line, host),
    claims: claimTables(line, host),
    // Asked together with the heads: a pooler may have changed the server since the line was opened.
    async heads() {
      const shown = await rows(
        shownHeadOf,
        mostInstallations,
        `SELECT pg_is_in_recovery() AS standby, installation, seq, hash FROM (SELECT) AS server
          LEFT JOIN veridesk.head ON true ORDER BY installation LIMIT ${mostInstallations}`
      )
      if (!shown.ok) return shown
      return shown.value.some(({ standby }) => standby)
        ? failed('team-database-standby', { host })
        : ok(shown.value.flatMap(({ head }) => head ?? []))
    },
    // A large event is counted by its length, which is known without reading it. One scan: a join of the table with itself has
    // cost seconds for a page before the database had statistics.
    events: (installation, after) =>
      rows(
        eventOf,
        pageLimits.events,
        `SELECT seq, hash, epoch, body, sig FROM (
           SELECT *, sum(octet_length(body)) OVER (ORDER BY seq ROWS UNBOUNDED PRECEDING) AS size
             FROM veridesk.event WHERE installation = $1 AND seq > $2 AND seq <= $2 + ${pageLimits.events}) e
         WHERE size <= ${pageLimits.bytes} OR seq = $2 + 1 ORDER BY seq`,
        [id(installation), after]
      ),
    hashes: (installation, until, count) =>
      rows(
        hashOf,
        count,
        `SELECT seq, hash FROM veridesk.event WHERE installation = $1 AND seq <= $2 ORDER BY seq DESC LIMIT $3`,
        [id(installation), until, count]
      ),
    missing: (installation, until) =>
      rows(
        gapOf,
        mostGaps,
        `SELECT before + 1 AS first, seq - 1 AS last FROM (
           SELECT seq, lag(seq, 1, 0::bigint) OVER (ORDER BY seq) AS before FROM (
             SELECT seq FROM veridesk.event WHERE installation = $1 AND seq <= $2 UNION ALL SELECT $2::bigint + 1) AS here) AS pairs
         WHERE seq > before + 1 ORDER BY seq DESC LIMIT ${mostGaps}`,
        [id(installation), until]
      ),
    boxes: (epoch) =>
      rows(boxOf, mostInstallations * 10, 'SELECT installation, author FROM veridesk.boxes($1)', [epoch]),
    async giveBox(epoch, installation, box) {
      const given = await line.query('SELECT veridesk.put_box($1, $2, $3)', [epoch, id(installation), box])
      return given.ok ? ok(null) : given
    },
    async append({ first, previous, epoch, hashes, bodies, sig }) {
      const appended = await rows(
        ({ seq }) => seqOf(seq),
        1,
        'SELECT veridesk.append($1, $2, $3, $4, $5, $6, true) AS seq',
        [first, previous, hashes, hashes.map(() => epoch), bodies, sig]
      )
      if (!appended.ok) return appended
      const [seq] = appended.value
      return seq === undefined ? unusable : ok(seq)
    }
  }
}
