/** The notes about applicants, as a search finds them: their own, and what was written with decisions, reviews, approvals and the like. */
import type { EventKind } from '#contract/evidence/event-kinds.ts'
import type { NotedSealed, NoteSealed } from '#wire/history/applicant-payloads.ts'
import { DamageError, type Db } from '#wire/sqlite/files.ts'
import type { Events } from '../events/events.ts'

/** Their sealed part has a `text` or a `note`. */
const kinds: readonly EventKind[] = [
  'note.made',
  'decision.made',
  'challenge.recorded',
  'relationship.changed',
  'risk.rated',
  'review.recorded',
  'approval.asked',
  'approval.answered',
  'approval.received'
]
const ofKinds = `kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')})`
export const isNote = (kind: string): boolean => kinds.includes(kind as EventKind)

/** Notes in the index have rowids below 0: the subject, and the event within it. */
const eventsPerSubject = 2 ** 27
export const rowidOfNote = (subject: number, event: number): number =>
  -(subject * eventsPerSubject + (event % eventsPerSubject))
export const subjectOfRowid = (rowid: number): number => Math.floor(-rowid / eventsPerSubject)

export interface Note {
  readonly event: number
  readonly subject: number
  readonly text: string
}

export class NoteTexts {
  private readonly events: Events
  private readonly ofSubject
  private readonly later

  constructor(history: Db, events: Events) {
    this.events = events
    this.ofSubject = history
      .prepare(
        `SELECT e.seq FROM applicant_event a JOIN event e ON e.seq = a.event WHERE a.subject = ? AND e.${ofKinds}
         ORDER BY a.event DESC`
      )
      .pluck()
    this.later = history.prepare(`SELECT seq FROM event WHERE ${ofKinds} AND seq > ? ORDER BY seq`).pluck()
  }

  /** The note of an event; undefined without one, or if it was erased or changed, which the audit trail reports. */
  of(event: number): Note | undefined {
    try {
      const { subject, sealed } = this.events.get<object, Partial<NoteSealed & NotedSealed>>(event)
      const text = sealed?.text ?? sealed?.note ?? ''
      return subject === null || text === '' ? undefined : { event, subject, text }
    } catch (error) {
      if (error instanceof DamageError) return undefined
      throw error
    }
  }

  /** Newest first. */
  *about(subject: number): Generator<Note> {
    for (const event of this.ofSubject.all(subject) as number[]) {
      const note = this.of(event)
      if (note) yield note
    }
  }

  /** Those of later events. */
  after(event: number): readonly Note[] {
    return (this.later.all(event) as number[]).flatMap((seq) => this.of(seq) ?? [])
  }
}
