/** Events that do not belong to a record: what users did with the history and the console. */
import type { ActionNote, EventKind, View } from '#contract/evidence/event-kinds.ts'
import type { LinkKind } from '#contract/batches/links.ts'
import type { ForwardingTarget } from '#contract/forwarding/forwarding.ts'
import type { LockReason, UnlockWay } from '#contract/lock/lock.ts'
import type { DocumentComparison, DocumentType } from '#contract/documents/documents.ts'
import type { OperationId } from '#contract/verification/operations.ts'
import type { CheckedCounts } from './copies.ts'
import type { HiddenField } from '#contract/lock/screen-share.ts'

/** `restored` undoes a clearing. */
export type CredentialChange = 'set' | 'cleared' | 'restored'

/** `recovered`: a new one was set by the recovery key. */
export type PassphraseChange = 'set' | 'changed' | 'removed' | 'recovered'

/** `plain` survives an erasure and is in every evidence pack: it never contains personal data or a secret. */
interface NoteOf<Kind extends EventKind, Plain extends object> {
  readonly kind: Kind
  readonly at: number
  readonly operator: string
  readonly plain: Plain
  /** Whom it concerns: a record's or an applicant's id, stored only as a number. */
  readonly about?: { readonly recordId: string } | { readonly applicantId: string }
}

