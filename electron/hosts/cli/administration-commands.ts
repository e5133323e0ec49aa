/** The commands for whoever deploys Veridesk, as data. */
import type { Command } from './command.ts'

const json = { json: { type: 'boolean', help: 'print JSON instead of text' } } as const

export const administrationCommands = {
  version: {
    words: ['version'],
    operands: '',
    help: 'Print the versions of Veridesk and of what it is built on. Needs neither data nor keychain.',
    options: json
  },
  supportBundle: {
    words: ['support-bundle'],
    operands: '',
    help: 'Write a file for support: versions, state, settings, failure codes and log. It contains no personal data and no secrets.',
    options: {
      to: { type: 'string', value: 'FILE', help: 'file to write; an existing file is replaced', writes: true }
    }
  }
} as const satisfies Record<string, Command>
