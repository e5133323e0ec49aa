/** The commands of the command line as data: what parses them, what explains them, what runs them. */
import { apostropheChoices, batchEncodings, batchFiles, batchResolutions, maxAtOnce } from '#contract/batches.ts'
import { credentials } from '#contract/credentials.ts'
import { connectionModes } from '#contract/connection.ts'
import { operations, type FieldDeclaration } from '#contract/operations.ts'
import type { Command, Option } from './command.ts'
import { exitCodes } from './exit.ts'
import { filterOptions } from './filter-options.ts'
import { dataManagementCommands } from './data-management-commands.ts'

/** The flag under which a field is given: its wire name with dashes. */
export function flagOf(field: FieldDeclaration): string {
  return field.name.replaceAll('_', '-')
}

export type { Command } from './command.ts'

const json: Option = { type: 'boolean', help: 'print JSON instead of text' }
const fieldOptions: Record<string, Option> = {}
for (const field of operations.flatMap((operation) => operation.fields as readonly FieldDeclaration[]))
  fieldOptions[flagOf(field)] ??= { type: 'string', value: field.kind === 'url' ? 'URL' : 'ID', help: field.label }

const limit: Option = { type: 'string', value: 'N', help: 'at most N records, newest first (50)' }

const readingOptions: Record<string, Option> = {
  operation: { type: 'string', value: 'OPERATION', help: 'the operation that each row is a check of' },
  encoding: { type: 'string', value: batchEncodings.join('|'), help: 'detected where left out' },
  apostrophes: { type: 'string', value: apostropheChoices.join('|'), help: 'apostrophes before =, +, - or @ that are not marked as added by Veridesk; kept where left out' },
  delimiter: { type: 'string', value: 'CHAR', help: 'comma, semicolon, bar or “tab”; detected where left out' },
  map: { type: 'string', value: 'FIELD=HEADING,…', help: 'columns by hand; matched by name where left out' }
}
const runningOptions: Record<string, Option> = {
  'out': { type: 'string', value: 'FILE', help: 'write the results there at the end', writes: true },
  'live': { type: 'boolean', help: 'needed for a connection that is marked live' },
  'credentials-stdin': { type: 'boolean', help: 'read the three headers from standard input, for this run only' }
}

