/** The commands for backups, exports, evidence, retention and erasure, as data. */
import { redactionProfileIds } from '#contract/evidence/evidence.ts'
import { exportFormats } from '#contract/data-management/data-management.ts'
import type { Command } from './command.ts'

type Options = Command['options']
const json = { json: { type: 'boolean', help: 'print JSON instead of text' } } as const
const to = {
  to: { type: 'string', value: 'FILE', help: 'file to write; an existing file is replaced', writes: true }
} as const

const evidenceCommands = {
  evidencePack: {
    words: ['evidence', 'pack'],
    operands: 'record|applicant|batch ID',
    help: 'Write a signed evidence pack that verifies without Veridesk.',
    options: {
      ...to,
      profile: { type: 'string', value: redactionProfileIds.join('|'), help: 'disclosure (full)' },
      pdf: {
        type: 'boolean',
        help: 'also write a PDF, printed by an installed Chromium, Chrome or Edge; the pack contains its SHA-256'
      },
      documents: {
        type: 'boolean',
        help: 'write one ZIP file of the full pack, its PDF and the copies of documents that it names, at most 1 GiB'
      },
      approval: {
        type: 'boolean',
        help: 'ask for approval of the decision about the applicant: a second person answers in their own Veridesk'
      },
      ...json
    }
  },
  evidenceVerify: {
    words: ['evidence', 'verify'],
    operands: 'FILE',
    help: 'Verify a pack: its signature, its events, their inclusion in the audit trail, that none is left out, withheld values and answers to requests for approval. Needs no data folder and no keychain.',
    options: {
      'key': {
        type: 'string',
        value: 'FINGERPRINT',
        help: 'fingerprint of the expected key, received from its owner through another channel'
      },
      'ca': {
        type: 'string',
        value: 'FILE',
        multiple: true,
        help: 'PEM file with certificate authorities that may vouch for the signer; repeatable'
      },
      'tsa-ca': {
        type: 'string',
        value: 'FILE',
        multiple: true,
        help: 'PEM file with certificate authorities of time-stamps; repeatable'
      },
      'revocation': { type: 'string', value: 'FILE', multiple: true, help: 'a revocation of a key; repeatable' },
      'trust': {
        type: 'string',
        value: 'FILE',
        help: 'the trust file of the company: it alone says then whose key signs packs, who approves and what is revoked'
      },
      'may-revoke': {
        type: 'string',
        value: 'FINGERPRINT',
        multiple: true,
        help: 'fingerprint of a key that may revoke others; repeatable'
      },
      'beside': {
        type: 'string',
        value: 'FILE',
        help: 'another pack of the same installation: whether both are from one audit trail'
      },
      'attachment': {
        type: 'string',
        value: 'FILE',
        multiple: true,
        help: 'a file that came with the pack, such as its PDF, to compare; repeatable'
      },
      ...json
    }
  }
} as const satisfies Record<string, Command>

const applicantData = {
  words: ['applicant', 'data'],
  operands: 'ID',
  help: 'Show what a person gets who asks for their data: requests, answers and copies of documents, without decisions and notes. With --to, and --digest of what was shown, save it as a signed ZIP file with a PDF, printed by an installed browser.',
  options: {
    to: { type: 'string', value: 'FILE', help: 'ZIP file to write', writes: true },
    digest: {
      type: 'string',
      value: 'HEX',
      help: 'digest of what was shown; if it has changed since, nothing is saved'
    },
    ...json
  }
} as const satisfies Command

const ids = {
  ids: { type: 'string', value: 'FILE', help: 'text file in UTF-8 with one ID of an applicant a line' }
} as const

const authorityCommands = {
  applicantStatus: {
    words: ['applicant', 'status'],
    operands: '',
    help: 'Print for each ID of a file whether it is an applicant here: relationship and its date, each relationship that is over, first and last verification. Changes nothing. IDs are the provider’s: names of persons are not searched, and nobody who was erased is found.',
    options: { ...ids, ...json }
  },
  exportAuthority: {
    words: ['export', 'authority'],
    operands: '',
    help: 'Write a full evidence pack for each ID of a file, at most 10,000, and index.csv, which names each file and what was not found; relationship and relationship_on have what was recorded last, relationship_periods each relationship that there is or was. The index is written last: a folder without one is unfinished.',
    options: {
      ...ids,
      to: { type: 'string', value: 'DIR', help: 'a new or empty folder' },
      recipient: {
        type: 'string',
        value: 'TEXT',
        help: 'who gets it; recorded with each pack, and erased with the person'
      },
      basis: { type: 'string', value: 'TEXT', help: 'the law or order that asks for it; recorded likewise' },
      documents: { type: 'boolean', help: 'ZIP files with the copies of documents, as of “evidence pack --documents”' },
      ...json
    }
  }
} as const satisfies Record<string, Command>
const applicantLetter = {
  words: ['applicant', 'letter'],
  operands: 'ID',
  help: 'Show the letter that explains the standing decision to the applicant, in the wordings of its reasons. With --to, and --digest of what was shown, save it as a PDF, printed by an installed browser.',
  options: {
    to: { type: 'string', value: 'FILE', help: 'PDF file to write', writes: true },
    digest: applicantData.options.digest,
    ...json
  }
} as const satisfies Command
const documentFileCommands = {
  backupDocuments: {
    words: ['backup', 'documents'],
    operands: '',
    help: 'Copy the sealed files of copies of documents to a folder elsewhere, such as another disk. What is there is never written again, and an interrupted run is continued by the next one. Backups do not contain these files. Ends with 26 if a file was not copied.',
    options: {
      to: { type: 'string', value: 'DIR', help: 'the folder; it is made in one that exists' },
      ...json
    }
  },
  documentsVerify: {
    words: ['documents', 'verify'],
    operands: '',
    help: 'Verify the files of all copies of documents: whether each is there and as it was sealed. Lists those that are missing or damaged, and ends with 26 if there are any.',
    options: json
  },
  documentsDelete: {
    words: ['documents', 'delete-others'],
    operands: '',
    help: 'Show how many files in the folder of documents no history and no backup names; histories that were set aside and backups are read for that. With --digest of what was shown, delete them. While one of those cannot be read, nothing is deleted. Ends with 26 if a file could not be deleted.',
    options: {
      digest: { type: 'string', value: 'HEX', help: 'of the files that were shown' },
      ...json
    }
  }
} as const satisfies Record<string, Command>

