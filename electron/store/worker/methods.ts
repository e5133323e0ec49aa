/** The methods of the history's worker, and whether each reads or writes. */
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { mentionsOf } from '../erasure/mentions.ts'
import { retentionPlan } from '../erasure/retention-plan.ts'
import { checkCopy, destroyedIn, forgetIn, holdsOf, rewriteCopy } from '../copies/copies.ts'
import { holdRestored } from '../copies/restore-hold.ts'
import type { Engine } from '../engine/engine.ts'
import type { EngineOptions } from '#wire/history/engine-options.ts'
import type { Writer } from '../records/writer.ts'
import type { MasterKey } from '#kit/sealing/seal.ts'
import { needsColumns } from '../search/queries.ts'
import type { Served } from '#wire/rpc.ts'
import type { HistoryWorker } from '#wire/history/thread.ts'

type Answer<T> = Promise<Result<T, Failure>>
type Read = <T>(job: (open: Engine, options: EngineOptions) => Result<T, Failure>) => Answer<T>

/** How the methods access the open history. */
export interface Access {
  /** Committed together with the writes that arrive at the same time. */
  readonly write: <T>(job: (open: Engine, writer: Writer) => Result<T, Failure>) => Answer<T>
  readonly read: Read
  /** Like `read`, for the program's own work: nobody waits for the answer. */
  readonly readInBackground: Read
  /** Like `read`, after every record's columns have been loaded. */
  readonly readWhole: Read
  /** Loads the columns without waiting for a break in the writes. */
  readonly hurryColumns: () => void
}

/** Runs a step with a key that was sent to the worker. */
export type WithKey = <T>(sent: MasterKey, work: (key: MasterKey) => T) => T

/** Milliseconds that the worker reads without a break. */
const slice = 25

