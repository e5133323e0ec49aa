/** Who has which entry of the team's queue, from the claims that were received and those of this installation. */
import type { Claim, ColleagueEntry, EntryClaim } from '#contract/team/queue.ts'
import type { OwnClaim } from '#wire/history/exchange.ts'
import type { Db } from '#wire/sqlite/files.ts'
import type { ClaimOrder } from '#team/claims/order.ts'
import { awaited, claimsOf, handles, type ClaimEvent, type EntryState, type Holding } from '../claims/rules.ts'
import type { KnownMember } from '../log/known-members.ts'
import { claimKind } from '#team/log/waiting.ts'
import { placeOf, refOf, seqOf } from '#team/log/places.ts'
import { plainOf, sealedOf } from './forms.ts'
import type { ReceivedEvents } from './received-events.ts'
import type { ShownEntries } from './shown.ts'

/** This installation, and what it knows by itself. */
export interface ClaimSide {
  readonly installation: string
  /** Its claims, in order. */
  readonly own: readonly OwnClaim[]
  /** Applicants of this installation by their numbers, as far as colleagues claimed them. */
  readonly applicants: ReadonlyMap<number, string>
  readonly members: readonly Pick<KnownMember, 'installation' | 'name' | 'role'>[]
}

/** What is claimed. */
export type ClaimedEntry = { readonly applicantId: string } | ColleagueEntry

const keyOf = (entry: ClaimedEntry): string =>
  'applicantId' in entry ? `a ${entry.applicantId}` : `${entry.kind} ${entry.installation} ${entry.number}`

/** A claim as its event says it: of a place at an installation. */
interface ReadClaim {
  readonly entry: ColleagueEntry
  readonly at: number
  readonly assigned: boolean
  readonly late?: boolean | undefined
  readonly to?: string | undefined
}

/** Read claims in memory: their events are not opened again for each answer. */
const mostRead = 200_000

/** Reads the file of received events. Throws SQLite's errors; `onReceived` turns them into failures. */
export class ReceivedClaims {
  private readonly events: ReceivedEvents
  private readonly shown: ShownEntries
  private readonly order: ClaimOrder
  private readonly places
  private readonly installationOf
  private readonly read = new Map<number, ReadClaim | undefined>()

  constructor(db: Db, shown: ShownEntries, order: ClaimOrder) {
    this.events = shown.events
    this.shown = shown
    this.order = order
    this.places = db.prepare('SELECT place FROM claim_event ORDER BY place').pluck()
    this.installationOf = db.prepare('SELECT ref, seq FROM installation WHERE id = ?')
  }

  private claim(place: number): ReadClaim | undefined {
    if (this.read.has(place)) return this.read.get(place)
    if (this.read.size >= mostRead) this.read.clear()
    const event = this.events.get(refOf(place), seqOf(place))
    const installation = this.shown.installation(refOf(place))
    // It may still arrive.
    if (!event || installation === undefined) return undefined
    const plain = this.events.plain(event, plainOf.assignee)
    const entry = plain?.of ?? entryOf(installation, event)
    const claim =
      event.kind === claimKind && plain && entry
        ? { entry, at: event.at, assigned: plain.assigned, late: plain.late, to: plain.to }
        : undefined
    this.read.set(place, claim)
    return claim
  }

  /** The applicants of this installation that colleagues claimed, by their numbers. */
  claimedHere(installation: string): readonly number[] {
    const numbers = (this.places.all() as number[]).flatMap((place) => {
      const entry = this.claim(place)?.entry
      return entry?.kind === 'applicant' && entry.installation === installation ? [entry.number] : []
    })
    return [...new Set(numbers)]
  }

  states(side: ClaimSide): ClaimStates {
    const { installation: self, own, members } = side
    const known = new Map<string, ClaimedEntry>()
    const resolved = new Map<string, ClaimedEntry>()
    const resolve = (entry: ColleagueEntry): ClaimedEntry => {
      const key = keyOf(entry)
      const before = resolved.get(key)
      if (before) return before
      const found = this.resolved(entry, side)
      resolved.set(key, found)
      return found
    }
    const noted = (
      by: string,
      seq: number,
      entry: ClaimedEntry,
      { at, assigned, late, to }: Omit<ReadClaim, 'entry'>
    ): ClaimEvent => {
      known.set(keyOf(entry), entry)
      return { entry: keyOf(entry), by, seq, at, assigned, late, to }
    }
    const bySeq = new Map(own.map((claim) => [claim.seq, claim]))
    const ofOwn = (claim: OwnClaim): ClaimEvent => {
      const entry =
        claim.applicantId !== undefined
          ? { applicantId: claim.applicantId }
          : claim.of
            ? resolve(claim.of)
            : { installation: self, kind: 'record' as const, number: claim.record ?? 0 }
      return noted(self, claim.seq, entry, claim)
    }
    const ofOther = (installation: string, place: number): ClaimEvent | undefined => {
      const claim = this.claim(place)
      return claim && noted(installation, seqOf(place), resolve(claim.entry), claim)
    }
    const numbered = new Set<number>()
    const ordered: (ClaimEvent | typeof awaited)[] = []
    for (const { installation, seq } of this.order.all()) {
      if (installation === self) {
        const claim = bySeq.get(seq)
        bySeq.delete(seq)
        if (claim) ordered.push(ofOwn(claim))
        continue
      }
      const at = this.installationOf.get(installation) as { readonly ref: number; readonly seq: number } | undefined
      const event = at && ofOther(installation, placeOf(at.ref, seq))
      if (at) numbered.add(placeOf(at.ref, seq))
      if (event) ordered.push(event)
      // Of a member, it will come. Anybody else's does not count.
      else if (
        (at?.seq ?? 0) < seq &&
        members.some((each) => each.installation === installation && each.role !== 'removed')
      )
        ordered.push(awaited)
    }
    const rest = (this.places.all() as number[]).flatMap((place) => {
      const installation = numbered.has(place) ? undefined : this.shown.installation(refOf(place))
      return (installation !== undefined && ofOther(installation, place)) || []
    })
    const roles = new Map(members.map(({ installation, role }) => [installation, role]))
    return new ClaimStates(claimsOf(ordered, [...rest, ...[...bySeq.values()].map(ofOwn)], roles), known, {
      ...side,
      person: (holding) => this.person(holding, side)
    })
  }

