/** The sections of docs/proof.md: what each does, and what must hold. */
import type { PageHead } from '../figures/page.ts'
import type { Section } from '../figures/section.ts'
import type { Scenario } from './repeated.ts'

/** A section whose faults are tests of `npm test`, each repeated. */
const tests =
  (...scenarios: readonly Scenario[]): Section['run'] =>
  async (run) =>
    (await import('./repeated.ts')).repeated(scenarios, run)

type Chosen = readonly [what: string, file: string, times: number, named?: string]
const scenario =
  (more: Pick<Scenario, 'host' | 'within'> = {}) =>
  (...[what, file, times, named]: Chosen): Scenario => ({ what, file, times, ...(named && { named }), ...more })
/** Every test of a file, or those of a name, so many times. */
const each = scenario()
/** One that injects so many times as much itself. */
const within = scenario({ within: true })
const inPreview = scenario({ host: 'preview' })
const inElectron = scenario({ host: 'electron' })
const withinPreview = scenario({ host: 'preview', within: true })
const withinElectron = scenario({ host: 'electron', within: true })

export const proofHead: PageHead = {
  title: 'Proof',
  words: [
    'Written by one run of `npm run prove` before a release. The sections inject real faults; where none was wrong, every one of them ended as it must.',
    'To repeat it: `npm run prove`, or `npm run prove -- --only NAME` for a section; `--scale 0.01` is a trial run, which is not saved. The run shows what each section does, what must hold, and every count, as `docs/figures/` keeps them. ' +
      "Electron's sections need its program and a display; some need root, for networks and disks of their own. What cannot run is stated."
  ]
}

