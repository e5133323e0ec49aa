/** The audit trail on the host's side: notes what people do, and has the whole trail verified. */
import type { AuditVerdict } from '#contract/audit.ts'
import type { Failure } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'
import type { Clock, HistoryStore } from '#core/ports.ts'
import type { AuditNote } from './notes.ts'
import { verdictOf, type WalkState } from './walk.ts'

export type NoteDraft = AuditNote extends infer Note ? (Note extends AuditNote ? Omit<Note, 'at' | 'operator'> : never) : never

export interface Trail {
  /** Notes what was done. Never fails: what was done is done, and a history that cannot take it says so elsewhere. */
  note(note: NoteDraft): Promise<void>
  /** Notes that the details of a record or an applicant were opened: once each while the history is open. */
  viewed(about: { readonly recordId: string } | { readonly applicantId: string }): Promise<void>
  /** Walks the whole trail in slices, so that other calls are answered in between. */
  verify(progress: (verified: number, total: number) => void): Promise<Result<AuditVerdict, Failure>>
}

export interface TrailParts {
  readonly clock: Clock
  readonly operator: string
  history(): Result<HistoryStore, Failure>
  /** Told where a note could not be written. */
  onFailure(failure: Failure): void
}

/** Milliseconds that the history's thread is kept by one stretch of a verification. */
const slice = 25
/** Notes that are remembered until a history is open. */
const mostEarly = 1000

export function createTrail(parts: TrailParts): Trail {
  let seen: { readonly store: HistoryStore; readonly views: Set<string> } | undefined

  /** Made while no history was open, as at every start: written with their own times as soon as one is. */
  let early: AuditNote[] = []

  const note = async (draft: NoteDraft): Promise<void> => {
    const full = { ...draft, at: parts.clock.now(), operator: parts.operator } as AuditNote
    const store = parts.history()
    if (!store.ok) {
      early = [...early, full].slice(-mostEarly)
      return
    }
    // A history begins with the start of the console, whatever was changed before it was open.
    const notes = full.kind === 'program.started' ? [full, ...early] : [...early, full]
    early = []
    for (const each of notes) {
      const noted = await store.value.audit.note(each)
      if (!noted.ok) parts.onFailure(noted.failure)
    }
  }

  return {
    note,
    async viewed(about) {
      const store = parts.history()
      if (!store.ok) return
      if (seen?.store !== store.value) seen = { store: store.value, views: new Set() }
      const name = 'recordId' in about ? `record ${about.recordId}` : `applicant ${about.applicantId}`
      if (seen.views.has(name)) return
      seen.views.add(name)
      await note({ kind: 'view.opened', plain: { what: 'recordId' in about ? 'record' : 'applicant' }, about })
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
      for (;;) {
        const step = await audit.walk({ from, until, known, slice })
        if (!step.ok) return step
        if (step.value.kind !== 'more') {
          progress(step.value.kind === 'whole' ? step.value.state.seq : step.value.broken.verified, until)
          return ok(verdictOf(step.value, parts.clock.monotonic() - started, anchor))
        }
        from = step.value.state
        progress(from.seq, until)
      }
    }
  }
}
