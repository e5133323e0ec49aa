/**
 * Which events share their values with the team. The others share that they happened, and when: their hash covers that,
 * and without it nobody could verify the chain. What a colleague looked at, copied or set up is nobody else's concern.
 */
import type { EventKind } from '#contract/evidence/event-kinds.ts'

const shares: Readonly<Record<EventKind, boolean>> = {
  'connection.noted': true,
  'record.begun': true,
  'record.ended': true,
  'record.resolved': true,
  'document.kept': true,
  'document.missed': true,
  'document.noted': true,
  'batch.made': true,
  'batch.changed': true,
  'batch.resolved': true,
  'batch.shared': true,
  'batch.taken': true,
  'checklist.noted': true,
  'decision.made': true,
  'approval.asked': true,
  'approval.answered': true,
  'approval.received': true,
  'note.made': true,
  'tags.changed': true,
  'link.made': true,
  'link.removed': true,
  'due.changed': true,
  'relationship.changed': true,
  'risk.rated': true,
  'expiry.noted': true,
  'review.recorded': true,
  'challenge.recorded': true,
  'assignee.changed': true,
  'message.noted': true,
  'message.interpreted': true,
  'subject.erased': true,
  'hold.placed': true,
  'hold.lifted': true,
  'team.anchored': true,
  'team.withdrawn': true,
  'team.acknowledged': true,
  'finding.acknowledged': true,
  'recipe.shared': true,
  // Of this installation alone.
  'copies.cleared': false,
  'view.opened': false,
  'document.viewed': false,
  'document.compared': false,
  'links.checked': false,
  'text.copied': false,
  'screen-share.switched': false,
  'value.revealed': false,
  'evidence.verified': false,
  'pack.made': false,
  'export.made': false,
  'setting.changed': false,
  'credential.changed': false,
  'connection.changed': false,
  'head.timestamped': false,
  'documents.verified': false,
  'policies.changed': false,
  'policies.refused': false,
  'forwarding.changed': false,
  'console.locked': false,
  'console.unlocked': false,
  'unlock.failed': false,
  'passphrase.changed': false,
  'program.started': false,
  'program.stopped': false
}

/**
 * Whether the sealed part travels with the values: the reason of an erasure may name somebody, and no erasure would remove it;
 * a digest of a copied document is of use only where the copy is; a note with an answer is shared by whoever wrote it.
 */
export const sharesSealed = (event: { readonly kind: EventKind; readonly kept?: true }): boolean =>
  sharesValues(event) && !['subject.erased', 'document.kept', 'approval.received'].includes(event.kind)

/** Whether the values of an event travel: by its kind, and unless its connection is not shared. */
export const sharesValues = ({ kind, kept }: { readonly kind: EventKind; readonly kept?: true }): boolean =>
  shares[kind] && kept !== true
