/**
 * What the list of applicants filters by and counts, in memory: loaded when counts or filters are first asked for.
 */
import {
  applicantStates,
  type ApplicantCounts,
  type ApplicantFilter,
  type ApplicantState
} from '#contract/applicants/applicants.ts'
import { relationshipStates, type RelationshipState } from '#contract/applicants/relationships.ts'
import { dueClasses, type DueClass } from '#contract/applicants/queue-kinds.ts'
import { today } from '#contract/applicants/due-dates.ts'
import type { AssigneeSealed, TagsSealed } from '#wire/history/applicant-payloads.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { followedAtOnce, Follower, type Kept, type News } from '../events/follower.ts'
import type { Events } from '../events/events.ts'
import { reviewClasses, reviewEdges, type ReviewClass } from '#contract/applicants/reviews.ts'
import { codeOfApplicant, reviewClassOfRow, stateOfApplicant, type ApplicantRow } from '../projections/applicants.ts'
import type { Dictionary } from '../projections/dictionary.ts'
import type { NamesProjection } from '../projections/names.ts'
import { dueClassOf } from './queue-filter.ts'

/** What no day changes of an applicant. Many have the same, and share it: they are counted together. */
interface Lasting {
  /** Its place among all. */
  readonly place: number
  readonly state: number
  readonly risk: string | null
  readonly relationship: number | null
  readonly tags: readonly string[]
  readonly assignee: string
  /** Undefined without details. */
  readonly country: string | undefined
  readonly details: boolean
  readonly connections: readonly string[]
}
/** What is the same of some applicants on every day. */
interface Facts {
  readonly lasting: Lasting
  readonly due: number | null
  readonly review_at: string | null
  readonly expires: string | null
  /** How many they are. */
  people: number
}
interface Row extends Pick<
  ApplicantRow,
  'subject' | 'state' | 'due' | 'review_at' | 'risk' | 'relationship' | 'expires'
> {
  readonly tags: number | null
  readonly assigned: number | null
  readonly connections: string | null
}

export interface FactsParts {
  readonly history: Db
  readonly events: Events
  readonly names: NamesProjection
  readonly dictionary: Dictionary
}

const rows = (where: string): string => `
  SELECT a.subject, a.state, a.due, a.tags, a.review_at, a.risk, a.relationship, a.expires,
    (SELECT e.seq FROM applicant_event p JOIN event e ON e.seq = p.event
      WHERE p.subject = a.subject AND e.kind = 'assignee.changed' ORDER BY p.event DESC LIMIT 1) AS assigned,
    (SELECT group_concat(DISTINCT r.connection) FROM record r WHERE r.subject = a.subject) AS connections
  FROM applicant a WHERE ${where}`

/** Values of a filter that are listed with their counts. */
const listed = 200

const kinds = [
  'states',
  'due',
  'reviews',
  'relationships',
  'risks',
  'countries',
  'assignees',
  'tags',
  'connections'
] as const satisfies readonly (keyof ApplicantFilter)[]
type Kind = (typeof kinds)[number]

/** What applicants are counted as in each filter. */
type Values = Readonly<Record<Kind, readonly string[]>>

type Places = ReturnType<typeof createPlaces>
/** How many are at a place, and how many of these a search found. */
interface Counted {
  readonly lasting: Lasting
  all: number
  some: number
}
/** What is the same of applicants on a day, by a number for each: what they have in common, when they are due, and what has expired. */
function createPlaces(now: number) {
  const [day, edges] = [today(now), reviewEdges(now)]
  const [dues, reviews] = [dueClasses.length, reviewClasses.length]
  const size = dues * reviews * 2
  return {
    of({ lasting, due, review_at, expires }: Facts): number {
      const review = reviewClasses.indexOf(
        reviewClassOfRow({ review_at, risk: lasting.risk, relationship: lasting.relationship }, edges)
      )
      const expired = expires !== null && expires < edges.today ? 1 : 0
      return (
        lasting.place * size + (dueClasses.indexOf(dueClassOf(due ?? undefined, day)) * reviews + review) * 2 + expired
      )
    },
    /** What is counted of those at a place. */
    valuesAt(place: number, lasting: Lasting): { readonly values: Values; readonly expired: boolean } {
      const within = place % size
      const [due, review] = [Math.floor(within / 2 / reviews), Math.floor(within / 2) % reviews]
      const { state, relationship, risk, country, assignee, tags, connections } = lasting
      const values = {
        states: [stateOfApplicant(state)],
        due: [dueClasses[due] ?? 'none'],
        reviews: [reviewClasses[review] ?? 'none'],
        relationships: [relationship === null ? '' : (relationshipStates[relationship] ?? '')],
        risks: [risk ?? ''],
        countries: country === undefined ? [] : [country],
        assignees: [assignee],
        tags,
        connections
      }
      return { values, expired: within % 2 === 1 }
    }
  }
}