  /** The applicant behind a number, as far as it is known here: several installations have numbers of the same one. */
  private resolved(entry: ColleagueEntry, { installation: self, applicants }: ClaimSide): ClaimedEntry {
    if (entry.kind !== 'applicant') return entry
    const at = this.installationOf.get(entry.installation) as { readonly ref: number } | undefined
    const applicantId =
      entry.installation === self
        ? applicants.get(entry.number)
        : at && this.events.subject(at.ref, entry.number).applicant
    return applicantId == null ? entry : { applicantId }
  }

  /** Whom a claim names; absent for a handover, which names a member. */
  private person({ by, seq, installation }: Holding, { installation: self, own }: ClaimSide): string | undefined {
    if (by !== installation) return undefined
    if (by === self) {
      const claim = own.find((each) => each.seq === seq)
      return claim?.assignee ?? claim?.operator
    }
    const at = this.installationOf.get(by) as { readonly ref: number } | undefined
    const event = at && this.events.get(at.ref, seq)
    if (!event) return undefined
    const key = event.subject === null ? null : this.events.subject(event.ref, event.subject).key
    return (
      this.events.sealed(event, key, sealedOf.assignee)?.assignee ??
      this.events.plain(event, plainOf.assignee)?.operator
    )
  }
}

/** What an event without a colleague's entry is about: a record of its installation, or an applicant. */
const entryOf = (
  installation: string,
  { subject, record }: { readonly subject: number | null; readonly record: number | null }
): ColleagueEntry | undefined =>
  record !== null
    ? { installation, kind: 'record', number: record }
    : subject !== null
      ? { installation, kind: 'applicant', number: subject }
      : undefined

interface Naming extends Pick<ClaimSide, 'installation' | 'members'> {
  person(holding: Holding): string | undefined
}

/** The state of all claims at a time. */
export class ClaimStates {
  private readonly states: ReadonlyMap<string, EntryState>
  private readonly entries: ReadonlyMap<string, ClaimedEntry>
  private readonly naming: Naming

  constructor(states: ReadonlyMap<string, EntryState>, entries: ReadonlyMap<string, ClaimedEntry>, naming: Naming) {
    this.states = states
    this.entries = entries
    this.naming = naming
  }

  private view({ installation, since, tentative }: Holding, person: string | undefined): Claim {
    const member = this.naming.members.find((each) => each.installation === installation)?.name ?? installation
    return {
      installation,
      member,
      own: installation === this.naming.installation,
      ...(person !== undefined && person !== member && { person }),
      since,
      ...(tentative && { tentative: true as const })
    }
  }

  of(entry: ClaimedEntry): EntryClaim {
    const state = this.states.get(keyOf(entry))
    const { holding } = state ?? {}
    const lostAt = holding && state?.lost.get(this.naming.installation)
    return {
      ...(state && !holding && { released: true as const }),
      ...(holding && { claim: this.view(holding, this.naming.person(holding)) }),
      ...(lostAt !== undefined && { lostAt })
    }
  }

  /** The entries that this installation claimed too late and that somebody else has, newest first. */
  lost(most: number): readonly { readonly entry: ClaimedEntry; readonly at: number; readonly holder: Claim }[] {
    const found = [...this.states].flatMap(([key, { holding, lost }]) => {
      const at = lost.get(this.naming.installation)
      const entry = this.entries.get(key)
      return at !== undefined && holding && entry ? [{ entry, at, holding }] : []
    })
    return found
      .sort((a, b) => b.at - a.at)
      .slice(0, most)
      .map(({ entry, at, holding }) => ({ entry, at, holder: this.view(holding, this.naming.person(holding)) }))
  }

  /** The member’s name of this installation. */
  get name(): string {
    return this.naming.members.find(({ installation }) => installation === this.naming.installation)?.name ?? ''
  }

  /** Whether this installation may claim. */
  get handles(): boolean {
    return handles(this.naming.members.find(({ installation }) => installation === this.naming.installation)?.role)
  }

  /** Whether this installation is a supervisor. */
  get supervises(): boolean {
    return this.naming.members.some(
      ({ installation, role }) => installation === this.naming.installation && role === 'supervisor'
    )
  }
}
