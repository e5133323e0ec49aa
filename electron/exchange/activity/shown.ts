/** A received event as an entry: what a colleague did, with the personal data that is open. */
import { applicantIdSchema } from '#contract/applicants/applicant-id.ts'
import { teamDeedKinds, type TeamDeed, type TeamEntry } from '#contract/team/activity.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { jsonOf } from '#kit/hashing/json.ts'
import { refOf, seqOf } from '#team/log/places.ts'
import { connectionForm, plainOf, sealedOf } from './forms.ts'
import type { ReceivedEvent, ReceivedEvents, ReceivedSubject } from './received-events.ts'

/** The members' names by installation, of those who were removed, too. */
export type MemberNames = ReadonlyMap<string, string>

interface EntryRow {
  readonly at: number
  readonly kind: number
  /** That of the applicant whose entry it is. */
  readonly subject: number | null
  readonly record: number | null
}
interface CheckRow {
  readonly subject: number
  readonly ended: number | null
  readonly resolved: number | null
}
type Connection = Extract<TeamDeed, { kind: 'check' }>['connection']
interface Said {
  readonly what: TeamDeed
  readonly operator: string | undefined
  /** Of the event's own subject, if that keeps something from being shown. */
  readonly closed?: ReceivedSubject['closed']
}

export class ShownEntries {
  readonly events: ReceivedEvents
  private readonly row
  private readonly checkOf
  private readonly connectionAt
  private readonly idOf

  constructor(db: Db, events: ReceivedEvents) {
    this.events = events
    this.row = db.prepare('SELECT at, kind, subject, record FROM entry WHERE place = ?')
    this.checkOf = db.prepare(`SELECT subject, ended, resolved FROM check_end WHERE ref = ? AND record = ?`)
    this.connectionAt = db.prepare('SELECT place FROM connection WHERE ref = ? AND number = ?').pluck()
    this.idOf = db.prepare('SELECT id FROM installation WHERE ref = ?').pluck()
  }

  installation(ref: number): string | undefined {
    return this.idOf.get(ref) as string | undefined
  }

  /** Undefined if there is none, or its event does not say what can be shown. */
  at(place: number, names: MemberNames): TeamEntry | undefined {
    const row = this.row.get(place) as EntryRow | undefined
    const event = row && this.events.get(refOf(place), seqOf(place))
    const installation = event && this.installation(event.ref)
    if (!row || !event || installation === undefined) return undefined
    const about: ReceivedSubject =
      row.subject === null ? { key: null, applicant: null } : this.events.subject(event.ref, row.subject)
    const said = this.said(event, row, about)
    if (!said) return undefined
    const { what, operator } = said
    const closed = about.closed ?? said.closed
    const applicantId = applicantIdSchema.safeParse(about.applicant).data
    return {
      installation,
      seq: event.seq,
      member: names.get(installation) ?? installation,
      ...(operator !== undefined && { operator }),
      at: row.at,
      ...(applicantId !== undefined && { applicantId }),
      ...(closed && { closed }),
      what
    }
  }

  private said(event: ReceivedEvent, row: EntryRow, about: ReceivedSubject): Said | undefined {
    const { events } = this
    const kind = teamDeedKinds[row.kind]
    switch (kind) {
      case 'check':
        return this.check(event, row, about)
      case 'decision':
        return this.decision(event, about)
      case 'note':
      case 'challenge':
        return this.note(event, about, kind)
      case 'tags': {
        const { tags } = events.sealed(event, about.key, sealedOf.tags) ?? {}
        return { operator: this.operator(event), what: { kind, ...(tags && { tags }) } }
      }
      case 'due': {
        const plain = events.plain(event, plainOf.due)
        return plain && { operator: plain.operator, what: { kind, due: plain.due } }
      }
      case 'relationship':
      case 'risk':
      case 'review':
        return this.person(event, about, kind)
      case 'expiry':
        return this.expiry(event, about)
      case 'assignee':
        return this.assignee(event, about)
      case 'hold':
        return { operator: this.operator(event), what: { kind, placed: event.kind === 'hold.placed' } }
      case 'approval-asked':
      case 'approval-answered':
        return this.approval(event, about, kind)
      case 'erasure':
        return { operator: this.operator(event), what: { kind } }
      case undefined:
        return undefined
    }
  }

  private note(event: ReceivedEvent, about: ReceivedSubject, kind: 'note' | 'challenge'): Said {
    const { text } = this.events.sealed(event, about.key, sealedOf.note) ?? {}
    return { operator: this.operator(event), what: { kind, ...(text !== undefined && { text }) } }
  }

