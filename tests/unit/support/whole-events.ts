/** The plain part of each kind of event, with everything that it can say, as the code that writes it declares it. */
import type { EventKind } from '#contract/evidence/event-kinds.ts'
import type * as applicants from '#wire/history/applicant-payloads.ts'
import type { AuditNote } from '#wire/history/audit-notes.ts'
import type { KeptPlain, MissedPlain } from '#wire/history/copies.ts'
import type { ErasedPlain } from '#wire/history/erasure.ts'
import type { PackPlain } from '#wire/history/evidence.ts'
import type { BegunPlain, EndedPlain, ResolvedPlain } from '#wire/history/record-payloads.ts'
import type { ClearedPlain } from '#store/erasure/intents.ts'

type Noted = { readonly [Kind in AuditNote['kind']]: Extract<AuditNote, { readonly kind: Kind }>['plain'] }
interface Written {
  readonly 'record.begun': BegunPlain
  readonly 'record.ended': EndedPlain
  readonly 'record.resolved': ResolvedPlain
  readonly 'document.kept': KeptPlain
  readonly 'document.missed': MissedPlain
  readonly 'checklist.noted': applicants.ChecklistPlain
  readonly 'decision.made': applicants.DecisionPlain
  readonly 'due.changed': applicants.DuePlain
  readonly 'relationship.changed': applicants.RelationshipPlain
  readonly 'risk.rated': applicants.RiskPlain
  readonly 'review.recorded': applicants.ReviewPlain
  readonly 'assignee.changed': applicants.AssigneePlain
  readonly 'message.noted': applicants.MessagePlain
  readonly 'message.interpreted': applicants.ReadingPlain
  readonly 'approval.answered': applicants.AnsweredPlain
  readonly 'approval.received': applicants.AnswerReceivedPlain
  readonly 'subject.erased': ErasedPlain
  readonly 'copies.cleared': ClearedPlain
  readonly 'pack.made': PackPlain
}
/** Those whose plain part has no name of its own. */
type Other = Exclude<EventKind, keyof Noted | keyof Written>
type Whole = { readonly [Kind in keyof Noted]: readonly Noted[Kind][] } & {
  readonly [Kind in keyof Written]: readonly Written[Kind][]
} & { readonly [Kind in Other]: readonly object[] }

const operator = 'Mira (mira)'
const id = '0b8f2f6e-3c1d-4c55-9a53-1e6c7f3b2d94'
const hash = 'ab'.repeat(32)
const operation = 'validate-applicant-id-document'
const operations = [operation] as const
const checklist = { ref: 1, complete: true }
const answered = {
  operator,
  scope: hash,
  asked: ['b1', 4, hash],
  agrees: true,
  salt: 'c1',
  signer: hash,
  signature: hash
} as const
const batch = { id, operations, connection: id, sha256: hash, rows: 3, operator }

