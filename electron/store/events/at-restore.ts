/**
 * What a restore must not lose. Each kind of event is on one side: what it stands for is carried over, or it stays behind in the
 * files that are set aside, and is named by number before and after. A kind on neither side does not compile.
 */
import type { LeftBehind, SinceBackup } from '#contract/data-management/since-backup.ts'
import type { EventKind } from '#contract/evidence/event-kinds.ts'
import type { Db } from '#wire/sqlite/files.ts'

export type AtRestore =
  /**
   * `copy`: written into the restored copy before it is in place. `folder`: it is in other files of the data folder. `beyond`: in the
   * keychain, the team's database or a file of the user. A restore changes none of these two.
   */
  | { readonly carried: 'copy' | 'folder' | 'beyond' }
  /** `part`: it belongs to something that is counted by another event. */
  | { readonly left: LeftBehind; readonly part?: true }
  /** It says that something was seen or done at a time, and nobody has to act on it. */
  | { readonly left: 'nothing' }

const note = { left: 'notes' } as const
const seen = { left: 'nothing' } as const

export const atRestore = {
  // Who may not be erased, and who was.
  'hold.placed': { carried: 'copy' },
  'hold.lifted': { carried: 'copy' },
  'subject.erased': { carried: 'folder' },
  'copies.cleared': { carried: 'folder' },
  // Digests of what was sent are carried over as well, for the spend guard, and batches are held.
  'record.begun': { left: 'verifications' },
  'record.ended': { left: 'verifications', part: true },
  'connection.noted': { left: 'verifications', part: true },
  'message.noted': { left: 'verifications', part: true },
  'record.resolved': { left: 'resolutions' },
  'batch.made': { left: 'batches' },
  'batch.changed': { left: 'batches', part: true },
  'batch.resolved': { left: 'batches', part: true },
  'batch.shared': { left: 'batches', part: true },
  'batch.taken': { left: 'batches', part: true },
  'checklist.noted': { left: 'decisions', part: true },
  'decision.made': { left: 'decisions' },
  'approval.asked': { left: 'approvals' },
  'approval.answered': { left: 'approvals' },
  'approval.received': { left: 'approvals' },
  'note.made': note,
  'tags.changed': note,
  'due.changed': note,
  'relationship.changed': { left: 'relationships' },
  'risk.rated': { left: 'ratings' },
  'expiry.noted': { left: 'reviews' },
  'review.recorded': { left: 'reviews' },
  'challenge.recorded': { left: 'challenges' },
  'assignee.changed': note,
  'document.kept': { left: 'copies' },
  'document.missed': { left: 'verifications', part: true },
  'document.noted': note,
  // Those of an applicant who is held are made again: the hold concerns the records.
  'link.made': note,
  'link.removed': note,
  'message.interpreted': { left: 'interpretations' },
  'pack.made': { left: 'packs' },
  // Settings, retention periods, connections and policies are files; revoked keys, the passphrase and credentials are in the
  // keychain; removals of members, erasures of colleagues and findings are in the team's database.
  'setting.changed': { carried: 'folder' },
  'recipe.shared': { carried: 'folder' },
  'connection.changed': { carried: 'folder' },
  'policies.changed': { carried: 'folder' },
  'policies.refused': { carried: 'folder' },
  'credential.changed': { carried: 'beyond' },
  'passphrase.changed': { carried: 'beyond' },
  'team.withdrawn': { carried: 'beyond' },
  'team.acknowledged': { carried: 'beyond' },
  'team.anchored': { carried: 'beyond' },
  'finding.acknowledged': { carried: 'beyond' },
  'export.made': seen,
  'head.timestamped': seen,
  'documents.verified': seen,
  'evidence.verified': seen,
  'view.opened': seen,
  'document.viewed': seen,
  'document.compared': seen,
  'links.checked': seen,
  'text.copied': seen,
  'screen-share.switched': seen,
  'value.revealed': seen,
  'forwarding.changed': seen,
  'console.locked': seen,
  'console.unlocked': seen,
  'unlock.failed': seen,
  'program.started': seen,
  'program.stopped': seen
} as const satisfies Readonly<Record<EventKind, AtRestore>>

/** A history's events after one of them, by what becomes of them. */
export function sinceEvent(history: Db, seq: number): SinceBackup {
  const found = history.prepare('SELECT kind, count(*) AS count FROM event WHERE seq > ? GROUP BY kind').all(seq) as {
    kind: EventKind
    count: number
  }[]
  const left: Partial<Record<LeftBehind, number>> = {}
  let holds = 0
  for (const { kind, count } of found) {
    const at: AtRestore = atRestore[kind]
    if ('carried' in at) holds += at.carried === 'copy' ? count : 0
    else if (at.left !== 'nothing' && !('part' in at)) left[at.left] = (left[at.left] ?? 0) + count
  }
  return { holds, left }
}
