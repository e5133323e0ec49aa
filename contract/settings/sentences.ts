/** Settings, their files and the practice service. */
import type { FailureRows } from '../failures/declaration.ts'
import { dataFileReasons } from '../failures/phrases.ts'

const notOverwritten =
  'The file is unchanged and is not overwritten. The default settings are shown, and nothing is sent or decided with them.'
const useDefaults = 'use the default settings: on the settings page, or with “settings reset” on the command line.'

const certificateReasons = {
  'not-a-file': 'it is not a regular file',
  'too-large': 'it is larger than {limitBytes}',
  'no-certificate': 'it contains no certificate (PEM, DER and PKCS#7 can be read)',
  'damaged': 'certificate {number} of {count} is damaged',
  'ENOENT': 'it does not exist',
  'other': 'it cannot be read ({errno})'
} as const

export const settingsFailures = {
  'settings-damaged': {
    what: 'The file {file} could not be read: {reason}.',
    phrase: '{reason}',
    impact: notOverwritten,
    nextStep: `Replace the file with a valid copy and restart Veridesk, or ${useDefaults}`,
    guide: 'When a file is damaged',
    reasons: dataFileReasons
  },
  'settings-newer': {
    what: 'The file {file} was written by a newer version of Veridesk.',
    phrase: 'it was written by a newer version of Veridesk',
    impact: notOverwritten,
    nextStep: `Update Veridesk, or ${useDefaults}`
  },
  'settings-unreadable': {
    what: 'The file {file} could not be read: {reason}.',
    phrase: '{reason}',
    impact: notOverwritten,
    nextStep: `Check its permissions and whether another application is using it, then restart Veridesk; or ${useDefaults}`,
    reasons: dataFileReasons
  },
  'settings-block-sending': {
    what: 'The settings in {file} are not in effect: {reason}.',
    impact:
      'Nothing was sent or decided. The file may contain a rule, a proxy, a certificate authority or a limit that the default settings lack.',
    nextStep: `Replace the file with a valid copy and restart Veridesk, or ${useDefaults}`
  },
  'data-file-readable': {
    what: 'The file {file} can be read.',
    impact: 'Nothing was changed.',
    nextStep: 'There is no need to reset it. Change its content in the window.'
  },
  'settings-locked': {
    what: 'The file {file} could not be written: {reason}.',
    impact: 'The file is unchanged.',
    nextStep: 'Check its permissions and whether another application is using it, then try again.'
  },
  'proxy-sign-in-invalid': {
    what: 'This proxy sign-in cannot be stored. {fields}',
    impact: 'What is stored for the proxy is unchanged.',
    nextStep: 'Correct the marked field.',
    guide: 'Network'
  },
  'proxy-sign-ins-full': {
    what: 'There are already {maximum} proxies with a user name and a password.',
    impact: 'Nothing was stored.',
    nextStep: 'Clear one that is no longer used.'
  },
  'setting-invalid': {
    what: 'This setting cannot be saved. {fields}',
    impact: 'The settings are unchanged.',
    nextStep: 'Correct the setting and try again.'
  },
  'ca-file-invalid': {
    what: 'The certificate file cannot be used: {reason}.',
    impact: 'The settings are unchanged.',
    nextStep: 'Choose a PEM file that contains one or more certificates.',
    guide: 'Network',
    reasons: certificateReasons
  },
  'ca-file-unusable': {
    what: 'The certificate file in the settings cannot be used: {reason}.',
    impact: 'Nothing was sent. A connection is always verified with these certificates.',
    nextStep: 'Restore the file, or choose another one in the settings.',
    guide: 'Network',
    reasons: certificateReasons
  },
  'practice-unavailable': {
    what: 'The practice service could not be started: {reason}.',
    impact: 'Nothing else is affected.',
    nextStep: 'Start it separately with “npm run practice”, and add a connection to the address that it prints.',
    reasons: { error: '{error}', EADDRINUSE: 'its port is in use' }
  }
} as const satisfies FailureRows
