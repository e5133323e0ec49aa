/** The membership of this installation, as the exchange needs it: read when it is first needed, and anew when it changed. */
import { createPrivateKey } from 'node:crypto'
import type { Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { keyOfSigner } from '#wire/evidence/keys.ts'
import { roleOf } from '#team/database/member-role.ts'
import { isPassing } from '#team/log/schedule.ts'
import { onReceived } from '#team/storage/on-received.ts'
import type { Membership, TeamHost } from '#team/thread/thread.ts'
import { openLine, type TeamLine } from '#team/transport/line.ts'
import { trustOf } from '#team/transport/trust.ts'
import type { ExchangeParts } from '../log/exchange.ts'
import { contentKeysIn, membersIn } from '../log/from-roster.ts'
import type { KnownMembers } from '../log/known-members.ts'
import type { Clocks } from './clocks.ts'

type Answer<T> = Promise<Result<T, Failure>>

/** What a membership gives the exchange. */
type Known = Pick<ExchangeParts, 'keys' | 'members' | 'signingKey' | 'publicKey' | 'isSharing'> &
  Pick<Membership, 'database' | 'password'> & {
    readonly height: number
    /** Of this installation among the supervisors, from 0; -1 if it is none. */
    readonly rank: number
  }

const supervisorsOf = ({ members }: Membership['roster']): readonly string[] =>
  [...members.values()]
    .filter(({ role }) => role === 'supervisor')
    .map(({ installation }) => installation)
    .sort()

function knownFrom(
  { roster, keys: { number, content, vault }, signingKey: pem, database, password, isSharing }: Membership,
  own: string
): Result<Known, Failure> {
  const keys = contentKeysIn(roster, { number, content: Buffer.from(content, 'hex'), vault: Buffer.from(vault, 'hex') })
  if (!keys.ok) return keys
  const signingKey = createPrivateKey(pem)
  return ok({
    keys: keys.value,
    members: membersIn(roster),
    signingKey,
    publicKey: keyOfSigner(signingKey),
    isSharing,
    database,
    password,
    height: roster.head.height,
    rank: supervisorsOf(roster).indexOf(own)
  })
}

export type KnownMembership = ReturnType<typeof createMembership>

export function createMembership(parts: {
  readonly installation: string
  readonly host: Pick<TeamHost, 'membership'>
  readonly names: KnownMembers
  readonly clocks: Pick<Clocks, 'compare'>
  /** The list of members was read. */
  changed(): void
}) {
  const { installation, host, names, clocks } = parts
  let known: Known | undefined

  async function know(): Answer<Known> {
    const read = await host.membership()
    if (!read.ok) return read
    const next = knownFrom(read.value, installation)
    if (!next.ok) return next
    const noted = onReceived(() => names.note(read.value.roster))
    if (!noted.ok) return noted
    known = next.value
    parts.changed()
    return next
  }

  /** Lines on which the list of members was read: after a break, the database may be a restored one. */
  const compared = new WeakSet<TeamLine>()

  /** While the database is gone, an attempt reads neither keychain nor list: that would be work for the window's own thread. */
  async function open(): Answer<TeamLine> {
    const isNew = known === undefined
    const now = known ? ok(known) : await know()
    if (!now.ok) return now
    const {
      database: { host: name, port, database, ca },
      password
    } = now.value
    const trust = await trustOf(name, ca)
    if (!trust.ok) return trust
    const line = await openLine({
      host: name,
      port,
      database,
      user: roleOf(installation),
      password,
      trust: trust.value
    })
    // A password that is refused, or an untrusted server: what is known here may be outdated.
    if (!line.ok && !isPassing(line.failure)) known = undefined
    if (line.ok && isNew) compared.add(line.value)
    return line
  }

  async function prepare(line: TeamLine): Answer<null> {
    const timed = await clocks.compare(line)
    if (!timed.ok) return timed
    const found = await line.query<{ readonly height: number | null }>(
      'SELECT max(height) AS height FROM veridesk.roster'
    )
    if (!found.ok) return found
    // Whoever shows fewer entries than there are is refused when the list is read.
    if (known && compared.has(line) && found.value[0]?.height === known.height) return ok(null)
    const now = await know()
    if (!now.ok) return now
    compared.add(line)
    return ok(null)
  }

  return {
    open,
    prepare,
    /** What is known; undefined before it was read, and after `forget`. */
    known: () => known,
    /** It is set before the first round: a line is open only afterwards. */
    present(): Known {
      if (!known) throw new Error('a round before the membership is known')
      return known
    },
    forget() {
      known = undefined
    }
  }
}
