/** The audit trail on the host's side: records user actions, and runs the verification of the whole audit trail. */
import { createHmac, randomBytes } from 'node:crypto'
import type { AuditVerdict } from '#contract/evidence/audit.ts'
import type { Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { View } from '#contract/evidence/event-kinds.ts'
import type { Clock } from '#kit/clock.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import { rememberEarlyNotes, type EarlyNotes } from './early-notes.ts'
import type { AuditNote } from '#wire/history/audit-notes.ts'
import type { WalkState, WalkStep } from '#wire/history/audit-walk.ts'
import { rootOfSubtrees } from '#kit/hashing/merkle.ts'

export type NoteDraft = AuditNote extends infer Note
  ? Note extends AuditNote
    ? Omit<Note, 'at' | 'operator'>
    : never
  : never

export interface AuditTrail {
  /**
   * Records an action. Never fails: the action has happened, and a history that cannot record it reports that
   * elsewhere.
   */
  note(note: NoteDraft): Promise<void>
  /** Records that personal data was shown: once per visit, or each time if no visit is given. */
  viewed(view: View, visit?: string): Promise<void>
  /**
   * Verifies the whole audit trail in slices, so that other calls are answered in between; reports the first, the
   * last and some of the other steps.
   */
  verify(progress: (verified: number, total: number) => void): Promise<Result<AuditVerdict, Failure>>
}

export interface TrailParts {
  readonly clock: Clock
  readonly operator: string
  history(): Result<HistoryStore, Failure>
  /** Called when a note could not be written. */
  onFailure(failure: Failure): void
  /** Where notes wait while no history is open; defaults to memory. */
  readonly early?: EarlyNotes
  /** Whether the open history can be written: on a full disk it is read-only. Defaults to true. */
  readonly writable?: () => boolean
  /** Whether the open history is permanent; defaults to true. */
  readonly lasting?: () => boolean
}

/** Maximum number of views remembered in this session; after that, a view may be recorded again. */
const maxViews = 1000
/** Milliseconds of the history's thread per step of a verification. */
const slice = 25
/** Milliseconds between two progress events: painting every step would use a large part of a processor. */
const progressInterval = 80

export function createAuditTrail(parts: TrailParts): AuditTrail {
  // A digest with a key of this process, because an applicant's id must not stay in memory.
  const digestKey = randomBytes(32)
  /** Views of this session, and when each was recorded. */
  const seen = new Map<string, Promise<void>>()

  /** Made while no history was open, as at every start: written with their own times as soon as one is. */
  const { early = rememberEarlyNotes() } = parts
  /** The history that they were written to. */
  let given: HistoryStore | undefined
  let turn: Promise<unknown> = Promise.resolve()

  async function write(note: AuditNote): Promise<void> {
    const store = parts.history()
    if (!store.ok || parts.writable?.() === false) {
      // The end of a session without a history is not an event for the next one.
      if (note.kind !== 'program.stopped') await early.add(note)
      return
    }
    const before = given === store.value ? [] : await early.all()
    given = store.value
    // The start of the console comes first, whatever was changed before the history was open.
    const notes = note.kind === 'program.started' ? [note, ...before] : [...before, note]
    let whole = true
    for (const each of notes) {
      const noted = await store.value.audit.note(each)
      whole &&= noted.ok
      if (!noted.ok) parts.onFailure(noted.failure)
    }
    // A session history is temporary: the notes wait for a permanent one.
    if (before.length > 0 && whole && (parts.lasting?.() ?? true)) await early.clear()
  }

  /** In the order of the actions, each with its own time. */
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
      const name = createHmac('sha256', digestKey)
        .update(JSON.stringify([visit, plain, about]))
        .digest('hex')
      const once = seen.get(name) ?? noted()
      // Moved to the end, so that views that are redrawn are remembered longest.
      seen.delete(name)
      seen.set(name, once)
      const [oldest] = seen.keys()
      if (seen.size > maxViews && oldest !== undefined) seen.delete(oldest)
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

/** The verdict of a finished verification. */
function verdictOf(
  step: Exclude<WalkStep, { readonly kind: 'more' }>,
  took: number,
  anchor?: { readonly seq: number; readonly at: number }
): AuditVerdict {
  if (step.kind === 'broken') return { intact: false, ...step.broken, took }
  const { seq, hash, opened, erased, tree } = step.state
  const root = rootOfSubtrees(tree)
  return { intact: true, events: seq, head: { seq, hash, root }, opened, erased, anchor, took }
}
