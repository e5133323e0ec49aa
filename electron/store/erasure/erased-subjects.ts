/** Subjects whose keys an erasure destroyed. A missing key of any other subject is damage, not an erasure. */
import { stages } from './intents.ts'
import { inAuditTrail } from '../events/event-index.ts'
import type { ErasedPlain } from '#wire/history/erasure.ts'
import type { Db } from '#wire/sqlite/files.ts'

/**
 * Reads the audit trail's events and the key file. Events are trusted here before they are verified: verification
 * fails at a forged event.
 */
export class ErasedSubjects {
  private readonly events
  private readonly takenOut
  private known = new Set<number>()
  private fresh = false

  constructor({ history, subjects }: { readonly history: Db; readonly subjects: Db }) {
    this.events = history.prepare(`SELECT plain FROM event WHERE kind = 'subject.erased' AND ${inAuditTrail}`).pluck()
    this.takenOut = subjects
      .prepare(
        `SELECT subject FROM taken
           UNION SELECT value FROM erasure, json_each(words, '$.plain.subjects') WHERE destroyed = ${stages.destroyed}`
      )
      .pluck()
  }

  /**
   * Subjects that the key file lists as erased but the audit trail may not, until the next opening: those that an erasure
   * removed from a copy older than itself, and those of an erasure whose event is not written yet.
   */
  private taken(): number[] {
    return this.takenOut.all() as number[]
  }

  private recorded(): number[] {
    return (this.events.all() as string[]).flatMap(subjectsOf)
  }

  /** Those without an event, in ascending order. */
  unrecorded(): readonly number[] {
    const recorded = new Set(this.recorded())
    return this.taken()
      .filter((subject) => !recorded.has(subject))
      .sort((a, b) => a - b)
  }

  /** Makes the next unknown subject reload the list, since more may have been erased. */
  renew(): void {
    this.fresh = false
  }

  /** Whether an erasure destroyed this subject's key. */
  has(ref: number): boolean {
    if (!this.known.has(ref) && !this.fresh) {
      this.known = new Set([...this.taken(), ...this.recorded()])
      this.fresh = true
    }
    return this.known.has(ref)
  }
}

/** Empty for a forged event. */
function subjectsOf(plain: string): readonly number[] {
  try {
    const { subjects } = JSON.parse(plain) as Partial<ErasedPlain>
    return Array.isArray(subjects) ? subjects : []
  } catch {
    return []
  }
}
