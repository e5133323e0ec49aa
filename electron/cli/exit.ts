/**
 * Exit codes of the command line: part of its interface, listed in `help` and in docs/command-line.md.
 * `nothingSent`: the command sent nothing (some commands never send), so none may end with it once a request may have left.
 */
export const exitCodes = {
  done: { code: 0, nothingSent: false, meaning: 'done; for verify: answered with a 2xx status' },
  failed: { code: 1, nothingSent: true, meaning: 'refused, with the reason on standard error; nothing was sent' },
  answeredOtherwise: { code: 3, nothingSent: false, meaning: 'verify: answered with a status other than 2xx' },
  unreadable: { code: 4, nothingSent: false, meaning: 'verify: a reply came, but not a readable one' },
  notSent: { code: 5, nothingSent: true, meaning: 'verify: certainly not sent; safe to repeat' },
  unknown: { code: 6, nothingSent: false, meaning: 'verify: unknown whether the service processed it; do not repeat blindly' },
  recentlyAnswered: {
    code: 7,
    nothingSent: true,
    meaning: 'verify: held back, the same check was recently answered (--repeat sends it); batch: every row was, so nothing was sent'
  },
  unrecorded: { code: 8, nothingSent: false, meaning: 'verify: it ended, but its ending could not be recorded' },
  batchSomeNot: { code: 9, nothingSent: false, meaning: 'batch: over, but some rows were not answered; batch show says which' },
  batchStopped: { code: 10, nothingSent: false, meaning: 'batch: paused or stopped before its end; batch resume goes on' },
  refused: { code: 11, nothingSent: true, meaning: 'evidence verify: the pack is refused' },
  broken: { code: 12, nothingSent: true, meaning: 'audit verify: the audit trail does not hold' },
  fileMissing: {
    code: 13,
    nothingSent: false,
    meaning: 'the work ended, but a file of it (the results, the PDF, the receipt) could not be written; standard error says how it ended'
  },
  outputLost: {
    code: 14,
    nothingSent: false,
    meaning: 'standard output could not be written (closed by its reader, or its disk is full); what was sent is in the history; a batch is paused'
  },
  incomplete: { code: 15, nothingSent: true, meaning: 'what was listed is incomplete: a file of Veridesk’s own could not be read, and standard error says which' },
  usage: { code: 64, nothingSent: true, meaning: 'the command line was not understood' },
  unavailable: { code: 69, nothingSent: false, meaning: 'keychain, history, data folder or browser not available' },
  internal: { code: 70, nothingSent: false, meaning: 'an error of Veridesk’s own; look at the history before repeating' },
  hungUp: { code: 129, nothingSent: false, meaning: 'ended by SIGHUP, such as a closed terminal; a batch is paused' },
  interrupted: { code: 130, nothingSent: false, meaning: 'interrupted by Ctrl-C (a batch that Ctrl-C paused ends with 10)' },
  terminated: { code: 143, nothingSent: false, meaning: 'ended by SIGTERM; a batch is paused' }
} as const

export type ExitName = keyof typeof exitCodes

/** How a command may end once a request may have left. */
export type ExitAfterSending = {
  [Name in ExitName]: (typeof exitCodes)[Name]['nothingSent'] extends true ? never : Name
}[ExitName]
