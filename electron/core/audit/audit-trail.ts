/** The audit trail on the host's side: notes what people do, and has the whole audit trail verified. */
import { createHmac, randomBytes } from 'node:crypto'
import type { AuditVerdict } from '#contract/audit.ts'
import type { Failure } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'
import type { Clock } from '#core/ports/clock.ts'
import type { HistoryStore } from '#core/history/api/store.ts'
import { rememberEarlyNotes, type EarlyNotes } from './early-notes.ts'
import type { AuditNote } from '#core/history/api/audit-notes.ts'
import { verdictOf } from './verdict.ts'
import type { WalkState } from '#core/history/api/audit-walk.ts'

export type NoteDraft = AuditNote extends infer Note ? (Note extends AuditNote ? Omit<Note, 'at' | 'operator'> : never) : never

/** What was shown, and whom it is about. */
export type View = Extract<NoteDraft, { readonly kind: 'view.opened' }>['plain'] & Pick<AuditNote, 'about'>

export interface AuditTrail {
  /** Notes what was done. Never fails: what was done is done, and a history that cannot take it says so elsewhere. */
  note(note: NoteDraft): Promise<void>
  /** Notes that personal data was shown: once a visit, and each time where none is named. */
  viewed(view: View, visit?: string): Promise<void>
  /** Walks the whole audit trail in slices, so that other calls are answered in between; tells the first, the last, and some of the others. */
  verify(progress: (verified: number, total: number) => void): Promise<Result<AuditVerdict, Failure>>
}

export interface TrailParts {
  readonly clock: Clock
  readonly operator: string
  history(): Result<HistoryStore, Failure>
  /** Told where a note could not be written. */
  onFailure(failure: Failure): void
  /** Where notes wait while no history is open; left out: in memory. */
  readonly early?: EarlyNotes
  /** Whether the open history takes anything: a full disk leaves it open for reading only. Left out: it does. */
  readonly writable?: () => boolean
  /** Whether the open history is one that stays; left out: it is. */
  readonly lasting?: () => boolean
}

/** Views of this session that are remembered; one that is drawn again after so many others is noted again. */
const mostViews = 1000
/** Milliseconds that the history's thread is kept by one stretch of a verification. */
const slice = 25
/** Milliseconds between two tellings of the progress: to paint each stretch would take a good part of a processor. */
const progressInterval = 80

export function createAuditTrail(parts: TrailParts): AuditTrail {
  // A digest under a key of this process: an applicant's ID must not stay in memory.
  const digestKey = randomBytes(32)
  /** Views of this session, and when each is noted. */
  const seen = new Map<string, Promise<void>>()

  /** Made while no history was open, as at every start: written with their own times as soon as one is. */
  const { early = rememberEarlyNotes() } = parts
  /** The history that was given them. */
  let given: HistoryStore | undefined
  let turn: Promise<unknown> = Promise.resolve()

  async function write(note: AuditNote): Promise<void> {
    const store = parts.history()
    if (!store.ok || parts.writable?.() === false) {
      // The end of a start that no history saw the beginning of is no event for the next one.
      if (note.kind !== 'program.stopped') await early.add(note)
      return
    }
    const before = given === store.value ? [] : await early.all()
    given = store.value
    // A history begins with the start of the console, whatever was changed before it was open.
    const notes = note.kind === 'program.started' ? [note, ...before] : [...before, note]
    let whole = true
    for (const each of notes) {
      const noted = await store.value.audit.note(each)
      whole &&= noted.ok
      if (!noted.ok) parts.onFailure(noted.failure)
    }
    // A history of this session goes with it: they wait for one that stays.
    if (before.length > 0 && whole && (parts.lasting?.() ?? true)) await early.clear()
  }

  /** In the order in which things were done, each with the time at which it was. */
  const note = (draft: NoteDraft): Promise<void> => {
    const full = { ...draft, at: parts.clock.now(), operator: parts.operator } as AuditNote
    const done = turn.then(() => write(full))
    turn = done.catch(() => undefined)
    return done
  }

  return {
    note,
    viewed({ about, ...plain }, visit) {
      const noted = (): Promise<void> => note({ kind: 'view.opened', plain, ...(about && { about }) })
      if (visit === undefined) return noted()
      const name = createHmac('sha256', digestKey).update(JSON.stringify([visit, plain, about])).digest('hex')
      const once = seen.get(name) ?? noted()
      // Moved to the end: what is drawn again is remembered longest.
      seen.delete(name)
      seen.set(name, once)
      const [oldest] = seen.keys()
      if (seen.size > mostViews && oldest !== undefined) seen.delete(oldest)
      return once
    },
    async verify(progress) {
      const open = parts.history()
      if (!open.ok) return open
      const { audit } = open.value
      const started = parts.clock.monotonic()
      const anchors = await audit.anchors()
      if (!anchors.ok) return anchors
      const { until, known, anchor } = anchors.value
      let from: WalkState | undefined
      let announcedAt = -Infinity
      for (;;) {
        const step = await audit.walk({ from, until, known, slice })
        if (!step.ok) return step
        if (step.value.kind !== 'more') {
          progress(step.value.kind === 'whole' ? step.value.state.seq : step.value.broken.verified, until)
          return ok(verdictOf(step.value, parts.clock.monotonic() - started, anchor))
        }
        from = step.value.state
        const now = parts.clock.monotonic()
        if (now - announcedAt < progressInterval) continue
        announcedAt = now
        progress(from.seq, until)
      }
    }
  }
}
