/** An open team in its worker: the file of what was received, and the exchange that fills it. */
import { createPrivateKey } from 'node:crypto'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { TeamExchange, TeamMemberStatus } from '#contract/team/activity.ts'
import { keyOfSigner } from '#wire/evidence/keys.ts'
import { overseers } from '#contract/team/overview.ts'
import { closeQuietly } from '#wire/sqlite/files.ts'
import { ApprovalReading } from '../approvals/approvals.ts'
import { TeamReading } from '../activity/reading.ts'
import { ReceivedBatches } from '../batches/reading.ts'
import { createTwice } from '../batches/twice.ts'
import { createBatchWork } from '../batches/work.ts'
import { roleOf } from '#team/database/member-role.ts'
import { expireKeys } from '../erasures/expiry.ts'
import { acknowledgements } from '../erasures/known.ts'
import { readContent } from '#team/log/content.ts'
import { startExchange, type Exchange, type ExchangeParts, type ExchangeState } from '../log/exchange.ts'
import { contentKeysIn, membersIn } from '../log/from-roster.ts'
import { KnownMembers, type KnownMember } from '../log/known-members.ts'
import { openReceived } from '#team/log/received-schema.ts'
import { Received } from '../log/received.ts'
import { isPassing } from '#team/log/schedule.ts'
import { onReceived } from '#team/storage/on-received.ts'
import { openLine, type TeamLine } from '#team/transport/line.ts'
import { trustOf } from '#team/transport/trust.ts'
import type { Served } from '#wire/rpc.ts'
import { createClocks } from './clocks.ts'
import { openApprovals } from './approvals.ts'
import { createTeamWork } from './team-work.ts'
import type { Membership, TeamHost, TeamOpening, TeamWorker } from '#team/thread/thread.ts'
import { openFindings } from './findings.ts'
import { teamOverview } from './overview.ts'

type Answer<T> = Promise<Result<T, Failure>>

/** Milliseconds: older checks are opened when they are compared. */
const recent = 24 * 60 * 60_000
/** Between two looks at whether keys have expired, and before new keys are tried again. */
const expireEvery = 60 * 60_000
const renewAgain = 10 * 60_000

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