export const commands = {
  verify: {
    words: ['verify'],
    operands: 'OPERATION',
    help: 'Run one verification and print the service’s answer.',
    options: {
      ...fieldOptions,
      'connection': { type: 'string', value: 'NAME', help: 'the connection to use; the last one used where left out' },
      'live': { type: 'boolean', help: 'needed for a connection that is marked live' },
      'repeat': { type: 'boolean', help: 'send although the same check was recently answered' },
      'credentials-stdin': { type: 'boolean', help: 'read the three headers from standard input, for this run only' },
      'without-history': { type: 'boolean', help: 'run although no lasting history can be kept' },
      json
    }
  },
  historySearch: {
    words: ['history', 'search'],
    operands: '[TEXT]',
    help: 'Search ids, URLs, messages and raw replies (three letters or more); all records without TEXT.',
    options: { ...filterOptions, limit, json }
  },
  historyShow: { words: ['history', 'show'], operands: 'ID', help: 'Print one record whole.', options: { json } },
  connectionAdd: {
    words: ['connection', 'add'],
    operands: 'NAME',
    help: 'Add a connection. Asks for the three credentials, or reads them from standard input.',
    options: {
      'base-url': { type: 'string', value: 'URL', help: 'scheme, host and port of the service' },
      'mode': { type: 'string', value: connectionModes.join('|'), help: 'sandbox unless said otherwise' },
      'mark': { type: 'string', value: 'TEXT', help: 'one to four letters shown beside the name' },
      'colour': { type: 'string', value: 'COLOUR', help: 'colour of its mark' },
      'credentials-stdin': { type: 'boolean', help: `read lines “header: value” (${credentials.map((one) => one.header).join(', ')})` },
      'practice': { type: 'boolean', help: 'add the bundled practice service; NAME is not needed' },
      json
    }
  },
  connectionList: { words: ['connection', 'list'], operands: '', help: 'List connections and which credentials are set.', options: { json } },
  connectionRemove: {
    words: ['connection', 'remove'],
    operands: 'NAME',
    help: 'Remove a connection and its credentials. Its records stay.',
    options: {}
  },
  connectionReset: {
    words: ['connection', 'reset'],
    operands: '',
    help: 'Start without connections where their file cannot be read. The file is kept under another name.',
    options: {}
  },
  settingsReset: {
    words: ['settings', 'reset'],
    operands: '',
    help: 'Use the default settings where their file cannot be read; nothing is sent before. The file is kept under another name.',
    options: {}
  },
  auditVerify: { words: ['audit', 'verify'], operands: '', help: 'Verify every event of the audit trail, and say where it breaks.', options: { json } },
  batchCheck: {
    words: ['batch', 'check'],
    operands: 'FILE',
    help: 'Read a CSV file through and say which rows could be sent. Nothing is sent or stored.',
    options: { ...readingOptions, json }
  },
  batchRun: {
    words: ['batch', 'run'],
    operands: 'FILE',
    help: 'Make a batch of a CSV file and run it. Ctrl-C and SIGTERM pause it; JSON lines where no terminal reads along.',
    options: {
      ...readingOptions,
      'connection': { type: 'string', value: 'NAME', help: 'the connection to use; the last one used where left out' },
      'name': { type: 'string', value: 'TEXT', help: 'what the batch is called; the file’s name where left out' },
      'at-once': { type: 'string', value: 'N', help: `requests under way at once, 1 to ${maxAtOnce} (2)` },
      'pace': { type: 'string', value: 'N', help: 'at most N requests a minute (no limit)' },
      'repeat': { type: 'boolean', help: 'send rows although the same check was recently answered' },
      'without-history': { type: 'boolean', help: 'run although no lasting history can be kept' },
      ...runningOptions
    }
  },
  batchResume: {
    words: ['batch', 'resume'],
    operands: 'ID',
    help: 'Go on with a batch that was paused, stopped or interrupted.',
    options: { ...runningOptions, 'after-restore': { type: 'boolean', help: 'confirm that a batch restored from a backup may send its waiting rows' } }
  },
  batchList: { words: ['batch', 'list'], operands: '[TEXT]', help: 'List batches, newest first.', options: { json } },
  batchShow: { words: ['batch', 'show'], operands: 'ID', help: 'Print a batch, and its rows that failed or are unknown.', options: { json } },
  batchResolve: {
    words: ['batch', 'resolve'],
    operands: 'ID',
    help: 'Say of the rows whose outcome is unknown that they count as sent, or are to be sent again.',
    options: { as: { type: 'string', value: batchResolutions.join('|'), help: 'what they are to count as' } }
  },
  batchSave: {
    words: ['batch', 'save'],
    operands: 'ID',
    help: 'Write results of a batch to a file.',
    options: {
      file: { type: 'string', value: batchFiles.join('|'), help: 'which rows (results)' },
      out: { type: 'string', value: 'FILE', help: 'where to', writes: true }
    }
  },
  ...dataManagementCommands(filterOptions)
} as const satisfies Record<string, Command>

export type CommandName = keyof typeof commands

/** The help text, made from the tables. */
export function helpText(): string {
  const lines = ['veridesk: verify applicants from the command line', '', 'Usage: npm run cli -- COMMAND [options]', '']
  for (const command of Object.values<Command>(commands)) {
    lines.push(`${[...command.words, command.operands].join(' ').trim()}`, `    ${command.help}`)
    for (const [name, option] of Object.entries(command.options))
      lines.push(`${`      --${name}${option.value ? ` ${option.value}` : ''}`.padEnd(42)}  ${option.help}`)
    lines.push('')
  }
  lines.push('Operations and their fields:')
  for (const operation of operations)
    lines.push(`    ${operation.id}`.padEnd(38) + operation.fields.map((field) => `--${flagOf(field)}`).join(' '))
  lines.push('', 'Exit codes:')
  for (const { code, meaning } of Object.values(exitCodes)) lines.push(`    ${String(code).padEnd(5)}${meaning}`)
  lines.push('', 'Secrets are never given as arguments: other users of a machine can read them there.')
  lines.push('--data DIR before or after any command uses another data folder.')
  return lines.join('\n')
}
