/** Connections and their credentials. */
import type { FailureRows } from './declaration.ts'

export const connectionsFailures = {
  'connections-damaged': {
    what: 'The file {file} could not be read: {detail}.',
    safe: 'It is untouched, and nothing is saved over it. The connections in it are not shown, and nothing was sent to them.',
    todo: 'Put a good copy of the file back and start again, or begin without connections: on the connections page, or with “connection reset” on the command line.'
  },
  'connections-newer': {
    what: 'The file {file} was written by a newer version of Veridesk.',
    safe: 'It is untouched, and nothing is saved over it. The connections in it are not shown, and nothing was sent to them.',
    todo: 'Update Veridesk, or begin without connections: on the connections page, or with “connection reset” on the command line.'
  },
  'connections-unreadable': {
    what: 'The file {file} could not be read: {detail}.',
    safe: 'It is untouched, and nothing is saved over it. The connections in it are not shown, and nothing was sent to them.',
    todo: 'Check its permissions and whether another program holds it, then start Veridesk again; or begin without connections: on the connections page, or with “connection reset” on the command line.'
  },
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
  'credentials-for-another': {
    what: 'The credentials of this connection were given for {given}, and it now points to {now}.',
    safe: 'Nothing was sent to either.',
    todo: 'Open Connections and check the address and the mode; where they are right, enter the three credentials again.'
  },
  'credential-invalid': {
    what: 'This value cannot be a header: {detail}.',
    safe: 'The stored value, if there was one, is unchanged.',
    todo: 'Copy it again from your provider, without line breaks or spaces around it.'
  },
  'credential-undo-expired': {
    what: 'The cleared value can no longer be restored.',
    safe: 'Nothing was changed: the credential is as this page shows it.',
    todo: 'Set it again, with the value from your provider.'
  }
} as const satisfies FailureRows
