/** Settings, their files and the practice service. */
import type { FailureRows } from './declaration.ts'

export const settingsFailures = {
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
} as const satisfies FailureRows