/** Several of a kind where no single one has all. */
export const wholeEvents: Whole = {
  'connection.noted': [{ ref: 1, snapshot: {} }],
  'record.begun': [
    {
      ...{ id, operation, connection: 1, rerunOf: id, batchId: id, batchRow: 2, operator },
      ...{ path: '/v1', linksScrubbed: false, credentialFingerprint: 'ab', consoleVersion: '1.0.0', timeZone: 'UTC' }
    }
  ],
  'record.ended': [
    { outcome: 'not-sent', failureCode: 'connect-timeout', reply: null },
    { outcome: 'answered', took: 12, reply: { status: 200, bytes: 40, truncated: false, values: hash } }
  ],
  'record.resolved': [{ as: 'processed', operator }],
  'document.kept': [{ operator, field: 'document_url', when: 'before' }],
  'document.missed': [{ field: 'document_url', reason: 'disk-full' }],
  'document.noted': [{ operator, field: 'document_url' }],
  'batch.made': [{ ...batch, rerunOf: id }],
  'batch.changed': [{ id, from: 'running', to: 'stopped', reason: 'disk-full', by: 'console' }],
  'batch.resolved': [{ id, rows: 2, as: 'sent', operator }],
  'batch.shared': [
    { id, row: 2, state: 'waiting', operator },
    { id, operation, connection: 1, rows: 3, count: 3, atOnce: 2, pace: 0, operator }
  ],
  'batch.taken': [{ id, over: { b1: 4 }, operator }],
  'checklist.noted': [{ ref: 1, text: JSON.stringify({ kind: 'review', items: [] }) }],
  'decision.made': [
    {
      ...{ operator, decision: 'approve', evidence: 3, records: [3, 4], readings: [], checklist, due: 5, requires: 1 },
      ...{ set: { id, size: 900, share: 5, seed: 'ab' }, seen: { answers: [1, 2], documents: [0, 3] }, rule: hash }
    }
  ],
  'note.made': [{ operator }],
  'tags.changed': [{ operator }],
  'link.made': [{ operator }],
  'link.removed': [{ operator }],
  'due.changed': [{ operator, due: 1_760_000_000_000 }],
  'relationship.changed': [{ operator, state: 'ended', on: '2026-11-30' }],
  'risk.rated': [{ operator, class: 'high', months: 12 }],
  'expiry.noted': [{ operator }],
  'review.recorded': [
    {
      operator,
      on: '2026-11-30',
      class: 'high',
      next: '2027-11-30',
      due: '2026-11-30',
      outcome: 'unchanged',
      checklist
    }
  ],
  'challenge.recorded': [{ operator }],
  'assignee.changed': [{ operator, assigned: false, late: true }],
  'message.noted': [{ operation, status: 200 }],
  'message.interpreted': [{ operator, message: 3, version: 1, means: 'good' }],
  'subject.erased': [{ id, cause: 'retention', subjects: [3], records: 2, batchRows: 1, documents: 2, operator }],
  'copies.cleared': [{ id, operator, backupsRewritten: 1, copiesNotReached: ['backups/x'], documentsNotDeleted: 2 }],
  'hold.placed': [{ operator, since: 1_760_000_000_000 }],
  'hold.lifted': [{ operator, since: 1_760_000_000_000 }],
  'pack.made': [{ operator, about: 'record', id, profile: 'full', series: [] }],
  'approval.asked': [{ operator }],
  'approval.answered': [answered],
  'approval.received': [{ ...answered, answer: ['b1', 5, hash], at: 1_760_000_000_000, by: 'Ada', void: true }],
  'view.opened': [{ what: 'batch', search: true, batchId: id }],
  'document.viewed': [{ field: 'document_url', type: 'jpeg', bytes: 9, source: 'kept' }],
  'document.compared': [{ field: 'document_url', result: 'same' }],
  'links.checked': [{ of: 'file', operations, links: 3, findings: 1, figures: {}, sha256: hash }],
  'text.copied': [{ characters: 9, whileHidden: true }],
  'screen-share.switched': [{ on: true, by: 'setting' }],
  'value.revealed': [{ field: 'applicant' }],
  'evidence.verified': [{ what: 'pack', verified: true, pack: hash }],
  'export.made': [{ what: 'batch', format: 'csv', rows: 3, batchId: id, by: 'schedule' }],
  'setting.changed': [
    { name: 'displayName', from: '', to: 'x' },
    { action: 'team.admitted', installation: 'b1', role: 'reviewer' },
    { action: 'team.keys-renewed', epoch: 2 },
    { action: 'settings.set-aside', fault: 'settings-damaged', kept: 'x.json' }
  ],
  'credential.changed': [{ connectionId: id, connection: 'Live', header: 'X-Key', change: 'set', kept: 'keychain' }],
  'connection.changed': [
    { connectionId: id, connection: 'Live', change: 'changed', fields: { name: ['a', 'b'] }, credentialsCleared: true }
  ],
  'head.timestamped': [{ authority: 'x', size: 9, root: hash, checkpoint: 'x', token: 'x', time: 1_760_000_000_000 }],
  'documents.verified': [{ checked: 9, missing: 1, damaged: 1 }],
  'team.anchored': [{ heads: { b1: [3, hash] } }],
  'team.withdrawn': [{ subjects: { b1: [3] } }],
  'team.acknowledged': [{ erasures: { b1: [3, hash] } }],
  'finding.acknowledged': [{ installation: 'b1', finding: 'fork', details: {}, reason: 'looked at' }],
  'recipe.shared': [{ name: 'All', operations }],
  'policies.changed': [{ changes: { ProxyUrl: ['', 'x'] }, places: ['x'], inForce: hash }],
  'policies.refused': [{ place: 'x', reason: 'not-json', inForce: hash }],
  'forwarding.changed': [{ target: 'file', state: 'silent', waiting: 3, code: 'forwarding-not-taken' }],
  'console.locked': [{ why: 'idle' }],
  'console.unlocked': [{ by: 'passphrase' }],
  'unlock.failed': [{ tries: 2 }],
  'passphrase.changed': [{ change: 'set' }],
  'program.started': [{ version: '1.0.0', host: 'electron' }],
  'program.stopped': [{ version: '1.0.0' }]
}
