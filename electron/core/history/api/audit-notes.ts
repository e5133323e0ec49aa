/** Events that are no record's own: what a person did with the history and with the console. */

/** `restored` takes back a clearing. */
export type CredentialChange = 'set' | 'cleared' | 'restored'

/** What shows personal data: details, and the lists that name applicants or say what was asked of them. */
export type ViewedPart =
  'record' | 'applicant' | 'case' | 'batch' | 'history' | 'applicants' | 'queue' | 'messages' | 'holds' | 'cases' | 'retention' | 'erasure' | 'audit'

/** `plain` stays after an erasure and is in each evidence pack: it never holds personal data or a secret. */
interface NoteOf<Kind extends string, Plain extends object> {
  readonly kind: Kind
  readonly at: number
  readonly operator: string
  readonly plain: Plain
  /** Whom it concerns: a record's id or an applicant's, stored as a number only. */
  readonly about?: { readonly recordId: string } | { readonly applicantId: string }
}

export type AuditNote =
  /** Somebody opened what shows personal data. Of a search it is noted that there was one: its text may name a person. */
  | NoteOf<'view.opened', { readonly what: ViewedPart; readonly search?: true; readonly batchId?: string; /** Digest of a case. */ readonly pack?: string }>
  /** A text went to the clipboard: never which. */
  | NoteOf<'text.copied', { readonly characters: number }>
  /** Somebody verified a pack, named by its digest where it can be read, or the audit trail. */
  | NoteOf<'evidence.verified', { readonly what: 'pack' | 'audit trail'; readonly verified: boolean; readonly pack?: string }>
  /** Somebody countersigned a case of another installation, here and with this key (hex). The note is in the file alone. */
  | NoteOf<'case.signed', { readonly about: 'record' | 'applicant' | 'batch'; readonly pack: string; readonly agrees: boolean; readonly signer: string }>
  /** A file with personal data was written. `head` is the chain's as the file names it. */
  | NoteOf<
      'export.made',
      {
        readonly what: 'history' | 'applicants' | 'batch' | 'invalid rows' | 'evidence' | 'case' | 'backup' | 'receipt'
        readonly format: string
        readonly rows: number
        readonly sha256?: string
        readonly batchId?: string
        readonly head?: { readonly seq: number; readonly hash: string }
        /** Nobody asked for it: its time had come. */
        readonly by?: 'schedule'
      }
    >
  | NoteOf<'setting.changed', { readonly name: string; readonly from: unknown; readonly to: unknown }>
  /** Which header of which connection; never its value. */
  | NoteOf<
      'credential.changed',
      { readonly connectionId: string; readonly connection: string; readonly header: string; readonly change: CredentialChange; readonly kept?: string }
    >
  | NoteOf<
      'connection.changed',
      {
        readonly connectionId: string
        readonly connection: string
        readonly change: 'added' | 'changed' | 'removed'
        /** What differs: name of the property, before and after. */
        readonly fields?: Readonly<Record<string, readonly [unknown, unknown]>>
        readonly credentialsCleared?: boolean
      }
    >
  | NoteOf<'program.started', { readonly version: string; readonly host: string }>
  | NoteOf<'program.stopped', { readonly version: string }>

export type AuditNoteKind = AuditNote['kind']
