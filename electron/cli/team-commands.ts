/** The commands for a team, as data. */
import type { Command } from './command.ts'

export const teamCommands = {
  teamSchema: {
    words: ['team', 'schema'],
    operands: '',
    help: 'Print the SQL that an administrator runs in a database for a team (PostgreSQL 15 or newer). Installations cannot join it yet.',
    options: { from: { type: 'string', value: 'VERSION', help: 'print only what is newer than this version of the database' } }
  }
} as const satisfies Record<string, Command>
