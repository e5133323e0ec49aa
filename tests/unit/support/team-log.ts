/** Installations of a team with real chains of events, and what a database shows of them. */
import { createHash, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { keyOfSigner } from '#wire/evidence/keys.ts'
import { partDigest } from '#kit/hashing/values.ts'
import type { EventKind } from '#contract/evidence/event-kinds.ts'
import type { OutgoingEvent, OwnClaim } from '#wire/history/exchange.ts'
import { eventHash, genesis } from '#wire/history/chain.ts'
import { newKey, seal } from '#kit/sealing/seal.ts'
import { anchorKind } from '#exchange/log/anchors.ts'
import { bodyKey, sealBody } from '#exchange/log/body.ts'
import { contentOf } from '#team/log/content.ts'
import type { Segment, ShownEvent, TeamTables } from '#team/log/database.ts'
import type { ContentKeys, Members, OwnHistory, TeamKeys } from '#team/thread/ports.ts'
import { openReceived } from '#team/log/received-schema.ts'
import { Received } from '#exchange/log/received.ts'
import { stateHash } from '#exchange/log/receive.ts'
import { exchangeOnce, type Round } from '#exchange/log/round.ts'
import { segmentOf } from '#exchange/log/segments.ts'
import { signHead } from '#team/log/signature.ts'
import { refusals } from '#team/database/schema.ts'
import type { ClaimTables } from '#team/claims/order.ts'
import type { KeyTables, ShownKey } from '#team/subjects/database.ts'
import { acknowledgementKind } from '#exchange/erasures/known.ts'
import { withdrawalKind } from '#exchange/subjects/erasures.ts'

export const team = 'c0'.repeat(32)
export const at = 1_790_000_000_000
export const hashText = (byte: string): string => byte.repeat(32)

export function valueOf<T>(given: Result<T, Failure>): T {
  if (!given.ok) throw new Error(JSON.stringify(given.failure))
  return given.value
}

export interface Draft {
  readonly kind?: EventKind
  readonly plain?: object
  /** Text of `plain`, if it is another one. */
  readonly text?: string
  /** Hex: the digest of the values, if it is not theirs. */
  readonly values?: string
  readonly sealed?: object
  /** The sealed response. */
  readonly reply?: Buffer
  /** 7 if absent. */
  readonly subject?: number | null
  readonly record?: number | null
  readonly at?: number
  /** The key of the sealed part, if it is another one. */
  readonly key?: Buffer
}

/** The events of one installation, chained as its history chains them. */
export class Events {
  readonly all: OutgoingEvent[] = []
  readonly key = newKey()
  /** Of subjects; those of erased ones are gone. */
  readonly keys = new Map<number, Buffer>()

  /** @param before Events that another history has, too: a copy of its data folder. */
  constructor(before: readonly OutgoingEvent[] = []) {
    this.all.push(...before)
  }

  get head(): { readonly seq: number; readonly hash: string } {
    const { seq, hash } = this.all.at(-1) ?? { seq: 0, hash: genesis.hash.toString('hex') }
    return { seq, hash }
  }

  append({
    kind = 'note.made',
    plain = { operator: 'Ada Lovelace' },
    text = JSON.stringify(plain),
    values,
    sealed,
    reply,
    subject = 7,
    record = null,
    at: when,
    key: given
  }: Draft = {}): OutgoingEvent {
    const seq = this.head.seq + 1
    const key = given ?? (subject === 7 || subject === null ? this.key : (this.keys.get(subject) ?? newKey()))
    if (sealed && subject !== null) this.keys.set(subject, key)
    const secret = sealed && seal(key, kind, JSON.stringify(sealed))
    const salt = randomBytes(16).toString('hex')
    const sealedValues = sealed && secret ? partDigest(secret.salt, sealed as Readonly<Record<string, unknown>>) : ''
    const digests =
      salt + (values ?? partDigest(salt, JSON.parse(text) as Readonly<Record<string, unknown>>)) + sealedValues
    const event = {
      seq,
      at: when ?? at + seq,
      kind,
      subject,
      record,
      plain: text,
      links: `{"subject":[${seq},${seq - 1}]}`
    }
    const hash = eventHash(Buffer.from(this.head.hash, 'hex'), {
      ...event,
      digests: Buffer.from(digests, 'hex')
    })
    const made = {
      ...event,
      hash: hash.toString('hex'),
      digests,
      sealed: secret?.sealed ?? null,
      reply: reply ?? null
    }
    this.all.push(made)
    return made
  }

  /** Destroys the keys of some subjects, and says so. */
  erase(...numbers: readonly number[]): void {
    for (const number of numbers) this.keys.delete(number)
    for (const [index, event] of this.all.entries())
      if (event.subject !== null && numbers.includes(event.subject))
        this.all[index] = { ...event, sealed: null, reply: null }
    this.append({ kind: 'subject.erased', subject: 0, plain: { operator: 'Ada Lovelace', subjects: numbers } })
  }

  /** @returns Itself. */
  add(count: number, draft?: Draft): this {
    for (let n = 0; n < count; n += 1) this.append(draft)
    return this
  }
}

/** Keys of some epochs, the last of which is the current one. */
export function keysOf(...epochs: readonly (readonly [epoch: number, key: Buffer])[]): TeamKeys {
  const known = new Map(epochs)
  const last = epochs.at(-1)
  return {
    current: () => last && { epoch: last[0], key: last[1] },
    of: (epoch) => known.get(epoch),
    vault: () => last && { number: last[0], vault: createHash('sha256').update(last[1]).digest() }
  }
}
export const contentKey = randomBytes(32)
export const keys = keysOf([1, contentKey])

export interface Installation {
  readonly installation: string
  readonly signingKey: KeyObject
  readonly publicKey: string
  readonly events: Events
  /** Which of its subjects are applicants. */
  readonly applicants?: Readonly<Record<number, { readonly applicantId: string }>>
  readonly claims?: readonly OwnClaim[]
}
let installations = 0
/** A new installation with so many events. */
export function installed(count = 0, like: Partial<Installation> = {}): Installation {
  installations += 1
  const signingKey = generateKeyPairSync('ed25519').privateKey
  return {
    installation: installations.toString(16).padStart(32, '0'),
    signingKey,
    publicKey: keyOfSigner(signingKey),
    events: new Events().add(count),
    ...like
  }
}
/** The same installation with the first of its events: a copy of its data folder. */
export const copyOf = (one: Installation, until: number): Installation => ({
  ...one,
  events: new Events(one.events.all.slice(0, until))
})

/** Everybody is a member. */
export const membersOf = (...all: readonly Installation[]): Members => ({
  at(installation) {
    const found = all.find((each) => each.installation === installation)
    return found ? { publicKey: found.publicKey } : { refused: 'unknown' }
  },
  mailboxes: () => []
})

/** A segment of some events, as its installation sends it. */
export function segment(
  { installation, signingKey, events }: Installation,
  from: number,
  until: number,
  using: ContentKeys = keys
): Segment {
  const [first, ...rest] = events.all.slice(from - 1, until)
  if (!first) throw new Error('no events')
  return valueOf(
    segmentOf([first, ...rest], Buffer.from(events.all[from - 2]?.hash ?? hashText('00'), 'hex'), {
      team,
      installation,
      signingKey,
      keys: using
    })
  )
}
export const rowsOf = ({ first, hashes, bodies, epoch, sig }: Segment): ShownEvent[] =>
  hashes.map((hash, index) => ({
    seq: first + index,
    hash,
    epoch,
    body: bodies[index] ?? Buffer.alloc(0),
    sig: index === hashes.length - 1 ? sig : null
  }))

/** What an honest database shows of an installation's events, in segments that end with these numbers. */
export function shown(
  one: Installation,
  ends: readonly number[] = [one.events.head.seq],
  using?: ContentKeys
): ShownEvent[] {
  return ends.flatMap((end, index) => rowsOf(segment(one, (ends[index - 1] ?? 0) + 1, end, using)))
}

/** Rows that a member signs without verifying what they say. `change`: of the content of each. */
export function forged(
  { installation, signingKey, events }: Installation,
  epochs: (seq: number) => number = () => 1,
  change: (content: Buffer, seq: number) => Buffer = (content) => content
): ShownEvent[] {
  const place = { team, installation }
  return events.all.map((event) => {
    const { seq } = event
    const [hash, epoch] = [Buffer.from(event.hash, 'hex'), epochs(seq)]
    const body = sealBody(bodyKey(contentKey, place), { ...place, seq, epoch, hash }, change(contentOf(event), seq))
    return {
      seq,
      hash,
      epoch,
      body: body ?? Buffer.alloc(0),
      sig: seq === events.head.seq ? signHead(signingKey, { ...place, seq, hash }) : null
    }
  })
}

/** Some bytes with one bit of one of them changed. */
export function flipped(bytes: Buffer, place: number, bit = 0): Buffer {
  const changed = Buffer.from(bytes)
  const where = place % bytes.length
  changed.writeUInt8(changed.readUInt8(where) ^ (1 << (bit % 8)), where)
  return changed
}

/** What was received from others, in memory. */
export const receivedStore = (): Received => new Received(valueOf(openReceived('', undefined)))
/** Of what one installation holds. */
export const stateOf = (store: Received, own?: Installation): string =>
  stateHash(team, [
    ...store.heads().map(({ id, seq, hash }) => [id, { seq, hash: hash.toString('hex') }] as const),
    ...(own ? [[own.installation, own.events.head] as const] : [])
  ])

/** A database that keeps what it is given. Tests replace an answer, or what it has. */
export class Database {
  readonly rows = new Map<string, ShownEvent[]>()
  /** Keys of subjects, by tag. */
  readonly subjectKeys = new Map<string, Omit<ShownKey, 'tag'>>()
  /** Questions for events and for hashes. */
  asked = { events: 0, hashes: 0 }
  /** Most events in an answer. */
  page = 4096

  of(installation: string): ShownEvent[] {
    return this.rows.get(installation) ?? []
  }

  /** As version 1 of the database does it. */
  private keyTables(): KeyTables {
    const rows = this.subjectKeys
    return {
      missing: async (tags) =>
        ok(tags.flatMap((tag) => (rows.get(tag.toString('hex'))?.wrapped ? [] : [tag.toString('hex')]))),
      rows: async (tags) =>
        ok(
          tags.flatMap((tag) => {
            const row = rows.get(tag.toString('hex'))
            return row ? [{ tag: tag.toString('hex'), ...row }] : []
          })
        ),
      put: async (epoch, given) => {
        const changed = new Map(rows)
        for (const { tag, wrapped } of given) {
          const known = changed.get(tag.toString('hex'))
          const sqlState =
            known?.wrapped === null ? refusals.erasedKey : (known?.epoch ?? 0) > epoch ? refusals.olderEpoch : undefined
          if (sqlState !== undefined) return failed('team-database-refused', { host: 'test', sqlState })
          if (!known || known.epoch < epoch) changed.set(tag.toString('hex'), { epoch, wrapped })
        }
        for (const [tag, row] of changed) rows.set(tag, row)
        return ok(null)
      },
      erase: async (tags) => {
        for (const tag of tags)
          rows.set(tag.toString('hex'), { epoch: rows.get(tag.toString('hex'))?.epoch ?? 0, wrapped: null })
        return ok(null)
      }
    }
  }

  /** Claims in the order of their numbers, as version 2 of the database does it. */
  readonly claimed: { readonly installation: string; readonly seq: number }[] = []
  private claimTables(self: string): ClaimTables {
    return {
      from: async (n) =>
        ok(this.claimed.flatMap((claim, index) => (index + 1 >= n ? [{ n: index + 1, ...claim }] : []))),
      number: async (seqs) => {
        for (const seq of seqs)
          if (!this.claimed.some((each) => each.installation === self && each.seq === seq))
            this.claimed.push({ installation: self, seq })
        return ok(null)
      }
    }
  }

  tables(self: string): TeamTables {
    return {
      keys: this.keyTables(),
      claims: this.claimTables(self),
      heads: async () =>
        ok(
          [...this.rows].flatMap(([installation, rows]) =>
            rows.slice(-1).map(({ seq, hash }) => ({ installation, seq, hash }))
          )
        ),
      events: async (installation, after) => {
        this.asked.events += 1
        return ok(
          this.of(installation)
            .filter(({ seq }) => seq > after)
            .slice(0, this.page)
        )
      },
      hashes: async (installation, until, count) => {
        this.asked.hashes += 1
        return ok(
          this.of(installation)
            .filter(({ seq }) => seq <= until)
            .reverse()
            .slice(0, count)
        )
      },
      // It loses nothing between others.
      missing: async () => ok([]),
      boxes: async () => ok([]),
      giveBox: async () => ok(null),
      append: async (given) => {
        this.rows.set(self, [...this.of(self), ...rowsOf(given)])
        return ok(this.of(self).length)
      }
    }
  }
}

/** An installation that exchanges its events. */
export interface Exchanging extends Installation {
  readonly store: Received
  readonly history: OwnHistory
  readonly parts: Parameters<typeof exchangeOnce>[0]
  /** @param replaced Answers of the database that are others. */
  round(replaced?: Partial<TeamTables>, time?: { readonly now?: number; readonly waiting?: number }): Promise<Round>
}
export function exchanging(
  database: Database,
  members: Members,
  one: Installation,
  using: TeamKeys = keys
): Exchanging {
  const store = receivedStore()
  const history: OwnHistory = {
    read: async ({ after, events }) => {
      const before = after === 0 ? hashText('00') : one.events.all[after - 1]?.hash
      return ok({ last: one.events.head, before, events: one.events.all.slice(after, after + events) })
    },
    anchor: async (heads) => ok(one.events.append({ kind: anchorKind, plain: { operator: 'Ada Lovelace', heads } })),
    acknowledge: async (erasures) =>
      ok(one.events.append({ kind: acknowledgementKind, subject: 0, plain: { operator: 'Ada Lovelace', erasures } })),
    withdraw: async (subjects) =>
      ok(one.events.append({ kind: withdrawalKind, subject: 0, plain: { operator: 'Ada Lovelace', subjects } })),
    claims: async (after) => ok(one.claims?.filter(({ seq }) => seq > after) ?? []),
    subjects: async (numbers) =>
      ok(
        numbers.flatMap((number) => {
          const key = one.events.keys.get(number)
          return key ? [{ number, key, ...one.applicants?.[number] }] : []
        })
      )
  }
  const parts = {
    ...one,
    team,
    keys: using,
    members,
    store,
    history,
    isSharing: true,
    tables: database.tables(one.installation)
  }
  return {
    ...one,
    store,
    history,
    parts,
    round: async (replaced = {}, { now = at, waiting = 0 } = {}) =>
      valueOf(await exchangeOnce({ ...parts, tables: { ...parts.tables, ...replaced } }, { now, waiting }))
  }
}
