/** An open team in its worker: the file of what was received, and the exchange that fills it. */
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { TeamExchange } from '#contract/team/activity.ts'
import { overseers } from '#contract/team/overview.ts'
import type { OwnDecision } from '#wire/history/applicants.ts'
import { closeQuietly } from '#wire/sqlite/files.ts'
import type { Served } from '#wire/rpc.ts'
import { openReceived } from '#team/log/received-schema.ts'
import { SharedRecipes } from '#team/log/shared-recipes.ts'
import { onReceived } from '#team/storage/on-received.ts'
import type { TeamHost, TeamOpening, TeamWorker } from '#team/thread/thread.ts'
import { TeamReading } from '../activity/reading.ts'
import { ApprovalReading, type AnsweredDecisions } from '../approvals/approvals.ts'
import { ReceivedBatches } from '../batches/reading.ts'
import { createTwice } from '../batches/twice.ts'
import { createBatchWork } from '../batches/work.ts'
import { expireKeys } from '../erasures/expiry.ts'
import { acknowledgements } from '../erasures/known.ts'
import { startExchange, type Exchange, type ExchangeParts, type ExchangeState } from '../log/exchange.ts'
import { KnownMembers } from '../log/known-members.ts'
import { Received } from '../log/received.ts'
import { openApprovals, type OpenApprovals } from './approvals.ts'
import { createClocks, type Clocks } from './clocks.ts'
import { openFindings } from './findings.ts'
import { createMembership, type KnownMembership } from './membership.ts'
import { teamOverview } from './overview.ts'
import { exchangeStatus, stateOf } from './status.ts'
import { createTeamWork } from './team-work.ts'

type Answer<T> = Promise<Result<T, Failure>>

/** Milliseconds: older checks are opened when they are compared. */
const recent = 24 * 60 * 60_000
/** Between two looks at whether keys have expired, and before new keys are tried again. */
const expireEvery = 60 * 60_000
const renewAgain = 10 * 60_000

/** What was received, each part as its readers need it. Failure: `team-store-unusable`. */
function openStores({ folder, key }: TeamOpening) {
  const file = openReceived(folder, key)
  if (!file.ok) return file
  const db = file.value
  const read = onReceived(() => ({
    store: new Received(db),
    names: new KnownMembers(db),
    reading: new TeamReading(db),
    recipes: new SharedRecipes(db),
    batches: new ReceivedBatches(db),
    requests: new ApprovalReading(db)
  }))
  if (!read.ok) closeQuietly(db)
  return read
}

type Stores = Extract<ReturnType<typeof openStores>, { readonly ok: true }>['value']

/** Each attempt signs in anew, and may make a keychain ask its user. */
function keyRenewal(host: Pick<TeamHost, 'renewKeys'>): (epoch: number) => Answer<boolean> {
  let triedAt = -renewAgain
  return async (epoch) => {
    if (performance.now() - triedAt < renewAgain) return ok(false)
    triedAt = performance.now()
    return host.renewKeys(epoch)
  }
}

/** Colleagues' keys do not outlast a long absence, whether the window was open meanwhile or not. Returns the end of looking. */
function watchExpiry(store: Received, changed: () => void): () => void {
  const expire = (): void => {
    const gone = onReceived(() => expireKeys(store, Date.now()))
    if (gone.ok && gone.value > 0) changed()
  }
  expire()
  const expiring = setInterval(expire, expireEvery)
  expiring.unref()
  return () => clearInterval(expiring)
}

