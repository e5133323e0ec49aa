/** The methods of the history's worker, and whether each reads or writes. */
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { MatchingApplicantsQuery, TimelineEntry } from '#contract/applicants/applicants.ts'
import { needsFacts } from '../applicants/reader.ts'
import { mentionsOf } from '../erasure/mentions.ts'
import { seenWith, type DocumentCopies } from '../records/document-copies.ts'
import { retentionDue, retentionPlan } from '../erasure/retention-plan.ts'
import { checkCopy, destroyedIn, forgetIn, holdsOf, namesAmong, rewriteCopy } from '../copies/copies.ts'
import { holdRestored } from '../copies/restore-hold.ts'
import type { Engine } from '../engine/engine.ts'
import type { MasterKey } from '#kit/sealing/seal.ts'
import { readSearch } from '#contract/history/search-query.ts'
import type { HistoryFilter } from '#contract/history/queries.ts'
import { needsColumns } from '../search/queries.ts'
import type { Served } from '#wire/rpc.ts'
import type { HistoryWorker } from '#wire/history/thread.ts'
import { reading, writing, type Answer, type Job, type Read, type Write } from './serving.ts'

/** How the methods access the open history. */
export interface Access {
  readonly write: Write
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
/** Milliseconds after which an answer that is still counted says how far that is. */
const patience = 200

type Methods = Served<Omit<HistoryWorker, 'publicKey' | 'open' | 'close'>>

/** How methods read and write: what must be loaded before, and by name of a part's own methods. */
interface Ways extends Access {
  readonly withKey: WithKey
  readonly readQueued: Read
  readonly readProved: Read
  readonly sliced: (warm: (open: Engine) => boolean, from?: Read) => Read
  readonly reads: ReturnType<typeof reading>
  readonly writes: ReturnType<typeof writing>
}

function waysOf(access: Access & { readonly withKey: WithKey }): Ways {
  const { read, readWhole, write } = access
  /** Reads what must be loaded first. It is loaded in slices, so that other calls are answered in between. */
  const sliced =
    (from: Read, warm: (open: Engine) => boolean): Read =>
    async <T>(job: Job<T>): Answer<T> => {
      for (;;) {
        let cold = false
        const answer = await from<T | undefined>((open, options) => {
          cold = !warm(open)
          return cold ? ok(undefined) : job(open, options)
        })
        if (!cold) return answer as Result<T, Failure>
      }
    }
  /** Proofs need the tree's tiles. */
  const readProved = sliced(read, ({ proofs }) => proofs.warm(slice))
  const readQueued = sliced(readWhole, ({ queue }) => queue.warm(slice))
  return {
    ...access,
    readQueued,
    readProved,
    sliced: (warm, from = read) => sliced(from, warm),
    reads: reading(read),
    writes: writing(write)
  }
}

/** Whether what a search of records needs is in memory: for a phrase, the names of applicants. */
const isReady = ({ search }: HistoryFilter, { nameSearch }: Engine): boolean =>
  readSearch(search).phrases.length === 0 || !nameSearch.warm()

/** Records, their documents, and what is shown of all of them. */
function recordMethods({
  write,
  read,
  readWhole,
  sliced,
  reads,
  writes,
  hurryColumns
}: Ways): Pick<
  Methods,
  | 'integrity'
  | 'earlier'
  | 'counts'
  | 'begin'
  | 'finish'
  | 'resolve'
  | 'page'
  | 'record'
  | 'verifyChain'
  | 'overview'
  | 'documents'
> {
  /** Reads for a while in slices what is not in memory, and then says how far it is. */
  const counted = async <T extends { readonly kind: 'counting' | 'counted' }>(of: (open: Engine) => T): Answer<T> => {
    hurryColumns()
    const until = performance.now() + patience
    for (;;) {
      const answer = await read((open) => ok(of(open)))
      if (!answer.ok || answer.value.kind === 'counted' || performance.now() >= until) return answer
    }
  }
  return {
    ...reads((open) => open, 'integrity'),
    ...reads(({ queries }) => queries, 'earlier'),
    counts: (filter) => sliced((open) => isReady(filter, open), readWhole)(({ queries }) => ok(queries.counts(filter))),
    begin: (intent) => write((_, writer) => writer.begin(intent)),
    finish: (id, ending) => write((_, writer) => writer.finish(id, ending)),
    resolve: (id, as, note, by) =>
      write(({ batches }, writer) => {
        const resolved = writer.resolve(id, as, note, by)
        if (resolved.ok) batches.follow(id)
        return resolved
      }),
    page: (query) => {
      const of = needsColumns(query) ? readWhole : read
      return sliced((open) => isReady(query.filter, open), of)(({ queries }) => ok(queries.page(query)))
    },
    record: (id) =>
      read(({ queries, applicants, documents, copies }) => {
        const record = queries.record(id)
        if (!record.ok) return record
        const kept = copies.kept(id)
        const seen = seenWith(kept, documents.kept(id, record.value.documents))
        return ok({
          ...record.value,
          applicant: applicants.read.ofRecord(id),
          ...(Object.keys(seen).length > 0 && { documents: seen }),
          ...(Object.keys(kept).length > 0 && { copies: kept })
        })
      }),
    verifyChain: () => read((open) => ok(open.verify())),
    overview: {
      ...reading(readWhole)(({ overview }) => overview, 'waiting'),
      reviews: (now, { from, until }) =>
        read(({ overview }) => ok({ ...overview.reviews(now), ...overview.reviewed(from, until) })),
      show: (period, connection) => {
        // Until they are loaded, it is asked for again and again.
        hurryColumns()
        return read(({ overview }) => ok(overview.show(period, connection)))
      },
      decisions: (query, now) => counted(({ decisions }) => decisions.figures(query, now, slice)),
      colleagues: (page) => read(({ decisions }) => ok(decisions.colleagues(page))),
      decisionList: (query, now) => counted(({ decisions }) => decisions.list(query, now, slice)),
      month: (from, until) =>
        read(({ overview, erasure, last }) =>
          ok({ ...overview.month(from, until), holds: erasure.holds.all().length, head: last })
        )
    },
    documents: {
      ...writes(({ documents }) => documents, 'note'),
      ...writes(({ copies }) => copies, 'keep', 'missed'),
      ...reads(({ copies }) => copies, 'keys', 'keysOf', 'file', 'named', 'amount'),
      ...reads(({ wantedCopies }) => wantedCopies, 'wanted', 'ofRow'),
      ...writes(({ documentFiles }) => documentFiles, 'checked', 'compared'),
      ...reads(({ documentFiles }) => documentFiles, 'namesIn', 'filesOf', 'toCheck', 'condition', 'typical'),
      seen: (connectionId, files) =>
        read(({ queries, applicants }) =>
          ok(
            files.map((sha256) =>
              queries
                .seeing(connectionId, sha256)
                .map((found) => ({ ...found, applicantId: applicants.read.ofRecord(found.recordId)?.id }))
            )
          )
        )
    }
  }
}

/** An entry of a timeline with the copies of its documents. */
function withCopies(entry: TimelineEntry, copies: DocumentCopies): TimelineEntry {
  const kept = entry.kind === 'check' ? copies.kept(entry.record.id) : {}
  return entry.kind === 'check' && Object.keys(kept).length > 0
    ? { ...entry, record: { ...entry.record, copies: kept } }
    : entry
}

/** Batches, those of a team included. */
function batchMethods({
  write,
  read,
  readInBackground,
  sliced,
  reads,
  writes
}: Ways): Pick<Methods, 'batches' | 'sharedBatches'> {
  return {
    batches: {
      ...writes(({ batches }) => batches, 'create', 'add', 'seal', 'discard', 'again', 'setState', 'resolve'),
      ...reads(({ batches }) => batches, 'againCounts', 'copiesKept'),
      ...reads(({ batches }) => batches.read, 'show', 'draft', 'unfinished', 'list', 'results'),
      rows: (query) =>
        sliced(({ rowPages }) => rowPages.warmRows(query, slice))(({ rowPages }) => rowPages.rows(query)),
      messages: (id) =>
        sliced(({ rowPages }) => rowPages.warmMessages(id, slice))(({ rowPages }) => rowPages.messages(id)),
      ...reading(readInBackground)(({ batches }) => batches.read, 'take'),
      steps: (steps) =>
        Promise.all(steps.map(([id, step]) => write(({ batches }, writer) => batches.step(writer, id, step)))),
      recentDuplicates: (of, checks, since) =>
        read(({ queries }) =>
          ok(checks.map((input) => ['answered', 'sent'].includes(queries.earlier({ ...of, input }, since)?.kind ?? '')))
        )
    },
    sharedBatches: {
      ...writes(({ batchSharing }) => batchSharing, 'give', 'share', 'join', 'accept', 'withdraw', 'claim', 'release'),
      ...reads(({ batchSharing }) => batchSharing, 'last', 'begun', 'closed')
    }
  }
}

/** Whether what a list of applicants needs is in memory: for a search all IDs, names and tags, for most filters what they filter by. */
const warmFor = (query: MatchingApplicantsQuery, { applicantIds, applicantFacts, nameSearch }: Engine): boolean => {
  if (query.search && (applicantIds.warm() || nameSearch.warm())) return false
  return !(query.search || needsFacts(query)) || applicantFacts.warm(slice)
}

/** Applicants, what waits, readings of messages, approvals. */
function personMethods({
  write,
  read,
  readWhole,
  readQueued,
  sliced,
  reads,
  writes
}: Ways): Pick<Methods, 'applicants' | 'queue' | 'catalogue' | 'approvals'> {
  const listing = (query: MatchingApplicantsQuery): Read => sliced((open) => warmFor(query, open))
  return {
    applicants: {
      ...writes(
        ({ applicants }) => applicants,
        ...([
          'note',
          'tag',
          'changeMany',
          'enterMany',
          'link',
          'unlink',
          'decide',
          'decideMany',
          'due',
          'relate',
          'rate',
          'expiry',
          'review',
          'challenge',
          'assign'
        ] as const)
      ),
      ...reads(({ applicants }) => applicants.read, 'show', 'statuses', 'alike', 'answers', 'decisions', 'decisionsOf'),
      timeline: (query) =>
        read(({ applicants, copies }) => {
          const page = applicants.read.timeline(query)
          return page.ok
            ? ok({ ...page.value, entries: page.value.entries.map((each) => withCopies(each, copies)) })
            : page
        }),
      mapNames: async (fields) => {
        let isSame = false
        const same = await read(({ writer }) => ok((isSame = writer.names.areFrom(fields))))
        if (!same.ok || isSame) return same.ok ? ok(false) : same
        const mapped = await write((_, writer) => ok(writer.names.map(fields)))
        if (!mapped.ok) return mapped
        for (;;) {
          const more = await write(({ reader }, writer) => ok(writer.names.derive(reader.replyBody)))
          if (!more.ok) return more
          if (!more.value) break
        }
        return read(({ queue }) => {
          queue.forget()
          return ok(true)
        })
      },
      ...reads(({ applicants }) => applicants, 'weigh', 'compare'),
      list: (query, now) => listing(query)(({ applicants }) => ok(applicants.read.list(query, now))),
      matching: (query, now) => listing(query)(({ applicants }) => ok(applicants.read.matching(query, undefined, now))),
      counts: (query, now) =>
        sliced((open) => warmFor({ ...query, withoutDetails: true }, open))(({ applicants }) =>
          ok(applicants.read.counts(query, now))
        )
    },
    queue: {
      ...reading(readQueued)(({ queue }) => queue, 'matching'),
      waiting: (names, now, days) => readQueued(({ queue }) => ok(queue.waiting(names, now, days))),
      // The counts of the whole queue need no item.
      page: (query, now, days) =>
        (query.limit === 0 && !query.filter ? readWhole : readQueued)(({ queue }) => ok(queue.page(query, now, days)))
    },
    catalogue: {
      ...reads(({ catalogue }) => catalogue, 'page', 'ofRecord', 'readings'),
      read: (drafts, by) => write(({ catalogue }, writer) => writer.catalogue.readAll(writer, catalogue, drafts, by)),
      waiting: (ids) => readQueued(({ queue }) => ok(queue.showing(ids))),
      newest: (applicantIds) => readQueued(({ catalogue, queue }) => ok(catalogue.rowsOf(queue.newest(applicantIds))))
    },
    approvals: {
      ...writes(({ approvals }) => approvals, 'ask', 'answer', 'receive'),
      ...reads(({ approvals }) => approvals, 'own', 'askOf')
    }
  }
}

/** The audit trail, and what leaves the history. */
function trailMethods({
  write,
  read,
  readWhole,
  readProved,
  reads,
  writes
}: Ways): Pick<Methods, 'audit' | 'backup' | 'exports' | 'evidence' | 'exchange'> {
  return {
    audit: {
      ...writes(({ audit }) => audit, 'note'),
      ...reads(({ audit }) => audit, 'page', 'after'),
      ...reading(readProved)(({ proofs }) => proofs, 'head', 'inclusion', 'consistency'),
      ...reads((open) => open, 'anchors'),
      last: () => read((open) => ok(open.last)),
      walk: (task) => read(({ walk }) => ok(walk.step(task)))
    },
    backup: {
      ...reads((open) => open, 'since'),
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
        return made.ok ? readProved(({ packs }) => packs.collect(made.value)) : made
      }
    },
    exchange: {
      ...reads(({ outgoing }) => outgoing, 'connections', 'subjects', 'work'),
      ...reads(({ ownQueue }) => ownQueue, 'claims', 'present', 'records'),
      read: (task) => read((open) => ok(open.outgoing.page(task, open.last)))
    }
  }
}

