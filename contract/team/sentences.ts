/** A team: its events, keys, members and shared batches. */
import type { FailureRows } from '../failures/declaration.ts'
import { teamBatchFailures } from './batch-sentences.ts'
import { teamDatabaseFailures } from './database-sentences.ts'

export const teamFailures = {
  'supervisor-needed': {
    what: 'Figures of a person are for supervisors.',
    impact: 'Nothing was counted.',
    nextStep: 'Remove the reviewer from the filter, or ask a supervisor of the team.'
  },
  ...teamDatabaseFailures,
  ...teamBatchFailures,
  'team-clock': {
    what: 'This computer’s clock is {minutes} minutes {reason} the clock of the team’s database.',
    impact:
      'Everything is exchanged, but the times of your records are wrong: before a paid request, colleagues may not be told that you made the same one.',
    nextStep:
      'Set the clock of this computer, or let the system set it. If it is right, tell the database’s administrator.',
    reasons: { ahead: 'ahead of', behind: 'behind' }
  },
  'team-key-missing': {
    what: 'This installation does not have the team’s key yet.',
    impact: 'Nothing is shared until the key arrives. Everything stays on this computer.',
    nextStep: 'Ask a member of the team to open Veridesk while this computer is connected.'
  },
  'team-event-too-large': {
    what: 'Event {event} of this installation is larger than {limitBytes}.',
    impact: 'It is in the audit trail of this installation. Neither it nor any later event is shared.',
    nextStep: 'Report this as a defect: no action should record an event of this size.'
  },
  'team-segment-refused': {
    what: 'The team’s database refused events from {event} on: {reason}.',
    impact: 'They stay on this computer.',
    nextStep: 'Veridesk compares its events with those of the database and tries again.',
    reasons: {
      'fork': 'it has different events with the same numbers',
      'gap': 'it does not have the events before them',
      'too-large': 'they are too many or too large'
    }
  },
  'team-installation-restored': {
    what: 'Event {event}, which this installation signed, is not in its history: it was restored from a backup, or two computers use its key.',
    impact:
      'Nothing more is shared under its ID, since two events must never have one number. Its work stays on this computer.',
    nextStep: 'Let it join the team under a new ID. What it shared before stays valid.'
  },
  'team-key-awaited': {
    what: 'Events of the installation {installation} from {event} on need a key of the team that this installation does not have (epoch {number}).',
    impact: 'They stay in the database, and are received when the key arrives.',
    nextStep: 'Ask a member of the team to open Veridesk while this computer is connected.'
  },
  'team-form-newer': {
    what: 'Events of the installation {installation} from {event} on were recorded by a newer version of Veridesk.',
    impact: 'They stay in the database until this version can read them.',
    nextStep: 'Update Veridesk.'
  },
  'team-installation-refused': {
    what: 'Events of the installation {installation} from {event} on were refused: {reason}.',
    impact: 'They are not shown. What it shared before stays.',
    nextStep: 'Ask a supervisor of the team. If the installation belongs to it, it must be admitted again.',
    reasons: {
      unknown: 'the team’s signed list does not contain it',
      removed: 'it was removed from the team before them'
    }
  },
  'team-events-refused': {
    what: 'Events of the installation {installation} from {event} on were refused: {reason}.',
    impact:
      'They are not shown, and shared batches are on hold. What was received before is unchanged. The database, or whoever controls it, may have changed them.',
    nextStep:
      'If events are missing, the installation sends them again with its next exchange. If this stays, show it to the database’s administrator, and compare with the installation itself.',
    reasons: {
      gap: 'events before them are missing',
      order: 'they are not in order',
      hidden: 'the database lists them but does not return them',
      hash: 'they do not follow from the events before them',
      body: 'they cannot be decrypted at this position',
      form: 'their content is invalid',
      values: 'their values do not match their digests',
      epoch: 'they are sealed with an older key than the events before them',
      signature: 'their signature is wrong',
      unsigned: 'their signature is missing'
    }
  },
  'team-events-rolled-back': {
    what: 'The team’s database shows {found} events of the installation {installation}; {expected} were there before.',
    impact: 'What was received is kept. Shared batches are on hold: the database may have lost which rows were sent.',
    nextStep: 'Ask its administrator whether it was restored from a backup or replaced by another server.'
  },
  'team-given-again': {
    what: 'The team’s database had lost {number} events and {count} keys that this installation had given it.',
    impact:
      'Colleagues could not read them, nor later events of this installation. They were given again, and their data is complete after their next exchange.',
    nextStep:
      'Ask the database’s administrator whether it was restored or changed. When the cause is known, a supervisor acknowledges this.'
  },
  'team-events-withheld': {
    what: 'The installation {other} has received {expected} events of the installation {installation}; the team’s database shows {found} of them here.',
    impact: 'What was received is kept. Shared batches are on hold.',
    nextStep: 'Ask the database’s administrator, and compare with both installations.'
  },
  'team-events-forked': {
    what: 'The installation {installation} has signed two different events with the number {event}.',
    impact:
      'Nothing more is accepted from it, and shared batches are on hold. Both events are kept with their signatures, as proof.',
    nextStep:
      'Save the evidence. The installation was restored without a new ID, or somebody else has its key: remove it from the team.'
  },
  'team-views-differ': {
    what: 'The installation {other} received an event {event} of the installation {installation} that differs from the one here.',
    impact: 'What was received here stays. Shared batches are on hold.',
    nextStep:
      'Compare with both installations: either the database shows them different events, or one of them reports a false one.'
  },
  'team-store-unusable': {
    what: 'The file with the data received from the team cannot be used: {reason}.',
    impact: 'Nothing is exchanged with the team. The history of this installation is not affected.',
    nextStep: 'Check the disk. If the file is damaged, move it away: Veridesk receives everything again.',
    reasons: {
      newer: 'it was written by a newer version'
    }
  },
  'team-key-refused': {
    what: 'A key of the team cannot be used: {reason}.',
    impact: 'No team data was read or written with it.',
    nextStep:
      'Ask a colleague to open Veridesk: it gives the key again. If this stays, or happens to others too, tell the database’s administrator.',
    reasons: {
      stored: 'the one in the keychain cannot be read',
      none: 'this installation has not received one',
      version: 'it was sealed by a newer version of Veridesk, or is damaged',
      size: 'it has the wrong size',
      sealed: 'it was sealed for another installation, team or epoch, or was changed',
      commitment: 'it is not the one that the list of members announces',
      mailbox: 'the public key of an installation cannot be used'
    }
  },
  'team-applicant-keys-missing': {
    what: 'The team’s database does not have {count} keys for what the installation {installation} recorded.',
    impact:
      'Those entries have arrived but cannot be read. Nobody signed an erasure of them, so they do not count as erased.',
    nextStep:
      'The installation gives them again with its next exchange. If this stays, ask the database’s administrator whether it was restored or changed.'
  },
  'team-applicant-keys-refused': {
    what: '{count} keys in the team’s database do not open what the installation {installation} recorded.',
    impact: 'Those entries have arrived but cannot be read. Nothing was read with another key.',
    nextStep: 'Ask the database’s administrator who replaced them in the database.'
  },
  'team-roster-refused': {
    what: 'The team’s list of members is refused: {reason}.',
    impact: 'Nothing was sent to the team or received from it.',
    nextStep:
      'Tell the supervisors of the team. Somebody may have changed its database, or restored an old backup of it.',
    reasons: {
      'empty': 'entry {number} is missing',
      'form': 'entry {number} is damaged or of a newer version',
      'genesis': 'entry {number} does not begin the team whose number was compared',
      'gap': 'entry {number} is missing',
      'repeated': 'entry {number} is an earlier one again',
      'fork': 'entry {number} does not follow the one before it',
      'stranger': 'entry {number} is signed by somebody who is not a member',
      'removed': 'entry {number} is signed by a member who was removed',
      'signature': 'the signature of entry {number} is not valid',
      'right': 'entry {number} is signed by a member who is not a supervisor',
      'request': 'the member of entry {number} did not ask to be admitted with these keys',
      'present': 'a key or an installation of entry {number} exists already',
      'absent': 'the member of entry {number} does not exist',
      'keys': 'the name or a key of entry {number} cannot be used',
      'last-supervisor': 'entry {number} removes the last supervisor',
      'itself': 'the author of entry {number} removes itself, and would know the new keys',
      'epoch': 'the keys of entry {number} do not follow those before',
      'rule': 'entry {number} switches two-person admission to what it is, or on with fewer than two supervisors',
      'second': 'entry {number} confirms or withdraws an entry that does not wait',
      'same': 'entry {number} confirms an entry of the same person, or about them',
      'older': 'it ends with entry {number}, but this computer has seen later entries',
      'other': 'entry {number} is not the one that this computer has seen'
    }
  },
  'team-keys-lost': {
    what: 'The team’s keys are missing from the keychain, or cannot be read.',
    impact: 'This installation cannot sign in to the team’s database.',
    nextStep: 'Leave the team and join it again. Ask a supervisor to remove the former entry.'
  },
  'team-words-incomplete': {
    what: 'There are twelve words, of a fixed list; {count} were entered, and {number} of them are in the list.',
    impact: 'Nothing was changed.',
    nextStep: 'Compare the spelling of each word with their sender. On the command line, put the words in quotes.'
  },
  'team-missing': {
    what: 'This installation does not belong to a team.',
    impact: 'Nothing was changed.',
    nextStep: 'Create a team or join one: on the team page, or with “team create” or “team join” on the command line.'
  },
  'team-present': {
    what: 'This installation already belongs to a team.',
    impact: 'Nothing was changed.',
    nextStep: 'To join another one, leave this one first.'
  },
  'team-access-missing': {
    what: 'This installation has no access to a team’s database yet.',
    impact: 'Nothing was changed.',
    nextStep:
      'Give its access SQL to the database’s administrator: the team page shows it, and “team access” prints it on the command line.'
  },
  'team-database-used': {
    what: 'The database already has a team.',
    impact: 'Nothing was changed in it.',
    nextStep: 'Join that team with an invitation, or use an empty database.'
  },
  'team-words-differ': {
    what: 'The words do not match the file.',
    impact: 'Nothing was changed. Somebody may have replaced the file on its way to you.',
    nextStep: 'Ask its sender for the words again, in person or by phone. If they still differ, ask for a new file.'
  },
  'team-file-refused': {
    what: 'The file cannot be used: {reason}.',
    impact: 'Nothing was changed.',
    nextStep: 'Ask its sender for a new one.',
    reasons: {
      invitation: 'it is not an invitation to a team, or it is from a newer version of Veridesk',
      request: 'it is not a request to join a team, or it is from a newer version of Veridesk',
      team: 'it is for another team',
      signature: 'its signature is not valid'
    }
  },
  'team-proof-missing': {
    what: 'There is no evidence against this installation.',
    impact: 'Nothing was saved.',
    nextStep:
      'Check the findings about each installation: on the team page, or with “team findings” on the command line.'
  },
  'team-proof-refused': {
    what: 'The file proves nothing: {reason}.',
    impact: 'It is not evidence against any installation.',
    nextStep: 'Ask its sender for the file as Veridesk saved it.',
    reasons: {
      form: 'it is not evidence of a fork, or it is from a newer version of Veridesk',
      signature: 'it does not show two signed histories that differ'
    }
  },
  'team-change-refused': {
    what: 'The team does not allow this: {reason}.',
    impact: 'Nothing was changed.',
    nextStep: 'Check the list of members.',
    reasons: {
      'right': 'only a supervisor can do this',
      'overview': 'only supervisors and auditors see the work of the team',
      'not-admitted': 'a supervisor has not admitted this installation yet',
      'removed': 'a supervisor removed this installation. Leave the team, and join it again',
      'identity': 'the signing key of this user was replaced after it was admitted. Leave the team, and join it again',
      'last-supervisor': 'the team would have no supervisor',
      'itself': 'another supervisor must remove this one, because whoever removes a member knows the new keys',
      'present': 'this installation, or its user, is a member already',
      'left':
        'this installation was removed, and its ID is not used again. It must leave the team and join under a new ID',
      'absent': 'there is no such member',
      'unconfirmed': 'the member has another name',
      'rule': 'two-person admission is already so, or the team has fewer than two supervisors',
      'second': 'this does not wait any more: it was confirmed, withdrawn or replaced',
      'same': 'another supervisor must confirm this, with another key and another name'
    }
  },
  'team-approval-refused': {
    what: 'Approval was not requested: {reason}.',
    impact: 'Nothing was recorded, and colleagues see nothing new.',
    nextStep:
      'Review the newest evidence, change or confirm the decision, then ask. Of what colleagues do not see, ask by a file.',
    reasons: {
      'decision': 'the applicant has a newer decision here',
      'outdated': 'newer evidence has arrived since the decision',
      'newer': 'colleagues recorded evidence that this page had not shown yet',
      'not-sharing': 'nothing of this installation is shared yet',
      'kept': 'the applicant was verified only over connections that are not shared',
      'erased': 'a colleague erased this applicant, so nobody in the team sees the decision',
      'auditor': 'auditors can only read',
      'members-unknown': 'the list of members has not been read yet'
    }
  },
  'team-answer-refused': {
    what: 'This request cannot be answered here: {reason}.',
    impact: 'Nothing was signed or recorded.',
    nextStep:
      'Another reviewer or supervisor may be able to answer. If the request is void or not valid, its author must ask again.',
    reasons: {
      'author': 'this installation made it',
      'role': 'only reviewers and supervisors can answer',
      'same-person': 'you have the same name as somebody involved',
      'unknown-person': 'the name of somebody involved is not known',
      'void': 'newer evidence was recorded',
      'incomplete': 'not all of the evidence has arrived here',
      'invalid': 'the decision or evidence that it names is different here',
      'replaced': 'its author has asked again since',
      'missing': 'there is no such request here',
      'not-sharing': 'nothing of this installation is shared yet',
      'members-unknown': 'the list of members has not been read yet'
    }
  },
  'team-roster-overtaken': {
    what: 'Somebody else changed the list of members at the same moment.',
    impact: 'Their change was made. Yours was not.',
    nextStep: 'Check the list, then try again.'
  }
} as const satisfies FailureRows
