/**
 * Exit codes of the command line: part of its interface, listed in `help` and in docs/command-line.md. `nothingSent`:
 * the command sent nothing (some commands never send), so no command may end with it once a request may have been
 * sent.
 */
export const exitCodes = {
  'done': { code: 0, nothingSent: false, meaning: 'done; for verify: answered with a 2xx status' },
  'failed': { code: 1, nothingSent: true, meaning: 'refused, with the reason on standard error; nothing was sent' },
  'answeredOtherwise': { code: 3, nothingSent: false, meaning: 'verify: answered with a status other than 2xx' },
  'invalid-response': { code: 4, nothingSent: false, meaning: 'verify: invalid response' },
  'notSent': { code: 5, nothingSent: true, meaning: 'verify: certainly not sent; safe to repeat' },
  'unknown': {
    code: 6,
    nothingSent: false,
    meaning: 'verify: unknown whether the service processed it; do not repeat blindly'
  },
  'recentlyAnswered': {
    code: 7,
    nothingSent: true,
    meaning:
      'verify: not sent, because the same request was recently answered (--repeat sends it) or its outcome is unknown (--unknown-again sends it); batch: this applies to every row, so nothing was sent'
  },
  'unrecorded': { code: 8, nothingSent: false, meaning: 'verify: the outcome could not be recorded' },
  'batchSomeNot': {
    code: 9,
    nothingSent: false,
    meaning: 'batch: finished, but some rows were not answered; batch show lists them'
  },
  'batchStopped': { code: 10, nothingSent: false, meaning: 'batch: paused or stopped; batch resume continues it' },
  'checkIncomplete': {
    code: 25,
    nothingSent: false,
    meaning: 'check: stopped or cancelled before all operations were sent; the output says which were not'
  },
  'refused': { code: 11, nothingSent: true, meaning: 'evidence verify: the pack is refused' },
  'broken': { code: 12, nothingSent: true, meaning: 'audit verify: the audit trail is broken' },
  'fileMissing': {
    code: 13,
    nothingSent: false,
    meaning:
      'the command finished, but a file (the results, the PDF, the receipt) could not be written; standard error says how it ended'
  },
  'outputLost': {
    code: 14,
    nothingSent: false,
    meaning:
      'standard output could not be written (closed by its reader, or its disk is full); what was sent is in the history; a batch is paused'
  },
  'incomplete': {
    code: 15,
    nothingSent: true,
    meaning:
      'the list is incomplete: a file of Veridesk could not be read, or not all was exchanged with the team in time; standard error says which'
  },
  'signerUnknown': {
    code: 16,
    nothingSent: true,
    meaning:
      'evidence verify: the pack is intact, but its signer is unknown, because no --key was given to compare, or the trust file does not speak for its key'
  },
  'secondPersonMissing': {
    code: 17,
    nothingSent: true,
    meaning:
      'evidence verify: the pack is intact, but not verified: its decision needs a second person, and is only proposed'
  },
  'linksFound': {
    code: 18,
    nothingSent: true,
    meaning: 'batch: links of the file have findings (--check-links), so nothing was sent'
  },
  'networkFault': {
    code: 19,
    nothingSent: true,
    meaning: 'diagnose: something is wrong on the way to the service; standard output says what'
  },
  'locked': {
    code: 20,
    nothingSent: true,
    meaning: 'the data folder is protected by a passphrase, and none or a wrong one was given; nothing was sent'
  },
  'updateAvailable': { code: 21, nothingSent: true, meaning: 'updates check: there is a newer release' },
  'updateRefused': {
    code: 22,
    nothingSent: true,
    meaning: 'updates: the notice is refused, or the file is not the one that it names; standard error says why'
  },
  'findings': {
    code: 23,
    nothingSent: true,
    meaning:
      'team exchange, team findings: there are findings that no supervisor has acknowledged; reviews list: a review is overdue; standard output lists them'
  },
  'batchUnfinished': {
    code: 24,
    nothingSent: true,
    meaning: 'batch run: a batch of the same file is unfinished (--another creates another one); nothing was sent'
  },
  'documentsFaulty': {
    code: 26,
    nothingSent: true,
    meaning:
      'documents verify: files of copies are missing or damaged; backup documents: files were not copied; documents delete-others: files were not deleted; standard output says which or how many'
  },
  'usage': { code: 64, nothingSent: true, meaning: 'the command line was not understood' },
  'unavailable': { code: 69, nothingSent: false, meaning: 'keychain, history, data folder or browser not available' },
  'internal': { code: 70, nothingSent: false, meaning: 'an error in Veridesk; check the history before you repeat' },
  'hungUp': { code: 129, nothingSent: false, meaning: 'ended by SIGHUP, such as a closed terminal; a batch is paused' },
  'interrupted': {
    code: 130,
    nothingSent: false,
    meaning: 'interrupted by Ctrl-C (a batch that Ctrl-C paused ends with 10)'
  },
  'terminated': { code: 143, nothingSent: false, meaning: 'ended by SIGTERM; a batch is paused' }
} as const

export type ExitName = keyof typeof exitCodes

/** How a command may end once a request may have been sent. */
export type ExitAfterSending = {
  [Name in ExitName]: (typeof exitCodes)[Name]['nothingSent'] extends true ? never : Name
}[ExitName]
