/**
 * The events that can be in a pack, with what they contain. The tables in docs/evidence-format.md are generated from this.
 * A new kind of event, and a new entry of a payload, does not compile until it is listed here.
 */
import type { EventKind } from '#contract/evidence/event-kinds.ts'
import { recordContextValues } from '#contract/history/record-context.ts'
import type { ErasedPlain, ErasedSealed } from '#wire/history/erasure.ts'
import type { PackPlain, PackSealed } from '#wire/history/evidence.ts'
import type {
  AnsweredPlain,
  AnsweredSealed,
  AnswerReceivedPlain,
  AskedPlain,
  AskedSealed,
  ByPlain,
  ChecklistPlain,
  DecisionPlain,
  DecisionSealed,
  DuePlain,
  NotedSealed,
  NoteSealed,
  ExpirySealed,
  RelationshipPlain,
  ReviewPlain,
  ReviewSealed,
  RiskPlain,
  TagsSealed
} from '#wire/history/applicant-payloads.ts'
import type { KeptPlain, KeptSealed, MissedPlain } from '#wire/history/copies.ts'
import type {
  BegunPlain,
  BegunSealed,
  BodySealed,
  EndedPlain,
  EndedSealed,
  ResolvedPlain,
  ResolvedSealed
} from '#wire/history/record-payloads.ts'

/** Names of entries with their type and meaning. */
export type Entries<T = Readonly<Record<string, unknown>>> = Readonly<Record<keyof T & string, string>>

export interface PackKind {
  readonly plain: Readonly<Record<string, string>>
  readonly sealed: Readonly<Record<string, string>>
}

const operator = 'text, as in `record.begun`'
const by = { operator } satisfies Entries<ByPlain>
const named = 'installation, number of the event there, hash of the event'
/** Of an answer to a request for approval. */
const signed = {
  scope: 'text: what the signature is for: fingerprint of the team, or origin of the audit trail that asks',
  agrees: 'true or false',
  salt: 'salt of the digest of the reviewer’s name, 16 bytes, hex',
  signer: 'public key of the reviewer',
  signature: 'signature of the reviewer, hex; see Approvals'
}

const checklist =
  'the checklist that was answered: `ref` of its `checklist.noted`, and whether all its items are answered (`complete`); may be absent'
const checks =
  'object: the answer to each item of the checklist by its code, `yes`, `no` or `not-applicable`; a tick is `yes`; may be absent'

