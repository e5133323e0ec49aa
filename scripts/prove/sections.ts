/** The sections of docs/proof.md: what is done in each, and what must hold. */
import type { Section } from '../figures/section.ts'

const core = ['contract', 'electron/core']

export const proofHead = {
  title: 'Proof',
  words: 'Measured by `npm run prove`, a section at a time. What each must reach is in the words above its table.'
}

export const proofSections: readonly Section[] = [
  {
    name: 'kills',
    title: 'A batch killed at random moments',
    words: 'Each time the process is ended with SIGKILL, then the batch is started again; a quarter of the kills fall into opening, recovery and creation. At the end every row and record is compared with the ledger of the service.',
    measures: core,
    run: async (run) => (await import('./kills-section.ts')).proveKills(run)
  },
  {
    name: 'audit-trail',
    title: 'The audit trail under damage',
    words: 'Changes are made straight in the SQLite files of a history, with their keys, the chain computed anew where that helps; a verification must find each, and name its place where that is certain. Then whole files are put back as they were at earlier moments (the evidence, the keys, both, all); opening must refuse each.',
    measures: core,
    run: async (run) => (await import('./trail.ts')).proveAuditTrail(run)
  },
  {
    name: 'packs',
    title: 'Evidence packs, untouched and changed',
    words: `Packs of a record and of an applicant, with each redaction profile and with a countersignature, each changed in one way: a bit, a lost or doubled stretch, a value, a key, parts of two packs mixed. The verifier that stands alone (\`verifier/verify.mjs\`) and the console must refuse every changed pack and accept every untouched one. Some of both are given to \`node verify.mjs\` as files, as an auditor would. Forged packs are well formed and signed by a forger: another's decision, an audit trail of the forger's own, a guessed value; both must name the reason.`,
    measures: [...core, 'verifier'],
    run: async (run) => (await import('./packs.ts')).provePacks(run)
  },
  {
    name: 'history',
    title: 'The history’s files under damage',
    words: 'Each time one fault is done to one file of a history of 45 records, which is then opened with the head that the keychain holds: the files as they are once closed, the write-ahead logs (`-wal`) as a crash leaves them. Evidence and keys must be refused with the right sentence, the damaged bytes must still be there, and once the fault is put right every record must be back: then nothing of all the rest was thrown away. The index (`search.db`) is derived and must be repaired: every record found again.',
    measures: core,
    run: async (run) => (await import('./history.ts')).proveHistory(run)
  },
  {
    name: 'files',
    title: 'Files written and killed',
    words: 'The writer of every file that is not a database is ended with SIGKILL while it replaces a file of a megabyte over and over, whole and in pieces. The file must be an old one or a new one, whole; what a kill left beside it must be removed.',
    measures: ['electron/core/files'],
    run: async (run) => (await import('./files.ts')).proveFiles(run)
  },
  {
    name: 'exports',
    title: 'Exports full of formulas',
    words: 'Texts that spreadsheets would run (signs, white space and control characters before them, full-width forms; and the same behind a semicolon, a comma, a tab or a line break within a text) are put into every text that stands in a column: ids, links, messages, notes, tags, operators, connections, and the headings and cells of three batches (from files with commas, semicolons and tabs) whose service answers with them. Every CSV file that the console writes is read back with its own separator, and split at each of the two others, as a spreadsheet of another locale does, with and without regard to quotes: no cell may be one that a spreadsheet would run. In the lossless files beside them every text must be as it was put in.',
    measures: core,
    run: async () => (await import('./exports.ts')).proveExports()
  },
  {
    name: 'large-exports',
    title: 'Large exports',
    words: 'All of a large history is exported, and all of its applicants with their timelines. The files must be whole, and the memory of the whole process, its workers included, may grow by no more than that of a batch of 100,000 rows may; the store’s caches fill with what is read.',
    measures: core,
    run: async (run) => (await import('./large-exports.ts')).proveLargeExports(run)
  },
  {
    name: 'erasure',
    title: 'Applicants erased',
    words: 'Of each applicant everything is kept that can be: records, note, tag, decision, legal hold, a row of a batch. The history is backed up, a backup is restored (which sets the history aside with its keys), and backed up again; then each applicant is erased. Everything that stays on the disk (files, logs, backups, what was set aside), raw and with every page decrypted, while the console is open and once it is closed, is searched for the applicant’s texts and key in several encodings. Every 32 bytes of what holds keys are tried as a key of what was sealed, every 16 as a salt of what the chain committed to; and for a guess that is right, every digest that can be made with the keys that are left is looked for everywhere. The same search must find each applicant before the erasure. The audit trail must still verify.',
    measures: core,
    run: async (run) => (await import('./erasure.ts')).proveErasure(run)
  },
  {
    name: 'keys',
    title: 'Keys lost',
    words: 'A console with a real keychain records two verifications and shows its recovery key once; then the keychain loses the history’s key. The next start must say so and leave every file as it is; a mistaken key must be refused; the recovery key must open the history with every record, its audit trail intact, and be in the keychain again for the start after that.',
    measures: core,
    run: async (run) => (await import('./keys.ts')).proveKeys(run)
  }
]
