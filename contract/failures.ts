/**
 * Every failure that a person can meet, declared once: what happened, what is safe, what to do.
 *
 * Sentences may hold {names} that `failure()` fills in. Nothing secret is ever a detail.
 */
import { fail } from './result.ts'

interface FailureDeclaration {
  /** What happened. */
  readonly what: string
  /** What is safe: what was and was not sent, changed or lost. */
  readonly safe: string
  /** What to do now. */
  readonly todo: string
}

export const failureTable = {
  // --- input -----------------------------------------------------------------------------------
  'input-invalid': {
    what: 'Some fields cannot be sent as they are: {detail}.',
    safe: 'Nothing was sent.',
    todo: 'Correct the marked fields and send again.'
  },
  'request-refused': {
    what: 'The console’s core refused a request from its own window ({detail}).',
    safe: 'Nothing was sent or changed.',
    todo: 'Close the window and start Veridesk again. If it happens again, report it with the diagnosis page.'
  },
  'internal': {
    what: 'Veridesk met an error of its own ({detail}).',
    safe: 'What is in the history stays there.',
    todo: 'Look at the history before repeating the step, and report the error.'
  },
  'window-crashed': {
    what: 'The window ended unexpectedly and was loaded again.',
    safe: 'Checks under way went on without it, and the history holds how they ended.',
    todo: 'Look at the history before you run the last check again.'
  },
  // --- connections -----------------------------------------------------------------------------
  'connection-missing': {
    what: 'This connection no longer exists.',
    safe: 'Nothing was sent.',
    todo: 'Choose another connection.'
  },
  'connection-invalid': {
    what: 'The connection cannot be saved: {detail}.',
    safe: 'The connection is as it was before.',
    todo: 'Correct the marked field.'
  },
  'connection-name-taken': {
    what: 'Another connection is already called “{name}”.',
    safe: 'Nothing was changed.',
    todo: 'Choose a name of its own: it is what you will read before a live check.'
  },
  'credentials-missing': {
    what: 'Not all three credentials of this connection are set: {detail}.',
    safe: 'Nothing was sent.',
    todo: 'Open Connections and set what is missing.'
  },
  'credential-invalid': {
    what: 'This value cannot be a header: {detail}.',
    safe: 'The stored value, if there was one, is unchanged.',
    todo: 'Copy it again from your provider, without line breaks or spaces around it.'
  },
  // --- keychain --------------------------------------------------------------------------------
  'keychain-absent': {
    what: 'This computer offers no keychain to Veridesk.',
    safe: 'No secret was written anywhere.',
    todo: 'Install and start a Secret Service (GNOME Keyring, KWallet), or keep the credentials for this sitting only.'
  },
  'keychain-locked': {
    what: 'The keychain is locked.',
    safe: 'Stored credentials are untouched.',
    todo: 'Unlock the keychain, then choose “Try again”; or keep the credentials for this sitting only.'
  },
  'keychain-denied': {
    what: 'The keychain refused access to Veridesk.',
    safe: 'Stored credentials are untouched.',
    todo: 'Allow Veridesk in the keychain’s settings, then choose “Try again”.'
  },
  'keychain-hung': {
    what: 'The keychain does not answer.',
    safe: 'Stored credentials are untouched, and the window stays usable.',
    todo: 'Restart the keychain service or sign in again, then choose “Try again”; or keep the credentials for this sitting only.'
  },
  // --- the call --------------------------------------------------------------------------------
  'name-not-found': {
    what: 'The name {host} could not be resolved.',
    safe: 'Nothing was sent.',
    todo: 'Check the base URL, the network and the VPN.'
  },
  'connection-refused': {
    what: '{host} refused the connection or could not be reached.',
    safe: 'Nothing was sent.',
    todo: 'Check the port in the base URL, and whether the service is up.'
  },
  'connect-timeout': {
    what: 'No connection to {host} within {seconds} s.',
    safe: 'Nothing was sent.',
    todo: 'Check the network, the proxy and the firewall; the limit is in the settings.'
  },
  'tls-failed': {
    what: 'The secure connection to {host} failed: {detail}.',
    safe: 'Nothing was sent: not one byte of the request left before the check of the certificate.',
    todo: 'If your company inspects traffic, add its certificate authority in the settings. Otherwise ask the service’s operator.'
  },
  'proxy-failed': {
    what: 'The proxy {host} could not be used: {detail}.',
    safe: 'Nothing was sent to the service.',
    todo: 'Check the proxy in the settings.'
  },
  'cancelled-before-sending': {
    what: 'You cancelled before the request left.',
    safe: 'Nothing was sent.',
    todo: 'Send it again whenever you like.'
  },
  'cancelled-after-sending': {
    what: 'You cancelled while the request was under way.',
    safe: 'The service may have processed it. Veridesk does not send it again by itself.',
    todo: 'Find out whether it was processed, then settle the record in the history.'
  },
  'total-timeout': {
    what: 'No full reply within {seconds} s.',
    safe: 'The service may have processed the request. Veridesk does not send it again by itself.',
    todo: 'Find out whether it was processed, then settle the record in the history.'
  },
  'connection-lost': {
    what: 'The connection broke before the full reply had come ({detail}).',
    safe: 'The service may have processed the request. Veridesk does not send it again by itself.',
    todo: 'Find out whether it was processed, then settle the record in the history.'
  },
  'interrupted': {
    what: 'Veridesk ended while this request was under way.',
    safe: 'The service may have processed the request. It was not sent again.',
    todo: 'Find out whether it was processed, then settle the record.'
  },
  'reply-not-json': {
    what: 'The reply is not a JSON object with a message: {detail}.',
    safe: 'The service, or something before it, received the request. The raw reply is kept.',
    todo: 'Read the raw reply. A login or error page often means a proxy or a wrong base URL.'
  },
  'reply-too-large': {
    what: 'The reply is larger than {limit}; reading was stopped there.',
    safe: 'The service received the request. The first part of the reply is kept.',
    todo: 'Read the raw reply, and ask the service’s operator.'
  },
  'reply-redirect': {
    what: 'The service answered with a redirect to {host}. Redirects are never followed with credentials.',
    safe: 'The credentials went to the configured address only.',
    todo: 'Check the base URL with the service’s operator.'
  },
  // --- history ---------------------------------------------------------------------------------
  'history-unavailable': {
    what: 'The history is not open: {detail}.',
    safe: 'Nothing was sent: no check leaves without a record.',
    todo: 'Open the history page: it says what is wrong and what can be done.'
  },
  'history-key-missing': {
    what: 'The history file is there, but the keychain no longer holds its key.',
    safe: 'The file is untouched. No new history was made over it.',
    todo: 'Restore the keychain of this user account, then choose “Try again”; or set the file aside and begin a new history.'
  },
  'history-key-wrong': {
    what: 'The history file cannot be opened with the key that the keychain holds.',
    safe: 'The file is untouched.',
    todo: 'Restore the keychain that belongs to this file, or a copy of the file that belongs to this keychain.'
  },
  'history-damaged': {
    what: 'The history file is damaged: {detail}.',
    safe: 'The damaged file was kept as {file}; nothing was deleted.',
    todo: 'Restore the last copy, or begin a new history and keep the damaged file for recovery.'
  },
  'history-newer': {
    what: 'The history was written by a newer version of Veridesk (format {found}, this version knows {known}).',
    safe: 'The file is untouched.',
    todo: 'Update Veridesk.'
  },
  'history-busy': {
    what: 'Another program holds the history file.',
    safe: 'The file is untouched.',
    todo: 'Close the other Veridesk, then choose “Try again”.'
  },
  'disk-full': {
    what: 'The disk is full.',
    safe: 'What was recorded before is safe. Nothing is sent that cannot be recorded.',
    todo: 'Free some space, then try again.'
  },
  'record-missing': {
    what: 'This record is not in the history.',
    safe: 'Nothing was changed.',
    todo: 'It may belong to another history file or have been erased.'
  },
  'record-not-settleable': {
    what: 'Only a record whose outcome is unknown, and which is not settled yet, can be settled.',
    safe: 'Nothing was changed.',
    todo: 'Open the record again to see its present state.'
  },
  // --- batches ---------------------------------------------------------------------------------
  'batch-file-unreadable': {
    what: 'The file {file} could not be read: {detail}.',
    safe: 'Nothing was sent or stored; the file is untouched.',
    todo: 'Check that it is there and may be read, then choose it again.'
  },
  'batch-file-not-text': {
    what: 'The file is no text: {detail}.',
    safe: 'Nothing was sent or stored; the file is untouched.',
    todo: 'Save it as CSV in the program that made it (in Excel: “CSV UTF-8”), then choose that file.'
  },
  'batch-file-empty': {
    what: 'The file is empty.',
    safe: 'Nothing was sent or stored.',
    todo: 'Choose a file with a line of headings and one line for each check; the template shows how.'
  },
  'batch-file-headings-only': {
    what: 'The file holds headings, but no rows.',
    safe: 'Nothing was sent or stored.',
    todo: 'Add one line for each check. If there are lines, check the delimiter.'
  },
  'batch-heading-twice': {
    what: 'The heading “{heading}” stands over two columns ({first} and {second}).',
    safe: 'Nothing was sent or stored: it cannot be told which of them is meant.',
    todo: 'Rename or remove one of the columns.'
  },
  'batch-too-many-columns': {
    what: 'The first line has more than {limit} columns.',
    safe: 'Nothing was sent or stored.',
    todo: 'Check the delimiter, or leave out columns that are not needed.'
  },
  'batch-too-many-rows': {
    what: 'The file has more than {limit} rows.',
    safe: 'Nothing was sent or stored.',
    todo: 'Split it into several files; each becomes a batch of its own.'
  },
  'batch-quote-open': {
    what: 'A quote that opens near line {line} is never closed.',
    safe: 'Nothing was sent or stored: where the rows after it begin cannot be told.',
    todo: 'Correct that line (a quote inside a cell is written twice), then choose the file again.'
  },
  'batch-quote-stray': {
    what: 'A quote stands where none can near line {line}.',
    safe: 'Nothing was sent or stored: where that cell ends cannot be told.',
    todo: 'Put the whole cell into quotes and write a quote inside it twice, or choose another delimiter.'
  },
  'batch-row-too-large': {
    what: 'The row near line {line} is larger than {limit}, or a quote before it is never closed.',
    safe: 'Nothing was sent or stored.',
    todo: 'Correct that row, then choose the file again.'
  },
  'batch-text-too-large': {
    what: 'The pasted or dropped text is larger than {limit}.',
    safe: 'Nothing was sent or stored.',
    todo: 'Save it as a file and choose the file: files may be of any size.'
  },
  'batch-check-gone': {
    what: 'This check of a file is no longer at hand.',
    safe: 'Nothing was sent or stored.',
    todo: 'Choose the file again.'
  },
  'batch-mapping-invalid': {
    what: 'The columns cannot be matched like this: {detail}.',
    safe: 'Nothing was sent or stored.',
    todo: 'Choose one column for each field.'
  },
  'batch-nothing-to-run': {
    what: 'No row could be sent: {detail}.',
    safe: 'Nothing was sent or stored.',
    todo: 'Look at the faults and at how the columns are matched.'
  },
  'batch-file-changed': {
    what: 'The file {file} is no longer the one that was checked.',
    safe: 'Nothing was sent or stored.',
    todo: 'Choose it again, so that what is run is what you have seen.'
  },
  'batch-missing': {
    what: 'This batch is not in the history.',
    safe: 'Nothing was changed.',
    todo: 'It may belong to another history file.'
  },
  'batch-not-startable': {
    what: 'This batch cannot be started: {detail}.',
    safe: 'Nothing was sent.',
    todo: 'To run rows again, make a new batch of them.'
  },
  'batch-confirmation-missing': {
    what: '“{name}” is a live connection, and its name was not typed as the confirmation.',
    safe: 'Nothing was sent.',
    todo: 'Type the connection’s name exactly: each row costs money and touches a real person’s data.'
  },
  'batch-connection-changed': {
    what: 'The connection of this batch was {before} when the batch was made, and is {now} now.',
    safe: 'Nothing was sent.',
    todo: 'Make the batch anew for the connection as it is.'
  },
  'batch-stopped': {
    what: 'The batch stopped by itself: {count} rows in succession met trouble. The last: {detail}.',
    safe: 'Every row that was sent has its outcome; the others wait.',
    todo: 'Find out what is wrong (the connection’s reachability check helps), then start the batch again: it goes on where it stopped.'
  },
  'batch-asked-to-wait': {
    what: 'The service asked to wait {minutes} minutes, which is longer than a batch waits by itself.',
    safe: 'Every row that was sent has its outcome; the others wait.',
    todo: 'Start the batch again when that time has passed: it goes on where it stopped.'
  },
  'batch-nothing-to-settle': {
    what: 'None of these rows has an unknown outcome that is still to be settled.',
    safe: 'Nothing was changed.',
    todo: 'Look at the batch again to see its present state.'
  },
  'batch-nothing-failed': {
    what: 'No row of this batch has failed in a way that can be run again.',
    safe: 'Nothing was made or sent.',
    todo: 'Rows whose outcome is unknown are to be settled first.'
  },
  'batch-results-unwritable': {
    what: 'The file {file} could not be written: {detail}.',
    safe: 'The batch and its results are in the history; a file that was there before is as it was.',
    todo: 'Choose another place, or close the program that holds the file, then save again.'
  },
  // --- keeping ---------------------------------------------------------------------------------
  'backup-failed': {
    what: 'The backup could not be made: {detail}.',
    safe: 'The history and all earlier backups are as they were.',
    todo: 'Check the free space and the folder of the backups, then try again.'
  },
  'backup-missing': {
    what: 'There is no such backup.',
    safe: 'Nothing was changed.',
    todo: 'Look at the list of backups again.'
  },
  'backup-faulty': {
    what: 'This backup cannot be used: {detail}.',
    safe: 'Nothing was restored; the present history is as it was.',
    todo: 'Choose another backup.'
  },
  'restore-failed': {
    what: 'The backup could not be restored: {detail}.',
    safe: 'Nothing was deleted. What was there before is in {folder}.',
    todo: 'Choose “Try again” on the history page, or restore another backup.'
  },
  'recovery-key-wrong': {
    what: 'This recovery key does not open the history: {detail}.',
    safe: 'Nothing was changed.',
    todo: 'Compare each group with your copy. A key that was made before the last one no longer opens it.'
  },
  'recovery-missing': {
    what: 'No recovery key was made for this history.',
    safe: 'Nothing was changed; the file is untouched.',
    todo: 'Restore the keychain of this user account, then choose “Try again”.'
  },
  'keeping-not-on-file': {
    what: 'The history is kept in memory for this sitting, so there is nothing to do this with.',
    safe: 'Nothing was changed.',
    todo: 'Unlock or start the keychain, then choose “Try again” on the history page.'
  },
  'applicant-missing': {
    what: 'The history knows no applicant with exactly this id.',
    safe: 'Nothing was changed.',
    todo: 'Check the id; it may have been erased.'
  },
  'erasure-held': {
    what: 'A legal hold forbids this.',
    safe: 'Nothing was erased.',
    todo: 'Lift the hold first, with its reason, if you may.'
  },
  'erasure-unconfirmed': {
    what: 'The applicant’s id was not typed as the confirmation.',
    safe: 'Nothing was erased.',
    todo: 'Type the id exactly: what is erased cannot be brought back.'
  },
  'erasure-open-check': {
    what: 'A check of this applicant is under way.',
    safe: 'Nothing was erased.',
    todo: 'Wait for its end, then try again.'
  },
  'erasure-copies': {
    what: 'Not every kept copy could be rewritten: {detail}.',
    safe: 'Nothing was erased in the history.',
    todo: 'Check the folder of the backups and its permissions, then try again.'
  },
  'retention-changed': {
    what: 'What would go is no longer what you were shown.',
    safe: 'Nothing was erased.',
    todo: 'Look at the new list, then decide again.'
  },
  'file-unwritable': {
    what: 'The file {file} could not be written: {detail}.',
    safe: 'A file that was there before is as it was.',
    todo: 'Choose another place, or close the program that holds the file, then try again.'
  },
  'file-unreadable': {
    what: 'The file {file} could not be read: {detail}.',
    safe: 'Nothing was changed; the file is untouched.',
    todo: 'Check that it is there and may be read, then choose it again.'
  },
  'export-stopped': {
    what: 'The export was stopped.',
    safe: 'No file was written; one that was there before is as it was.',
    todo: 'Start it again whenever you like.'
  },
  // --- evidence --------------------------------------------------------------------------------
  'evidence-nothing': {
    what: 'There is no evidence for this: {detail}.',
    safe: 'No file was written.',
    todo: 'Check what you chose; it may have been erased.'
  },
  'evidence-refused': {
    what: 'This file proves nothing: {detail}.',
    safe: 'Nothing was signed or taken over.',
    todo: 'Ask whoever sent it for the file as it was made.'
  },
  'case-gone': {
    what: 'This case is no longer open.',
    safe: 'Nothing was signed.',
    todo: 'Open the file again.'
  },
  'case-own-key': {
    what: 'The pack was made by this installation, so its countersignature would be the same pair of eyes.',
    safe: 'Nothing was signed.',
    todo: 'Send the file to a second person, who opens it in their own Veridesk.'
  },
  'case-not-ours': {
    what: 'This case was not made by this installation: {detail}.',
    safe: 'Nothing was taken over.',
    todo: 'Import it where its evidence is.'
  },
  // --- applicants and decisions ----------------------------------------------------------------
  'link-refused': {
    what: 'This check cannot be linked: {detail}.',
    safe: 'Nothing was changed.',
    todo: 'Only checks of which the service was told no applicant are linked by hand, each to one applicant.'
  },
  'decision-invalid': {
    what: 'The decision is not complete: {detail}.',
    safe: 'Nothing was decided.',
    todo: 'Complete the marked fields.'
  },
  'decision-outdated': {
    what: 'Newer evidence has arrived since this page was loaded.',
    safe: 'Nothing was decided.',
    todo: 'Look at what is new, then decide.'
  },
  'message-missing': {
    what: 'This message is not in the catalogue, or its wording was erased.',
    safe: 'Nothing was changed.',
    todo: 'Open the catalogue again to see its present state.'
  },
  'event-missing': {
    what: 'The audit trail has no such event: it has {size}.',
    safe: 'Nothing was changed.',
    todo: 'Choose an event of the list.'
  },
  // --- settings and files ----------------------------------------------------------------------
  'settings-damaged': {
    what: 'The file {file} could not be read: {detail}.',
    safe: 'It was kept as {kept}; nothing was deleted. Veridesk runs with its defaults.',
    todo: 'Check the settings and connections, or put a good copy of the file back and start again.'
  },
  'settings-newer': {
    what: 'The file {file} was written by a newer version of Veridesk.',
    safe: 'It is untouched, and nothing is saved over it. Veridesk runs with its defaults.',
    todo: 'Update Veridesk.'
  },
  'settings-unreadable': {
    what: 'The file {file} could not be read: {detail}.',
    safe: 'It is untouched, and nothing is saved over it. Veridesk runs with its defaults.',
    todo: 'Check its permissions and whether another program holds it, then start Veridesk again.'
  },
  'settings-locked': {
    what: 'The file {file} could not be written: {detail}.',
    safe: 'The file is as it was before.',
    todo: 'Check its permissions and whether another program holds it, then try again.'
  },
  'setting-invalid': {
    what: 'This setting cannot be saved: {detail}.',
    safe: 'The settings are as they were before.',
    todo: 'Correct it and try again.'
  },
  'ca-file-invalid': {
    what: 'The certificate file cannot be used: {detail}.',
    safe: 'The settings are as they were before.',
    todo: 'Choose a PEM file with one or more certificates.'
  },
  'practice-unavailable': {
    what: 'The practice service could not be started: {detail}.',
    safe: 'Nothing else is affected.',
    todo: 'Start it by itself with “npm run practice”, and add a connection to the address that it prints.'
  }
} as const satisfies Record<string, FailureDeclaration>

export type FailureCode = keyof typeof failureTable

/** One failure with its three sentences filled in. */
export interface Failure {
  readonly code: FailureCode
  readonly what: string
  readonly safe: string
  readonly todo: string
  /** Faults of single fields, by field name, for display at the field. */
  readonly fields?: Readonly<Record<string, string>>
}

/** Builds a failure from the table; an unfilled {name} is left out of the sentence. */
export function failure(
  code: FailureCode,
  details: Readonly<Record<string, string | number>> = {},
  fields?: Readonly<Record<string, string>>
): Failure {
  const fill = (sentence: string): string =>
    sentence.replace(/ ?\(?\{(\w+)\}\)?/g, (whole, name: string) =>
      name in details ? whole.replace(`{${name}}`, String(details[name])) : ''
    )
  const row = failureTable[code]
  return { code, what: fill(row.what), safe: fill(row.safe), todo: fill(row.todo), ...(fields && { fields }) }
}

/** `failure()` as a Result. */
export function failed(
  code: FailureCode,
  details?: Readonly<Record<string, string | number>>,
  fields?: Readonly<Record<string, string>>
): { readonly ok: false; readonly failure: Failure } {
  return fail(failure(code, details, fields))
}

