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
    'To repeat it: `npm run prove`, or `npm run prove -- --only NAME` for a section; `--scale 0.01` is a trial run, which is not saved. The run ' +
      'shows what each section does, what must hold, and every count, as `docs/figures/` keeps them. Electron’s sections need its program and a ' +
      'display; some need root, for networks and disks of their own. What cannot run is stated.'
  ]
}

export const proofSections: readonly Section[] = [
  {
    name: 'kills',
    title: 'A batch killed at random moments',
    words:
      'A batch is killed with SIGKILL and started again; a quarter of the kills come during opening, recovery and creation. At the end every row ' +
      'and record is compared with the ledger of the service.',
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
      'The SQLite files of a history are changed with their keys, with the chain computed anew where that helps: verifying must find each change, ' +
      'and its place if that is certain. Whole files of earlier moments, restored, must be refused at opening.',
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
    words:
      'Packs of each kind are changed in one way: by a stranger, or by a signer who signs again or computes every hash anew. Only what the format ' +
      'names as the signer’s claim may be accepted; a forged pack must be refused for its reason. Console, stand-alone verifier and a second one, ' +
      'in Python, must agree.',
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
      'The database’s owner attacks by SQL in twelve ways, each in a team of its own. Installations must report what is named, and not without the ' +
      'attack; nobody may accept what its author did not write. Nothing stored or passed may be readable. Members with clocks a day apart, behind a ' +
      'pooler or a broken line must end with one state.',
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
      within('events that its administrator changes', 'tests/service/team-exchange.test.ts', 2, 'administrator did'),
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
      'Four installations, each a process with a history, run one batch together. One is killed with SIGKILL, mostly while it runs the batch, or ' +
      'PostgreSQL ends as by a crash; then the next. At the end every row is compared with the ledger of the service.',
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
        300
      )
    )
  },
  {
    name: 'repeated',
    title: 'Faults that attack once found',
    words:
      'Shared batches whose database is restored, emptied or answers falsely: no row may be sent twice or be forgotten. Backups are restored, files ' +
      'of the data folder and pipes are named, variables that print credentials are set, and pages and links try to reach a network that counts ' +
      'every packet.',
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
      'One file of a history is damaged, as after closing or with its write-ahead log as after a crash. Damaged evidence and keys must be refused ' +
      'and kept as they are, and repaired ones must have every record; the index (`search.db`) must be rebuilt.',
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
      'Header values with one fault each are saved and handed to the client; verifications are sent to services whose certificates must not be ' +
      'trusted. Each must be refused, and nothing may arrive. Good values are the control.',
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
      'A service answers with a good response cut anywhere, changed in one byte, composed of pieces of JSON, and with forms that other programs ' +
      'accept. A second reading, without the console’s parser, says which ones are answers, and with which message.',
    counts: { 'times': 'responses', 'answered': 'answered', 'invalid': 'invalid', 'read wrongly': 'read wrongly' },
    run: tests(
      within('a response that is almost an answer', 'tests/service/client-faults.test.ts', 250, 'read as an answer')
    )
  },
  {
    name: 'redirects',
    title: 'Redirects',
    words:
      'A service redirects by HTTP and HTTPS with each status to each kind of destination, on new and on kept connections. A direct request must be ' +
      'found there with its credentials; after that nothing may arrive, and each redirect must be reported.',
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
      'Verifications are sent where no packet is answered, and to services and proxies that stay silent or send a letter at a time. Each must end ' +
      'at most half a second after its deadline, as “not sent” before the request was handed over and as “unknown” after it.',
    counts: { 'sent': 'requests', 'late': 'late', 'most milliseconds over': 'milliseconds over at most' },
    run: tests(within('somebody silent or slow', 'tests/service/client-endings.test.ts', 30, 'deadlines'))
  },
  {
    name: 'reply-size',
    title: 'Responses that are too large',
    words:
      'A process of its own reads each response, after a small one that is not measured. It must end as too large, its memory may grow by 20 MB at ' +
      'most, and its connection must be closed within a second of the first byte.',
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
      'A relay breaks the connection after every byte of request and response, by a reset and by a close, on new and on kept connections; then ' +
      'anywhere during a batch. By the ledger of the service, nothing may arrive twice, “not sent” must not have arrived, and “answered” must have.',
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
      'Batches run against a service that is busy and asks for a wait, in both forms of `Retry-After`, while the console’s wall clock jumps by a ' +
      'day. No request may begin before the wait is over; rows are resent only where allowed, five times at most; too long a wait stops the batch.',
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
      'Links lead to private addresses in any notation, by redirects and by names that change: nothing may connect. A server answers with documents ' +
      'that are huge, endless, compressed or bombs: memory may grow by 100 MB. Hostile PDFs are opened in the window: nothing may run, ask or be ' +
      'requested.',
    counts: {
      'number': 'links and documents',
      'opened privately or executed': 'opened privately or executed',
      'connections, requests and dialogs': 'connections, requests and dialogs'
    },
    run: async (run) => (await import('./documents/section.ts')).proveDocuments(run)
  },
  {
    name: 'copies',
    title: 'Copies of documents',
    words:
      'The file of a copy is changed by a bit, cut, made longer, swapped, replaced or linked: it must be refused, and a check of all copies must ' +
      'name its record. A console is killed with SIGKILL at each step at which a copy is kept or erased: no event may be without its file, no file ' +
      'without its event. The disk is full at any write; backups of before are restored. `erasure` looks for the copies of erased applicants.',
    counts: {
      'damaged files': 'damaged files',
      'refused and named': 'refused and named',
      'kills': 'kills',
      'full disks': 'full disks',
      'passed': 'tests passed',
      'failed': 'failed'
    },
    run: tests(
      within('a damaged file of a copy', 'tests/service/document-copies.test.ts', 125, 'is refused where its file'),
      within('a full disk', 'tests/service/document-copies.test.ts', 100, 'a full disk has cut'),
      each('a console killed while a copy is kept or erased', 'tests/service/document-copies.test.ts', 200, 'a kill'),
      each('a console killed while a copy is kept later', 'tests/service/later-copies.test.ts', 50, 'a kill while'),
      each('a verification without the copy that is required', 'tests/service/document-copies.test.ts', 20, 'requires'),
      within(
        'a console killed while files are copied elsewhere',
        'tests/service/document-files.test.ts',
        2,
        'after a kill'
      ),
      each('a backup restored beside newer files', 'tests/service/document-files.test.ts', 20, 'a restore')
    )
  },
  {
    name: 'reviews',
    title: 'Periodic reviews against a recount',
    words:
      'When the next review of an applicant is due, and how many are overdue or due soon, is compared with a recount of random histories, event by ' +
      'event and day by day: on leap days, in time zones with another day, and with a clock that is set back. A policy with too long an interval ' +
      'must be refused as a whole.',
    counts: { histories: 'histories', differing: 'differing', passed: 'tests passed', failed: 'failed' },
    run: tests(
      within('the next review of a random history', 'tests/unit/reviews.test.ts', 10, 'random histories'),
      within(
        'the figures and lists of random histories',
        'tests/service/overview-reviews.test.ts',
        20,
        'random histories'
      ),
      each('a day in six time zones', 'tests/unit/due-dates.test.ts', 1),
      each('classes with too long an interval', 'tests/unit/risk-classes.test.ts', 1)
    )
  },
  {
    name: 'decisions',
    title: 'Decisions that need a second person, and what was looked at before them',
    words:
      'The state of a decision is compared with a recount of random histories; the events of a team arrive at two installations in random orders and ' +
      'pieces, and both must show the same as its author. Nobody may approve their own decision, and no answer to another one may count. What was ' +
      'on screen is compared with a script, the intervals of rates with known rates, and *Data of the applicant* is searched for what people wrote.',
    counts: {
      histories: 'histories',
      orders: 'orders of events',
      decisions: 'scripted decisions',
      differing: 'differing',
      runs: 'intervals',
      covered: 'of these cover the rate',
      searched: 'files searched',
      canaries: 'with a canary',
      passed: 'tests passed',
      failed: 'failed'
    },
    run: tests(
      within('decisions of a random history', 'tests/service/four-eyes.test.ts', 34, 'random histories'),
      within('events of a team in a random order', 'tests/unit/team-event-orders.test.ts', 500),
      each('an author who approves', 'tests/service/approvals-by-file.test.ts', 2, 'nobody approves their own'),
      each('an answer to something else', 'tests/service/approvals-by-file.test.ts', 2, 'an answer'),
      each('an answer that does not count, in a team', 'tests/unit/team-approvals.test.ts', 1),
      each('a supervisor who admits alone', 'tests/unit/team-two-person.test.ts', 1),
      within('what was on screen before a decision', 'tests/service/seen.test.ts', 4, 'scripted decisions'),
      each('the time in which an applicant was shown', 'tests/unit/focus-time.test.ts', 1, 'scripted decisions'),
      each('intervals at known rates', 'tests/unit/rates.test.ts', 1, 'known rates'),
      each('the data of suspected applicants', 'tests/service/applicant-data.test.ts', 20, 'suspected')
    )
  },
  {
    name: 'checklist',
    title: 'Electron’s security checklist',
    words:
      'All 20 items of [Electron’s checklist](https://www.electronjs.org/docs/latest/tutorial/security) are checked on a running console. Root ' +
      'cannot check Chromium’s own sandbox; the packaged program, which lets nobody look into it, is read back in its own section.',
    counts: { times: 'checks', held: 'held' },
    run: tests(inElectron('the list on a running console', 'tests/app/security-electron.spec.ts', 5, 'checklist hold'))
  },
  {
    name: 'payloads',
    title: 'Hostile requests on every channel',
    words:
      'Every channel gets generated payloads that its schema refuses, then cycles, a text of 50 MB, getters and proxies. In Electron it is also ' +
      'called from a second window, a page of another origin and a frame, each with the bridge. All must be refused, and the console must still ' +
      'answer.',
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
      '500 texts that would run or request something as markup come from a service, and are entered as IDs, notes, tags, decisions and a batch. ' +
      'Every view is opened, and PDFs are printed. Nothing may run, ask or be requested.',
    counts: {
      'messages and IDs': 'messages and IDs',
      'notes, tags and decisions': 'notes, tags and decisions',
      'executed': 'executed',
      'requests and dialogs': 'requests and dialogs'
    },
    run: tests(
      withinPreview('hostile texts in every view', 'tests/app/security-texts.spec.ts', 50, 'ids, notes and a batch'),
      withinElectron('the same in Electron', 'tests/app/security-texts.spec.ts', 50, 'ids, notes and a batch')
    )
  },
  {
    name: 'secrets',
    title: 'Credentials where they must not be',
    words:
      'Random credentials are used, and given back by a service in every place. Everything that the console can write is written; the page and the ' +
      'program crash. Then every file, output, command line and environment is searched for them, raw and in each common encoding.',
    counts: { 'files or texts': 'files and texts searched', 'with a credential': 'with a credential' },
    run: async (run) => (await import('./window/secrets.ts')).proveSecrets(run)
  },
  {
    name: 'egress',
    title: 'Connections during a day’s work',
    words:
      'In a network that leads nowhere and counts packets, each host works for a day under `strace`. Only the configured service, time-stamp ' +
      'authority, update feed and database may be connected to, not even a name server, and no packet may leave; one that is sent on purpose must ' +
      'be counted.',
    counts: { 'requests to the service': 'requests to the service', 'anything else': 'connections elsewhere' },
    run: async (run) => (await import('./window/egress.ts')).proveEgress(run)
  },
  {
    name: 'starts',
    title: 'Twenty starts at once',
    words:
      'Twenty processes of a host are started at once on one new data folder. Exactly one may stay and open the data; each of the others must leave ' +
      'with a message, and the one must end when it is asked to.',
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
      'The keychain is absent, locked or stopped. New credentials are used, and the console is closed or killed. Its folders are searched for them in each common encoding, by a search that finds one that is there.',
    counts: {
      'sessions': 'sessions',
      'files searched': 'files searched',
      'with a credential': 'with a credential',
      'most milliseconds to a window': 'milliseconds to a window at most'
    },
    run: tests(
      withinPreview('a session without a keychain', 'tests/app/keychain.spec.ts', 10, 'in no file'),
      withinElectron('the same in Electron', 'tests/app/keychain.spec.ts', 10, 'in no file')
    )
  },
  {
    name: 'packaged',
    title: 'The packaged program',
    words:
      'The build is packaged, and its fuses are read back. As an ordinary user it is started with flags and variables that would open it to others: ' +
      'it must refuse them in a dialog, or they must have no effect.',
    counts: { 'tried': 'starts and readings', 'as required': 'as required' },
    run: async (run) => (await import('./window/packaged.ts')).provePackaged(run)
  },
  {
    name: 'full-disk',
    title: 'A disk that fills up while a batch runs',
    words:
      'A disk of 8 MB is full but for a random rest. A batch must stop before it sends what it cannot record, so every request in the ledger has a ' +
      'record. With space again, also after the program has ended, it must finish, with no row sent twice.',
    counts: { 'batches': 'batches', 'sent before that': 'requests before the disk was full', 'wrong': 'wrong' },
    run: async (run) => (await import('./full-disk.ts')).proveFullDisk(run)
  },
  {
    name: 'power-cut',
    title: 'Power cut while a batch runs',
    words:
      'A batch runs on an ext4 disk that records every write and sync. Images are made of what a power cut could have left; the history must open ' +
      'and verify, and no row that was sent may be sent again. The same check must fail for a disk that does not sync.',
    counts: { 'times': 'cuts', 'opened and complete': 'opened and complete', 'wrong': 'wrong' },
    run: async (run) => (await import('./power/power-cut.ts')).provePowerCut(run)
  },
  {
    name: 'files',
    title: 'Killed while writing files',
    words:
      'The code that writes all files except databases is killed with SIGKILL while it replaces a file of one megabyte, at once and in pieces. The ' +
      'file must be an old or a new version, complete; what a kill left must be removed.',
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
      'Texts that a spreadsheet would run, also after another separator or a line break, are entered in everything that is exported. No cell of any ' +
      'CSV file may be one that it would run, whichever separator it uses; in the lossless files every text must be unchanged.',
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
      'A large history is exported completely, and all of its applicants with their timelines. The files must be complete, and the memory of the ' +
      'process with its workers may grow by no more than for a batch of 100,000 rows.',
    counts: { 'rows': 'rows', 'wrong results': 'wrong' },
    run: async (run) => (await import('./large-exports.ts')).proveLargeExports(run)
  },
  {
    name: 'erasure',
    title: 'Applicants erased',
    words:
      'All kinds of data of an applicant are stored, backed up, restored and erased. Everything left on disk, raw and decrypted, is searched for ' +
      'their texts and key; every 32 bytes of key files are tried as the key, every 16 as a salt, and guesses by their digests. The same search ' +
      'must find them before. Of many with copies of documents some are erased by a process that is killed at moments spread over an erasure: ' +
      'the others must have lost nothing.',
    counts: {
      'applicants': 'applicants',
      'copies deleted': 'copies of documents deleted',
      'keys and salts tried': 'keys and salts tried',
      'people': 'people with copies',
      'erased': 'of these erased',
      'kills': 'kills',
      'found after': 'found after',
      'others who lost something': 'others who lost something',
      'passed': 'tests passed',
      'failed': 'failed'
    },
    run: tests(
      within('an applicant erased and looked for', 'tests/service/proof.test.ts', 20, 'an erased applicant'),
      within('1,000 of 10,000 people erased under 100 kills', 'tests/service/erasure-many.test.ts', 100)
    )
  },
  {
    name: 'keys',
    title: 'Keys lost',
    words:
      'The keychain loses the key of a history. The next start must report it and change no file; a wrong key must be refused; the recovery key ' +
      'must open the history with every record and an intact audit trail, and the key must be in the keychain again.',
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
      'Every package must be pinned by a SHA-512 digest, have a licence on the list, and run no install script that nobody reviewed; the list of ' +
      'components (SBOM) must name what is shipped. The lockfile is broken at each package in each way, and must be refused.',
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
      'Policy files are generated and read as at a start: valid, damaged, newer, writable by others, and links. Each setting of a valid file must ' +
      'have its value, which core must refuse to change; every other file must be refused as a whole, and nothing may be sent.',
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
      'A console sets, changes and removes a passphrase, locks, and recovers. It is killed with SIGKILL around each write of the keychain and of ' +
      '`lock.json`; the next start must open with the passphrase of before or after, with record and drafts. `tests/app/lock.spec.ts` searches the ' +
      'memory after a lock.',
    counts: {
      'kills': 'kills',
      'opened as before': 'opened as before',
      'opened as after': 'opened as after',
      'wrong results': 'wrong'
    },
    run: tests(within('a console killed at any moment of its lock', 'tests/service/lock-kills.test.ts', 2))
  }
]
