/** Whose keys an erasure destroyed: a key that is missing without one is damage, and not an erasure. */
import { stages, type ErasedPlain } from './intents.ts'
import { inAuditTrail } from '#core/history/events/event-index.ts'
import type { Db } from '#core/history/storage/files.ts'

/**
 * What the audit trail's events and the file of keys say. An event is believed here before a walk has come to it: where
 * it was forged, the walk breaks there.
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
   * Subjects that this file says were erased where the audit trail may not: those that an erasure took out of a copy which
   * was made before it, and those of an erasure whose event is not written yet.
   */
  private taken(): number[] {
    return this.takenOut.all() as number[]
  }

  /** Whoever is not known from here on is looked for once more: somebody may have been erased since. */
  renew(): void {
    this.fresh = false
  }

  /** Whether an erasure destroyed the key of this subject. */
  has(ref: number): boolean {
    if (!this.known.has(ref) && !this.fresh) {
      this.known = new Set([...this.taken(), ...(this.events.all() as string[]).flatMap(subjectsOf)])
      this.fresh = true
    }
    return this.known.has(ref)
  }
}

/** None where a forger wrote what no event says. */
function subjectsOf(plain: string): readonly number[] {
  try {
    const { subjects } = JSON.parse(plain) as Partial<ErasedPlain>
    return Array.isArray(subjects) ? subjects : []
  } catch {
    return []
  }
}
