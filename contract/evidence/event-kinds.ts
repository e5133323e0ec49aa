/** What the audit trail records: the kinds of its events, and what a view shows. */

export type EventKind =
  | 'connection.noted'
  | 'record.begun'
  | 'record.ended'
  | 'record.resolved'
  | 'document.kept'
  | 'document.missed'
  | 'document.noted'
  | 'documents.verified'
  | 'batch.made'
  | 'batch.changed'
  | 'batch.resolved'
  | 'batch.shared'
  | 'batch.taken'
  | 'checklist.noted'
  | 'decision.made'
  | 'note.made'
  | 'tags.changed'
  | 'link.made'
  | 'link.removed'
  | 'due.changed'
  | 'relationship.changed'
  | 'risk.rated'
  | 'expiry.noted'
  | 'review.recorded'
  | 'challenge.recorded'
  | 'assignee.changed'
  | 'message.noted'
  | 'message.interpreted'
  | 'subject.erased'
  | 'copies.cleared'
  | 'hold.placed'
  | 'hold.lifted'
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
  | 'export.made'
  | 'setting.changed'
  | 'credential.changed'
  | 'connection.changed'
  | 'head.timestamped'
  | 'team.anchored'
  | 'team.withdrawn'
  | 'team.acknowledged'
  | 'finding.acknowledged'
  | 'recipe.shared'
  | 'policies.changed'
  | 'policies.refused'
  | 'forwarding.changed'
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

/** What was done, by a code. A sentence is made of it where the event is shown (event-sentences.ts). */
export type ActionNote =
  | {
      readonly action:
        | 'history.left-closed'
        | 'history.set-aside'
        | 'recovery-key.created'
        | 'recovery-key.confirmed'
        | 'recovery-key.refused'
        | 'recovery-key.used'
    }
  /** For the organisation's public key with this SHA-256. */
  | { readonly action: 'recovery-key.sealed'; readonly key: string }
  | { readonly action: 'team.invitation-saved' }
  | { readonly action: 'history.restored'; readonly backup: string }
  /** Sealed files of documents that nothing named. */
  | { readonly action: 'documents.deleted'; readonly files: number; readonly bytes: number }
  /** `fault` is the code of what was wrong with the file; `kept` its new name. */
  | { readonly action: 'settings.set-aside' | 'connections.set-aside'; readonly fault?: string; readonly kept: string }
  | { readonly action: 'signing-key.revoked'; readonly key: string; readonly since: number; readonly reason: string }
  | { readonly action: 'signing-key.replaced'; readonly key: string; readonly by: string }
  | { readonly action: 'proxy-sign-in.set' | 'proxy-sign-in.cleared'; readonly proxy: string }
  | { readonly action: 'team.access-prepared' | 'team.removed' | 'team.left'; readonly installation: string }
  | { readonly action: 'team.admitted' | 'team.role-given'; readonly installation: string; readonly role: string }
  | {
      readonly action: 'team.admission-waits' | 'team.admission-confirmed' | 'team.role-waits' | 'team.role-confirmed'
      readonly installation: string
      readonly role: string
    }
  | { readonly action: 'team.two-person-on' | 'team.two-person-off-waits' | 'team.two-person-off' }
  /** Its hash. */
  | { readonly action: 'team.entry-withdrawn'; readonly entry: string }
  /** `number` is the team's safety number. */
  | { readonly action: 'team.created' | 'team.join-asked' | 'team.recovered'; readonly words: string }
  | { readonly action: 'team.keys-renewed'; readonly epoch: number }
  /** How many connections are not shared. */
  | { readonly action: 'team.sharing-chosen'; readonly except: number }

/** Kinds of events that are counted in series, so that a pack can prove that none is left out. */
export const linkedKinds: ReadonlySet<string> = new Set<EventKind>([
  'record.begun',
  'record.ended',
  'record.resolved',
  'document.kept',
  'document.missed',
  'batch.made',
  'batch.changed',
  'batch.resolved',
  'decision.made',
  'note.made',
  'tags.changed',
  'due.changed',
  'relationship.changed',
  'risk.rated',
  'expiry.noted',
  'review.recorded',
  'challenge.recorded',
  'link.made',
  'link.removed',
  'approval.asked',
  'approval.answered',
  'approval.received',
  'pack.made'
])
