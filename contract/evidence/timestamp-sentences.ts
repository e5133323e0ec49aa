/** Time-stamps by an authority, certificates of the signing key, and log forwarding. */
import type { FailureRows } from '../failures/declaration.ts'

export const timestampFailures = {
  'revocation-invalid': {
    what: 'The file {file} is not a valid revocation.',
    impact: 'Nothing was verified.',
    nextStep:
      'Ask its sender for the original file. A revocation that was changed, or that its key did not sign, is not used.'
  },
  'signing-key-other': {
    what: 'This is not the fingerprint of the current signing key.',
    impact: 'The key was not replaced.',
    nextStep: 'Compare the fingerprint with “evidence keys”, and enter that of the current key.'
  },
  'certificate-refused': {
    what: 'These certificates cannot be used for the signing key: {reason}.',
    impact: 'The certificates in use are unchanged.',
    nextStep:
      'Request a certificate for the current key with “evidence certificate request”, and import the answer of your certificate authority.',
    reasons: {
      'none': 'the file contains no certificate in PEM format',
      'unreadable': 'one of them cannot be read',
      'other-key': 'none of them is for this key',
      'expired': 'the certificate of the key has expired'
    }
  },
  'timestamp-not-configured': {
    what: 'No time-stamp authority is set.',
    impact: 'No time-stamp was requested.',
    nextStep: 'Set one in the settings under Time-stamps, or with “timestamps set” on the command line.'
  },
  'timestamp-not-answered': {
    what: 'The time-stamp authority {host} did not answer: {reason}.',
    impact: 'No time-stamp was added. The authority received a hash only.',
    nextStep: 'Try again later, or test the authority in the settings.',
    reasons: {
      'silence': 'there was no complete answer within {seconds} seconds',
      'status': 'its status was {status}',
      'redirect': 'it redirects to another address, which Veridesk does not follow',
      'too-large': 'its answer is larger than {limitBytes}',
      'lost': 'the connection was closed',
      'compressed': 'its answer is compressed, which was not requested',
      'other': 'the connection failed ({errno})'
    }
  },
  'timestamp-refused': {
    what: 'The time-stamp of {host} is not valid: {reason}.',
    impact: 'It was not used.',
    nextStep:
      'Check the address and the certificates of the authority in the settings, and ask the authority if both are right.',
    reasons: {
      'no-reply': 'the answer is not that of a time-stamp authority',
      'status': 'the authority refused the request with status {status}',
      'unreadable': 'it is not in the required form',
      'imprint': 'it is about something else',
      'nonce': 'it does not answer this request; it may be an old answer',
      'signature': 'its signature is not valid',
      'identity': 'it does not identify the certificate that signed it',
      'purpose': 'the certificate that signed it is not for time-stamps alone',
      'chain': 'its certificate does not lead to a certificate authority that you chose',
      'validity': 'a certificate was not valid at its time',
      'algorithm': 'it uses an algorithm that is not accepted',
      'other-content': 'it is signed, but not a time-stamp',
      'clock': 'its time differs from the clock of this computer by more than a day'
    }
  }
} as const satisfies FailureRows

const nothingLost = 'The events stay in the audit trail; none is lost.'

export const forwardingFailures = {
  'forwarding-not-taken': {
    what: 'The collector {host} did not take the events: {reason}.',
    phrase: '{reason}',
    impact: nothingLost,
    nextStep: 'Veridesk tries again by itself. If it lasts, ask whoever operates the collector.',
    reasons: {
      silence: 'it did not confirm the end of the connection within {seconds} seconds',
      closed: 'it closed the connection before the end',
      other: 'the connection failed ({errno})'
    }
  },
  'forwarding-file': {
    what: 'Events could not be written to the file {file}: {reason}.',
    phrase: '{reason}',
    impact: nothingLost,
    nextStep: 'Check the folder of the file and its permissions. Veridesk tries again by itself.'
  }
} as const satisfies FailureRows
