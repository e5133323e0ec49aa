/** The commands for whoever deploys Veridesk, as data. */
import type { Command } from './command.ts'

const json = { json: { type: 'boolean', help: 'print JSON instead of text' } } as const

export const administrationCommands = {
  version: {
    words: ['version'],
    operands: '',
    help: 'Print the versions of Veridesk and of what it is built on. Needs neither data nor keychain.',
    options: json
  }
} as const satisfies Record<string, Command>
