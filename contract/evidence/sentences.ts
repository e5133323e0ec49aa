/** Evidence packs and case files. */
import type { FailureRows } from '../failures/declaration.ts'

/** What is wrong with a pack, by the check that found it. */
const checkReasons = {
  'format': 'it is not an evidence pack, or not in the required form',
  'signature': 'its signature is not valid',
  'signer': 'it was signed with another key',
  'events': 'its events do not match their hashes',
  'inclusion': 'an event is not proved to be in the audit trail',
  'payloads': 'sealed data or a response is not what was recorded',
  'fields': 'a value does not match its digest',
  'completeness': 'events are missing',
  'about': 'it is not about what it states',
  'approvals': 'the answer to a request for approval is not valid',
  'attachments': 'an accompanying file is not the one that belongs to it',
  'beside': 'it does not match the other pack',
  'time-stamps': 'a time-stamp is not valid',
  'certificates': 'its certificates do not belong to its key',
  'revocations': 'its key was revoked'
} as const

export const evidenceFailures = {
  'evidence-nothing': {
    what: 'No evidence pack can be created: {reason}.',
    impact: 'No file was written.',
    nextStep: 'Check your selection. It may have been erased.',
    reasons: {
      'record': 'the record is not in the history',
      'batch': 'the batch is not in the history',
      'applicant': 'no applicant in the history has this ID',
      'erased': 'it was erased',
      'too-many': 'a pack can contain at most {limit} verifications'
    }
  },
  'authority-folder-used': {
    what: 'The folder {file} is there and is not empty.',
    impact: 'Nothing was written.',
    nextStep: 'Name a new folder. One without index.csv is left from an export that did not end: delete it.'
  },
  'evidence-documents-too-large': {
    what: 'The copies of documents have more than {limitBytes} together, the limit for a pack.',
    impact: 'No file was written.',
    nextStep: 'Create the pack without documents, or packs about single records.'
  },
  'evidence-refused': {
    what: 'This file is not valid evidence: {reason}.',
    impact: 'Nothing was signed or imported.',
    nextStep: 'Verify the file to see what is wrong with it, and ask its sender for the original file.',
    guide: 'Proof',
    reasons: {
      ...checkReasons,
      'time-stamps-many': 'it has 20 time-stamps already',
      'own-key-unreadable': 'the signing key in the keychain cannot be read',
      'own-keys-unreadable': 'the list of former keys in the keychain cannot be read'
    }
  },
  'evidence-not-verified': {
    what: 'The evidence pack was not created, because it does not verify: {reason}.',
    impact: 'No file was written. The audit trail records that a pack was made.',
    nextStep: 'Verify the audit trail, and restore a backup if it is damaged.',
    reasons: checkReasons
  },
  'signing-key-revoked': {
    what: 'Your signing key has been revoked since {time}: readers refuse what it signs.',
    impact: 'Nothing was signed, and no file was written.',
    nextStep:
      'Create a new signing key on the page Evidence, or with “evidence replace-key”, and give its fingerprint to everyone who verifies your packs.',
    guide: 'Proof'
  },
  'pdf-not-written': {
    what: 'The PDF was not created: {reason}.',
    impact: 'The evidence pack itself was written.',
    nextStep: 'Create the pack again in a Veridesk window that can print.',
    reasons: {
      'cannot-print': 'this host cannot print',
      'error': 'the page could not be printed ({error})'
    }
  },
  'applicant-data-not-saved': {
    what: 'The data of the applicant was not saved: {reason}.',
    impact: 'No file was written. An existing file is unchanged.',
    nextStep: 'Open “Data of the applicant” again, read what it shows, and save it then.',
    reasons: {
      'changed': 'it has changed since it was shown',
      'cannot-print': 'this host cannot print its PDF',
      'error': 'its PDF could not be printed ({error})'
    }
  },
  'applicant-data-too-large': {
    what: 'The data of the applicant cannot be saved in one file: {reason}.',
    impact: 'No file was written. An existing file is unchanged.',
    nextStep:
      'Print the records of the applicant one by one, and take the copies from an evidence pack with documents.',
    reasons: {
      copies: 'the copies of documents have more than {limitBytes} together',
      answers: 'the answers have more than {limitBytes} together'
    }
  },
  'letter-not-saved': {
    what: 'There is no letter of explanation: {reason}.',
    impact: 'No file was written. An existing file is unchanged.',
    nextStep: 'Look at the decision and its reasons, then open “Letter of explanation” again.',
    reasons: {
      'no-decision': 'no approval or decline stands that an applicant can be told of',
      'colleague': 'the decision of a colleague stands as well, and differs or replaces it',
      'no-wording': 'none of the decision’s reasons has a wording for the applicant',
      'changed': 'it has changed since it was shown',
      'cannot-print': 'this host cannot print',
      'error': 'it could not be printed ({error})'
    },
    guide: 'Explain a decision, and record a challenge'
  },
  'trust-draft-incomplete': {
    what: 'No version of the trust file was made: {reason}.',
    impact: 'Nothing was signed, and no file was written.',
    nextStep: 'Complete the draft, and make the version again.',
    guide: 'Trust file',
    reasons: {
      'organisation': 'the draft does not name the organisation',
      'keepers': 'it needs the keys of at least two keepers',
      'keeper-key': 'a keeper is not a public key, in 64 hexadecimal digits or as PEM',
      'certificates': 'one of the texts for certificates contains none in PEM format'
    }
  },
  'trust-not-keeper': {
    what: 'The key of this installation is not that of a keeper of the trust file.',
    impact: 'Nothing was signed, and no file was written.',
    nextStep:
      'Have a keeper sign on their own installation, or make a version that names this key as that of a keeper.',
    guide: 'Trust file'
  },
  'trust-file-refused': {
    what: 'The trust file does not count: {reason}.',
    impact: 'It was not used, and nothing was signed.',
    nextStep: 'Ask a keeper of your organisation’s trust file for the original file that all keepers signed.',
    guide: 'Trust file',
    reasons: {
      'too-large': 'it is larger than {limitBytes}',
      'form': 'it is not a trust file, or not in the required form',
      'version-form': 'its version {version} is not in the required form',
      'order': 'its version {version} does not follow the version before it',
      'period': 'its version {version} ends before it begins, or is valid for more than 400 days',
      'keepers': 'its version {version} names a keeper twice, or a key that proves nothing',
      'entries': 'its version {version} has entries out of order or twice, or with a time that cannot be',
      'keeper-revoked': 'its version {version} revokes the key of one of its keepers',
      'signature-wrong': 'a signature of its version {version} is not valid',
      'signature-twice': 'its version {version} was signed twice with one key',
      'signature-foreign': 'its version {version} was signed with a key that is not that of a keeper',
      'waiting': 'its version {version} lacks signatures of keepers, {count} at least'
    }
  },
  'case-gone': {
    what: 'This case is no longer open.',
    impact: 'Nothing was signed.',
    nextStep: 'Open the file again.'
  },
  'case-not-asked': {
    what: 'Approval was not requested: {reason}.',
    impact: 'Nothing was recorded, and no file was written.',
    nextStep: 'Review the newest evidence, change or confirm the decision, then ask.',
    guide: 'Four-eyes approval',
    reasons: {
      'undecided': 'nothing was decided about this applicant',
      'decision': 'the applicant has a newer decision',
      'outdated': 'newer evidence has arrived since the decision',
      'in-team': 'this installation is in a team, whose reviewers answer there'
    }
  },
  'case-without-request': {
    what: 'This file asks for no approval: it contains no request for the decision that it shows last.',
    impact: 'Nothing was signed.',
    nextStep: 'Ask the sender to choose “Ask for approval”, and to send the file that Veridesk then saves.',
    guide: 'Four-eyes approval'
  },
  'case-own-key': {
    what: 'This installation asked for the approval, so it cannot answer: four-eyes approval needs a second person.',
    impact: 'Nothing was signed.',
    nextStep: 'Send the file to a second person, who opens it in their own Veridesk.',
    guide: 'Four-eyes approval'
  },
  'case-own-name': {
    what: 'You asked for this approval or made the decision ({name}), and four-eyes approval needs a second person.',
    impact: 'Nothing was signed.',
    nextStep: 'Send the file to a second person, who opens it in Veridesk under their own account.',
    guide: 'Four-eyes approval'
  },
  'case-signer-unknown': {
    what: 'The fingerprint is not that of the key that signed the request.',
    impact: 'Nothing was signed.',
    nextStep: 'Ask the sender for their fingerprint through another channel, and enter it.',
    guide: 'Four-eyes approval'
  },
  'case-no-approver': {
    what: 'By your organisation’s trust file, your key is not that of an approver, or the file has expired.',
    impact: 'Nothing was signed.',
    nextStep: 'Send the file to an approver, or ask the keepers of the trust file to name your key in a new version.',
    guide: 'Trust file'
  },
  'case-names-withheld': {
    what: 'The file does not name who asked or who made the decision, or your account has no name, so it cannot be determined whether you are a second person.',
    impact: 'Nothing was signed.',
    nextStep: 'Ask the sender to ask for approval under an account with a name, and answer that file.'
  },
  'approval-refused': {
    what: 'This answer was not imported: {reason}.',
    impact: 'Nothing was recorded, and the decision stays as it was.',
    nextStep: 'Ask your colleague for the file as Veridesk saved it, and import it in the installation that asked.',
    guide: 'Four-eyes approval',
    reasons: {
      'form': 'the file is not an answer to a request for approval',
      'signature': 'it was changed after it was signed',
      'own-key': 'it was signed with the key of this installation, and four-eyes approval needs a second person',
      'same-person': 'it has the name of the person who decided or asked',
      'unknown-person': 'it names nobody, so nobody can tell whether a second person answered',
      'no-approver': 'by your organisation’s trust file, its key is not that of an approver',
      'trust-expired': 'your organisation’s trust file has expired, so it names no approver',
      'elsewhere': 'it answers a request of another installation',
      'other-request': 'its request is not in this history, or asks about another decision'
    }
  },
  'approval-erased': {
    what: 'This answer is about an applicant who was erased after the request was made.',
    impact: 'Nothing was recorded.',
    nextStep: 'No action is needed. You can delete the file.'
  },
  'approval-known': {
    what: 'This answer was already imported.',
    impact: 'Nothing was added or lost.',
    nextStep: 'No action is needed. If you expected a new answer, ask for the file that was saved afterwards.'
  }
} as const satisfies FailureRows
