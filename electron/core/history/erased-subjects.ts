/** Whose keys an erasure destroyed: a key that is missing without one is damage, and not an erasure. */
import type { ErasedPlain } from './erasure-intents.ts'
import { inTrail } from './event-index.ts'
import type { Db } from './files.ts'
import type { Subjects } from './subjects.ts'

/**
 * What the trail's events and the file of keys say. An event is believed here before a walk has come to it: where
 * it was forged, the walk breaks there.
 */
export class ErasedSubjects {
  private readonly events
  private readonly subjects: Subjects
  private known = new Set<number>()
  private fresh = false

  constructor(history: Db, subjects: Subjects) {
    this.events = history.prepare(`SELECT plain FROM event WHERE kind = 'subject.erased' AND ${inTrail}`).pluck()
    this.subjects = subjects
  }

  /** Whoever is not known from here on is looked for once more: somebody may have been erased since. */
  renew(): void {
    this.fresh = false
  }

  /** Whether an erasure destroyed the key of this subject. */
  has(ref: number): boolean {
    if (!this.known.has(ref) && !this.fresh) {
      this.known = new Set([...this.subjects.taken(), ...(this.events.all() as string[]).flatMap(subjectsOf)])
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
