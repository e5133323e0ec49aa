/** What the history's worker offers for the audit trail, by the names that `applicants-port.ts` calls. */
import type { AuditQuery } from '#contract/audit.ts'
import type { Failure } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'
import type { AuditNote } from '#core/history/api/audit-notes.ts'
import type { WalkTask } from '#core/history/api/audit-walk.ts'
import type { Engine } from '#core/history/engine/engine.ts'
import type { Writer } from '#core/history/records/writer.ts'

type Answered = Result<unknown, Failure>
type Read = (job: (open: Engine) => Answered) => Promise<Answered>
type Write = (job: (open: Engine, writer: Writer) => Answered) => Promise<Answered>

/** Milliseconds for which the worker reads on in one go. */
const slice = 25

export function auditMethods(write: Write, read: Read) {
  /** Proofs need the tree's tiles: they are read in slices, so that other calls are answered in between. */
  const proved = async (job: (open: Engine) => Answered): Promise<Answered> => {
    for (;;) {
      let cold = false
      const answer = await read((open) => {
        cold = !open.proofs.warm(slice)
        return cold ? ok(null) : job(open)
      })
      if (!cold) return answer
    }
  }
  return {
    'audit.note': (note: AuditNote) => write(({ audit }, writer) => audit.note(writer, note)),
    'audit.page': (query: AuditQuery) => read(({ audit }) => ok(audit.page(query))),
    'audit.head': () => proved(({ proofs }) => ok(proofs.head())),
    'audit.inclusion': (seq: number, size?: number) => proved(({ proofs }) => proofs.inclusion(seq, size)),
    'audit.consistency': (from: number, size?: number) => proved(({ proofs }) => proofs.consistency(from, size)),
    'audit.last': () => read((open) => ok(open.last)),
    'audit.anchors': () => read((open) => ok(open.anchors())),
    'audit.walk': (task: WalkTask) => read(({ walk }) => ok(walk.step(task)))
  }
}
