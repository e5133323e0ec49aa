/** Notices of new releases: why there is none, or why one is not used. */
import type { FailureRows } from '../failures/declaration.ts'

const notUsed = 'The notice was not used. Veridesk never downloads or installs anything by itself.'
const askPublisher = 'Ask whoever operates the feed. Do not install anything that it names.'
const mayBeOld = 'It is not known whether there is a newer release.'

export const updateFailures = {
  'updates-off': {
    what: 'No update feed is set.',
    impact: 'Nothing was fetched.',
    nextStep:
      'Enter the address and the public key of a feed under “Updates” in the settings, or with “updates set” on the command line.'
  },
  'updates-turned-off': {
    what: 'Notices of newer releases are turned off by {organisation}, in {place}.',
    impact: 'Nothing was fetched.',
    nextStep: 'If you need them, ask your administrator.'
  },
  'updates-in-sample': {
    what: 'With sample data, no notice of updates is fetched.',
    impact: 'Nothing was contacted.',
    nextStep: 'Close the sample data, and check in Veridesk itself.'
  },
  'update-not-fetched': {
    what: 'The update feed {host} did not answer: {reason}.',
    impact: mayBeOld,
    nextStep: 'Veridesk tries again after a day. “Network diagnosis” shows why an address cannot be reached.',
    reasons: {
      silence: 'there was no complete answer within {seconds} seconds',
      status: 'its status was {status}',
      lost: 'the connection was closed',
      compressed: 'its answer is compressed, which was not requested',
      other: 'the connection failed ({errno})'
    }
  },
  'update-redirected': {
    what: 'The update feed {host} redirects to another address: {target}.',
    impact: `Veridesk did not follow it. ${mayBeOld}`,
    nextStep: 'Enter the address at which the feed answers, if you know it and trust it.'
  },
  'update-too-large': {
    what: 'The notice of the update feed is larger than {limitBytes}.',
    impact: notUsed,
    nextStep: 'Check the address of the feed. It must serve the signed notice itself.'
  },
  'update-not-signed': {
    what: 'The update feed serves something that is not a notice signed with minisign.',
    impact: notUsed,
    nextStep: 'Check the address of the feed. If it is right, ask whoever operates it.'
  },
  'update-key-unknown': {
    what: 'The notice is signed with the key {keyId}, which is not one of the public keys in the settings.',
    impact: notUsed,
    nextStep: 'If the feed has a new key, get it from its operator, not from the feed, and add it to the former one.'
  },
  'update-signature-invalid': {
    what: 'The signature of the notice is invalid: the notice was changed after it was signed.',
    impact: notUsed,
    nextStep: askPublisher
  },
  'update-not-json': {
    what: 'The signed notice is not valid JSON.',
    impact: notUsed,
    nextStep: askPublisher
  },
  'update-format-newer': {
    what: 'The notice has a form that this version of Veridesk does not know.',
    impact: 'It probably announces a newer release, which is not shown.',
    nextStep: 'Look for a newer release where you got this one.'
  },
  'update-other-product': {
    what: 'The notice is about another product.',
    impact: notUsed,
    nextStep: 'Check the address of the feed and its public key.'
  },
  'update-invalid': {
    what: 'The signed notice is invalid: {field}.',
    impact: notUsed,
    nextStep: askPublisher
  },
  'update-other-channel': {
    what: 'The notice is for the channel “{channel}”, but “{wanted}” is set.',
    impact: notUsed,
    nextStep:
      'Check the address of the feed, or choose the other channel. Where a policy sets them, ask your administrator.'
  },
  'update-expired': {
    what: 'The notice of the update feed expired on {expiredAt}.',
    impact: `Somebody may be withholding a newer one. ${mayBeOld}`,
    nextStep: 'Check the clock of this computer. If it is right, ask whoever operates the feed for a current notice.'
  },
  'update-from-future': {
    what: 'The notice is dated {datedAt}, which this computer’s clock has not reached.',
    impact: notUsed,
    nextStep: 'Correct the clock of this computer. If it is right, ask whoever operates the feed.'
  },
  'update-replayed': {
    what: 'The update feed serves an older notice than before: number {sequence}, after {earlier}.',
    impact: 'Somebody may be hiding a newer release. The notice was not used.',
    nextStep: askPublisher
  },
  'update-version-back': {
    what: 'The update feed names version {release}, after it had named {earlier}.',
    impact: 'Somebody may be hiding a newer release. The notice was not used.',
    nextStep: askPublisher
  },
  'update-downgrade': {
    what: 'The update feed names version {release}, which is older than the installed version {installed}.',
    impact: 'It is not offered: an older version may not open newer data.',
    nextStep: 'You need not do anything. If this stays so, ask whoever operates the feed.'
  }
} as const satisfies FailureRows