/** Opens the file. Failure: `team-store-unusable`. */
export function openTeam(opening: TeamOpening, host: TeamHost): Result<Served<Omit<TeamWorker, 'open'>>, Failure> {
  const { folder, key, team, installation, server } = opening
  const file = openReceived(folder, key)
  if (!file.ok) return file
  const db = file.value
  const read = onReceived(() => ({
    store: new Received(db),
    names: new KnownMembers(db),
    reading: new TeamReading(db),
    batches: new ReceivedBatches(db),
    requests: new ApprovalReading(db)
  }))
  if (!read.ok) {
    closeQuietly(db)
    return read
  }
  const { store, names, reading, batches, requests } = read.value
  const work = createBatchWork({
    installation,
    host: server,
    store,
    reading: batches,
    history: host,
    whole: () => exchange().whole(),
    open: () => open(),
    prepare: (line) => prepare(line),
    members: () => names.all()
  })
  const nameOf = (): ReadonlyMap<string, string> => new Map(names.all().map(({ installation: id, name }) => [id, name]))
  const lookForTwice = createTwice({
    installation,
    store,
    reading: batches,
    begun: (id, from, to) => host.begun(id, from, to)
  })
  const queue = createTeamWork({ installation, reading, members: () => names.all(), host })
  const findings = openFindings({ store, names, installation, changed: () => void host.changed() })
  let known: Known | undefined
  let isClosed = false
  let isOpening = false
  /** The state that windows know. */
  let shown: ExchangeState = { connected: false }

  async function know(): Answer<Known> {
    const read = await host.membership()
    if (!read.ok) return read
    const next = knownFrom(read.value, installation)
    if (!next.ok) return next
    const noted = onReceived(() => names.note(read.value.roster))
    if (!noted.ok) return noted
    known = next.value
    queue.changed()
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

  const clocks = createClocks(() => void host.changed())

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

  let triedAt = -renewAgain
  /** Each attempt signs in anew, and may make a keychain ask its user. */
  async function renewKeys(epoch: number): Answer<boolean> {
    if (performance.now() - triedAt < renewAgain) return ok(false)
    triedAt = performance.now()
    return host.renewKeys(epoch)
  }

  /** Colleagues' keys do not outlast a long absence, whether the window was open meanwhile or not. */
  const expire = (): void => {
    const gone = isClosed ? ok(0) : onReceived(() => expireKeys(store, Date.now()))
    if (gone.ok && gone.value > 0) void host.changed()
  }
  expire()
  const expiring = setInterval(expire, expireEvery)
  expiring.unref()

  /** It is set before the first round: a line is open only afterwards. */
  const present = (): Known => {
    if (!known) throw new Error('a round before the membership is known')
    return known
  }
  let started: Exchange | undefined
  const approvals = openApprovals({ reading: requests, store, names, host, opening })
  const exchange = (): Exchange =>
    (started ??= startExchange({
      store,
      team,
      installation,
      host: server,
      history: host,
      open,
      prepare,
      get keys() {
        return present().keys
      },
      get members() {
        return present().members
      },
      get signingKey() {
        return present().signingKey
      },
      get publicKey() {
        return present().publicKey
      },
      get isSharing() {
        return present().isSharing
      },
      get renewing() {
        const { rank } = present()
        return rank < 0 ? undefined : { rank, begin: renewKeys }
      },
      clock: { now: () => Date.now(), monotonic: () => performance.now() },
      random: Math.random,
      after: (milliseconds, run) => {
        const timer = setTimeout(run, milliseconds)
        return () => clearTimeout(timer)
      },
      onChange(state) {
        const { round, failure: why } = state
        const isNew =
          round !== shown.round &&
          round !== undefined &&
          round.sent + round.received + round.keys + round.claims + round.found.length > 0
        if (isNew && round.received + round.keys > 0) {
          void approvals.keep()
          if (!isClosed) void lookForTwice()
          if (!isOpening) setImmediate(openChecks)
        }
        if (isNew) queue.changed()
        // A look that found nothing new is no reason to read anything again.
        if (isNew || stateOf(state) !== stateOf(shown) || why?.code !== shown.failure?.code) void host.changed()
        shown = state
      }
    }))

  /** The guard against paying twice compares recent checks; those that have just arrived are opened before it is asked. */
  function openChecks(): void {
    const more = isClosed ? ok(false) : onReceived(() => reading.prepareEarlier(clocks.earlier(Date.now()) - recent))
    isOpening = more.ok && more.value
    if (isOpening) setImmediate(openChecks)
  }

  async function status(): Answer<TeamExchange> {
    const { failure: why, round, at } = exchange().state()
    const clock = clocks.fault()
    const last = await host.read({ after: 0, events: 0, bytes: 0 })
    return onReceived(() => {
      const shared = store.shared?.seq ?? 0
      return {
        state: stateOf(exchange().state()),
        ...(why && { failure: why }),
        ...(clock && { clock }),
        ...(at !== undefined && { at }),
        toSend: last.ok ? Math.max(0, last.value.last.seq - shared) : 0,
        toReceive: round?.awaited ?? 0,
        members: names
          .all()
          .map((member) =>
            memberStatus(store, member, { own: installation, shared, findings: findings.about(member.installation) })
          )
      }
    })
  }

  /** Before the list of members was read for the first time, there is nothing to see. */
  function maySee(): boolean {
    const members = names.all()
    return (
      members.length === 0 ||
      members.some(({ installation: id, role }) => id === installation && overseers.some((each) => each === role))
    )
  }

  return ok({
    approvals,
    batches: {
      ...work,
      // What is shared leaves, and what others did arrives, with the exchange.
      take: (id, seconds) => {
        exchange()
        return work.take(id, seconds)
      },
      received: async () => onReceived(() => batches.all()),
      find: async (id) => onReceived(() => batches.find(id)),
      page: async (id, sharer, after, limit) => onReceived(() => batches.page(id, sharer, after, limit)),
      outcomes: async (id, from, to) => onReceived(() => batches.outcomes(id, from, to)),
      isFinished: async (id) => onReceived(() => batches.isFinished(id)),
      twice: async (id, from, to) => onReceived(() => batches.twice(id, from, to)),
      names: async () => onReceived(() => Object.fromEntries(nameOf()))
    },
    exchange: status,
    activity: (query) => onReceived(() => reading.activity(query, nameOf())),
    applicant: (query, decisions) =>
      onReceived(() => reading.applicant(query, { names: nameOf(), own: { installation, decisions } })),
    superseded: (applicantId, decisions) =>
      onReceived(() => reading.superseded(applicantId, { installation, decisions })),
    earlier: (same) => onReceived(() => reading.earlier({ ...same, since: clocks.earlier(same.since) }, nameOf())),
    overview: async (period) =>
      maySee()
        ? teamOverview(
            { store, reading, names: nameOf(), own: installation, host, status, epoch: known?.keys.current()?.epoch },
            period
          )
        : failed('team-change-refused', { reason: 'overview' }),
    findings,
    fork: (of) => onReceived(() => store.forkOf(of)),
    erasures: (events) =>
      onReceived(() => {
        const members = names.all()
        const shared = store.shared?.seq ?? 0
        return events.map((seq) => ({
          shared: seq <= shared && store.erasures.isShared(seq),
          installations: acknowledgements(members, installation, store.erasures.carriedOut(installation, seq))
        }))
      }),
    check: (query) => onReceived(() => reading.check(query, nameOf()) ?? null),
    queue: queue.queue,
    claims: queue.claims,
    eraseApplicants(applicantIds) {
      queue.changed()
      const erased = onReceived(() => store.subjects.eraseApplicants(applicantIds))
      void host.changed()
      return erased.ok ? ok(null) : erased
    },
    refresh() {
      known = undefined
      queue.changed()
      exchange().retry()
      return ok(null)
    },
    look() {
      started?.look()
      return ok(null)
    },
    async close() {
      isClosed = true
      clearInterval(expiring)
      await started?.close()
      await work.close()
      store.close()
      return ok(null)
    }
  })
}

/** Events of others arrive even if those of this installation cannot be shared. */
function stateOf({ connected, failure: why, round }: ExchangeState): TeamExchange['state'] {
  if (connected && (!why || why === round?.unshared)) return 'connected'
  if (!why) return 'starting'
  return isPassing(why) ? 'offline' : 'stopped'
}

function memberStatus(
  store: Received,
  { installation, name, role }: KnownMember,
  { own, shared, findings }: Pick<TeamMemberStatus, 'findings'> & { readonly own: string; readonly shared: number }
): TeamMemberStatus {
  const isOwn = installation === own
  const events = isOwn ? shared : store.head(installation).seq
  const confirmation = events > 0 ? store.confirmation(installation, events) : { installations: 0 }
  const lastAt = isOwn ? undefined : lastAtOf(store, installation, events)
  return {
    installation,
    name,
    role,
    own: isOwn,
    events,
    ...(lastAt !== undefined && { lastAt }),
    confirmedBy: confirmation.installations,
    ...('at' in confirmation && { confirmedAt: confirmation.at }),
    findings
  }
}

/** When the last event of an installation was recorded, by its own clock. */
function lastAtOf(store: Received, installation: string, seq: number): number | undefined {
  const [last] = seq > 0 ? store.events(installation, seq - 1, 1) : []
  const event = last && readContent(last.content)
  return event && event !== 'newer' ? event.at : undefined
}
