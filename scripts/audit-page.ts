/** The text of `docs/audit-events.md`: the kinds of events, and which action creates which. Pure. */
import type { Channel } from '#contract/ipc/channel.ts'
import { channels } from '#contract/ipc/ipc.ts'
import { groupOf } from '#contract/evidence/event-sentences.ts'
import type { EventKind } from '#contract/evidence/event-kinds.ts'
import { code, table } from './markdown.ts'

const meanings: Readonly<Record<EventKind, string>> = {
  'connection.noted': 'A connection was used for the first time, or for the first time with its current values',
  'record.begun': 'A verification was started; recorded before anything is sent',
  'record.ended': 'The outcome of a verification; recorded by Veridesk, without an operator',
  'record.resolved': 'An operator resolved an unknown outcome',
  'batch.made': 'A batch was created',
  'batch.changed':
    'A batch was started, paused, resumed or cancelled by an operator, or changed by Veridesk itself (`by` is then `console`)',
  'batch.resolved': 'Unknown rows of a restored batch, which have no record, were resolved',
  'batch.taken':
    'This installation runs a shared batch from now on; the claims of others that it replaces. Without an action of a person',
  'batch.shared': 'A batch was shared with the team: one event for each row, and then one for the batch',
  'checklist.noted':
    'A checklist was answered for the first time, or for the first time with its current items: its text, by the number that decisions and reviews name; recorded by Veridesk',
  'decision.made': 'A decision about an applicant',
  'note.made': 'A note about an applicant',
  'tags.changed': 'The tags of an applicant changed',
  'link.made': 'A record was linked to an applicant',
  'link.removed': 'A link between a record and an applicant was removed',
  'due.changed': 'A due date was set or removed',
  'expiry.noted': 'A person noted when a document expires; which one and the day are sealed',
  'review.recorded':
    'An applicant was reviewed: the outcome, its day, the risk class and the day of the next review; the note is sealed',
  'challenge.recorded':
    'An applicant challenged the decision about them, which is outdated from then on; what they say is sealed',
  'risk.rated': 'An applicant was given a risk class: its code and the months until a review; the note is sealed',
  'relationship.changed':
    'The relationship with an applicant began, ended, was refused or was for one occasion: the state and the day, `YYYY-MM-DD`; the note is sealed',
  'assignee.changed':
    'An item of the queue was assigned to a person, or the assignment was removed; the name is sealed with the applicant’s data and is not part of evidence packs',
  'message.noted': 'The service answered with a message for the first time; without an operator',
  'message.interpreted': 'A message was interpreted',
  'view.opened':
    'Personal data was shown: `what` is the page or list, `search` whether it was searched. Once for each visit to a page',
  'document.viewed':
    'The document behind the link of a field was opened, or the copy of it (`source`): the field, its type and size, never the link',
  'document.compared':
    'The document behind a link of a record was fetched again and compared with what the record keeps: `same`, `changed` or `gone`',
  'document.kept':
    'A copy of a document of a verification was kept: the field, and whether before the request, later from the same link or as a file that a person added; its type, size, digest and file are sealed',
  'document.missed':
    'Copies are kept, and none could be of the document behind a link of a verification that was sent all the same: the field and the code of the reason',
  'document.noted':
    'The digest of the document behind a link was noted with a record that kept none; the digest is sealed',
  'links.checked':
    'The servers of links were asked whether a document is there, before a verification: the number of links, and of those that stand out',
  'text.copied':
    'A text was copied to the clipboard; only its length is recorded, and whether it was in screen-share mode (`whileHidden`)',
  'screen-share.switched': 'Screen-share mode was switched on or off; `by` is `setting` if the session began with it',
  'value.revealed': 'A hidden value was shown in screen-share mode: the field, never the value',
  'export.made':
    'A file with personal data or evidence was written: an export, the data of an applicant, results of a batch, invalid rows, an evidence pack or a time-stamp in one, a backup, a receipt, the proof of a fork in a team',
  'pack.made':
    'An evidence pack was created; recorded before it is signed and saved, because it is the last event in it',
  'evidence.verified': 'An evidence pack, the audit trail or a backup was verified, with the result',
  'setting.changed':
    'A setting was changed (`name`, `from`, `to`), or something was done with the history, a key, a file or the team (`action`, a code)',
  'credential.changed': 'A credential was set, cleared or restored; never its value',
  'connection.changed': 'A connection was added, changed or removed',
  'subject.erased':
    'Personal data was erased; with the cause `restore`, without an operator, if a restored backup had data that was erased since',
  'copies.cleared': 'Personal data was erased from backups and copies; without an operator',
  'hold.placed': 'A legal hold was placed; with `since`, its own time, if a restore carried it over',
  'hold.lifted': 'A legal hold was lifted; `since` as above',
  'approval.asked':
    'A second person’s approval of a decision was requested, in the team or by file: the decision and the evidence behind it, by number and hash',
  'approval.answered':
    'A colleague’s request for approval was answered here and signed: the request by number and hash, agreement or not, the key and its signature',
  'approval.received':
    'A colleague’s answer to a request of this installation arrived through the team, without an action of a person, or was imported from a file, and was verified: the request and the answer by number and hash, the key and its signature',
  'head.timestamped': 'The console, once a day while it is open, if a time-stamp authority is set',
  'documents.verified':
    'The files of copies of documents were checked, on demand or some of them in the background: how many, and how many were missing or damaged; or the folder was compared after an opening and files were missing that were not before',
  'team.withdrawn':
    'Keys of subjects were deleted in the team’s database, because this installation or a colleague erased their applicants; without an action of a person',
  'team.acknowledged':
    'Keys of applicants whom colleagues erased were removed from what this installation received; without an action of a person',
  'finding.acknowledged':
    'A supervisor dealt with what was found about the events of an installation of the team: the finding and the reason. It holds no shared batch any more',
  'recipe.shared':
    'A recipe was shared with the team: its name and operations, in order; none of them once it is not shared any more',
  'team.anchored':
    'Events of other installations of a team arrived and were verified: the last one of each; without an action of a person',
  'policies.changed':
    'Policies of the organisation came into force, changed or ended: each with its value before and after, and a digest of all that are in force; without an action of a person',
  'policies.refused':
    'Policies of the organisation could not be used: where they are, why, and a digest of those that stay in force; without an action of a person',
  'forwarding.changed':
    'A target of log forwarding has taken nothing for long, or takes events again: which one, and how many wait; without an action of a person',
  'console.locked':
    'The console was locked, and why: the operator, the time without input, or the system; with the operator',
  'console.unlocked': 'The console was unlocked, and how',
  'unlock.failed': 'A wrong passphrase was entered: how many in a row',
  'passphrase.changed': 'The passphrase was set, changed, removed, or replaced by means of the recovery key',
  'program.started': 'Veridesk was started',
  'program.stopped': 'Veridesk was closed'
}

