/** Settings, their files and the practice service. */
import type { FailureRows } from './declaration.ts'

export const settingsFailures = {
  'settings-damaged': {
    what: 'The file {file} could not be read: {detail}.',
    safe: 'It is untouched, and nothing is saved over it. The settings shown are the defaults, and nothing is sent with them.',
    todo: 'Put a good copy of the file back and start again, or use the default settings: on the settings page, or with “settings reset” on the command line.'
  },
  'settings-newer': {
    what: 'The file {file} was written by a newer version of Veridesk.',
    safe: 'It is untouched, and nothing is saved over it. The settings shown are the defaults, and nothing is sent with them.',
    todo: 'Update Veridesk, or use the default settings: on the settings page, or with “settings reset” on the command line.'
  },
  'settings-unreadable': {
    what: 'The file {file} could not be read: {detail}.',
    safe: 'It is untouched, and nothing is saved over it. The settings shown are the defaults, and nothing is sent with them.',
    todo: 'Check its permissions and whether another program holds it, then start Veridesk again; or use the default settings: on the settings page, or with “settings reset” on the command line.'
  },
  'settings-block-sending': {
    what: 'The settings in {file} are not in effect: {detail}.',
    safe: 'Nothing was sent: the file may name a proxy, a certificate authority or a guard that the default settings lack.',
    todo: 'Put a good copy of the file back and start again, or use the default settings: on the settings page, or with “settings reset” on the command line.'
  },
  'data-file-readable': {
    what: 'The file {file} can be read.',
    safe: 'Nothing was changed.',
    todo: 'Nothing has to be reset; what the file holds is changed in the window.'
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
  'ca-file-unusable': {
    what: 'The certificate file that the settings name cannot be used: {detail}.',
    safe: 'Nothing was sent: a connection is checked with these certificates or not made at all.',
    todo: 'Put the file back, or choose another one in the settings.'
  },
  'practice-unavailable': {
    what: 'The practice service could not be started: {detail}.',
    safe: 'Nothing else is affected.',
    todo: 'Start it by itself with “npm run practice”, and add a connection to the address that it prints.'
  }
} as const satisfies FailureRows
