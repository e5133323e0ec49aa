/** The sections of docs/benchmarks.md: what is measured in each, and beside what. */
import type { Section } from '../figures/section.ts'
import type { BenchRun } from './bench-run.ts'

const core = ['contract', 'electron/core']
const window = [...core, 'electron/node', 'electron/preview', 'renderer']

export const benchHead = {
  title: 'Benchmarks',
  words:
    'Measured by `npm run bench`, a section at a time. Each stands beside the least that could do the same work, measured in turn in the same run; ' +
    'a ratio is one of medians. p95 is the 95th percentile of all samples. MB and kB are 1,000,000 and 1,000 bytes.'
}

export const benchSections: readonly Section<BenchRun>[] = [
  {
    name: 'history',
    title: 'Pages, searches, filters and counts',
    words:
      'The store’s whole answer (records opened with their subjects’ keys, counts of every facet) beside the bare SQL of the same answer on the same files and cache, its rows’ payloads opened, too. ' +
      'Where the bare SQL has to look through every record (“full scan”), it cannot be the quicker side: such a ratio says nothing, and only the p95 counts.',
    measures: core,
    run: async (run) => (await import('./history/answers.ts')).measureAnswers(run)
  },
  {
    name: 'opening',
    title: 'Opening a history',
    words: 'From the call that opens it to its first page, through its worker, each time in a new process; of the process’s own start nothing counts. “More by” is the difference of medians.',
    measures: core,
    run: async (run) => (await import('./history/opening.ts')).measureOpening(run)
  },
  {
    name: 'audit',
    title: 'Verifying the audit trail',
    words: 'The whole audit trail, every sealed part opened and every list compared with its events, as the window asks for it. Each time the history was just opened, so that its pages are read and decrypted on the way.',
    measures: core,
    run: async (run) => (await import('./history/audit.ts')).measureAudit(run)
  },
  {
    name: 'recording',
    title: 'Verifications recorded a second',
    words: 'Beginning and end of each, both synced to disk before they settle, through the worker.',
    measures: core,
    run: async (run) => (await import('./history/recording.ts')).measureRecording(run)
  },
  {
    name: 'batch',
    title: 'A batch beside a bare pool',
    words:
      '8 requests at once; every row recorded and synced to disk before its request and after its reply. Beside it a bare undici pool of 8 connections that records nothing, and the console’s own client without a journal ' +
      '(deadlines, strict reading of replies), against the practice service in a process of its own.',
    measures: [...core, 'practice'],
    run: async (run) => (await import('./batch/beside-pool.ts')).measureBesidePool(run)
  },
  {
    name: 'batch-size',
    title: 'Batches large and small, in histories large and small',
    words:
      'A service that answers at once, 8 requests at once, each batch in a process of its own. What a thousand rows take at the end of a large batch, in an empty history, and in one that is large already; ' +
      'the processes of single thousands have sent other rows before, elsewhere, so that no side is slow because its code is new. Processor time is that of all threads, and hardly changed by other work on the machine. Memory is the most that the process held from the opened history on, workers and the reading of the rows included; before, it translates its own source.',
    measures: [...core, 'practice'],
    run: async (run) => (await import('./batch/size.ts')).measureSize(run)
  },
  {
    name: 'cli',
    title: 'The command line',
    words: 'As it is built, in whole processes, from their start to their end, with a keychain and a history on the disk; the bare start is the same Node with an empty program. “More by” is the difference of medians. Memory is the most that the process ever held, its threads included.',
    measures: [...core, 'electron/node', 'electron/cli', 'practice', 'electron.vite.config.ts'],
    run: async (run) => (await import('./cli/command-line.ts')).measureCommandLine(run)
  },
  {
    name: 'verification',
    title: 'One verification in the window',
    words: 'In the preview host, with a keychain and a history on the disk. The practice service answers at once, so that nearly all of the time is the console’s own: from the click, through the keychain and two syncs of the disk, to the painted result.',
    measures: window,
    run: async (run) => (await import('./window/verification.ts')).measureVerification(run)
  },
  {
    name: 'start',
    title: 'Start',
    words: 'From the start of the process to the form that can be filled, on data that is there, with a keychain; beside the same browser or the same Electron, started the same way, with an empty page.',
    measures: [...window, 'electron/main', 'electron/preload', 'electron.vite.config.ts'],
    run: async (run) => (await import('./window/start.ts')).measureStart(run)
  },
  {
    name: 'applicant',
    title: 'An applicant of many records',
    words: 'In the preview host, from the click in the list of applicants to the frame that shows the timeline.',
    measures: window,
    run: async (run) => (await import('./window/applicant.ts')).measureApplicant(run)
  },
  {
    name: 'busy',
    title: 'The window while a large batch runs',
    words: 'In the preview host, 8 requests at once to a service of 20 ms. Somebody types ninety words a minute into the history’s search: from each key to the frame that shows its character, and to the frame whose list answers it.',
    measures: [...window, 'practice'],
    run: async (run) => (await import('./window/busy.ts')).measureBusy(run)
  },
  {
    name: 'hung-keychain',
    title: 'A keychain that does not answer',
    words: 'The keychain’s daemon is stopped (SIGSTOP) before the console starts, in the preview host.',
    measures: window,
    run: async (run) => (await import('./window/hung-keychain.ts')).measureHungKeychain(run)
  }
]