/** What follows when something has arrived, or the state of the exchange has changed. */
function createArrivals(parts: {
  readonly reading: TeamReading
  readonly clocks: Pick<Clocks, 'earlier'>
  keepApprovals(): void
  lookForTwice(): void
  queueChanged(): void
  changed(): void
}): { onChange(state: ExchangeState): void; close(): void } {
  let isClosed = false
  let isOpening = false
  /** The state that windows know. */
  let shown: ExchangeState = { connected: false }

  /** The guard against paying twice compares recent checks; those that have just arrived are opened before it is asked. */
  function openChecks(): void {
    const { reading, clocks } = parts
    const more = isClosed ? ok(false) : onReceived(() => reading.prepareEarlier(clocks.earlier(Date.now()) - recent))
    isOpening = more.ok && more.value
    if (isOpening) setImmediate(openChecks)
  }

  return {
    onChange(state) {
      const { round, failure: why } = state
      const isNew =
        round !== shown.round &&
        round !== undefined &&
        round.sent + round.received + round.keys + round.claims + round.found.length > 0
      if (isNew && round.received + round.keys > 0) {
        parts.keepApprovals()
        if (!isClosed) parts.lookForTwice()
        if (!isOpening) setImmediate(openChecks)
      }
      if (isNew) parts.queueChanged()
      // A look that found nothing new is no reason to read anything again.
      if (isNew || stateOf(state) !== stateOf(shown) || why?.code !== shown.failure?.code) parts.changed()
      shown = state
    },
    close() {
      isClosed = true
    }
  }
}

/** What an exchange is started with; the membership is read as it is at each round. */
const exchangeParts = (
  { team, installation, server }: TeamOpening,
  store: Received,
  host: TeamHost,
  { present, open, prepare }: KnownMembership,
  onChange: (state: ExchangeState) => void
): ExchangeParts => {
  const renewKeys = keyRenewal(host)
  return {
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
    onChange
  }
}

const namesOf = (names: KnownMembers): ReadonlyMap<string, string> =>
  new Map(names.all().map(({ installation: id, name }) => [id, name]))

/** Before the list of members was read for the first time, there is nothing to see. */
function maySee(names: KnownMembers, installation: string): boolean {
  const members = names.all()
  return (
    members.length === 0 ||
    members.some(({ installation: id, role }) => id === installation && overseers.some((each) => each === role))
  )
}

/** What only reads what was received. */
function readings(
  { store, names, reading, recipes }: Stores,
  installation: string,
  clocks: Pick<Clocks, 'earlier'>,
  approvals: OpenApprovals
): Pick<
  Served<TeamWorker>,
  | 'activity'
  | 'applicant'
  | 'superseded'
  | 'retaining'
  | 'earlier'
  | 'lasts'
  | 'fork'
  | 'erasures'
  | 'cases'
  | 'check'
  | 'recipes'
> {
  const answersAbout = async (applicantId: string, decisions: readonly OwnDecision[]): Answer<AnsweredDecisions> => {
    const proposed = onReceived(() => reading.proposed([applicantId], [decisions]))
    return proposed.ok ? approvals.decided(proposed.value) : proposed
  }
  return {
    async activity(query) {
      const page = onReceived(() => reading.activity(query, namesOf(names)))
      if (!page.ok) return page
      const entries = await approvals.inEntries(page.value.entries)
      return entries.ok ? ok({ ...page.value, entries: entries.value }) : entries
    },
    async applicant(query, decisions) {
      const second = await answersAbout(query.applicantId, decisions)
      if (!second.ok) return second
      const found = onReceived(() =>
        reading.applicant(query, {
          names: namesOf(names),
          own: { installation, decisions },
          answers: second.value
        })
      )
      if (!found.ok) return found
      const entries = await approvals.inEntries(found.value.entries)
      return entries.ok ? ok({ ...found.value, entries: entries.value }) : entries
    },
    async superseded(applicantId, decisions) {
      const second = await answersAbout(applicantId, decisions)
      return second.ok
        ? onReceived(() => reading.superseded(applicantId, { own: { installation, decisions }, answers: second.value }))
        : second
    },
    retaining: (applicantIds, rules, now) =>
      onReceived(() => {
        const here = names.all().filter(({ role }) => role !== 'removed')
        const members = new Map(here.map((each) => [each.installation, each.name]))
        return applicantIds.flatMap((applicantId) => reading.retaining.of(applicantId, members, rules, now) ?? [])
      }),
    earlier: (same) =>
      onReceived(() => reading.earlier({ ...same, since: clocks.earlier(same.since) }, namesOf(names))),
    lasts: () =>
      onReceived(() => ({
        ...Object.fromEntries(store.heads().map(({ id, seq, hash }) => [id, { seq, hash: hash.toString('hex') }])),
        ...(store.shared && { [installation]: store.shared })
      })),
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
    recipes: () =>
      onReceived(() => {
        const members = new Map(names.all().map((member) => [member.installation, member]))
        return recipes.all().flatMap((recipe) => {
          const member = members.get(recipe.installation)
          return member && member.role !== 'removed' ? [{ ...recipe, member: member.name }] : []
        })
      }),
    async cases(version) {
      const second = await approvals.reader()
      return second.ok ? onReceived(() => reading.cases.page(version, second.value)) : second
    },
    check: (query) => onReceived(() => reading.check(query, namesOf(names)) ?? null)
  }
}

