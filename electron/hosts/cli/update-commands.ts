/** The commands for updates by notice, as data. Those of two words come first. */
import { releaseChannels } from '#contract/updates/releases.ts'
import type { Command, Option } from './command.ts'

const json = { json: { type: 'boolean', help: 'print JSON instead of text' } } as const
const key: Option = {
  type: 'string',
  value: 'KEY',
  help: 'a public key of minisign, or the path of its file; several if a key is being replaced',
  multiple: true
}

export const updateCommands = {
  updatesCheck: {
    words: ['updates', 'check'],
    operands: '',
    help: 'Ask the update feed now whether there is a newer release. Nothing is downloaded or installed.',
    options: json
  },
  updatesSet: {
    words: ['updates', 'set'],
    operands: 'URL',
    help: 'Set the update feed: an address that serves a signed notice. A window then asks it once a day.',
    options: { key, channel: { type: 'string', value: releaseChannels.join('|'), help: 'stable by default' } }
  },
  updatesOff: {
    words: ['updates', 'off'],
    operands: '',
    help: 'Turn the update feed off, so that nothing is fetched.',
    options: {}
  },
  updatesVerify: {
    words: ['updates', 'verify'],
    operands: 'FILE',
    help: 'Verify a downloaded installer against a signed notice: its name, size and SHA-256. Needs neither data nor keychain, and contacts nobody.',
    options: { notice: { type: 'string', value: 'FILE', help: 'the file that the feed serves' }, key, ...json }
  },
  updates: {
    words: ['updates'],
    operands: '',
    help: 'Show whether a newer release is known. Contacts nobody.',
    options: json
  }
} as const satisfies Record<string, Command>
