/** The commands for time-stamps and the signing key, as data. */
import type { Command } from './command.ts'

const json = { json: { type: 'boolean', help: 'print JSON instead of text' } } as const

export const timestampCommands = {
  evidenceCertificate: {
    words: ['evidence', 'certificate'],
    operands: 'request|create|import FILE|show|remove',
    help: 'Certificates of the key that signs packs: request one from your certificate authority, import its answer, or create one that the key signs itself. Packs contain them, redacted ones as well.',
    options: {
      name: { type: 'string', value: 'TEXT', help: 'request, create: whom the certificate names, such as a team or an installation' },
      organisation: { type: 'string', value: 'TEXT', help: 'request, create: its organisation' },
      to: { type: 'string', value: 'FILE', help: 'request, create: file to write; an existing file is replaced', writes: true },
      ...json
    }
  },
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
