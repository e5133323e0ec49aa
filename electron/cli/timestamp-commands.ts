/** The commands for time-stamps, as data. */
import type { Command } from './command.ts'

const json = { json: { type: 'boolean', help: 'print JSON instead of text' } } as const

export const timestampCommands = {
  timestampsSet: {
    words: ['timestamps', 'set'],
    operands: 'URL',
    help: 'Date evidence packs and the audit trail by an authority (RFC 3161). It receives hashes only.',
    options: {
      ca: { type: 'string', value: 'FILE', help: 'PEM file with the certificate authorities that its time-stamps must lead to' },
      name: { type: 'string', value: 'TEXT', help: 'name of the authority; its host by default' }
    }
  },
  timestampsShow: { words: ['timestamps', 'show'], operands: '', help: 'Show the time-stamp authority.', options: json },
  timestampsTest: { words: ['timestamps', 'test'], operands: '', help: 'Request a time-stamp of random bytes, and verify it.', options: json },
  timestampsOff: { words: ['timestamps', 'off'], operands: '', help: 'Request no time-stamps. Those in packs stay valid.', options: {} }
} as const satisfies Record<string, Command>
