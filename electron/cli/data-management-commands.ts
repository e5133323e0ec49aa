/** The commands that keep, prove and let go, as data. */
import { redactionProfileIds } from '#contract/evidence.ts'
import { exportFormats } from '#contract/data-management.ts'
import type { Command } from './command.ts'

type Options = Command['options']
const json = { json: { type: 'boolean', help: 'print JSON instead of text' } } as const
const to = { to: { type: 'string', value: 'FILE', help: 'where to write it; a file that is there is replaced', writes: true } } as const

/** @param filter The options that narrow the history; an export is of all that they leave. */
export const dataManagementCommands = <Filter extends Options>(filter: Filter) =>
  ({
    evidencePack: {
      words: ['evidence', 'pack'],
      operands: 'record|applicant|batch ID',
      help: 'Write a signed evidence pack that verifies without Veridesk.',
      options: {
        ...to,
        profile: { type: 'string', value: redactionProfileIds.join('|'), help: 'what it discloses (full)' },
        pdf: { type: 'boolean', help: 'also a PDF beside it, printed by an installed Chromium, Chrome or Edge' },
        ...json
      }
    },
    evidenceVerify: {
      words: ['evidence', 'verify'],
      operands: 'FILE',
      help: 'Verify a pack: its signature, its events, their place in the chain, and what it withholds. Needs no data and no keychain.',
      options: {
        key: { type: 'string', value: 'FINGERPRINT', help: 'of the key that must have signed it, as its owner told you by another way' },
        beside: { type: 'string', value: 'FILE', help: 'a fuller pack of the same installation: shows whether what this one withholds or gives singly is true' },
        ...json
      }
    },
    export: {
      words: ['export'],
      operands: 'history|applicants [TEXT]',
      help: 'Write the whole history, what the filters leave of it, or all applicants to a file, with the chain’s head.',
      options: { ...to, format: { type: 'string', value: exportFormats.join('|'), help: 'for spreadsheets, or lossless (csv)' }, ...filter, ...json }
    },
    applicantErase: {
      words: ['applicant', 'erase'],
      operands: 'ID',
      help: 'Destroy an applicant’s key, here and in every kept copy, and write the receipt. Without --confirm it only says what would go.',
      options: {
        confirm: { type: 'string', value: 'ID', help: 'the id once more, exactly: what is erased cannot be brought back' },
        reason: { type: 'string', value: 'TEXT', help: 'why; kept with the erasure in the history' },
        to: { type: 'string', value: 'FILE', help: 'where to write the receipt', writes: true },
        ...json
      }
    },
    applicantLink: {
      words: ['applicant', 'link'],
      operands: 'ID RECORD…',
      help: 'Link records that name no applicant to one, in Veridesk only. An erasure of the applicant takes them with it.',
      options: {}
    },
    applicantReceipt: {
      words: ['applicant', 'receipt'],
      operands: '[ID]',
      help: 'List the receipts of erasures, or write one of them to a file.',
      options: { ...to, ...json }
    },
    retention: {
      words: ['retention'],
      operands: '',
      help: 'List what retention would erase now. Nothing is erased from the command line.',
      options: { 'dry-run': { type: 'boolean', help: 'needed, so that nobody takes it for the erasure itself' }, ...json }
    },
    backup: {
      words: ['backup'],
      operands: '',
      help: 'Make a verified backup of the history.',
      options: { list: { type: 'boolean', help: 'list the kept backups instead' }, ...json }
    },
    restore: {
      words: ['restore'],
      operands: 'ID',
      help: 'Put a backup in the place of the history. The present files are set aside, not deleted.',
      options: json
    }
  }) as const satisfies Record<string, Command>
