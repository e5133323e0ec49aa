/** What the history's worker offers for applicants and the catalogue, by the names that `applicants-port.ts` calls. */
import type {
  ApplicantListQuery,
  CatalogueQuery,
  DecisionDraft,
  DueDraft,
  QueueQuery,
  ReadingDraft,
  TimelineQuery
} from '#contract/applicants.ts'
import { failed, type Failure } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'
import type { Hand } from '#core/history/api/applicants.ts'
import type { Engine } from '#core/history/engine/engine.ts'
import type { Writer } from '#core/history/records/writer.ts'

type Answered = Result<unknown, Failure>
type Read = (job: (open: Engine) => Answered) => Promise<Answered>
type Write = (job: (open: Engine, writer: Writer) => Answered) => Promise<Answered>

export const applicantMethods = (write: Write, read: Read, readWhole: Read) => ({
  'applicants.list': (query: ApplicantListQuery) => read(({ applicants }) => ok(applicants.read.list(query))),
  'applicants.show': (applicantId: string) => read(({ applicants }) => applicants.read.show(applicantId)),
  'applicants.timeline': (query: TimelineQuery) => read(({ applicants }) => applicants.read.timeline(query)),
  'applicants.note': (applicantId: string, text: string, by: Hand) => write(({ applicants }, writer) => applicants.note(writer, applicantId, text, by)),
  'applicants.tag': (applicantId: string, tags: readonly string[], by: Hand) =>
    write(({ applicants }, writer) => applicants.tag(writer, applicantId, tags, by)),
  'applicants.link': (recordId: string, applicantId: string, by: Hand) =>
    write(({ applicants }, writer) => applicants.link(writer, recordId, applicantId, by)),
  'applicants.unlink': (recordId: string, by: Hand) => write(({ applicants }, writer) => applicants.unlink(writer, recordId, by)),
  'applicants.decide': (draft: DecisionDraft, by: Hand) => write(({ applicants }, writer) => applicants.decide(writer, draft, by)),
  'applicants.due': (draft: DueDraft, by: Hand) => write(({ applicants }, writer) => applicants.due(writer, draft, by)),
  'applicants.queue': (query: QueueQuery, now: number) => readWhole(({ queue }) => ok(queue.page(query, now))),
  'applicants.catalogue': (query: CatalogueQuery) => read(({ catalogue }) => ok(catalogue.page(query))),
  'applicants.readings': (id: number) => read(({ catalogue }) => (catalogue.has(id) ? ok(catalogue.readings(id)) : failed('message-missing'))),
  'applicants.read': (draft: ReadingDraft, by: Hand) => write(({ catalogue }, writer) => writer.catalogue.read(writer, catalogue, draft, by))
})