/** Erasure here and in copies. */
function erasureMethods({ write, read, reads, withKey }: Ways): Pick<Methods, 'erasure' | 'copies'> {
  return {
    // What changes here does so in transactions of its own, between the groups of writes.
    erasure: {
      ...reads(({ erasure }) => erasure, 'scope', 'scopeOf', 'intended', 'uncleared', 'receipts'),
      ...reads(({ erasure }) => erasure, 'intend', 'abandon', 'clearing', 'cleared'),
      mentions: (applicantId, gone) => read((engine) => ok(mentionsOf(engine, applicantId, gone))),
      erase: (order) =>
        read(
          ({ erasure, snapshots, queue, rowPages, applicantIds, applicantFacts, decisions, nameSearch, catalogue }) => {
            if (snapshots.busy) return failed('erasure-copies', { reason: 'backup-in-progress' })
            queue.forget()
            rowPages.forget()
            applicantIds.forget()
            applicantFacts.forget()
            decisions.forget()
            nameSearch.forget()
            catalogue.forget()
            return erasure.erase(order)
          }
        ),
      alive: (digests) => read(({ dbs }) => ok(destroyedIn(dbs.subjects, digests).length)),
      plan: (rules, now, retained) => read((engine) => ok(retentionPlan(engine, rules, now, retained))),
      due: (years, now) => read((engine) => ok(retentionDue(engine, years, now))),
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
      names: (folder, sent, files) => withKey(sent, (key) => namesAmong(folder, key, files)),
      hold: (order) => withKey(order.masterKey, (masterKey) => holdRestored({ ...order, masterKey })),
      forget: (file, sent, digests) => withKey(sent, (key) => forgetIn(file, key, digests))
    }
  }
}

export function historyMethods(access: Access & { readonly withKey: WithKey }): Methods {
  const ways = waysOf(access)
  return {
    ...recordMethods(ways),
    ...batchMethods(ways),
    ...personMethods(ways),
    ...trailMethods(ways),
    ...erasureMethods(ways)
  }
}