/** What was received of shared batches. */
const batchReadings = ({ batches, names }: Stores) =>
  ({
    received: async () => onReceived(() => batches.all()),
    find: async (id) => onReceived(() => batches.find(id)),
    page: async (id, sharer, after, limit) => onReceived(() => batches.page(id, sharer, after, limit)),
    outcomes: async (id, from, to) => onReceived(() => batches.outcomes(id, from, to)),
    isFinished: async (id) => onReceived(() => batches.isFinished(id)),
    twice: async (id, from, to) => onReceived(() => batches.twice(id, from, to)),
    names: async () => onReceived(() => Object.fromEntries(namesOf(names)))
  }) satisfies Partial<Served<TeamWorker['batches']>>

/** Opens the file. Failure: `team-store-unusable`. */
export function openTeam(opening: TeamOpening, host: TeamHost): Result<Served<Omit<TeamWorker, 'open'>>, Failure> {
  const { installation, server } = opening
  const stores = openStores(opening)
  if (!stores.ok) return stores
  const { store, names, reading, batches, requests } = stores.value
  const changed = (): void => void host.changed()
  const clocks = createClocks(changed)
  const approvals = openApprovals({ reading: requests, store, names, host, opening })
  const queue = createTeamWork({ installation, reading, members: () => names.all(), host, decided: approvals.decided })
  const findings = openFindings({ store, names, installation, changed })
  const membership = createMembership({ installation, host, names, clocks, changed: () => queue.changed() })
  const begun: TeamHost['begun'] = (id, from, to) => host.begun(id, from, to)
  const lookForTwice = createTwice({ installation, store, reading: batches, begun })
  const stopExpiring = watchExpiry(store, changed)
  const arrivals = createArrivals({
    reading,
    clocks,
    changed,
    keepApprovals: () => void approvals.keep(),
    lookForTwice: () => void lookForTwice(),
    queueChanged: () => queue.changed()
  })
  let started: Exchange | undefined
  const exchange = (): Exchange =>
    (started ??= startExchange(exchangeParts(opening, store, host, membership, (state) => arrivals.onChange(state))))
  const work = createBatchWork({
    installation,
    host: server,
    store,
    reading: batches,
    history: host,
    whole: () => exchange().whole(),
    open: membership.open,
    prepare: membership.prepare,
    members: () => names.all()
  })
  const status = (): Answer<TeamExchange> =>
    exchangeStatus(exchange().state(), { installation, store, names, host, clocks, findings })

  return ok({
    approvals,
    findings,
    batches: {
      ...work,
      // What is shared leaves, and what others did arrives, with the exchange.
      take: (id, seconds) => {
        exchange()
        return work.take(id, seconds)
      },
      ...batchReadings(stores.value)
    },
    exchange: status,
    ...readings(stores.value, installation, clocks, approvals),
    overview: async (period) => {
      if (!maySee(names, installation)) return failed('team-change-refused', { reason: 'overview' })
      const epoch = membership.known()?.keys.current()?.epoch
      return teamOverview(
        { store, reading, names: namesOf(names), own: installation, host, status, answersTo: approvals.decided, epoch },
        period
      )
    },
    queue: queue.queue,
    claims: queue.claims,
    eraseApplicants(applicantIds) {
      queue.changed()
      const erased = onReceived(() => store.subjects.eraseApplicants(applicantIds))
      changed()
      return erased.ok ? ok(null) : erased
    },
    refresh() {
      membership.forget()
      queue.changed()
      exchange().retry()
      return ok(null)
    },
    look() {
      started?.look()
      return ok(null)
    },
    async close() {
      arrivals.close()
      stopExpiring()
      await started?.close()
      await work.close()
      store.close()
      return ok(null)
    }
  })
}