const intro = `# Events of the audit trail

<!-- Generated by \`npm run reference\` from the channels of contract/ and scripts/audit-page.ts. Edit those instead. -->

Each action of a person on personal data or evidence creates an event with the operator: the user name in the operating
system. \`tests/service/audit-channels.test.ts\` performs every action below. The command line creates the same events,
except \`evidence verify\`, which needs neither data folder nor history.`

/** `docs/audit-events.md`. */
export function auditPage(): string {
  const actions = Object.entries<Channel>(channels)
  const leftBy = (kind: EventKind): string =>
    actions
      .flatMap(([name, { leaves }]) => (!('none' in leaves) && leaves.includes(kind) ? [code(name)] : []))
      .join(', ')
  const kinds = (Object.keys(meanings) as EventKind[]).map((kind) => [
    code(kind),
    groupOf(kind),
    meanings[kind],
    leftBy(kind)
  ])
  const conditions = actions.flatMap(([name, { when }]) => (when === undefined ? [] : [`- ${code(name)}: ${when}`]))
  const silent = Map.groupBy(
    actions.flatMap(([name, { leaves }]) => ('none' in leaves ? [{ name, reason: leaves.none }] : [])),
    ({ reason }) => reason
  )
  return `${[
    intro,
    '## Kinds',
    table(['Kind', 'Group', 'Meaning', 'Created by the requests'], kinds),
    '## Requests that create an event under a condition',
    conditions.join('\n'),
    '## Requests that create no event',
    [...silent].map(([reason, left]) => `- ${left.map(({ name }) => code(name)).join(', ')}: ${reason}`).join('\n')
  ].join('\n\n')}\n`
}