export class ApplicantFacts implements Kept {
  private readonly parts: FactsParts
  private readonly after
  private readonly one
  private readonly follower: Follower
  private entries = new Map<number, Facts>()
  private lasting = new Map<string, Lasting>()
  private facts = new Map<string, Facts>()
  private version = 0

  constructor(parts: FactsParts) {
    const { history } = parts
    this.parts = parts
    this.after = history.prepare(`${rows('a.subject > ?')} ORDER BY a.subject LIMIT ?`)
    this.one = history.prepare(rows('a.subject = ?'))
    this.follower = new Follower(history, this)
  }

  forget(): void {
    this.follower.forget()
  }

  warm(milliseconds: number): boolean {
    if (this.version !== this.parts.names.version) this.forget()
    this.version = this.parts.names.version
    return this.follower.warm(milliseconds)
  }

  drop(): void {
    this.entries = new Map()
    this.lasting = new Map()
    this.facts = new Map()
  }

  load(after: number): number | undefined {
    const found = this.after.all(after, followedAtOnce) as Row[]
    for (const row of found) this.enter(row.subject, row)
    return found.length < followedAtOnce ? undefined : found.at(-1)?.subject
  }

  follow({ subjects }: News): void {
    for (const subject of subjects) this.enter(subject, this.one.get(subject) as Row | undefined)
  }

  private enter(subject: number, row: Row | undefined): void {
    const before = this.entries.get(subject)
    if (before) before.people -= 1
    const facts = row && this.factsOf(row)
    if (facts) {
      facts.people += 1
      this.entries.set(subject, facts)
    } else this.entries.delete(subject)
  }

  private factsOf(row: Row): Facts {
    const { subject, state, due, tags, assigned, connections, review_at, risk, relationship, expires } = row
    const { events, names, dictionary } = this.parts
    const named = names.of(subject)
    const refs = connections === null ? [] : connections.split(',').map(Number)
    const lasting = this.shared({
      state,
      risk,
      relationship,
      tags: tags === null ? [] : (events.get<unknown, TagsSealed>(tags).sealed?.tags ?? []),
      assignee: assigned === null ? '' : (events.get<unknown, AssigneeSealed>(assigned).sealed?.assignee ?? ''),
      country: named?.country,
      details: named !== undefined,
      connections: [...new Set(refs.flatMap((ref) => dictionary.connections.get(ref)?.id ?? []))].toSorted()
    })
    const text = `${lasting.place} ${due} ${review_at} ${expires}`
    const known = this.facts.get(text) ?? { lasting, due, review_at, expires, people: 0 }
    this.facts.set(text, known)
    return known
  }

  private shared(own: Omit<Lasting, 'place'>): Lasting {
    const text = JSON.stringify(own)
    const known = this.lasting.get(text)
    if (known) return known
    const added = { ...own, place: this.lasting.size }
    this.lasting.set(text, added)
    return added
  }

  /** Subjects with a tag that a search finds. */
  tagged(isFound: (tag: string) => boolean): ReadonlySet<number> {
    while (!this.warm(Infinity));
    const known = new Map<string, boolean>()
    const isHit = (tag: string): boolean => {
      const hit = known.get(tag) ?? isFound(tag)
      known.set(tag, hit)
      return hit
    }
    const found = new Set<number>()
    for (const [subject, { lasting }] of this.entries) if (lasting.tags.some(isHit)) found.add(subject)
    return found
  }

  /** Subjects that pass a filter, its search aside, in their order. */
  passing(filter: ApplicantFilter, now: number): ReadonlySet<number> {
    while (!this.warm(Infinity));
    const [wanted, places] = [wantedOf(filter), createPlaces(now)]
    const known = new Map<number, boolean>()
    const found = new Set<number>()
    for (const [subject, facts] of this.entries) {
      const place = places.of(facts)
      let passes = known.get(place)
      if (passes === undefined) {
        const { values, expired } = places.valuesAt(place, facts.lasting)
        passes = droppedBy(wanted, filter, values, { ...facts.lasting, expired }).length === 0
        known.set(place, passes)
      }
      if (passes) found.add(subject)
    }
    return found
  }