  private decision(event: ReceivedEvent, about: ReceivedSubject): Said | undefined {
    const plain = this.events.plain(event, plainOf.decision)
    if (!plain) return undefined
    const { operator, decision, requires } = plain
    const { reasons, note } = this.events.sealed(event, about.key, sealedOf.decision) ?? {}
    const proposed = requires === 1 && { proposed: true as const }
    return {
      operator,
      what: {
        kind: 'decision',
        decision,
        ...proposed,
        ...(reasons && { reasons }),
        ...(note !== undefined && { note })
      }
    }
  }

  /** What was recorded about the person as a customer. */
  private person(
    event: ReceivedEvent,
    about: ReceivedSubject,
    kind: 'relationship' | 'risk' | 'review'
  ): Said | undefined {
    const { note } = this.events.sealed(event, about.key, sealedOf.noted) ?? {}
    const noted = note === undefined ? {} : { note }
    if (kind === 'relationship') {
      const plain = this.events.plain(event, plainOf.relationship)
      return plain && { operator: plain.operator, what: { kind, state: plain.state, on: plain.on, ...noted } }
    }
    if (kind === 'review') {
      const plain = this.events.plain(event, plainOf.review)
      return plain && { operator: plain.operator, what: { kind, outcome: plain.outcome, ...noted } }
    }
    const plain = this.events.plain(event, plainOf.risk)
    return plain && { operator: plain.operator, what: { kind, risk: plain.class, months: plain.months, ...noted } }
  }

  private expiry(event: ReceivedEvent, about: ReceivedSubject): Said {
    const { document, expires } = this.events.sealed(event, about.key, sealedOf.expiry) ?? {}
    return {
      operator: this.operator(event),
      what: { kind: 'expiry', ...(document !== undefined && { document }), ...(expires !== undefined && { expires }) }
    }
  }

  private assignee(event: ReceivedEvent, about: ReceivedSubject): Said | undefined {
    const plain = this.events.plain(event, plainOf.assignee)
    if (!plain) return undefined
    const assignee = plain.assigned === false ? null : this.events.sealed(event, about.key, sealedOf.assignee)?.assignee
    return { operator: plain.operator, what: { kind: 'assignee', ...(assignee !== undefined && { assignee }) } }
  }

  private approval(
    event: ReceivedEvent,
    about: ReceivedSubject,
    kind: 'approval-asked' | 'approval-answered'
  ): Said | undefined {
    const sealed = this.events.sealed(event, about.key, sealedOf.noted)
    const note = sealed?.note === undefined ? {} : { note: sealed.note }
    if (kind === 'approval-asked') return { operator: this.operator(event), what: { kind, ...note } }
    const plain = this.events.plain(event, plainOf.answered)
    return plain && { operator: plain.operator, what: { kind, agrees: plain.agrees, ...note } }
  }

  private operator(event: ReceivedEvent): string | undefined {
    return this.events.plain(event, plainOf.any)?.operator
  }

  private check(event: ReceivedEvent, { subject, record }: EntryRow, about: ReceivedSubject): Said | undefined {
    const { events } = this
    const { ref } = event
    const plain = events.plain(event, plainOf.begun)
    const row = this.checkOf.get(ref, record) as CheckRow | undefined
    if (!plain || !row) return undefined
    // A linked verification has a key of its own.
    const own = row.subject === subject ? about : events.subject(ref, row.subject)
    const connection = this.connection(ref, plain.connection)
    const resolution = row.resolved === null ? undefined : events.get(ref, row.resolved)
    const as = resolution && events.plain(resolution, plainOf.resolved)?.as
    return {
      operator: plain.operator,
      what: {
        kind: 'check',
        operation: plain.operation,
        ...(connection && { connection }),
        ...this.ending(ref, row.ended, about.closed ? undefined : own.key),
        ...(as && { resolved: as })
      },
      ...(own.closed && { closed: own.closed })
    }
  }

  /** @param key Undefined if the message is not shown. */
  private ending(
    ref: number,
    seq: number | null,
    key: ReceivedSubject['key'] | undefined
  ): Pick<Extract<TeamDeed, { readonly kind: 'check' }>, 'outcome' | 'status' | 'message'> {
    const ended = seq === null ? undefined : this.events.get(ref, seq)
    const ending = ended && this.events.plain(ended, plainOf.ended)
    if (!ended || !ending) return {}
    const status = ending.reply?.status
    const message = key === undefined ? undefined : this.events.sealed(ended, key, sealedOf.ended)?.message
    return {
      outcome: ending.outcome,
      ...(status !== undefined && { status }),
      ...(message !== undefined && { message })
    }
  }

  /** What a connection of an installation was, by its number there. */
  connection(ref: number, number: number | undefined): Connection {
    const place = number === undefined ? undefined : (this.connectionAt.get(ref, number) as number | undefined)
    const noted = place === undefined ? undefined : this.events.get(refOf(place), seqOf(place))
    const snapshot = noted && this.events.plain(noted, plainOf.connection)?.snapshot
    return snapshot === undefined ? undefined : connectionForm.safeParse(jsonOf(snapshot)).data
  }
}
