/** The commands of the command line as data, for parsing, help and execution. */
import {
  apostropheChoices,
  batchEncodings,
  batchFiles,
  batchResolutions,
  maxAtOnce,
  roundedChoices,
  tableFormats
} from '#contract/batches/batches.ts'
import { credentials } from '#contract/connections/credentials.ts'
import { connectionModes } from '#contract/connections/connection.ts'
import { documentFields } from '#contract/documents/documents.ts'
import { operations, type FieldDeclaration } from '#contract/verification/operations.ts'
import type { Command, Option } from './command.ts'
import { exitCodes } from './exit.ts'
import { filterOptions } from './filter-options.ts'
import { teamCommands } from './team-commands.ts'
import { timestampCommands } from './timestamp-commands.ts'
import { updateCommands } from './update-commands.ts'
import { dataManagementCommands } from './data-management-commands.ts'

const administrationCommands = {
  version: {
    words: ['version'],
    operands: '',
    help: 'Print the versions of Veridesk and of what it is built on. Needs neither data nor keychain.',
    options: { json: { type: 'boolean', help: 'print JSON instead of text' } }
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

/** The flag of a field: its name in the request with dashes. */
export function flagOf(field: FieldDeclaration): string {
  return field.name.replaceAll('_', '-')
}

export type { Command } from './command.ts'

/** What a batch does about links with findings. */
export const onFindings = ['stop', 'send', 'skip'] as const

const json: Option = { type: 'boolean', help: 'print JSON instead of text' }
const fieldOptions: Record<string, Option> = {}
for (const field of operations.flatMap((operation) => operation.fields as readonly FieldDeclaration[]))
  fieldOptions[flagOf(field)] ??= { type: 'string', value: field.kind === 'url' ? 'URL' : 'ID', help: field.label }

const limit: Option = { type: 'string', value: 'N', help: 'at most N records, newest first (50)' }

const readingOptions: Record<string, Option> = {
  'operation': { type: 'string', value: 'OPERATION', help: 'the operation to run for each row' },
  'recipe': {
    type: 'string',
    value: 'NAME',
    help: 'instead of an operation: the operations of a recipe for each row, one after another, each a record of its own; a row stops at its first unknown outcome, 401, 403 or 429'
  },
  'encoding': {
    type: 'string',
    value: 'NAME',
    help: `recognised if it is Unicode or ASCII, otherwise to be chosen: ${batchEncodings.join(', ')}; their other names are known as well, such as cp1254 or latin1`
  },
  'apostrophes': {
    type: 'string',
    value: apostropheChoices.join('|'),
    help: 'apostrophes before =, +, - or @ that are not marked as added by Veridesk; kept by default'
  },
  'delimiter': { type: 'string', value: 'CHAR', help: 'comma, semicolon, pipe or “tab”; detected by default' },
  'heading-row': {
    type: 'string',
    value: 'LINE',
    help: 'the line of the headings; by default the one whose cells fit the fields best'
  },
  'sheet': { type: 'string', value: 'NAME', help: 'the sheet of a workbook; the first visible one by default' },
  'rounded': {
    type: 'string',
    value: roundedChoices.join('|'),
    help: 'IDs that look like numbers which a spreadsheet has rounded (1.23457E+11); refused by default'
  },
  'profile': { type: 'string', value: 'NAME', help: 'read the file with a column profile; “profile list” shows them' },
  'map': { type: 'string', value: 'FIELD=HEADING,…', help: 'column mapping; matched by name by default' }
}
const usedConnection: Option = {
  type: 'string',
  value: 'NAME',
  help: 'the connection to use; by default the only one, or the last one used in the window'
}
const linkOptions: Record<string, Option> = {
  'check-links': {
    type: 'boolean',
    help: 'ask the server of each link first whether a usable document is there; nothing is sent to the service'
  },
  'connection': usedConnection,
  'concurrency': { type: 'string', value: 'N', help: `requests in progress at the same time, 1 to ${maxAtOnce} (2)` },
  'rate-limit': { type: 'string', value: 'N', help: 'at most N requests per minute (no limit)' }
}
const runningOptions: Record<string, Option> = {
  'out': { type: 'string', value: 'FILE', help: 'file to write the results to', writes: true },
  'live': { type: 'boolean', help: 'required for a live connection' },
  'credentials-stdin': { type: 'boolean', help: 'read the three headers from standard input, for this run only' }
}

export const commands = {
  verify: {
    words: ['verify'],
    operands: 'OPERATION',
    help: 'Run one verification and print the service’s answer.',
    options: {
      ...fieldOptions,
      'connection': usedConnection,
      'live': { type: 'boolean', help: 'required for a live connection' },
      'repeat': {
        type: 'boolean',
        help: 'send even if the same request was recently answered'
      },
      'unknown-again': {
        type: 'boolean',
        help: 'send even if the outcome of the same request is unknown: it may be processed and billed twice'
      },
      'without-copies': {
        type: 'boolean',
        help: 'send even if no copy of a document can be kept, where the connection keeps copies'
      },
      'credentials-stdin': { type: 'boolean', help: 'read the three headers from standard input, for this run only' },
      'without-history': {
        type: 'boolean',
        help: 'run even if the history cannot be opened or stored: records are in memory until the command ends'
      },
      json
    }
  },
  check: {
    words: ['check'],
    operands: '[RECIPE]',
    help: 'Check an applicant: the operations of a recipe, one after another, each a record of its own. Stops at the first unknown outcome, 401, 403 or 429.',
    options: {
      'operations': {
        type: 'string',
        value: 'OPERATION,…',
        help: 'instead of a recipe, in the order in which they are sent'
      },
      'applicant-id': { type: 'string', value: 'ID', help: 'Applicant ID' },
      'photo': { type: 'string', value: 'URL', help: 'Photo URL' },
      'id-document': { type: 'string', value: 'URL', help: 'ID document URL' },
      'passport': { type: 'string', value: 'URL', help: 'Passport URL' },
      'connection': usedConnection,
      'live': { type: 'boolean', help: 'required for a live connection' },
      'repeat': { type: 'boolean', help: 'send even what was recently answered; otherwise that answer is used' },
      'unknown-again': {
        type: 'boolean',
        help: 'send even if the outcome of the same request is unknown: it may be processed and billed twice'
      },
      'credentials-stdin': { type: 'boolean', help: 'read the three headers from standard input, for this run only' },
      'without-history': {
        type: 'boolean',
        help: 'run even if the history cannot be opened or stored: records are in memory until the command ends'
      },
      json
    }
  },
  historySearch: {
    words: ['history', 'search'],
    operands: '[TEXT]',
    help: 'Search IDs, URLs, messages and raw responses (three characters or more, two of Chinese, Japanese or Korean); all records without TEXT. As in the window: phrases in quotation marks, and status:404 message:"photo expired" batch:NAME by:NAME before:2026-11-01 after:2026-11-01.',
    options: { ...filterOptions, limit, json }
  },
  historyShow: { words: ['history', 'show'], operands: 'ID', help: 'Print one record in full.', options: { json } },
  historyCopy: {
    words: ['history', 'copy'],
    operands: 'ID',
    help: 'Keep a copy of the document behind a link of a record, as it is now; with --path, of a file that was received in another way.',
    options: {
      field: { type: 'string', value: 'FIELD', help: `the field of the link: ${documentFields.join(', ')}` },
      path: { type: 'string', value: 'FILE', help: 'the file, instead of what is behind the link' },
      json
    }
  },
  reviewsList: {
    words: ['reviews', 'list'],
    operands: '',
    help: 'List the applicants whose periodic review is overdue or due in 90 days, the earliest first. Ends with 23 if one is overdue.',
    options: {
      overdue: { type: 'boolean', help: 'only those that are overdue' },
      limit: { type: 'string', value: 'N', help: 'at most N applicants (1000)' },
      json
    }
  },
  connectionAdd: {
    words: ['connection', 'add'],
    operands: 'NAME',
    help: 'Add a connection. Asks for the three credentials, or reads them from standard input.',
    options: {
      'base-url': { type: 'string', value: 'URL', help: 'scheme, host and port of the service' },
      'mode': { type: 'string', value: connectionModes.join('|'), help: 'sandbox by default' },
      'mark': { type: 'string', value: 'TEXT', help: 'one to four letters shown next to the name' },
      'colour': { type: 'string', value: 'COLOUR', help: 'colour of its mark' },
      'credentials-stdin': {
        type: 'boolean',
        help: `read lines “header: value” (${credentials.map((one) => one.header).join(', ')})`
      },
      'practice': { type: 'boolean', help: 'add the bundled practice service; NAME is not needed' },
      json
    }
  },
  connectionList: {
    words: ['connection', 'list'],
    operands: '',
    help: 'List connections and which credentials are set.',
    options: { json }
  },
  connectionCredentials: {
    words: ['connection', 'credentials'],
    operands: 'NAME',
    help: 'Replace credentials of a connection: reads lines “header: value” from standard input, or asks for them. Those that are not given stay.',
    options: { json }
  },
  connectionRemove: {
    words: ['connection', 'remove'],
    operands: 'NAME',
    help: 'Remove a connection and its credentials. Its records stay.',
    options: {}
  },
  connectionReset: {
    words: ['connection', 'reset'],
    operands: '',
    help: 'Start without connections if their file cannot be read. The file is kept under another name.',
    options: {}
  },
  policies: {
    words: ['policies'],
    operands: '',
    help: 'List the policies of your organisation that are in force, with the place of each. Fails if the policies that were set cannot be used.',
    options: { json }
  },
  profileList: {
    words: ['profile', 'list'],
    operands: '',
    help: 'List the column profiles: how files with certain headings are read as batches. They are saved in the window.',
    options: { json }
  },
  profileRemove: {
    words: ['profile', 'remove'],
    operands: 'NAME',
    help: 'Remove a column profile.',
    options: {}
  },
  settingsReset: {
    words: ['settings', 'reset'],
    operands: '',
    help: 'Use the default settings if their file cannot be read; until then nothing is sent or decided. The file is kept under another name.',
    options: {}
  },
  diagnose: {
    words: ['diagnose'],
    operands: '[CONNECTION]',
    help: 'Find out why a service cannot be reached, and who can fix it: route, DNS, proxy, TLS, clock. Sends one HEAD request without credentials, and no verification.',
    options: {
      url: { type: 'string', value: 'URL', help: 'an address instead of a connection: scheme, host and port' },
      json
    }
  },
  auditVerify: {
    words: ['audit', 'verify'],
    operands: '',
    help: 'Verify every event of the audit trail, and report where it is broken.',
    options: { json }
  },
  batchCheck: {
    words: ['batch', 'check'],
    operands: 'FILE',
    help: 'Validate a CSV file or a workbook (.xlsx, .xlsm) and list the rows that cannot be sent, and with --check-links the links with findings. Nothing is sent or stored.',
    options: { ...readingOptions, ...linkOptions, json }
  },
  batchRun: {
    words: ['batch', 'run'],
    operands: 'FILE',
    help: 'Create a batch from a CSV file or a workbook (.xlsx, .xlsm) and run it. Ctrl-C and SIGTERM pause it. Prints JSON lines if the output is not a terminal.',
    options: {
      ...readingOptions,
      ...linkOptions,
      'on-findings': {
        type: 'string',
        value: onFindings.join('|'),
        help: 'with --check-links: send nothing, send the rows with findings too, or skip them (stop)'
      },
      'name': { type: 'string', value: 'TEXT', help: 'batch name; the file name by default' },
      'repeat': { type: 'boolean', help: 'send rows even if the same request was recently answered' },
      'another': {
        type: 'boolean',
        help: 'create the batch although one of the same file, operations and connection is unfinished'
      },
      'share': {
        type: 'boolean',
        help: 'share the batch with the team first: a colleague takes it over with “batch take-over”'
      },
      'without-history': {
        type: 'boolean',
        help: 'run even if the history cannot be opened or stored: records are in memory until the command ends'
      },
      ...runningOptions
    }
  },
  batchResume: {
    words: ['batch', 'resume'],
    operands: 'ID',
    help: 'Resume a batch that was paused, stopped or interrupted.',
    options: {
      ...runningOptions,
      'after-restore': {
        type: 'boolean',
        help: 'confirm that a batch restored from a backup may send its waiting rows'
      }
    }
  },
  batchShare: {
    words: ['batch', 'share'],
    operands: 'ID',
    help: 'Share a batch with the team: one installation at a time runs it. Start it here with “batch resume”.',
    options: { json }
  },
  batchTakeOver: {
    words: ['batch', 'take-over'],
    operands: 'ID',
    help: 'Run a batch of the team here, once nobody else runs it: “team batches” lists them. Ctrl-C and SIGTERM pause it.',
    options: {
      connection: {
        type: 'string',
        value: 'NAME',
        help: 'the connection to use, to the same service; by default the only one, or the last one used in the window'
      },
      ...runningOptions
    }
  },
  batchList: { words: ['batch', 'list'], operands: '[TEXT]', help: 'List batches, newest first.', options: { json } },
  batchShow: {
    words: ['batch', 'show'],
    operands: 'ID',
    help: 'Print a batch, and its rows that were not answered.',
    options: { json }
  },
  batchResolve: {
    words: ['batch', 'resolve'],
    operands: 'ID',
    help: 'Resolve rows with an unknown outcome: mark them as sent, or send them again.',
    options: { as: { type: 'string', value: batchResolutions.join('|'), help: 'the resolution' } }
  },
  batchSave: {
    words: ['batch', 'save'],
    operands: 'ID',
    help: 'Save the results of a batch to a file.',
    options: {
      file: { type: 'string', value: batchFiles.join('|'), help: 'which rows (results)' },
      format: { type: 'string', value: tableFormats.join('|'), help: 'of a table; by default what FILE ends with' },
      out: { type: 'string', value: 'FILE', help: 'file to write', writes: true }
    }
  },
  ...dataManagementCommands(filterOptions),
  ...timestampCommands,
  ...teamCommands,
  ...administrationCommands,
  ...updateCommands
} as const satisfies Record<string, Command>

export type CommandName = keyof typeof commands

/** Commands that need no data folder. */
export const standaloneNames = [
  'evidenceVerify',
  'recoveryKeyEscrow',
  'recoveryKeyOpen',
  'teamCheck',
  'teamSchema',
  'teamVerifyFork',
  'trustShow',
  'updatesVerify',
  'version'
] as const satisfies readonly CommandName[]
export type StandaloneName = (typeof standaloneNames)[number]
export const isStandalone = (name: CommandName): name is StandaloneName =>
  (standaloneNames as readonly CommandName[]).includes(name)

/** The help text, built from the tables. */
export function helpText(): string {
  const lines = [
    'veridesk: verify applicants from the command line',
    '',
    'Usage: veridesk COMMAND [options] (from source: npm run cli -- COMMAND)',
    ''
  ]
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
  lines.push('', 'Secrets are never passed as arguments, because other users of the machine could read them.')
  lines.push('--data DIR, before or after a command, uses another data folder.')
  lines.push(
    '--passphrase-stdin reads the passphrase of a protected data folder from the first line of standard input; without it, a terminal is asked.'
  )
  return lines.join('\n')
}
