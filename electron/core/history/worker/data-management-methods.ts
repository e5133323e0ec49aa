/** What the history's worker offers to keep, to prove and to let go, by the names that `keeping-port.ts` calls. */
import type { EvidenceAbout } from '#contract/evidence.ts'
import { failed, type Failure } from '#contract/failures.ts'
import type { HistoryFilter } from '#contract/records.ts'
import { ok, type Result } from '#contract/result.ts'
import type { RestoreOrder } from '#core/history/api/backup.ts'
import type { SignedCase } from '#core/history/api/evidence.ts'
import type { ClearedCopies, ErasureIntent, ErasureOrder, Order, RetentionRules } from '#core/history/api/erasure.ts'
import { checkCopy, destroyedIn, forgetIn, holdsOf, rewriteCopy } from '#core/history/copies/copies.ts'
import type { Engine } from '#core/history/engine/engine.ts'
import type { EngineOptions } from '#core/history/engine/opening.ts'
import { mentionsOf } from '#core/erasure/store/mentions.ts'
import { holdRestored } from '#core/history/copies/restore-hold.ts'
import { retentionPlan } from '#core/erasure/store/retention-plan.ts'
import type { Writer } from '#core/history/records/writer.ts'

type Answered = Result<unknown, Failure>
type Ask = (job: (open: Engine, options: EngineOptions) => Answered) => Promise<Answered>
type Do = (job: (open: Engine, writer: Writer) => Answered) => Promise<Answered>

export const dataManagementMethods = (write: Do, read: Ask, readWhole: Ask) => ({
  'backup.snapshot': async (folder: string) => {
    let taking: Promise<Answered> | undefined
    const begun = await read(({ snapshots }, options) => {
      if (options.masterKey === undefined) return failed('keeping-not-on-file')
      taking = snapshots.take(options.folder, folder)
      return ok(null)
    })
    return taking ?? begun
  },
  'export.records': (filter: HistoryFilter, after: number, limit: number) =>
    readWhole(({ queries, reader, applicants }) => {
      const page = queries.page({ filter, after, limit })
      return ok({ records: page.records.map(({ seq, id }) => ({ ...reader.detail(seq), applicant: applicants.read.ofRecord(id) })).reverse(), more: page.newer })
    }),
  'evidence.collect': (about: EvidenceAbout) => read(({ evidence }) => evidence.collect(about)),
  'evidence.differing': (events: readonly { readonly seq: number; readonly hash: string }[]) => read(({ evidence }) => ok(evidence.differing(events))),
  'evidence.addCase': (signed: SignedCase, operator: string, at: number) => write(({ evidence }, writer) => evidence.addCase(signed, operator, at, writer)),
  'evidence.author': (about: EvidenceAbout, until: number) => read(({ evidence }) => ok(evidence.author(about, until))),
  'evidence.cases': () => read(({ evidence }) => ok(evidence.cases())),
  'erasure.scope': (applicantId: string) => read(({ erasure }) => erasure.scope(applicantId)),
  'erasure.scopeOf': (subjects: readonly number[]) => read(({ erasure }) => ok(erasure.scopeOf(subjects))),
  'erasure.mentions': (applicantId: string, gone: readonly number[]) => read((engine) => ok(mentionsOf(engine, applicantId, gone))),
  'erasure.erase': (order: ErasureOrder) =>
    read(({ erasure, snapshots }) => (snapshots.busy ? failed('erasure-copies', { reason: 'backup-in-progress' }) : erasure.erase(order))),
  'erasure.intend': (intent: Omit<ErasureIntent, 'id'>) => read(({ erasure }) => erasure.intend(intent)),
  'erasure.intended': () => read(({ erasure }) => ok(erasure.intended())),
  'erasure.abandon': (id: string) => read(({ erasure }) => erasure.abandon(id)),
  'erasure.uncleared': () => read(({ erasure }) => ok(erasure.uncleared())),
  'erasure.alive': (digests: readonly string[]) => read(({ dbs }) => ok(destroyedIn(dbs.subjects, digests).length)),
  'erasure.clearing': (id: string, held: readonly string[]) => read(({ erasure }) => erasure.clearing(id, held)),
  'erasure.cleared': (id: string, copies: ClearedCopies) => read(({ erasure }) => erasure.cleared(id, copies)),
  'erasure.receipts': () => read(({ erasure }) => ok(erasure.receipts())),
  'retention.plan': (rules: RetentionRules, now: number) => read((engine) => ok(retentionPlan(engine, rules, now))),
  'holds.list': () => read(({ erasure }) => ok(erasure.holds.list())),
  'holds.set': (applicantId: string, held: boolean, order: Order) =>
    write(({ erasure }, writer) => {
      const set = erasure.holds.set(applicantId, held, order, writer)
      return set.ok ? ok(erasure.holds.list()) : set
    }),
  // Those below are asked of a worker that has no history open: they work on files that are not the present ones.
  'copy.rewrite': (from: string, to: string, masterKey: string) => rewriteCopy(from, to, masterKey),
  'copy.check': (folder: string, masterKey: string) => checkCopy(folder, masterKey),
  'copy.holds': (file: string, masterKey: string, digests: readonly string[]) => holdsOf(file, masterKey, digests),
  'copy.hold': (order: RestoreOrder) => holdRestored(order),
  'copy.forget': (file: string, masterKey: string, digests: readonly string[]) => forgetIn(file, masterKey, digests)
})
