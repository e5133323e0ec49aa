/** The sections of docs/benchmarks.md: what each measures and its baseline. */
import type { PageHead } from '../figures/page.ts'
import type { Section } from '../figures/section.ts'
import type { BenchRun } from './bench-run.ts'

export const benchHead: PageHead = {
  title: 'Benchmarks',
  words: [
    'Written by one run of `npm run bench` before a release. Each figure is compared with a minimal baseline for the same work, measured ' +
      'alternately in the same run; ratios are ratios of medians. ' +
      'p95 is the 95th percentile of all samples. MB and kB are 1,000,000 and 1,000 bytes. A ratio to bare SQL that has to scan every record (“full ' +
      'scan”) says nothing; only the p95 counts.',
    'To repeat it: `npm run bench`, or `npm run bench -- --only NAME` for a section; `--scale 0.01` is a trial run, which is not saved. The run ' +
      'shows what each section does, and every figure with its samples, commit and load, as `docs/figures/` keeps them.'
  ]
}

export const benchSections: readonly Section<BenchRun>[] = [
  {
    name: 'history',
    title: 'Pages, searches, filters and counts',
    words:
      'The store’s complete answer (records opened with their subjects’ keys, counts of every facet) compared with bare SQL for the same answer on ' +
      'the same files and cache, which also opens its rows’ payloads. ' +
      'If the bare SQL has to scan every record (“full scan”), it cannot be faster: the ratio is then meaningless, and only the p95 counts.',
    run: async (run) => (await import('./history/answers.ts')).measureAnswers(run)
  },
  {
    name: 'overview',
    title: 'The overview',
    words:
      'Every figure of the overview for periods from a day to the whole history, in up to 104 bars, compared with the three statements of bare SQL ' +
      'that the same figures need; those scan every record, so only the p95 counts. ' +
      'The statements return the response times in order and leave the percentiles to the reader.',
    run: async (run) => (await import('./history/overview.ts')).measureOverview(run)
  },
  {
    name: 'queue',
    title: 'The queue and a case',
    words:
      'In a history of a million records: the queue is read into memory once, and then each page comes with the counts of every filter; a case is ' +
      'the person, the standing answers and the first fifty entries of the timeline. Compared with the least that bare SQL needs for the same rows; ' +
      'it opens nothing and counts no filter, so only the p95 counts.',
    run: async (run) => (await import('./history/queue.ts')).measureQueue(run)
  },
  {
    name: 'reviews',
    title: 'Periodic reviews of a million applicants',
    words:
      'A history with one verification for each applicant, a risk class for nearly all of them and a relationship that began within six years: the ' +
      'list of who is overdue, the numbers of the overview, the counts beside the list, and a class for ten thousand at once, each portion of it ' +
      'synced to disk. The bare SQL opens no name and counts no other filter, so only the p95 counts.',
    run: async (run) => (await import('./history/reviews.ts')).measureReviews(run)
  },
  {
    name: 'copies',
    title: 'Copies of documents',
    words:
      'A verification with two new documents of 2 MB, which are fetched, sealed and synced before it is sent, in turn with the same fetches and the ' +
      'same request alone; its own time is the difference of each pair. A batch with copies beside it, in turn with the same batch and copies off. Then ' +
      'a console with a hundred thousand small copies, opened in turn with an empty one, and some of the copies and applicants opened.',
    run: async (run) => (await import('./history/copies.ts')).measureCopies(run)
  },
  {
    name: 'opening',
    title: 'Opening a history',
    words:
      'From the opening call to the first page, through the worker, each time in a new process, without the start of the process. “More by” is the ' +
      'difference of medians.',
    run: async (run) => (await import('./history/opening.ts')).measureOpening(run)
  },
  {
    name: 'audit',
    title: 'Verifying the audit trail',
    words:
      'The whole audit trail, with every sealed part opened and every list compared with its events, as requested by the window. Each time the ' +
      'history has just been opened, so its pages are read and decrypted during the measurement.',
    run: async (run) => (await import('./history/audit.ts')).measureAudit(run)
  },
  {
    name: 'recording',
    title: 'Verifications recorded per second',
    words: 'Start and end of each, both synced to disk before the call returns, through the worker.',
    run: async (run) => (await import('./history/recording.ts')).measureRecording(run)
  },
  {
    name: 'batch',
    title: 'A batch compared with a bare pool',
    words:
      '8 concurrent requests; every row is recorded and synced to disk before its request and after its response. The baselines are a bare undici ' +
      'pool of 8 connections that records nothing, and the console’s own client without a journal ' +
      '(deadlines, strict parsing of responses), against the practice service in a separate process.',
    run: async (run) => (await import('./batch/beside-pool.ts')).measureBesidePool(run)
  },
  {
    name: 'batch-size',
    title: 'Batches large and small, in histories large and small',
    words:
      'A service that answers at once, 8 concurrent requests, each batch in a separate process. The time of a thousand rows: each of the last ten ' +
      'thousands of a large batch, the first in an empty history, and the first in a large one. The index of the first thousand is written after ' +
      'them, that of the last ones beside them; ' +
      'processes with only a thousand rows have sent other rows elsewhere before, so that no side is slow because its code runs for the first time. ' +
      'Processor time is that of all threads and is hardly affected by other work on the machine. Memory is the peak of the process since the ' +
      'history was opened, including workers and the reading of the rows; before that, the process compiles its own source.',
    run: async (run) => (await import('./batch/size.ts')).measureSize(run)
  },
  {
    name: 'team',
    title: 'A team and its database',
    words:
      'A real PostgreSQL on the same machine, and installations with real histories. A newcomer receives and verifies everything that an ' +
      'installation has recorded; a decision travels to every other installation, with the product’s own times of looking; ' +
      'two hundred simulated installations, each with a role, a connection and a key of its own, share signed and sealed events at a steady rate; ' +
      'and one verification is compared with one without a team, side by side, first with the database and then with the database killed.',
    run: async (run) => (await import('./team/team.ts')).measureTeam(run)
  },
  {
    name: 'cli',
    title: 'The command line',
    words:
      'The built command line in whole processes, from start to end, with a keychain and a history on disk; the bare start is the same Node with an ' +
      'empty script. “More by” is the difference of medians. Memory is the peak of the process, including its threads.',
    run: async (run) => (await import('./cli/command-line.ts')).measureCommandLine(run)
  },
  {
    name: 'verification',
    title: 'One verification in the window',
    words:
      'In the preview host, with a keychain and a history on disk. The practice service answers at once, so nearly all of the time is the console’s ' +
      'own: from the click, through the keychain and two disk syncs, to the painted result.',
    run: async (run) => (await import('./window/verification.ts')).measureVerification(run)
  },
  {
    name: 'start',
    title: 'Start',
    words:
      'From the start of the process to the usable form, with existing data and a keychain; compared with the same browser or the same Electron, ' +
      'started the same way, with an empty page.',
    run: async (run) => (await import('./window/start.ts')).measureStart(run)
  },
  {
    name: 'grid',
    title: 'The table of a large history',
    words: 'In the preview host, from the key or click to the frame that shows the rows.',
    run: async (run) => (await import('./window/grid.ts')).measureGrid(run)
  },
  {
    name: 'applicant',
    title: 'An applicant with many records',
    words: 'In the preview host, from the click in the list of applicants to the frame that shows the timeline.',
    run: async (run) => (await import('./window/applicant.ts')).measureApplicant(run)
  },
  {
    name: 'busy',
    title: 'The window while a large batch runs',
    words:
      'In the preview host, 8 concurrent requests to a service that takes 20 ms. A user types ninety words per minute into the history’s search: ' +
      'from each keystroke to the frame that shows its character, and to the frame with its results.',
    run: async (run) => (await import('./window/busy.ts')).measureBusy(run)
  },
  {
    name: 'hung-keychain',
    title: 'A keychain that does not respond',
    words: 'The keychain’s daemon is stopped (SIGSTOP) before the console starts, in the preview host.',
    run: async (run) => (await import('./window/hung-keychain.ts')).measureHungKeychain(run)
  }
]
