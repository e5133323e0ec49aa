/** Why a colleague's installation retains an applicant, read from what was received. */
import type { TeamRetains } from '#contract/team/activity.ts'
import { isOverFor } from '#contract/applicants/over.ts'
import { codeOfEntry } from '#team/log/entries.ts'
import { seqOf } from '#team/log/places.ts'
import type { RetentionRules } from '#wire/history/erasure.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { plainOf } from './forms.ts'
import type { ReceivedEvents, SubjectPlace } from './received-events.ts'
import type { ShownEntries } from './shown.ts'

const day = 86_400_000
type Kind = 'hold' | 'relationship' | 'check'

export class Retaining {
  private readonly events: ReceivedEvents
  private readonly shown: ShownEntries
  private readonly newest

  constructor(db: Db, shown: ShownEntries) {
    this.events = shown.events
    this.shown = shown
    this.newest = db.prepare(
      'SELECT at, place FROM entry WHERE ref = ? AND subject = ? AND kind = ? ORDER BY place DESC LIMIT 1'
    )
  }

  /**
   * The first cause that is found at one of the installations; without rules, legal holds only.
   *
   * @param members Names of those whose data counts, by their installation.
   */
  of(
    applicantId: string,
    members: ReadonlyMap<string, string>,
    rules: RetentionRules | undefined,
    now: number
  ): TeamRetains | undefined {
    for (const place of this.events.subjectsOf(applicantId)) {
      const member = members.get(this.shown.installation(place.ref) ?? '')
      if (member === undefined) continue
      const because = this.isHeld(place) ? 'hold' : rules && this.byRules(place, rules, now)
      if (because) return { applicantId, member, because }
    }
    return undefined
  }

  private entry(
    { ref, number }: SubjectPlace,
    kind: Kind
  ): { readonly at: number; readonly place: number } | undefined {
    return this.newest.get(ref, number, codeOfEntry(kind)) as ReturnType<Retaining['entry']>
  }

  private isHeld(place: SubjectPlace): boolean {
    const found = this.entry(place, 'hold')
    return found !== undefined && this.events.get(place.ref, seqOf(found.place))?.kind === 'hold.placed'
  }

  /** Its own rules are not known here: those of this installation decide. */
  private byRules(
    place: SubjectPlace,
    { days, years }: RetentionRules,
    now: number
  ): Exclude<TeamRetains['because'], 'hold'> | undefined {
    if (years === undefined) {
      const check = this.entry(place, 'check')
      return check && check.at + Math.max(...Object.values(days)) * day > now ? 'record' : undefined
    }
    const found = this.entry(place, 'relationship')
    const event = found && this.events.get(place.ref, seqOf(found.place))
    const plain = event && this.events.plain(event, plainOf.relationship)
    return plain && !isOverFor(plain, years, now) ? 'relationship' : undefined
  }
}
