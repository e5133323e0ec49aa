/** What the audit trail records: the kinds of its events, and what a view shows. */

export type EventKind =
  | 'connection.noted'
  | 'record.begun'
  | 'record.ended'
  | 'record.resolved'
  | 'document.noted'
  | 'batch.made'
  | 'batch.changed'
  | 'batch.resolved'
  | 'batch.shared'
  | 'batch.taken'
  | 'decision.made'
  | 'note.made'
  | 'tags.changed'
  | 'link.made'
  | 'link.removed'
  | 'due.changed'
  | 'assignee.changed'
  | 'message.noted'
  | 'message.read'
  | 'subject.erased'
  | 'copies.cleared'
  | 'hold.placed'
  | 'hold.lifted'
  | 'case.countersigned'
  | 'pack.made'
  | 'approval.asked'
  | 'approval.answered'
  | 'approval.received'
  | 'view.opened'
  | 'document.viewed'
  | 'document.compared'
  | 'links.checked'
  | 'text.copied'
  | 'screen-share.switched'
  | 'value.revealed'
  | 'evidence.verified'
  | 'case.signed'
  | 'export.made'
  | 'setting.changed'
  | 'credential.changed'
  | 'connection.changed'
  | 'head.timestamped'
  | 'team.anchored'
  | 'team.withdrawn'
  | 'team.acknowledged'
  | 'finding.acknowledged'
  | 'policies.changed'
  | 'policies.refused'
  | 'console.locked'
  | 'unlock.failed'
  | 'passphrase.changed'
  | 'console.unlocked'
  | 'program.started'
  | 'program.stopped'

/** What shows personal data: details, and the lists that contain applicants or what was requested about them. */
export type ViewedPart =
  | 'record'
  | 'applicant'
  | 'case'
  | 'batch'
  | 'history'
  | 'applicants'
  | 'queue'
  | 'messages'
  | 'holds'
  | 'cases'
  | 'retention'
  | 'erasure'
  | 'audit'
  | 'team'

/** What was shown, and whom it is about. A search is recorded without its text, which may contain a name. */
export interface View {
  readonly what: ViewedPart
  readonly search?: true
  readonly batchId?: string
  /** Digest of a case. */
  readonly pack?: string
  readonly about?: { readonly recordId: string } | { readonly applicantId: string }
}