export const proofSections: readonly Section[] = [
  {
    name: 'kills',
    title: 'A batch killed at random moments',
    words:
      'Each time the process is killed with SIGKILL and the batch is restarted; a quarter of the kills occur during opening, recovery and creation. At the end every row and record is compared with the ledger of the service.',
    counts: {
      'kills': 'kills',
      'rows': 'rows',
      'requests in the ledger': 'requests in the ledger',
      'sent twice': 'sent twice',
      'lost': 'lost',
      'unlabelled': 'unlabelled',
      'passed': 'tests passed',
      'failed': 'failed'
    },
    run: tests(each('a batch killed with SIGKILL 15 times', 'tests/service/batch-kill.test.ts', 67))
  },
  {
    name: 'audit-trail',
    title: 'The audit trail under damage',
    words:
      'Changes are made directly in the SQLite files of a history, using their keys and recomputing the chain where that helps; verifying the audit trail must find each change, and its place if that is certain. Then whole files are restored from earlier moments (the evidence, the keys, both, all); opening must refuse each combination.',
    counts: {
      'times': 'changes',
      'found': 'found',
      'missed or misplaced': 'missed or misplaced',
      'passed': 'tests passed',
      'failed': 'failed'
    },
    run: tests(
      within(
        'files of the audit trail changed in 450 places',
        'tests/service/audit.test.ts',
        23,
        'finds every kind of damage'
      ),
      within(
        'whole files restored from 24 earlier moments',
        'tests/service/audit.test.ts',
        17,
        'is not needed if whole files'
      )
    )
  },
  {
    name: 'packs',
    title: 'Evidence packs, unchanged and changed',
    words: `Packs are built from the description of the format alone, about records, applicants and a batch, with each redaction profile, countersigned and after erasures, and changed in one way: a bit, a missing or duplicated part, a value, a key, a mix of two packs; also by a signer who signs the changed content again, or computes every hash anew. Of those, only what the format names as the signer's claim may be accepted, and it must be what was changed. Forged packs are well formed and signed by a forger: another person's decision, the forger's own audit trail, a guessed value; the verifier must name the reason. The stand-alone verifier (\`verify.mjs\`) and the console must agree on each pack, and a second verifier in another language on every test vector.`,
    counts: { tried: 'packs', accepted: 'accepted, as they must be', refused: 'refused' },
    run: tests(
      within('a pack changed in one place', 'tests/service/evidence-forgeries.test.ts', 50, 'is refused after each'),
      each(
        'a forged pack, or a claim that the format names',
        'tests/service/evidence-forgeries.test.ts',
        1,
        'verifier, with the reason|by the console|for a reason'
      ),
      each('a genuine pack, and its verifier as a program', 'tests/service/evidence-vectors.test.ts', 1),
      each('a second verifier, in Python', 'tests/service/second-verifier.test.ts', 1)
    )
  },
  {
    name: 'team',
    title: 'A team’s database against its own members',
    words:
      'Installations with real histories exchange events through a real PostgreSQL. Twelve attacks of its administrator are performed by SQL as the database’s owner, each in several forms and in a team of its own. Afterwards every installation exchanges; ' +
      'it must report what the table names, must not report it without the attack, and nobody may have accepted an event, a member or a key that its author did not give. An attack without a report must be without effect. Last, everything that is stored and every byte that passed is searched for what members recorded and for their keys. ' +
      'Then installations whose clocks are a day apart get each message ten times and in any order, and must have the same state hash; a line is broken without a word, and must be noticed as lost; and events pass a pooler (PgBouncer) in both modes, and a break behind it must be noticed, too.',
    counts: {
      'attacks': 'attacks',
      'noticed': 'noticed',
      'without effect': 'without effect',
      'teams': 'teams',
      'events': 'events',
      'deliveries': 'deliveries'
    },
    run: tests(
      within('an administrator who attacks', 'tests/service/team-attacks.test.ts', 10),
      within(
        'a line that breaks without a word',
        'tests/service/team-transport.test.ts',
        2,
        'a silence|closed on one side'
      )
    )
  },
  {
    name: 'team-kills',
    title: 'A shared batch, its installations and its database killed',
    words:
      'Four installations of a team, each a process with a history of its own, run one batch together. One of them is killed with SIGKILL at random moments, three of four times while it runs the batch and rows have been sent since the last kill, and started again, or each process of PostgreSQL is ended as by a crash; then the next. At the end every row, with the results of the whole team, is compared with the ledger of the service.',
    counts: {
      'kills': 'kills',
      'rows': 'rows',
      'requests in the ledger': 'requests in the ledger',
      'sent twice': 'sent twice',
      'lost': 'lost',
      'unlabelled': 'unlabelled',
      'passed': 'tests passed',
      'failed': 'failed'
    },
    run: tests(
      each(
        'an installation and PostgreSQL killed while a team runs a batch',
        'tests/service/team-batch-kills.test.ts',
        100
      )
    )
  },
  {
    name: 'repeated',
    title: 'Faults that attack once found',
    words:
      'Tests of `npm test`, each repeated. Shared batches are compared with the ledger of the service: no row may be sent twice or be forgotten when the team’s database is restored from an older backup, loses its tables, calls rows done that were not sent, or answers falsely. Backups are restored, files of the data folder and pipes are named, variables are set that would print credentials, and pages and links try to reach a network that counts every packet.',
    counts: { passed: 'passed', failed: 'failed' },
    run: tests(
      each(
        'a team’s database restored, emptied, marked as done or answering falsely during a shared batch',
        'tests/service/team-batch-tables.test.ts',
        10
      ),
      each(
        'an applicant erased whose request was in progress in a backup',
        'tests/service/restore-erased.test.ts',
        50,
        'is restored after'
      ),
      each('a restore of a backup from before legal holds and erasures', 'tests/service/restore-duties.test.ts', 20),
      each('a file of the data folder named for writing', 'tests/service/own-files.test.ts', 20),
      each('a pipe, a device or an endless file named for reading', 'tests/service/bounded-files.test.ts', 5),
      each('a variable that prints what is sent', 'tests/service/environment.test.ts', 20),
      inElectron('the same at a start of Electron', 'tests/app/environment.spec.ts', 10),
      each(
        'a document at an address that is not public, in a network of its own',
        'tests/service/documents-network.test.ts',
        10
      ),
      inPreview('a page that tries to reach a network of its own', 'tests/app/network.spec.ts', 10),
      inElectron('the same in Electron', 'tests/app/network.spec.ts', 10)
    )
  },
  {
    name: 'history',
    title: 'The history’s files under damage',
    words:
      'Each time one file of a history with 45 records is damaged, and the history is opened with the head from the keychain: the files as after closing, the write-ahead logs (`-wal`) as after a crash. Damaged evidence and keys must be refused with the right failure, and the damaged bytes must be kept; after the damage is repaired, every record must be present, which shows that nothing else was discarded. The index (`search.db`) is derived and must be rebuilt so that every record is found again.',
    counts: {
      'times': 'damages',
      'refused, kept and recovered': 'refused, kept and recovered',
      'rebuilt': 'rebuilt',
      'wrongly opened, or data lost': 'wrongly opened, or data lost',
      'passed': 'tests passed',
      'failed': 'failed'
    },
    run: tests(
      within(
        'files of a history damaged in 20 places each and in other ways',
        'tests/service/history-files.test.ts',
        50,
        'of any kind is refused and kept'
      )
    )
  },
  {
    name: 'refusals',
    title: 'Refused before sending',
    words:
      'Header values with one fault each are saved and, past that check, handed to the client; verifications are sent to services with certificates that must not be trusted. Each must be refused, and nothing may arrive at the service. Good values and a trusted certificate are the control.',
    counts: { 'refused when sent': 'refused when sent', 'arrived at the service': 'good ones arrived, as the control' },
    run: tests(
      within('a value that no header may have', 'tests/service/client-faults.test.ts', 500, 'no header may have'),
      each('a certificate that must not be trusted', 'tests/service/client-tls.test.ts', 100, '0 requests arrive')
    )
  },
  {
    name: 'replies',
    title: 'Responses that are almost answers',
    words:
      'A service answers with a good response cut at each byte, changed in one byte, composed of pieces of JSON at random, and with forms that other programs accept. A response counts as answered only if it is a JSON object in UTF-8 with its own text `message`; a second reading that does not use the console’s parser says which ones are, and with which message.',
    counts: { 'times': 'responses', 'answered': 'answered', 'invalid': 'invalid', 'read wrongly': 'read wrongly' },
    run: tests(
      within('a response that is almost an answer', 'tests/service/client-faults.test.ts', 250, 'read as an answer')
    )
  },
  {
    name: 'redirects',
    title: 'Redirects',
    words:
      'A service on this computer, by HTTP and by HTTPS, redirects with 301, 302, 303, 307 and 308 to each destination, on new and on kept connections. Every destination is a real service that first receives a direct request with the credentials, which must be found there; after that no connection and no byte may arrive, and each redirect must be reported.',
    counts: {
      'responses': 'redirects',
      'reported': 'reported',
      'connections to the destination': 'connections to the destination',
      'bytes there': 'bytes there'
    },
    run: tests(
      within('a redirect to another place', 'tests/service/client-faults.test.ts', 20, 'told and not followed')
    )
  },
  {
    name: 'deadlines',
    title: 'Deadlines',
    words:
      'Verifications are sent against a port that answers no packet of a connection (its process is stopped and its queue full), and to services and proxies that stay silent or send a letter at a time. Each must end at most half a second after its deadline, as “not sent” before the request was handed over and as “unknown” after it.',
    counts: { 'sent': 'requests', 'late': 'late', 'most milliseconds over': 'milliseconds over at most' },
    run: tests(within('somebody silent or slow', 'tests/service/client-endings.test.ts', 30, 'deadlines'))
  },
  {
    name: 'reply-size',
    title: 'Responses that are too large',
    words:
      'A process of its own reads each response, after a small one that is not measured. It must end as too large, its memory may grow by 20 MB at most, and its connection must be closed within a second of the first byte.',
    counts: { 'responses': 'responses', 'most MB': 'MB at most' },
    run: tests(
      within(
        'a response that is too large',
        'tests/service/client-size.test.ts',
        10,
        '(bomb|of 1 GB|endless chunks|without an end)$'
      ),
      each('a response of as many pieces as it has bytes', 'tests/service/client-pieces.test.ts', 3)
    )
  },
  {
    name: 'resets',
    title: 'Connections broken at every byte',
    words:
      'A relay between the client and the practice service breaks the connection after every byte of the request and of the response, by a reset and by an orderly close, on a new connection and on one that has already carried an exchange; then a batch runs through a relay that breaks each connection anywhere in its first exchanges. Each outcome is compared with the ledger of the service: nothing may be received twice, “not sent” must not be in the ledger, and “answered” must be.',
    counts: {
      'bytes or rows': 'breaks',
      'not sent': 'not sent',
      'unknown': 'unknown',
      'against the ledger': 'against the ledger'
    },
    run: tests(
      within('a connection broken at any byte', 'tests/service/client-faults.test.ts', 80, 'a connection that breaks')
    )
  },
  {
    name: 'retries',
    title: 'Busy services',
    words:
      'Batches of four requests at a time run against a service that refuses rows as busy and asks for a wait, in both forms of `Retry-After`. The wall clock of the console (not that of the machine) jumps by a day forwards and back at each refusal. No request may begin between the end of a refused one and the end of the wait; rows are resent only where the setting allows it, at most five times in all; a wait longer than five minutes stops the batch.',
    counts: {
      'requests': 'requests',
      'refused as busy': 'refused as busy',
      'resent': 'resent',
      'sent too early': 'sent too early'
    },
    run: tests(within('a service that is busy', 'tests/service/batch-busy.test.ts', 15))
  },
  {
    name: 'documents',
    title: 'Hostile documents',
    words:
      'Links lead to this computer, to link-local addresses and to names that resolve to them, in any notation, by redirects of a public server and by answers that change; nothing may connect to them, and a trap shows that a connection would be noticed. Then a server of documents answers with images that claim to be huge, bodies and headers without an end, slow and compressed bodies, endless redirects, files that are two things at once, and PDF bombs; a console in a process of its own opens each kind three times, and its peak memory may be 100 MB over that after an ordinary document. Last, PDFs with scripts, links, forms and attachments, tangled and huge ones and bombs are opened in the window: nothing may run, ask or be requested, and the memory of the host’s process is measured as well.',
    counts: {
      'number': 'links and documents',
      'opened privately or executed': 'opened privately or executed',
      'connections, requests and dialogs': 'connections, requests and dialogs'
    },
    run: async (run) => (await import('./documents/section.ts')).proveDocuments(run)
  },
  {
    name: 'checklist',
    title: 'Electron’s security checklist',
    words:
      'All 20 items of [Electron’s checklist](https://www.electronjs.org/docs/latest/tutorial/security) are checked on the running console in Electron: with every name of a permission, 200 addresses for navigation and new windows, and requests from other senders. Item 16 reads the version that the product pins, item 19 the configuration of the packaged program; the program itself is read back in its own section.',
    counts: { times: 'checks', held: 'held' },
    run: tests(inElectron('the list on a running console', 'tests/app/security-electron.spec.ts', 5, 'checklist hold'))
  },
  {
    name: 'payloads',
    title: 'Hostile requests on every channel',
    words:
      'Every channel gets generated payloads that its schema refuses: any values, objects with its own fields and wrong values, names of prototypes; then cycles, a text of 50 MB, getters and proxies. In Electron every channel is also called from real pages that have the console’s own preload: a second window, a page of another origin and a frame in it. Each request must be refused, and the console must still answer.',
    counts: { sent: 'requests', refused: 'refused' },
    run: tests(
      withinElectron('a hostile request to each channel', 'tests/app/security.spec.ts', 170, 'the router'),
      withinElectron(
        'requests of other windows and frames',
        'tests/app/security-electron.spec.ts',
        50,
        'no channel answers'
      ),
      withinPreview('the same router behind another transport', 'tests/app/security.spec.ts', 8, 'the router')
    )
  },
  {
    name: 'markup',
    title: 'Hostile texts in every view',
    words:
      '500 texts that would run or request something if a view treated them as markup are returned by a service (as its message, as the name of a field, in a list), and entered as applicant IDs, notes, tags, notes of decisions, and as name, headings and cells of a batch. Every list, every record and every applicant is then opened, and PDFs of evidence packs with these texts are printed. Nothing may run, ask, or be requested from anywhere; the files outside of the window’s folder must not be served.',
    counts: {
      'messages and IDs': 'messages and IDs',
      'notes, tags and decisions': 'notes, tags and decisions',
      'executed': 'executed',
      'requests and dialogs': 'requests and dialogs'
    },
    run: async (run) => (await import('./window/markup.ts')).proveMarkup(run)
  },
  {
    name: 'secrets',
    title: 'Credentials where they must not be',
    words:
      'Three random credentials are entered, used and given back by a service in its body, headers, redirect and as base64, in answers that are complete, invalid or cut; values that are refused, an address that refuses, a batch and an erasure follow. Everything that the console can write is written: exports, results, packs with their PDFs, verifiers, backups. The page and then the program crash, and the command line runs on the same data. Then every file, output, command line and environment is searched for the credentials, raw, as JSON, URL-encoded, in base64 at every offset, in hexadecimal and in UTF-16.',
    counts: { 'files or texts': 'files and texts searched', 'with a credential': 'with a credential' },
    run: async (run) => (await import('./window/secrets.ts')).proveSecrets(run)
  },
  {
    name: 'egress',
    title: 'Connections during a day’s work',
    words:
      'In a network of its own, whose way out leads nowhere and counts each packet, each host runs under `strace`, from its start to its end, with all processes that it starts: verifications of every kind, a batch, documents behind private addresses, exports, an evidence pack with its PDF and time-stamp, a backup, a team on a PostgreSQL database, the network diagnosis, a check for updates, a lock, screen-share mode, every view, and minutes in which nothing is done. Every address that any of them connects to or sends to over IP is read. Only the configured service, time-stamp authority, update feed and database may be among them, not even a name server, and no packet may leave: neither by WebRTC nor by a name looked up. One that is sent on purpose must be counted.',
    counts: { 'requests to the service': 'requests to the service', 'anything else': 'connections elsewhere' },
    run: async (run) => (await import('./window/egress.ts')).proveEgress(run)
  },
  {
    name: 'starts',
    title: 'Twenty starts at once',
    words:
      'Twenty processes of a host are started at once on one new data folder. Exactly one may stay and open the data; each of the others must leave with a message, and the one must end when it is asked to.',
    counts: { 'starts': 'starts', 'rounds': 'rounds', 'rounds with one console': 'with one console' },
    run: tests(
      withinPreview('many starts at once', 'tests/app/hosts.spec.ts', 10, 'many starts at once'),
      withinElectron('the same in Electron', 'tests/app/hosts.spec.ts', 10, 'many starts at once')
    )
  },
  {
    name: 'no-keychain',
    title: 'Without a usable keychain',
    words:
      'The console is started where there is no keychain (no D-Bus), where it is locked, and where its daemon is stopped (SIGSTOP). Its window must be usable within two seconds of the start of the process. Then new credentials are entered and used for a verification, and the console is closed or killed; its data folder and home are searched for the credentials, raw, as JSON, URL-encoded, in base64 at every offset, in hexadecimal and in UTF-16. The same search must find a credential that is there.',
    counts: { 'sessions': 'sessions', 'files searched': 'files searched', 'with a credential': 'with a credential' },
    run: async (run) => (await import('./window/no-keychain.ts')).proveNoKeychain(run)
  },
  {
    name: 'packaged',
    title: 'The packaged program',
    words:
      'The build is packaged into a folder with the Electron of this machine. Its fuses are read back from the program; as an ordinary user it is then started with each kind of flag that would open it to others and with variables that the runtime has read before its first line, which it must refuse in a dialog, and with variables that would turn it into Node, load a module, reveal what it sends or redirect its data, which must have no effect.',
    counts: { 'tried': 'starts and readings', 'as required': 'as required' },
    run: async (run) => (await import('./window/packaged.ts')).provePackaged(run)
  },
  {
    name: 'full-disk',
    title: 'A disk that fills up while a batch runs',
    words:
      'Batches run on a disk of 8 MB that is filled except for a random rest. Each must stop before it sends what it cannot record; every request in the ledger of the service must have a record. When there is space again, half of the times after the program has ended, the batch must finish, with no row sent twice.',
    counts: { 'batches': 'batches', 'sent before that': 'requests before the disk was full', 'wrong': 'wrong' },
    run: async (run) => (await import('./full-disk.ts')).proveFullDisk(run)
  },
  {
    name: 'power-cut',
    title: 'Power cut while a batch runs',
    words:
      'A batch runs on an ext4 disk that records every write and sync in order (a loop device on a file that a FUSE process serves). For each cut an image is made of everything before the last sync and, of the writes after it, all, none, some, or some of their blocks of 4,096 bytes; the file system recovers, and the history is opened. It must open and verify; every row whose request had been sent must be answered or unknown, so that none is sent twice, and rows whose result had been written must have it. The same check must fail for a disk that does not sync.',
    counts: { 'times': 'cuts', 'opened and complete': 'opened and complete', 'wrong': 'wrong' },
    run: async (run) => (await import('./power/power-cut.ts')).provePowerCut(run)
  },
  {
    name: 'files',
    title: 'Killed while writing files',
    words:
      'The code that writes all files except databases is killed with SIGKILL while it repeatedly replaces a file of one megabyte, at once and in pieces. The file must be complete, either an old or a new version; temporary files left by a kill must be removed.',
    counts: {
      'kills': 'kills',
      'in the middle of a file': 'in the middle of a file',
      'partial or leftover files': 'partial or leftover files',
      'passed': 'tests passed',
      'failed': 'failed'
    },
    run: tests(
      each(
        'a writer of files killed with SIGKILL 30 times',
        'tests/service/files.test.ts',
        17,
        'never leaves half a file'
      )
    )
  },
  {
    name: 'exports',
    title: 'Exports full of formulas',
    words:
      'Texts that spreadsheets would run as formulas (signs, with white space and control characters before them, in full-width forms; and the same after a semicolon, a comma, a tab or a line break within a text) are entered in every text that is exported as a column: IDs, links, messages, notes, tags, operators, connections, and the headings and cells of three batches (from files with commas, semicolons and tabs) whose service also answers with them. Every CSV file that the console writes is read with its own separator and split at each of the two others, as a spreadsheet of another locale does, both with and without respecting quotes: no cell may be one that a spreadsheet would run. In the lossless files every text must be unchanged.',
    counts: {
      'cells or texts': 'cells',
      'attacked': 'attacked',
      'unsafe or changed': 'unsafe or changed',
      'passed': 'tests passed',
      'failed': 'failed'
    },
    run: tests(
      each(
        'texts that a spreadsheet would run, in every export',
        'tests/service/export.test.ts',
        1,
        'no CSV file of the console'
      )
    )
  },
  {
    name: 'large-exports',
    title: 'Large exports',
    words:
      'A large history is exported completely, and all of its applicants with their timelines. The files must be complete, and the memory of the whole process, including its workers, may grow by no more than the limit for a batch of 100,000 rows; the store’s caches fill during reading.',
    counts: { 'rows': 'rows', 'wrong results': 'wrong' },
    run: async (run) => (await import('./large-exports.ts')).proveLargeExports(run)
  },
  {
    name: 'erasure',
    title: 'Applicants erased',
    words:
      'All kinds of data are stored for each applicant: records, note, tag, decision, legal hold, a batch row. The history is backed up, a backup is restored (which sets the history aside with its keys), and the history is backed up again; then each applicant is erased. Everything left on disk (files, logs, backups, files set aside), raw and with every page decrypted, while the console is open and after it is closed, is searched for the applicant’s texts and key in several encodings. Every 32 bytes in files with keys are tried as the key of the sealed data, every 16 as the salt of a commitment in the chain; and for correct guesses, every digest that can be computed with the remaining keys is searched for everywhere. The same search must find each applicant before the erasure. The audit trail must still verify.',
    counts: {
      'applicants': 'applicants',
      'keys and salts tried': 'keys and salts tried',
      'found after': 'found after',
      'passed': 'tests passed',
      'failed': 'failed'
    },
    run: tests(within('an applicant erased and looked for', 'tests/service/proof.test.ts', 20, 'an erased applicant'))
  },
  {
    name: 'keys',
    title: 'Keys lost',
    words:
      'A console with a real keychain records two verifications and shows its recovery key once; then the keychain loses the history’s key. The next start must report this and leave every file unchanged; a wrong key must be refused; the recovery key must open the history with every record and an intact audit trail, and the history’s key must be in the keychain again for the next start.',
    counts: {
      'attempts': 'attempts',
      'recovered': 'recovered or refused',
      'wrong results': 'wrong',
      'passed': 'tests passed',
      'failed': 'failed'
    },
    run: tests(within('the keys of a history lost in four ways', 'tests/service/proof.test.ts', 25, 'a lost key'))
  },
  {
    name: 'supply-chain',
    title: 'Packages and their digests',
    words:
      'The lockfiles are read: every package must be pinned by a SHA-512 digest, have a licence that is on the list, and run no install script that nobody reviewed. The list of components of a release (SBOM) must name every package that is shipped. Then the lockfile is broken at each package in each of these ways, and each must be refused.',
    counts: { number: 'packages and damages', wrong: 'wrong' },
    run: tests(
      within(
        'a lockfile with one package that is not as it must be',
        'tests/unit/rules-supply.test.ts',
        2,
        'any package'
      ),
      each('packages that are pinned, listed and have a licence', 'tests/unit/rules-supply.test.ts', 1),
      each('the list of components', 'tests/unit/sbom.test.ts', 1),
      each('the texts of licences', 'tests/unit/notices.test.ts', 1)
    )
  },
  {
    name: 'policy',
    title: 'Settings that an administrator locks',
    words:
      'Policy files are generated and read by core as at a start: valid, damaged, newer, writable by others and linked ones. Each setting that a valid file sets must have its value, and core must refuse to change it; every other file must be refused as a whole, and nothing may be sent.',
    counts: {
      'read': 'files',
      'applied and locked': 'applied and locked',
      'refused as a whole': 'refused as a whole',
      'wrong': 'wrong'
    },
    run: tests(within('a policy file of chance', 'tests/service/policies.test.ts', 370, 'of chance'))
  },
  {
    name: 'lock',
    title: 'A locked console',
    words:
      'A console with a real keyring sets, changes and removes a passphrase, locks, and gets another passphrase by its recovery key. It is killed with SIGKILL at each moment around a write: ahead of each entry of the keychain, once it is sent, once it is answered, ahead of each change of `lock.json`, and after it. The next start must open the history with the passphrase of before or that of after, with its record and its drafts. That no key is left in the memory of any process after a lock is tested in a window of each host, by `tests/app/lock.spec.ts`.',
    counts: {
      'kills': 'kills',
      'opened as before': 'opened as before',
      'opened as after': 'opened as after',
      'wrong results': 'wrong'
    },
    run: tests(within('a console killed at any moment of its lock', 'tests/service/lock-kills.test.ts', 2))
  }
]