/** By kind of event; null if events of this kind are not in packs. */
export const packKinds: Readonly<Record<EventKind, PackKind | null>> = {
  'connection.noted': {
    plain: {
      ref: 'number of the connection in this audit trail',
      snapshot: 'text: the JSON of the connection as it was: `id`, `name`, `origin`, `mode`, and its colour and mark'
    },
    sealed: {}
  },
  'record.begun': {
    plain: {
      id: 'text: ID of the record, a UUID',
      operation: 'text: ID of the operation',
      connection: 'number: `ref` of its `connection.noted`',
      ...recordContextValues,
      rerunOf: 'text: ID of the record that it repeats; may be absent',
      batchId: 'text: ID of its batch; may be absent',
      batchRow: 'number: its row in a batch that a team shares; may be absent'
    } satisfies Entries<BegunPlain>,
    sealed: {
      input: 'object: what was sent, a text for each field',
      applicantId: 'text: ID of the applicant; may be absent',
      documents:
        'object: for each field whose link was checked before, `type`, `bytes` and `sha256` of the document behind it, and the time of the check (`at`); may be absent',
      corrections:
        'list: for each cell of its row in a batch that a person corrected, `column`, what the file said (`said`), `value`, time (`at`) and operator (`by`); may be absent'
    } satisfies Entries<BegunSealed>
  },
  'record.ended': {
    plain: {
      outcome: 'text: `answered`, `invalid-response`, `not-sent` or `unknown`',
      took: 'number: milliseconds, with a fraction; may be absent',
      failureCode: 'text: why there is no answer; may be absent',
      reply:
        'object, null without a response: `status` and `bytes` are numbers, `truncated` is true or false, and `values` is the digest of the values of the response.'
    } satisfies Entries<EndedPlain>,
    sealed: {
      message: 'text: the message of the service, at most 300 characters; may be absent',
      statusText: 'text; may be absent',
      headers: 'list of name and value; may be absent',
      failure: 'object: the failure with its details; may be absent'
    } satisfies Entries<EndedSealed>
  },
  'record.resolved': {
    plain: {
      as: 'text: `processed`, `not-processed` or `undetermined`',
      operator
    } satisfies Entries<ResolvedPlain>,
    sealed: { note: 'text' } satisfies Entries<ResolvedSealed>
  },
  'document.kept': {
    plain: {
      ...by,
      field: 'text: name of the field whose link led to it',
      when: 'text: `before` the request was sent, `beside` the batch that sent it, `later` from the same link, or a `file` that was received in another way'
    } satisfies Entries<KeptPlain>,
    sealed: {
      type: 'text: `jpeg`, `png`, `webp`, `avif`, `heic`, `jp2` or `pdf`, by its content',
      bytes: 'number: its size',
      sha256: 'text: SHA-256 of the document, hex',
      name: 'text: name of the sealed file in the data folder'
    } satisfies Entries<KeptSealed>
  },
  'document.missed': {
    plain: {
      field: 'text: name of the field whose link led to none',
      reason: 'text: code of the reason'
    } satisfies Entries<MissedPlain>,
    sealed: {}
  },
  'batch.made': {
    plain: {
      id: 'text: ID of the batch, a UUID',
      operations: 'list of texts: IDs of the operations that are sent for each row, in order',
      connection: 'text: ID of the connection',
      sha256: 'text: SHA-256 of the file that it was made from, hex',
      rows: 'number',
      operator,
      rerunOf: 'text: ID of the batch that it repeats; may be absent'
    },
    sealed: {}
  },
  'batch.changed': {
    plain: {
      id: 'text: ID of the batch',
      from: 'text: state before',
      to: 'text: state after',
      reason: 'text: code of the reason; may be absent',
      by: 'text: `console` if no person did it; may be absent',
      operator: `${operator}; may be absent`
    },
    sealed: {}
  },
  'batch.resolved': {
    plain: {
      id: 'text: ID of the batch',
      rows: 'number of rows that were resolved and have no record here, because the history was restored from a backup',
      as: 'text: `sent` or `again`',
      operator
    },
    sealed: {}
  },
  'pack.made': {
    plain: {
      ...by,
      about: 'text: `record`, `batch` or `applicant`',
      id: 'text: ID of the record or batch; absent for an applicant',
      profile: 'text: `full` or `no-personal-data`',
      series: 'list of the series that it contains completely: kind, ID, number of events and number of the last event'
    } satisfies Entries<PackPlain>,
    sealed: { applicantId: 'text: ID of the applicant; absent for a record or batch' } satisfies Entries<PackSealed>
  },
  'checklist.noted': {
    plain: {
      ref: 'number of the version of a checklist in this audit trail',
      text: 'text: the JSON of the checklist as it was: its `kind`, and its `items` with `code`, `label`, `required`, `answer` and, of decisions, `decisions`'
    } satisfies Entries<ChecklistPlain>,
    sealed: {}
  },
  'subject.erased': {
    plain: {
      id: 'text: ID of the erasure, a UUID',
      cause: 'text: `request`, `retention`, or `restore`: a backup that was restored had what was erased since',
      subjects: 'list of the numbers of those whose keys were destroyed: persons, and messages that only they received',
      records: 'number of their records',
      batchRows: 'number of their rows in batches',
      documents: 'number of copies of documents; absent for none',
      operator: `${operator}; absent after a restore`
    } satisfies Entries<ErasedPlain>,
    sealed: { reason: 'text' } satisfies Entries<ErasedSealed>
  },
  'decision.made': {
    plain: {
      ...by,
      decision: 'text: `approve`, `decline` or `escalate`',
      evidence: 'number of the last event of the evidence that was shown',
      records: 'list of the numbers of its records',
      readings:
        'list of interpretations: `message` and `version` are numbers, `means` is `good`, `bad` or `unclear`, or absent',
      checklist,
      due: 'number: a date of the calendar, if one was set: its midnight in UTC; may be absent',
      supersedes:
        'list of decisions of other installations that it replaces: installation, number of the event there, hash of the event; may be absent',
      set: 'if many were decided in one step, their set: `id`, `size` in applicants, `seed` and `share` (per cent) of the sample that was reviewed first; may be absent',
      seen: 'what was on screen before, as the signer says: `answers` and `documents`, each how many of how many; absent where that is not recorded',
      requires: 'number: how many other people have to agree, 0 or 1',
      rule: 'text: SHA-256 of the rule that says so, hexadecimal; absent without a rule'
    } satisfies Entries<DecisionPlain>,
    sealed: {
      reasons: 'list of texts: codes of reasons',
      note: 'text',
      checks,
      seenList:
        'list of what was on screen: `record` (number) and, of a document, `field` and `source` (`kept` or `link`); absent where that is not recorded',
      focus:
        'text: how long the applicant was shown in a focused, unlocked window before, as the window says: `under-5`, `under-15`, `under-60` or `under-300` seconds, or `more`; absent where that is not recorded'
    } satisfies Entries<DecisionSealed>
  },
  'note.made': { plain: by, sealed: { text: 'text' } satisfies Entries<NoteSealed> },
  'tags.changed': { plain: by, sealed: { tags: 'list of texts' } satisfies Entries<TagsSealed> },
  'due.changed': {
    plain: {
      ...by,
      due: 'number: a date of the calendar: its midnight in UTC; null if it was removed'
    } satisfies Entries<DuePlain>,
    sealed: {}
  },
  'relationship.changed': {
    plain: {
      ...by,
      state: 'text: `active`, `occasional`, `refused` or `ended`',
      on: 'text: since when, a date of the calendar: `YYYY-MM-DD`'
    } satisfies Entries<RelationshipPlain>,
    sealed: { note: 'text' } satisfies Entries<NotedSealed>
  },
  'expiry.noted': {
    plain: by,
    sealed: {
      document: 'text: which document',
      expires: 'text: a date of the calendar: `YYYY-MM-DD`'
    } satisfies Entries<ExpirySealed>
  },
  'review.recorded': {
    plain: {
      ...by,
      on: 'text: the day on which it was done, at that place: `YYYY-MM-DD`',
      class: 'text: code of the risk class; null without one',
      next: 'text: the day of the next review, `YYYY-MM-DD`; null without a class',
      due: 'text: the day for which it was scheduled, `YYYY-MM-DD`; null if it was not',
      outcome: 'text: `unchanged`, `updated` or `exit`',
      checklist
    } satisfies Entries<ReviewPlain>,
    sealed: { note: 'text', checks } satisfies Entries<ReviewSealed>
  },
  'challenge.recorded': { plain: by, sealed: { text: 'text: what the applicant says' } satisfies Entries<NoteSealed> },
  'risk.rated': {
    plain: {
      ...by,
      class: 'text: code of the class',
      months: 'number: months until the next review'
    } satisfies Entries<RiskPlain>,
    sealed: { note: 'text' } satisfies Entries<NotedSealed>
  },
  'link.made': { plain: by, sealed: { applicantId: 'text: ID of the applicant' } },
  'link.removed': { plain: by, sealed: {} },
  'approval.asked': {
    plain: {
      ...by,
      scope: 'text: fingerprint of the team, or, without one, the origin of this audit trail',
      decision: `the decision: ${named}`,
      evidence: `list of the last evidence of colleagues that the request knows, each: ${named}`
    } satisfies Entries<AskedPlain>,
    sealed: { note: 'text' } satisfies Entries<AskedSealed>
  },
  'approval.answered': {
    plain: { ...by, asked: `the request of a colleague: ${named}`, ...signed } satisfies Entries<AnsweredPlain>,
    sealed: { applicantId: 'text: ID of the applicant', note: 'text' } satisfies Entries<AnsweredSealed>
  },
  'approval.received': {
    plain: {
      ...by,
      asked: `the request, which is in this audit trail: ${named}`,
      answer: `the answer of the colleague: ${named}`,
      at: 'number: time of the answer, by the colleague’s clock',
      by: 'text: the user name that the operating system gave the colleague',
      ...signed,
      void: 'true if newer evidence, or a later answer of the same person, was known when it arrived, so that it counts for nothing; else absent'
    } satisfies Entries<AnswerReceivedPlain>,
    sealed: { note: 'text' } satisfies Entries<AskedSealed>
  },
  'batch.shared': null,
  'batch.taken': null,
  'assignee.changed': null,
  'message.noted': null,
  'message.interpreted': null,
  'view.opened': null,
  'document.viewed': null,
  'document.compared': null,
  'document.noted': null,
  'links.checked': null,
  'text.copied': null,
  'screen-share.switched': null,
  'value.revealed': null,
  'export.made': null,
  'evidence.verified': null,
  'setting.changed': null,
  'credential.changed': null,
  'connection.changed': null,
  'copies.cleared': null,
  'hold.placed': null,
  'hold.lifted': null,
  'head.timestamped': null,
  'documents.verified': null,
  'team.anchored': null,
  'team.withdrawn': null,
  'team.acknowledged': null,
  'finding.acknowledged': null,
  'recipe.shared': null,
  'policies.changed': null,
  'policies.refused': null,
  'forwarding.changed': null,
  'console.locked': null,
  'console.unlocked': null,
  'unlock.failed': null,
  'passphrase.changed': null,
  'program.started': null,
  'program.stopped': null
}

/** What the payload of a body contains. */
export const bodyEntries: Entries<BodySealed> = {
  body: 'text: the body of the response, without the credentials that were sent',
  message: 'text: the whole message of the service, if it is longer than 300 characters; may be absent',
  raw: 'text: the bytes of a body, base64, if `body` in UTF-8 does not give them back: they have another character set or a byte order mark, or are damaged (`body` has U+FFFD in their place). Absent in other responses, and if they contain a credential'
}
