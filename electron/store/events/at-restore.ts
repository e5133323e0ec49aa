/**
 * What a restore must not lose. Each kind of event is on one side: what it stands for is carried over, or it stays behind in the
 * files that are set aside, and is named by number before and after; or it says why it is neither. A kind without an answer does not compile.
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
  /** Counted under a name: each event, or each record or batch that has some of them, also one that the backup has. */
  | { readonly left: LeftBehind; readonly each?: 'record' | 'batch' }
  /** Written in one step with an event of one of these kinds, which is counted. */
  | { readonly with: readonly [EventKind, ...EventKind[]] }
  /**
   * Neither. `seen`: somebody looked at something or took it elsewhere, and nobody has to act on it. `again`: the restored history
   * does it again by itself. `program`: what the program or its window did at the time.
   */
  | { readonly nothing: 'seen' | 'again' | 'program' }

const note = { left: 'notes' } as const
const verification = { left: 'verifications', each: 'record' } as const
const batch = { left: 'batches', each: 'batch' } as const
const seen = { nothing: 'seen' } as const
const again = { nothing: 'again' } as const
const program = { nothing: 'program' } as const

export const atRestore = {
  // Who may not be erased, and who was.
  'hold.placed': { carried: 'copy' },
  'hold.lifted': { carried: 'copy' },
  'subject.erased': { carried: 'folder' },
  'copies.cleared': { carried: 'folder' },
  // Digests of what was sent are carried over as well, for the spend guard, and batches are held.
  'record.begun': verification,
  // Also the answer to what was in progress in the backup, and is unknown once that is restored.
  'record.ended': verification,
  'connection.noted': { with: ['record.begun'] },
  'message.noted': { with: ['record.ended'] },
  'record.resolved': { left: 'resolutions' },
  'batch.made': batch,
  'batch.changed': batch,
  'batch.shared': batch,
  'batch.taken': batch,
  // What somebody said of rows that no record here shows.
  'batch.resolved': { left: 'resolutions' },
  'checklist.noted': { with: ['decision.made', 'review.recorded'] },
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
  // Of one that is recorded later than its verification, the document is asked for again.
  'document.missed': again,
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
  'head.timestamped': again,
  'documents.verified': again,
  'evidence.verified': seen,
  'view.opened': seen,
  'document.viewed': seen,
  'document.compared': seen,
  'links.checked': seen,
  'text.copied': seen,
  'screen-share.switched': program,
  'value.revealed': seen,
  'forwarding.changed': program,
  'console.locked': program,
  'console.unlocked': program,
  'unlock.failed': program,
  'program.started': program,
  'program.stopped': program
} as const satisfies Readonly<Record<EventKind, AtRestore>>

/** What is counted once, of all its events. */
const ofEach = { record: 'record', batch: `plain ->> 'id'` } as const

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
    else if ('left' in at && !at.each) left[at.left] = (left[at.left] ?? 0) + count
  }
  for (const [each, value] of Object.entries(ofEach)) {
    const kinds = found.flatMap(({ kind }) => {
      const at: AtRestore = atRestore[kind]
      return 'left' in at && at.each === each ? [[kind, at.left] as const] : []
    })
    for (const [name, of] of Map.groupBy(kinds, ([, name]) => name))
      left[name] = history
        .prepare(
          `SELECT count(DISTINCT ${value}) FROM event WHERE seq > ? AND kind IN (${of.map(() => '?').join(', ')})`
        )
        .pluck()
        .get(seq, ...of.map(([kind]) => kind)) as number
  }
  return { holds, left }
}