export type AuditNote =
  /**
   * A user opened something that shows personal data. A search is recorded without its text, which may contain a
   * name.
   */
  | NoteOf<'view.opened', Omit<View, 'about'>>
  /**
   * A user opened the document behind the link of a field, or the copy of it. Neither the link nor a digest is recorded here: a
   * digest outlives an erasure, and tells whoever has the document whose it was.
   */
  | NoteOf<
      'document.viewed',
      {
        readonly field: string
        readonly type: DocumentType
        readonly bytes: number
        readonly source: 'link' | 'kept'
      }
    >
  /** A user had the document behind a link of a record fetched again and compared with what the record keeps. */
  | NoteOf<'document.compared', { readonly field: string; readonly result: DocumentComparison['result'] }>
  /**
   * A user had the servers of links asked whether a document is there: those of a form, or of the rows of a file.
   * `findings`: links that stand out.
   */
  | NoteOf<
      'links.checked',
      {
        readonly of: 'form' | 'file'
        readonly operations: readonly OperationId[]
        readonly links: number
        readonly findings: number
        /** Of a file: findings by kind, and its SHA-256. */
        readonly figures?: Readonly<Partial<Record<LinkKind, number>>>
        readonly sha256?: string
      }
    >
  /** A text was copied to the clipboard; its content is not recorded. */
  | NoteOf<
      'text.copied',
      {
        readonly characters: number
        /** In screen-share mode, whose values the window hides. */ readonly whileHidden?: true
      }
    >
  /** Screen-share mode was switched on or off; by the setting at a start, or by a user. */
  | NoteOf<'screen-share.switched', { readonly on: boolean; readonly by?: 'setting' }>
  /** A user showed one hidden value in screen-share mode: which field, never its value. */
  | NoteOf<'value.revealed', { readonly field: HiddenField }>
  /** A user verified a pack, identified by its digest if it is readable, the audit trail, or a backup. */
  | NoteOf<
      'evidence.verified',
      { readonly what: 'pack' | 'audit-trail' | 'backup'; readonly verified: boolean; readonly pack?: string }
    >
  /** A file with personal data was written. `head` is the head of the chain that the file contains. */
  | (NoteOf<
      'export.made',
      {
        readonly what:
          | 'history'
          | 'applicants'
          | 'audit-trail'
          | 'batches'
          | 'message-catalogue'
          | 'monthly-report'
          | 'batch'
          | 'invalid-rows'
          | 'link-findings'
          | 'evidence'
          | 'case'
          | 'backup'
          | 'documents'
          | 'receipt'
          | 'fork-proof'
          | 'record'
          | 'applicant'
          | 'applicant-data'
          | 'explanation-letter'
          | 'queue'
          | 'overview'
        /** `print` for paper; `time-stamp` if one was added to a pack. */
        readonly format: string
        readonly rows: number
        readonly sha256?: string
        readonly batchId?: string
        /** Copies of documents in the ZIP file of a pack. */
        readonly documents?: number
        /** Digest of the pack to which a time-stamp was added. */
        readonly pack?: string
        readonly head?: { readonly seq: number; readonly hash: string }
        /** Not requested by a user, but scheduled. */
        readonly by?: 'schedule'
      }
    > & {
      /** Who gets a pack about an applicant, and by which law or order: sealed with the applicant's data. */
      readonly sealed?: { readonly recipient: string; readonly basis: string }
    })
  /** A setting, or an action on a file, a key or the team. */
  | NoteOf<'setting.changed', { readonly name: string; readonly from: unknown; readonly to: unknown } | ActionNote>
  /** Which header of which connection; never its value. */
  | NoteOf<
      'credential.changed',
      {
        readonly connectionId: string
        readonly connection: string
        readonly header: string
        readonly change: CredentialChange
        readonly kept?: string
      }
    >
  | NoteOf<
      'connection.changed',
      {
        readonly connectionId: string
        readonly connection: string
        readonly change: 'added' | 'changed' | 'removed'
        /** What differs: the property's name, before and after. */
        readonly fields?: Readonly<Record<string, readonly [unknown, unknown]>>
        readonly credentialsCleared?: boolean
      }
    >
  /** The files of copies were checked: all on demand, or some in the background without an action of a person. */
  | NoteOf<'documents.verified', CheckedCounts>
  /**
   * An authority dated the head of the audit trail. `checkpoint` is the signed text that it dated, `token` its time-stamp
   * (RFC 3161), base64, `time` its time.
   */
  | NoteOf<
      'head.timestamped',
      {
        readonly authority: string
        readonly size: number
        readonly root: string
        readonly checkpoint: string
        readonly token: string
        readonly time: number
      }
    >
  /**
   * Which events of other installations of the team have arrived here and were verified: number and hash (hex) of the
   * last one, by installation. Only what changed since the note before.
   */
  | NoteOf<'team.anchored', { readonly heads: Readonly<Record<string, readonly [seq: number, hash: string]>> }>
  /**
   * Keys of subjects that this installation deletes in the team's database after an erasure, besides those that its own
   * erasures name: numbers, by the installation that gave them.
   */
  | NoteOf<'team.withdrawn', { readonly subjects: Readonly<Record<string, readonly number[]>> }>
  /**
   * Erasures of colleagues that this installation has carried out: number and hash (hex) of the last event that erases, by
   * the installation that recorded it. Only what is new since the note before.
   */
  | NoteOf<'team.acknowledged', { readonly erasures: Readonly<Record<string, readonly [seq: number, hash: string]>> }>
  /**
   * A supervisor has dealt with what was found about the events of an installation of the team: it holds no shared batch any
   * more. `details` are those of the finding, `reason` is what the supervisor wrote for everybody in the team.
   */
  | NoteOf<
      'finding.acknowledged',
      { readonly installation: string; readonly finding: string; readonly details: object; readonly reason: string }
    >
  /** A recipe is shared with the team, so or with other operations than before; without operations it is not shared any more. */
  | NoteOf<'recipe.shared', { readonly name: string; readonly operations: readonly OperationId[] }>
  /**
   * Policies of the organisation came into force, changed or ended: value before and after by name, as text, where they
   * are from, and the SHA-256 (hex) of all that are in force now. Without an action of a person.
   */
  | NoteOf<
      'policies.changed',
      {
        readonly changes: Readonly<Record<string, readonly [before: string, after: string]>>
        readonly places: readonly string[]
        readonly inForce: string
      }
    >
  /** Policies could not be used: where, why, and the SHA-256 (hex) of those that stay in force. Without an action of a person. */
  | NoteOf<'policies.refused', { readonly place: string; readonly reason: string; readonly inForce: string }>
  /**
   * A target of log forwarding has taken nothing for long (`code`: the failure), or takes events again. Without an action of a
   * person.
   */
  | NoteOf<
      'forwarding.changed',
      {
        readonly target: ForwardingTarget
        readonly state: 'silent' | 'resumed'
        /** Events that it has not taken. */
        readonly waiting: number
        readonly code?: string
      }
    >
  /** The console was locked, and why. */
  | NoteOf<'console.locked', { readonly why: LockReason }>
  /** A wrong passphrase; `tries` is the number in a row. */
  | NoteOf<'unlock.failed', { readonly tries: number }>
  | NoteOf<'passphrase.changed', { readonly change: PassphraseChange }>
  | NoteOf<'console.unlocked', { readonly by: UnlockWay }>
  | NoteOf<'program.started', { readonly version: string; readonly host: string }>
  | NoteOf<'program.stopped', { readonly version: string }>
