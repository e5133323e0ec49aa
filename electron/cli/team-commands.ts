/** The commands for a team, as data. */
import type { Command } from './command.ts'

export const teamCommands = {
  teamSchema: {
    words: ['team', 'schema'],
    operands: '',
    help: 'Print the SQL that an administrator runs in a database for a team (PostgreSQL 15 or newer). Installations cannot join it yet.',
    options: { from: { type: 'string', value: 'VERSION', help: 'print only what is newer than this version of the database' } }
  },
  teamCheck: {
    words: ['team', 'check'],
    operands: '',
    help: 'Sign in to a team’s database and say whether it can be used. Asks for the password, or reads it from standard input. Changes nothing.',
    options: {
      host: { type: 'string', value: 'HOST', help: 'name or address of the server' },
      port: { type: 'string', value: 'N', help: 'its port (5432)' },
      database: { type: 'string', value: 'NAME', help: 'name of the database' },
      role: { type: 'string', value: 'NAME', help: 'role to sign in with' },
      ca: { type: 'string', value: 'FILE', help: 'PEM file with the certificate authority that the server’s certificate must lead to; those of this computer by default' },
      json: { type: 'boolean', help: 'print JSON instead of text' }
    }
  }
} as const satisfies Record<string, Command>