  /** How many there are at each place, and of them among some. */
  private counted(places: Places, among: ((subject: number) => boolean) | undefined): ReadonlyMap<number, Counted> {
    const found = new Map<number, Counted>()
    const at = (facts: Facts): Counted => {
      const place = places.of(facts)
      const known = found.get(place) ?? { lasting: facts.lasting, all: 0, some: 0 }
      found.set(place, known)
      return known
    }
    for (const [text, facts] of this.facts)
      // Nobody is like that any more.
      if (facts.people === 0) this.facts.delete(text)
      else at(facts).all += facts.people
    if (!among) for (const each of found.values()) each.some = each.all
    else for (const [subject, facts] of this.entries) if (among(subject)) at(facts).some += 1
    return found
  }

  /** Each value is counted by all filters but its own. @param among The subjects that a search found. */
  counts(filter: ApplicantFilter, among: ((subject: number) => boolean) | undefined, now: number): ApplicantCounts {
    while (!this.warm(Infinity));
    const [wanted, places] = [wantedOf(filter), createPlaces(now)]
    const counts = new Map<Kind, Map<string, number>>(kinds.map((kind) => [kind, new Map()]))
    const views = { all: this.entries.size, pending: 0, withoutDetails: 0, reviewOverdue: 0, reviewIn30: 0 }
    let total = 0
    for (const [place, { lasting, all, some }] of this.counted(places, among)) {
      const { values, expired } = places.valuesAt(place, lasting)
      if (lasting.state === codeOfApplicant('none')) views.pending += all
      if (!lasting.details) views.withoutDetails += all
      if (values.reviews[0] === 'overdue') views.reviewOverdue += all
      if (values.reviews[0] === 'in30') views.reviewIn30 += all
      if (some === 0) continue
      const dropped = droppedBy(wanted, filter, values, { ...lasting, expired })
      if (dropped.length === 0) total += some
      if (dropped.length > 1 || dropped[0] === 'other') continue
      for (const kind of dropped.length === 0 ? kinds : (dropped as Kind[]))
        for (const value of values[kind]) {
          const own = counts.get(kind)
          own?.set(value, (own.get(value) ?? 0) + some)
        }
    }
    const of = (kind: Kind): ReadonlyMap<string, number> => counts.get(kind) ?? new Map()
    const list = (kind: Kind) => byCount(of(kind), wanted[kind])
    const record = <Name extends string>(names: readonly Name[], kind: Kind): Record<Name, number> =>
      Object.fromEntries(names.map((name) => [name, of(kind).get(name) ?? 0])) as Record<Name, number>
    return {
      total,
      views,
      states: record<ApplicantState>(applicantStates, 'states'),
      due: record<DueClass>(dueClasses, 'due'),
      reviews: record<ReviewClass>(reviewClasses, 'reviews'),
      relationships: record<RelationshipState | ''>(['', ...relationshipStates], 'relationships'),
      risks: list('risks'),
      countries: list('countries'),
      assignees: list('assignees'),
      tags: list('tags'),
      connections: list('connections')
    }
  }
}

type Wanted = Readonly<Record<Kind, ReadonlySet<string> | undefined>>
const wantedOf = (filter: ApplicantFilter): Wanted =>
  Object.fromEntries(
    kinds.map((kind) => [kind, filter[kind]?.length ? new Set<string>(filter[kind]) : undefined])
  ) as Wanted

/** The filters that do not let applicants through. */
const droppedBy = (
  wanted: Wanted,
  filter: ApplicantFilter,
  values: Values,
  { details, expired }: Pick<Lasting, 'details'> & { readonly expired: boolean }
): (Kind | 'other')[] => [
  ...kinds.filter((kind) => wanted[kind] && !values[kind].some((value) => wanted[kind]?.has(value))),
  ...((filter.withoutDetails && details) || (filter.expired && !expired) ? (['other'] as const) : [])
]

/** Most frequent first; of many, the first ones, and those that are asked for. */
function byCount(
  counts: ReadonlyMap<string, number>,
  asked: ReadonlySet<string> | undefined
): { readonly value: string; readonly count: number }[] {
  const all = new Map(counts)
  for (const value of asked ?? []) if (!all.has(value)) all.set(value, 0)
  return [...all]
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .filter(([value], index) => index < listed || asked?.has(value))
    .map(([value, count]) => ({ value, count }))
}
