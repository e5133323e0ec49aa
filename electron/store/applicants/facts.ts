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
import { reviewClasses, reviewEdges, type ReviewClass, type ReviewEdges } from '#contract/applicants/reviews.ts'
import { codeOfApplicant, reviewClassOfRow, stateOfApplicant, type ApplicantRow } from '../projections/applicants.ts'
import type { Dictionary } from '../projections/dictionary.ts'
import type { NamesProjection } from '../projections/names.ts'
import { dueClassOf } from './queue-filter.ts'

interface Facts {
  readonly state: number
  readonly due: number | undefined
  readonly review: Pick<ApplicantRow, 'review_at' | 'risk' | 'relationship' | 'expires'>
  readonly tags: readonly string[]
  readonly assignee: string
  /** Undefined without details. */
  readonly country: string | undefined
  readonly details: boolean
  readonly connections: readonly string[]
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

/** What an applicant is counted as in each filter. */
const valuesOf = (facts: Facts, day: number, edges: ReviewEdges): Readonly<Record<Kind, readonly string[]>> => ({
  states: [stateOfApplicant(facts.state)],
  due: [dueClassOf(facts.due, day)],
  reviews: [reviewClassOfRow(facts.review, edges)],
  relationships: [facts.review.relationship === null ? '' : (relationshipStates[facts.review.relationship] ?? '')],
  risks: [facts.review.risk ?? ''],
  countries: facts.country === undefined ? [] : [facts.country],
  assignees: [facts.assignee],
  tags: facts.tags,
  connections: facts.connections
})

export class ApplicantFacts implements Kept {
  private readonly parts: FactsParts
  private readonly after
  private readonly one
  private readonly follower: Follower
  private entries = new Map<number, Facts>()
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
  }

  load(after: number): number | undefined {
    const found = this.after.all(after, followedAtOnce) as Row[]
    for (const row of found) this.entries.set(row.subject, this.factsOf(row))
    return found.length < followedAtOnce ? undefined : found.at(-1)?.subject
  }

  follow({ subjects }: News): void {
    for (const subject of subjects) {
      const row = this.one.get(subject) as Row | undefined
      if (row) this.entries.set(subject, this.factsOf(row))
      else this.entries.delete(subject)
    }
  }

  private factsOf(row: Row): Facts {
    const { subject, state, due, tags, assigned, connections, review_at, risk, relationship, expires } = row
    const { events, names, dictionary } = this.parts
    const named = names.of(subject)
    const refs = connections === null ? [] : connections.split(',').map(Number)
    return {
      state,
      due: due ?? undefined,
      review: { review_at, risk, relationship, expires },
      tags: tags === null ? [] : (events.get<unknown, TagsSealed>(tags).sealed?.tags ?? []),
      assignee: assigned === null ? '' : (events.get<unknown, AssigneeSealed>(assigned).sealed?.assignee ?? ''),
      country: named?.country,
      details: named !== undefined,
      connections: [...new Set(refs.flatMap((ref) => dictionary.connections.get(ref)?.id ?? []))]
    }
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
    for (const [subject, { tags }] of this.entries) if (tags.length > 0 && tags.some(isHit)) found.add(subject)
    return found
  }

  /** Subjects that pass a filter, its search aside, in their order. */
  passing(filter: ApplicantFilter, now: number): ReadonlySet<number> {
    while (!this.warm(Infinity));
    const [wanted, day, edges] = [wantedOf(filter), today(now), reviewEdges(now)]
    const found = new Set<number>()
    for (const [subject, facts] of this.entries)
      if (droppedBy(wanted, filter, valuesOf(facts, day, edges), facts, edges).length === 0) found.add(subject)
    return found
  }

  /** Each value is counted by all filters but its own. @param among The subjects that a search found. */
  counts(filter: ApplicantFilter, among: ((subject: number) => boolean) | undefined, now: number): ApplicantCounts {
    while (!this.warm(Infinity));
    const [wanted, day, edges] = [wantedOf(filter), today(now), reviewEdges(now)]
    const counts = new Map<Kind, Map<string, number>>(kinds.map((kind) => [kind, new Map()]))
    const views = { all: this.entries.size, pending: 0, withoutDetails: 0, reviewOverdue: 0, reviewIn30: 0 }
    let total = 0
    for (const [subject, facts] of this.entries) {
      if (facts.state === codeOfApplicant('none')) views.pending += 1
      if (!facts.details) views.withoutDetails += 1
      const values = valuesOf(facts, day, edges)
      if (values.reviews[0] === 'overdue') views.reviewOverdue += 1
      if (values.reviews[0] === 'in30') views.reviewIn30 += 1
      if (among && !among(subject)) continue
      const dropped = droppedBy(wanted, filter, values, facts, edges)
      if (dropped.length === 0) total += 1
      if (dropped.length > 1 || dropped[0] === 'other') continue
      for (const kind of dropped.length === 0 ? kinds : (dropped as Kind[]))
        for (const value of values[kind]) {
          const own = counts.get(kind)
          own?.set(value, (own.get(value) ?? 0) + 1)
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

/** The filters that do not let an applicant through. */
const droppedBy = (
  wanted: Wanted,
  { withoutDetails, expired }: ApplicantFilter,
  values: ReturnType<typeof valuesOf>,
  { details, review: { expires } }: Facts,
  edges: ReviewEdges
): (Kind | 'other')[] => [
  ...kinds.filter((kind) => wanted[kind] && !values[kind].some((value) => wanted[kind]?.has(value))),
  ...((withoutDetails && details) || (expired && !(expires !== null && expires < edges.today))
    ? (['other'] as const)
    : [])
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