/** @param filter The options that filter the history; an export contains what they select. */
export const dataManagementCommands = <Filter extends Options>(filter: Filter) =>
  ({
    ...evidenceCommands,
    // Before “export”, whose words these begin with.
    ...authorityCommands,
    export: {
      words: ['export'],
      operands: 'history|applicants|batches|catalogue [TEXT]',
      help: 'Export the history, filtered if you like, or all applicants, batches or messages of the catalogue to a file, with the head of the audit trail.',
      options: {
        ...to,
        format: {
          type: 'string',
          value: exportFormats.join('|'),
          help: 'csv and xlsx for spreadsheets, jsonl lossless; csv by default'
        },
        ...filter,
        ...json
      }
    },
    applicantData,
    applicantLetter,
    applicantErase: {
      words: ['applicant', 'erase'],
      operands: 'ID',
      help: 'Permanently erase an applicant, here and in all backups, and write the receipt. Without --confirm it only previews.',
      options: {
        confirm: { type: 'string', value: 'ID', help: 'the exact ID again, because erasure cannot be undone' },
        reason: { type: 'string', value: 'TEXT', help: 'reason, recorded with the erasure in the history' },
        to: { type: 'string', value: 'FILE', help: 'file to write the receipt to', writes: true },
        ...json
      }
    },
    applicantImport: {
      words: ['applicant', 'import'],
      operands: 'FILE',
      help: 'Enter relationships, risk classes and expiry dates from a CSV file in UTF-8, with the columns applicant_id and any of relationship (active, occasional, refused, ended) with on, risk (the code of a class), document and document_expires. Dates are 2026-12-31; empty cells change nothing. Each change is an event. If a line is wrong, nothing is changed and the lines are listed.',
      options: { 'dry-run': { type: 'boolean', help: 'only say what would change' }, ...json }
    },
    applicantLink: {
      words: ['applicant', 'link'],
      operands: 'ID RECORD…',
      help: 'Link records without an applicant to one, in Veridesk only. They are erased together with the applicant.',
      options: {}
    },
    applicantReceipt: {
      words: ['applicant', 'receipt'],
      operands: '[ID]',
      help: 'List erasure receipts, or write one to a file.',
      options: { ...to, ...json }
    },
    retention: {
      words: ['retention'],
      operands: '',
      help: 'List what retention would erase now. Nothing is erased from the command line.',
      options: { 'dry-run': { type: 'boolean', help: 'required: this command only previews' }, ...json }
    },
    backup: {
      words: ['backup'],
      operands: '',
      help: 'Create a verified backup of the history.',
      options: { list: { type: 'boolean', help: 'list the backups instead' }, ...json }
    },
    ...documentFileCommands,
    recoveryKeyEscrow: {
      words: ['recovery-key', 'escrow'],
      operands: '',
      help: 'Print the recovery key of the data folder, sealed for the organisation. Needs no passphrase and no keychain, and runs beside the window.',
      options: {}
    },
    recoveryKeyOpen: {
      words: ['recovery-key', 'open'],
      operands: 'FILE',
      help: 'Print the recovery key that an organisation’s private key opens, of what “recovery-key escrow” printed or of recovery.sealed in a history or a backup.',
      options: {
        'private-key': {
          type: 'string',
          value: 'FILE',
          help: 'PEM file of the private key (PKCS #8); “-” reads it from standard input'
        },
        ...json
      }
    },
    restore: {
      words: ['restore'],
      operands: 'ID',
      help: 'Replace the history with a backup. The current files are set aside, not deleted.',
      options: {
        'dry-run': { type: 'boolean', help: 'only print what would be left behind, and what is carried over' },
        ...json
      }
    }
  }) as const satisfies Record<string, Command>
