/** The commands for time-stamps, the signing key and the trust file, as data. */
import { revocationReasons } from '#contract/evidence/keys.ts'
import type { Command } from './command.ts'

const json = { json: { type: 'boolean', help: 'print JSON instead of text' } } as const

export const timestampCommands = {
  evidenceTimestamp: {
    words: ['evidence', 'timestamp'],
    operands: 'FILE',
    help: 'Add a time-stamp of the authority to a pack that has none, or one of another authority.',
    options: json
  },
  evidenceKeys: {
    words: ['evidence', 'keys'],
    operands: '',
    help: 'List the keys that sign packs: the current one, and those before it.',
    options: json
  },
  evidenceRevoke: {
    words: ['evidence', 'revoke'],
    operands: '',
    help: 'Write a revocation of the current key, or of another key, signed with the current one. Send it to everyone who verifies packs.',
    options: {
      reason: { type: 'string', value: revocationReasons.join('|'), help: 'why the key is no longer valid' },
      key: {
        type: 'string',
        value: 'FINGERPRINT',
        help: 'a key other than the current one, such as one that was lost; readers must name the current key with --may-revoke'
      },
      since: {
        type: 'string',
        value: 'TIME',
        help: 'when it stopped being valid, such as 2026-11-22T10:00:00Z; now by default'
      },
      note: { type: 'string', value: 'TEXT', help: 'a note for readers' },
      to: { type: 'string', value: 'FILE', help: 'file to write; an existing file is replaced', writes: true }
    }
  },
  evidenceReplaceKey: {
    words: ['evidence', 'replace-key'],
    operands: '',
    help: 'Create a new key that signs packs, and destroy the current one. Packs that it signed stay verifiable. Revoke it first, if it must be revoked.',
    options: {
      confirm: {
        type: 'string',
        value: 'FINGERPRINT',
        help: 'the fingerprint of the current key, because this cannot be undone'
      },
      ...json
    }
  },
  evidenceCertificate: {
    words: ['evidence', 'certificate'],
    operands: 'request|import FILE|show|remove',
    help: 'Certificates of the key that signs packs: request one from your certificate authority, and import its answer. Full packs contain them; redacted ones do not, because they name the owner.',
    options: {
      name: {
        type: 'string',
        value: 'TEXT',
        help: 'request: whom the certificate names, such as a team or an installation'
      },
      organisation: { type: 'string', value: 'TEXT', help: 'request: its organisation' },
      to: {
        type: 'string',
        value: 'FILE',
        help: 'request: file to write; an existing file is replaced',
        writes: true
      },
      ...json
    }
  },
  trustMake: {
    words: ['trust', 'make'],
    operands: '',
    help: 'Make a version of the company’s trust file, which says whose key signs packs and who approves, and sign it as one of its keepers. It counts once two keepers of it, and two of the version before, have signed it.',
    options: {
      from: {
        type: 'string',
        value: 'DRAFT',
        help: 'JSON with organisation, days, keepers, signers, timestamps, ca, revocations, verifiers; what is absent stays as it was'
      },
      before: {
        type: 'string',
        value: 'FILE',
        help: 'the trust file whose next version it is; without it, the first one'
      },
      to: { type: 'string', value: 'FILE', help: 'file to write; an existing file is replaced', writes: true },
      ...json
    }
  },
  trustSign: {
    words: ['trust', 'sign'],
    operands: 'FILE',
    help: 'Sign the last version of a trust file as another one of its keepers. Look at it first, with “trust show”.',
    options: {
      to: { type: 'string', value: 'FILE', help: 'file to write; an existing file is replaced', writes: true },
      ...json
    }
  },
  trustShow: {
    words: ['trust', 'show'],
    operands: 'FILE',
    help: 'Show what a trust file says, who signed it, and how many signatures it waits for. Needs no data folder and no keychain.',
    options: json
  },
  timestampsSet: {
    words: ['timestamps', 'set'],
    operands: 'URL',
    help: 'Add time-stamps of an authority (RFC 3161) to evidence packs and the audit trail. It receives hashes only.',
    options: {
      ca: {
        type: 'string',
        value: 'FILE',
        help: 'PEM file with the certificate authorities that its time-stamps must lead to'
      },
      name: { type: 'string', value: 'TEXT', help: 'name of the authority; its host by default' }
    }
  },
  timestampsShow: {
    words: ['timestamps', 'show'],
    operands: '',
    help: 'Show the time-stamp authority.',
    options: json
  },
  timestampsTest: {
    words: ['timestamps', 'test'],
    operands: '',
    help: 'Request a time-stamp of random bytes, and verify it.',
    options: json
  },
  timestampsOff: {
    words: ['timestamps', 'off'],
    operands: '',
    help: 'Request no time-stamps. Those in packs stay valid.',
    options: {}
  }
} as const satisfies Record<string, Command>