export function historyMethods({
  write,
  read,
  readInBackground,
  readWhole,
  hurryColumns,
  withKey
}: Access & { readonly withKey: WithKey }): Served<Omit<HistoryWorker, 'publicKey' | 'open' | 'close'>> {
  /** Reads what must be loaded first. It is loaded in slices, so that other calls are answered in between. */
  const sliced =
    (reads: Read, warm: (open: Engine) => boolean) =>
    async <T>(job: (open: Engine) => Result<T, Failure>): Answer<T> => {
      for (;;) {
        let cold = false
        const answer = await reads<T | undefined>((open) => {
          cold = !warm(open)
          return cold ? ok(undefined) : job(open)
        })
        if (!cold) return answer as Result<T, Failure>
      }
    }
  /** Proofs need the tree's tiles. */
  const proved = sliced(read, ({ proofs }) => proofs.warm(slice))
  /** A search by part of an ID needs all of them. */
  const byId = sliced(read, ({ applicantIds }) => !applicantIds.warm())
  const queued = sliced(readWhole, ({ queue }) => queue.warm(slice))
  return {
    begin: (intent) => write((_, writer) => writer.begin(intent)),
    finish: (id, ending) => write((_, writer) => writer.finish(id, ending)),
    resolve: (id, as, note, by) =>
      write(({ batches }, writer) => {
        const resolved = writer.resolve(id, as, note, by)
        if (resolved.ok) batches.follow(id)
        return resolved
      }),
    page: (query) => (needsColumns(query) ? readWhole : read)(({ queries }) => ok(queries.page(query))),
    counts: (filter) => readWhole(({ queries }) => ok(queries.counts(filter))),
    record: (id) =>
      read(({ queries, applicants, documents }) => {
        const record = queries.record(id)
        if (!record.ok) return record
        const kept = documents.kept(id, record.value.documents)
        return ok({ ...record.value, applicant: applicants.read.ofRecord(id), ...(kept && { documents: kept }) })
      }),
    overview: {
      show: (period) => {
        // Until they are loaded, it is asked for again and again.
        hurryColumns()
        return read(({ overview }) => ok(overview.show(period)))
      },
      waiting: (now) => queued(({ overview }) => ok(overview.waiting(now)))
    },
    documents: {
      seen: (connectionId, files) =>
        read(({ queries, applicants }) =>
          ok(
            files.map((sha256) =>
              queries
                .seeing(connectionId, sha256)
                .map((found) => ({ ...found, applicantId: applicants.read.ofRecord(found.recordId)?.id }))
            )
          )
        ),
      note: (recordId, field, document, by) =>
        write(({ documents }, writer) => documents.note(writer, recordId, field, document, by))
    },
    earlier: (same, since) => read(({ queries }) => ok(queries.earlier(same, since))),
    verifyChain: () => read((open) => ok(open.verify())),
    integrity: () => read((open) => ok(open.integrity())),
    batches: {
      create: (draft) => write(({ batches }) => batches.create(draft)),
      add: (id, rows, recentDuplicates) => write(({ batches }) => batches.add(id, rows, recentDuplicates)),
      seal: (id) => write(({ batches }, writer) => batches.seal(id, writer)),
      discard: (id) => write(({ batches }) => batches.discard(id)),
      again: (id, by) => write(({ batches }, writer) => batches.again(id, by, writer)),
      steps: (steps) =>
        Promise.all(steps.map(([id, step]) => write(({ batches }, writer) => batches.step(id, step, writer)))),
      setState: (id, state, by, reason) =>
        write(({ batches }, writer) => batches.setState(id, state, by, reason, writer)),
      resolve: (id, rows, as, by) => write(({ batches }, writer) => batches.resolve(id, rows, as, by, writer)),
      show: (id) => read(({ batches }) => batches.read.show(id)),
      draft: (id) => read(({ batches }) => batches.read.draft(id)),
      failed: (id) => read(({ batches }) => batches.failed(id)),
      recentDuplicates: (of, checks, since) =>
        read(({ queries }) =>
          ok(checks.map((input) => ['answered', 'sent'].includes(queries.earlier({ ...of, input }, since)?.kind ?? '')))
        ),
      unfinished: (of) => read(({ batches }) => ok(batches.read.unfinished(of))),
      list: (query) => read(({ batches }) => ok(batches.read.list(query))),
      rows: (query) => read(({ batches }) => batches.read.rows(query)),
      results: (id, wanted) => read(({ batches }) => batches.read.results(id, wanted)),
      take: (id, after, limit, to) => readInBackground(({ batches }) => batches.read.take(id, after, limit, to))
    },
    sharedBatches: {
      give: (id, after, limit, by) =>
        write(({ batchSharing }, writer) => batchSharing.give(id, after, limit, by, writer)),
      last: (id) => read(({ batchSharing }) => batchSharing.last(id)),
      share: (id, terms, by, last) =>
        write(({ batchSharing }, writer) => batchSharing.share(id, terms, by, last, writer)),
      join: (id, draft) => write(({ batchSharing }, writer) => batchSharing.join(id, draft, writer)),
      lease: (id, rows) => write(({ batchSharing }) => batchSharing.lease(id, rows)),
      withdraw: (id, row) => write(({ batchSharing }) => batchSharing.withdraw(id, row)),
      claim: (id, claim, by) => write(({ batchSharing }, writer) => batchSharing.claim(id, claim, by, writer)),
      begun: (id, from, to) => read(({ batchSharing }) => batchSharing.begun(id, from, to)),
      closed: (id, from, to) => read(({ batchSharing }) => batchSharing.closed(id, from, to)),
      release: (id) => write(({ batchSharing }) => batchSharing.release(id))
    },
    applicants: {
      list: (query) => (query.search ? byId : read)(({ applicants }) => ok(applicants.read.list(query))),
      matching: (query) => (query.search ? byId : read)(({ applicants }) => ok(applicants.read.matching(query))),
      show: (applicantId) => read(({ applicants }) => applicants.read.show(applicantId)),
      timeline: (query) => read(({ applicants }) => applicants.read.timeline(query)),
      answers: (applicantId) => read(({ applicants }) => applicants.read.answers(applicantId)),
      note: (applicantId, text, by) =>
        write(({ applicants }, writer) => applicants.note(writer, applicantId, text, by)),
      tag: (applicantId, tags, by) => write(({ applicants }, writer) => applicants.tag(writer, applicantId, tags, by)),
      changeMany: (draft, by) => write(({ applicants }, writer) => applicants.changeMany(writer, draft, by)),
      link: (recordId, applicantId, by) =>
        write(({ applicants }, writer) => applicants.link(writer, recordId, applicantId, by)),
      unlink: (recordId, by) => write(({ applicants }, writer) => applicants.unlink(writer, recordId, by)),
      decide: (draft, by) => write(({ applicants }, writer) => applicants.decide(writer, draft, by)),
      decisions: (applicantId) => read(({ applicants }) => ok(applicants.read.decisions(applicantId))),
      decisionsOf: (applicantIds) =>
        read(({ applicants }) => ok(applicantIds.map((applicantId) => applicants.read.decisions(applicantId)))),
      due: (draft, by) => write(({ applicants }, writer) => applicants.due(writer, draft, by)),
      assign: (draft, by) => write(({ applicants }, writer) => applicants.assign(writer, draft, by)),
      // The counts need no item.
      queue: (query, now) => (query.limit === 0 ? readWhole : queued)(({ queue }) => ok(queue.page(query, now))),
      queueMatching: (filter, now) => queued(({ queue }) => ok(queue.matching(filter, now))),
      catalogue: (query) => read(({ catalogue }) => ok(catalogue.page(query))),
      messageOf: (recordId) => read(({ catalogue }) => catalogue.ofRecord(recordId)),
      readings: (id) =>
        read(({ catalogue }) => (catalogue.has(id) ? ok(catalogue.readings(id)) : failed('message-missing'))),
      read: (draft, by) => write(({ catalogue }, writer) => writer.catalogue.read(writer, catalogue, draft, by))
    },
    approvals: {
      ask: (draft, by) => write(({ approvals }, writer) => approvals.ask(writer, draft, by)),
      answer: (draft, by) => write(({ approvals }, writer) => approvals.answer(writer, draft, by)),
      receive: (answers, by) => write(({ approvals }, writer) => approvals.receive(writer, answers, by)),
      own: (task) => read(({ approvals }) => ok(approvals.own(task)))
    },
    audit: {
      note: (note) => write(({ audit }, writer) => audit.note(writer, note)),
      page: (query) => read(({ audit }) => ok(audit.page(query))),
      head: () => proved(({ proofs }) => ok(proofs.head())),
      inclusion: (seq, size) => proved(({ proofs }) => proofs.inclusion(seq, size)),
      consistency: (from, size) => proved(({ proofs }) => proofs.consistency(from, size)),
      last: () => read((open) => ok(open.last)),
      anchors: () => read((open) => ok(open.anchors())),
      walk: (task) => read(({ walk }) => ok(walk.step(task)))
    },
    backup: {
      since: (head) => read((open) => ok(open.since(head) ?? null)),
      snapshot: async (folder) => {
        let taking: Answer<null> | undefined
        const begun = await read<null>(({ snapshots }, options) => {
          if (options.masterKey === undefined) return failed('history-not-on-file')
          taking = snapshots.take(options.folder, folder)
          return ok(null)
        })
        return taking ?? begun
      }
    },
    exports: {
      records: (filter, after, limit) =>
        readWhole(({ queries, reader, applicants }) => {
          const page = queries.page({ filter, after, limit })
          return ok({
            records: page.records
              .map(({ seq, id }) => ({ ...reader.detail(seq), applicant: applicants.read.ofRecord(id) }))
              .reverse(),
            more: page.newer
          })
        }),
      chosen: (ids) =>
        read(({ reader, applicants }) => {
          const seqs = ids.flatMap((id) => reader.seq(id) ?? [])
          return ok(
            seqs
              .map((seq) => reader.detail(seq))
              .map((record) => ({ ...record, applicant: applicants.read.ofRecord(record.id) }))
          )
        })
    },
    evidence: {
      make: async (request) => {
        const made = await write(({ packs }, writer) => packs.begin(request, writer))
        return made.ok ? proved(({ packs }) => packs.collect(made.value)) : made
      },
      differing: (events) => read(({ cases }) => ok(cases.differing(events))),
      addCase: (signed, operator, at) => write(({ cases }, writer) => cases.addCase(signed, operator, at, writer)),
      author: (about, until) => read(({ cases }) => ok(cases.author(about, until))),
      cases: () => read(({ cases }) => ok(cases.list()))
    },
    exchange: {
      connections: () => read(({ outgoing }) => ok(outgoing.connections())),
      read: (task) => read((open) => ok(open.outgoing.page(task, open.last))),
      subjects: (numbers) => read(({ outgoing }) => ok(outgoing.subjectsOf(numbers))),
      claims: (task) => read(({ ownQueue }) => ok(ownQueue.claims(task))),
      present: (applicantIds) => read(({ ownQueue }) => ok(ownQueue.present(applicantIds))),
      records: (which) => read(({ ownQueue }) => ok(ownQueue.records(which))),
      work: (from, until) => read(({ outgoing }) => ok(outgoing.work(from, until)))
    },
    erasure: {
      scope: (applicantId) => read(({ erasure }) => erasure.scope(applicantId)),
      mentions: (applicantId, gone) => read((engine) => ok(mentionsOf(engine, applicantId, gone))),
      scopeOf: (subjects) => read(({ erasure }) => ok(erasure.scopeOf(subjects))),
      intend: (intent) => read(({ erasure }) => erasure.intend(intent)),
      intended: () => read(({ erasure }) => ok(erasure.intended())),
      abandon: (id) => read(({ erasure }) => erasure.abandon(id)),
      erase: (order) =>
        read(({ erasure, snapshots, queue, applicantIds }) => {
          if (snapshots.busy) return failed('erasure-copies', { reason: 'backup-in-progress' })
          queue.forget()
          applicantIds.forget()
          return erasure.erase(order)
        }),
      uncleared: () => read(({ erasure }) => ok(erasure.uncleared())),
      alive: (digests) => read(({ dbs }) => ok(destroyedIn(dbs.subjects, digests).length)),
      clearing: (id, held) => read(({ erasure }) => erasure.clearing(id, held)),
      cleared: (id, copies) => read(({ erasure }) => erasure.cleared(id, copies)),
      receipts: () => read(({ erasure }) => ok(erasure.receipts())),
      plan: (rules, now) => read((engine) => ok(retentionPlan(engine, rules, now))),
      holds: () => read(({ erasure }) => ok(erasure.holds.list())),
      hold: (applicantId, held, order) =>
        write(({ erasure }, writer) => {
          const set = erasure.holds.set(applicantId, held, order, writer)
          return set.ok ? ok(erasure.holds.list()) : set
        })
    },
    copies: {
      rewrite: (from, to, sent) => withKey(sent, (key) => rewriteCopy(from, to, key)),
      check: (folder, sent) => withKey(sent, (key) => checkCopy(folder, key)),
      holds: (file, sent, digests) => withKey(sent, (key) => holdsOf(file, key, digests)),
      hold: (order) => withKey(order.masterKey, (masterKey) => holdRestored({ ...order, masterKey })),
      forget: (file, sent, digests) => withKey(sent, (key) => forgetIn(file, key, digests))
    }
  }
}
