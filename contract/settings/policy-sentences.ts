/** The policies of an organisation. */
import type { FailureRows } from '../failures/declaration.ts'

const reasons = {
  'too-large': 'it is too large',
  'not-text': 'it is not a text file',
  'empty': 'it is empty',
  'not-json': 'it is not valid JSON',
  'other-format': 'it is not a {format} file',
  'newer': 'it is for a newer version of Veridesk',
  'policy': 'the value of {policy} is invalid',
  'link': 'it is a symbolic link',
  'not-a-file': 'it is not a regular file',
  'owner': 'it does not belong to the administrator',
  'writable': 'users other than the administrator can change it',
  'folder': 'its folder does not belong to the administrator alone',
  'unreadable': 'neither native-reg nor reg.exe could read it',
  'not-registry': 'the registry returned a form that is not known',
  'not-plist': 'it is not a property list that can be read',
  'tool': '{tool} could not be run',
  'other': 'it cannot be read ({errno})'
} as const

const askAdministrator =
  'Ask your administrator to correct them. Veridesk applies them as soon as they are valid; a restart is not necessary.'

export const policiesFailures = {
  'policies-unusable': {
    what: 'The policies of your organisation in {place} cannot be used: {reason}.',
    phrase: '{reason}',
    impact: 'Nothing of them was applied. The last valid policies stay in force.',
    nextStep: askAdministrator,
    reasons
  },
  'policies-block-sending': {
    what: 'The policies of your organisation in {place} cannot be used: {reason}.',
    phrase: '{reason}',
    impact:
      'There are no earlier valid ones, so nothing is sent, decided, exported or copied, and what policies can turn off is off.',
    nextStep: askAdministrator,
    reasons
  },
  'policies-unknown': {
    what: 'The policies of your organisation contain names that this version of Veridesk does not know: {names}.',
    impact: 'These have no effect. All others are in force.',
    nextStep: 'Ask your administrator to check the spelling, or to update Veridesk.'
  },
  'setting-managed': {
    what: 'The setting is managed by {organisation}, in {place}: {names}.',
    impact: 'The settings are unchanged.',
    nextStep: 'If it should be changed, ask your administrator.'
  },
  'connection-managed': {
    what: 'The connection “{name}” is managed by {organisation}.',
    impact: 'The connection is unchanged.',
    nextStep: 'You can set its credentials. If anything else should be changed, ask your administrator.'
  },
  'address-not-allowed': {
    what: 'The address {address} is not allowed by {organisation}.',
    impact: 'Nothing was sent to it.',
    nextStep: 'Use a connection to an allowed address, or ask your administrator to allow this one.'
  },
  'own-connections-off': {
    what: 'Connections of users are turned off by {organisation}.',
    impact: 'Nothing was sent or saved.',
    nextStep: 'Use a ready-made connection, or ask your administrator.'
  },
  'practice-off': {
    what: 'The practice service and sample data are turned off by {organisation}.',
    impact: 'Neither was started.',
    nextStep: 'If you need them, ask your administrator.'
  },
  'team-off': {
    what: 'Teams are turned off by {organisation}.',
    impact: 'Nothing was exchanged.',
    nextStep: 'If you need one, ask your administrator.'
  },
  'team-server-not-allowed': {
    what: 'The database server {server} is not allowed for teams by {organisation}.',
    impact: 'Nothing was exchanged with it.',
    nextStep: 'Use a database on an allowed server, or ask your administrator to allow this one.'
  },
  'passphrase-required': {
    what: 'A passphrase for the lock is required by {organisation}.',
    impact: 'Nothing is sent until one is set, and it cannot be removed.',
    nextStep: 'Set a passphrase in the settings, under “Lock”.'
  },
  'recovery-key-required': {
    what: 'A recovery key is required by {organisation}.',
    impact: 'Nothing is sent until one is created and a copy of it is confirmed.',
    nextStep: 'Create a recovery key under “Data management”, and confirm that you have a copy.'
  },
  'recovery-key-not-sealed': {
    what: 'A recovery key that is sealed for {organisation} as well is required.',
    impact: 'Nothing is sent until there is one.',
    nextStep: 'Create a new recovery key under “Data management”. Its sealed copy is made at the same time.'
  },
  'exports-off': {
    what: 'Exports, results, evidence packs and printing are turned off by {organisation}.',
    impact: 'No file was written and nothing was printed.',
    nextStep: 'If you need one, ask your administrator.'
  },
  'clipboard-off': {
    what: 'Copying from Veridesk is turned off by {organisation}.',
    impact: 'The text was not copied.',
    nextStep: 'If you need it, ask your administrator.'
  }
} as const satisfies FailureRows
