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
  'countersignatures': 'a countersignature is not valid',
  'countersigners': 'a countersigner that you named does not agree',
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
  'evidence-refused': {
    what: 'This file is not valid evidence: {reason}.',
    impact: 'Nothing was signed or imported.',
    nextStep: 'Verify the file to see what is wrong with it, and ask its sender for the original file.',
    guide: 'Proof',
    reasons: {
      ...checkReasons,
      'time-stamps-many': 'it has 20 time-stamps already',
      'not-countersigned': 'it has not been countersigned',
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
    what: 'Your signing key is revoked since {time}: readers refuse what it signs.',
    impact: 'Nothing was signed, and no file was written.',
    nextStep:
      'Create a new signing key on the page Evidence, or with “evidence replace-key”, and give its fingerprint to everyone who verifies your packs.',
    guide: 'Proof'
  },
  'evidence-redacted-countersignatures': {
    what: 'Countersignatures can only be required of a full pack: others do not name its creator, so nobody could tell whether a second person countersigned.',
    impact: 'No file was written.',
    nextStep: 'Choose the full disclosure, or require no countersignatures.'
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
  'case-gone': {
    what: 'This case is no longer open.',
    impact: 'Nothing was signed.',
    nextStep: 'Open the file again.'
  },
  'case-own-key': {
    what: 'This installation created the pack, so it cannot countersign it: four-eyes approval needs a second person.',
    impact: 'Nothing was signed.',
    nextStep: 'Send the file to a second person, who opens it in their own Veridesk.',
    guide: 'Four-eyes approval'
  },
  'case-own-name': {
    what: 'You created this case or made its decision ({name}), and four-eyes approval needs a second person.',
    impact: 'Nothing was signed.',
    nextStep: 'Send the file to a second person, who opens it in Veridesk under their own account.',
    guide: 'Four-eyes approval'
  },
  'case-signer-unknown': {
    what: 'The fingerprint is not that of the key that signed the case.',
    impact: 'Nothing was signed.',
    nextStep: 'Ask the sender for their fingerprint through another channel, and enter it.',
    guide: 'Four-eyes approval'
  },
  'case-names-withheld': {
    what: 'The case does not name who created it or who made its decision, or your account has no name, so it cannot be determined whether you are a second person.',
    impact: 'Nothing was signed.',
    nextStep: 'Ask the sender for a full pack, and countersign that.'
  },
  'case-same-person': {
    what: 'No second person has countersigned this case: it was signed as {names}. Four-eyes approval needs a name other than those of its creator and of the person who decided.',
    impact: 'Nothing was imported.',
    nextStep: 'Have it countersigned by a colleague who uses their own account.',
    guide: 'Four-eyes approval'
  },
  'case-not-ours': {
    what: 'This installation did not create the case: {reason}.',
    impact: 'Nothing was imported.',
    nextStep: 'Import it in the installation that created it.',
    reasons: {
      'other-key': 'it was signed with another key',
      'no-subject': 'it does not name its subject',
      'other-events': 'its events are not in this history'
    }
  },
  'case-known': {
    what: 'All countersignatures of this case were already imported.',
    impact: 'Nothing was added or lost.',
    nextStep: 'No action is needed. If you expected a new countersignature, ask for the file that was saved afterwards.'
  }
} as const satisfies FailureRows
