/** The command line: the same core as the window's, without a window. */
import { resolve } from 'node:path'
import { createConsole } from '#core/console.ts'
import { failure } from '#contract/failures.ts'
import type { AnswerOf, ConsoleEvent } from '#contract/ipc.ts'
import { findBrowser } from '../node/chromium/browser.ts'
import { printPdf } from '../node/chromium/printer.ts'
import { defaultDataFolder } from '../node/dataFolder.ts'
import { practiceStarter } from '../node/practice.ts'
import { claimDataFolder } from '../node/prepareFolder.ts'
import { sourcePorts } from '../node/sourcePorts.ts'
import { verifyAudit } from './audit.ts'
import { checkBatch, listBatches, resumeBatch, runBatch, saveBatch, settleBatch, showBatch } from './batch.ts'
import { helpText, type CommandName } from './commands.ts'
import { addConnection, listConnections, removeConnection } from './connection.ts'
import { failureEnding, type Context, type Ending } from './context.ts'
import { exitCodes } from './exit.ts'
import { eraseApplicant, showReceipts } from './erasure.ts'
import { packEvidence, verifyEvidence } from './evidence.ts'
import { searchHistory, showRecord } from './history.ts'
import { exportData, makeBackup, restoreBackup, retentionPlan } from './keeping.ts'
import { parseCommandLine, type Invocation } from './parse.ts'
import { failureText } from './print.ts'
import { verify } from './verify.ts'

/** What each command does with a console; `evidence verify` needs none. */
const deeds: Record<Exclude<CommandName, 'evidenceVerify'>, (context: Context) => Promise<Ending>> = {
  verify,
  historySearch: searchHistory,
  historyShow: showRecord,
  connectionAdd: addConnection,
  connectionList: listConnections,
  connectionRemove: removeConnection,
  auditVerify: verifyAudit,
  batchCheck: checkBatch,
  batchRun: runBatch,
  batchResume: resumeBatch,
  batchList: listBatches,
  batchShow: showBatch,
  batchSettle: settleBatch,
  batchSave: saveBatch,
  evidencePack: packEvidence,
  applicantErase: eraseApplicant,
  applicantReceipt: showReceipts,
  export: exportData,
  retention: retentionPlan,
  backup: makeBackup,
  restore: restoreBackup
}

async function perform({ command, operands, options, dataFolder: given }: Invocation): Promise<Ending> {
  if (command === 'help') return { exit: 'done', out: helpText() }
  if (command === 'evidenceVerify') return verifyEvidence(operands, options)
  const claimed = await claimDataFolder(given ?? defaultDataFolder(), () => undefined)
  if (!claimed.ok) return failureEnding(claimed.failure)
  const { path: dataFolder, lock, notices } = claimed.value
  if (!lock)
    return {
      exit: 'unavailable',
      error: `Veridesk is already running with the data in ${dataFolder}.\nNothing was sent or changed.\nClose it, or use another folder with --data DIR.`
    }
  for (const notice of notices) process.stderr.write(`${failureText(notice)}\n`)
  const practice = practiceStarter()
  const browser = options['pdf'] === true ? findBrowser() : undefined
  const listeners = new Set<(event: ConsoleEvent) => void>()
  const veridesk = createConsole({
    ...sourcePorts({ dataFolder, practice, announce: (event) => listeners.forEach((listener) => listener(event)) }),
    kind: 'cli',
    notices: () => notices,
    copyText: async () => undefined,
    // Files are named on the command line, where a window would ask for them.
    chooseFile: async () => (operands[0] === undefined ? undefined : resolve(operands[0])),
    chooseSavePath: async () => (typeof options['to'] === 'string' ? resolve(options['to']) : undefined),
    notify: () => undefined,
    ...(browser !== undefined && { printPdf: (html: string) => printPdf(browser, html) })
  })
  try {
    await veridesk.start()
    await veridesk.settled()
    return await deeds[command]({
      operands,
      options,
      interactive: process.stdin.isTTY === true,
      terminal: process.stdout.isTTY === true,
      batches: () => veridesk.batches(),
      canPrint: browser !== undefined,
      onEvent: (listener) => {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
      print: (line) => void process.stdout.write(`${line}\n`),
      ask: async (name, input) => (await veridesk.handle(name, input)) as AnswerOf<typeof name>,
      note: (text) => process.stderr.write(`${text}\n`)
    })
  } finally {
    await veridesk.close()
    await practice.close()
    await lock.release()
  }
}

const parsed = parseCommandLine(process.argv.slice(2))
// A throw is a bug: it is told as every other failure is, and its text, which may quote anything, is not.
const bug = (error: unknown): Ending => failureEnding(failure('internal', { detail: error instanceof Error ? error.name : 'unknown error' }))
const ending: Ending = parsed.ok ? await perform(parsed.value).catch(bug) : { exit: 'usage', error: parsed.failure }
if (ending.out) process.stdout.write(`${ending.out}\n`)
if (ending.error) process.stderr.write(`${ending.error}\n`)
process.exitCode = exitCodes[ending.exit].code
