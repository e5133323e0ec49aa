/** Exit codes of the command line: part of its interface, listed in `help` and in docs/command-line.md. */
export const exitCodes = {
  done: { code: 0, meaning: 'done; for verify: answered with a 2xx status' },
  failed: { code: 1, meaning: 'refused, with the reason on standard error; nothing was sent' },
  answeredOtherwise: { code: 3, meaning: 'verify: answered with a status other than 2xx' },
  unreadable: { code: 4, meaning: 'verify: a reply came, but not a readable one' },
  notSent: { code: 5, meaning: 'verify: certainly not sent; safe to repeat' },
  unknown: { code: 6, meaning: 'verify: unknown whether the service processed it; do not repeat blindly' },
  answeredLately: { code: 7, meaning: 'verify: held back, the same check was answered lately (--repeat sends it)' },
  unrecorded: { code: 8, meaning: 'verify: it ended, but its ending could not be recorded' },
  batchSomeNot: { code: 9, meaning: 'batch: over, but some rows were not answered; batch show says which' },
  batchStopped: { code: 10, meaning: 'batch: paused or stopped before its end; batch resume goes on' },
  refused: { code: 11, meaning: 'evidence verify: the pack is refused' },
  broken: { code: 12, meaning: 'audit verify: the audit trail does not hold' },
  fileMissing: { code: 13, meaning: 'done, but a file beside it (the PDF, the receipt) could not be written' },
  usage: { code: 64, meaning: 'the command line was not understood' },
  unavailable: { code: 69, meaning: 'keychain, history, data folder or browser not available' },
  internal: { code: 70, meaning: 'an error of Veridesk’s own' },
  interrupted: { code: 130, meaning: 'interrupted by Ctrl-C' }
} as const

export type ExitName = keyof typeof exitCodes
