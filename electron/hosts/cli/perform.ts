/** Executes commands: with a console of their own, or without one if they need none. */
import { resolve } from 'node:path'
import { createConsole } from '#core/console.ts'
import type { AnswerOf, ConsoleEvent } from '#contract/ipc/ipc.ts'
import { testWritable } from '#core/files/chosen.ts'
import type { LaunchWorker } from '#wire/worker-line.ts'
import { findBrowser } from '../node/chromium/browser.ts'
import { printPdf } from '../node/chromium/printer.ts'
import { dataFolderOfStart } from '../node/policies/at-start.ts'
import { practiceStarter } from '../node/practice.ts'
import { claimDataFolder } from '../node/prepare-folder.ts'
import { sourcePorts } from '../node/source-ports.ts'
import {
  checkBatch,
  listProfiles,
  removeProfile,
  listBatches,
  resumeBatch,
  runBatch,
  resolveBatch,
  showBatch
} from './batch.ts'
import type { Option } from './command.ts'
import { commands, isStandalone, type CommandName, type StandaloneName } from './commands.ts'
import { addConnection, listConnections, removeConnection, replaceCredentials } from './connection.ts'
import { failureEnding, type Context, type Ending } from './context.ts'
import { diagnose } from './diagnose.ts'
import { importApplicants } from './applicant-import.ts'
import { eraseApplicant, linkRecords, showReceipts } from './erasure.ts'
import { exportAuthority, showStatus } from './authority.ts'
import { packEvidence, timestampEvidence, verifyEvidence, verifyAudit } from './evidence.ts'
import { noteFileFaults, resetFile } from './file-faults.ts'
import { copyDocument, searchHistory, showRecord } from './history.ts'
import {
  exportData,
  makeBackup,
  restoreBackup,
  retentionPlan,
  showApplicantData,
  showLetter
} from './data-management.ts'
import { backUpDocuments, deleteOtherFiles, verifyDocuments } from './documents.ts'
import { internal } from './internal.ts'
import type { Output } from './output.ts'
import type { Invocation, OptionValues } from './parse.ts'
import { listPolicies, refusedResults, supportBundle, printVersions } from './administration.ts'
import { listReviews } from './reviews.ts'
import { openRecoveryKey, printEscrow } from './recovery-key.ts'
import { listKeys, replaceKey, revokeKey } from './keys.ts'
import { certificate } from './certificates.ts'
import { checkTeam, printSchema } from './team.ts'
import { answerApproval, listApprovals } from './team-approvals.ts'
import { listTeamBatches, shareBatch, takeOverBatch, saveBatch } from './team-batches.ts'
import { acknowledgeFinding, listFindings } from './team-findings.ts'
import { saveFork, showOverview, verifyFork } from './team-overview.ts'
import { exchangeWithTeam, shareWithTeam, showActivity } from './team-exchange.ts'
import {
  admitToTeam,
  createTeam,
  giveRole,
  inviteToTeam,
  joinTeam,
  leaveTeam,
  listMembers,
  prepareAccess,
  recoverTeam,
  removeFromTeam
} from './team-members.ts'
import { makeTrustFile, showTrustFile, signTrustFile } from './trust.ts'
import { changeRule, confirmEntry, withdrawEntry } from './team-two-person.ts'
import { setTimestamps, showTimestamps, stopTimestamps, testTimestamps } from './timestamps.ts'
import { checkUpdates, setUpdates, showUpdates, stopUpdates } from './updates.ts'
import { verifyInstaller } from './update-verify.ts'
import { checkApplicant } from './check.ts'
import { verify } from './verify.ts'
import type { Failure } from '#contract/failures/failures.ts'
import { askForSecret, readFirstLine } from './credentials-input.ts'
import { failureText } from './print.ts'

const ofLock = ({ code }: Failure): boolean => code === 'locked' || code.startsWith('passphrase-')

/** Unlocks the data folder if a passphrase protects it; returns how the command ends if that fails. Nothing was sent then. */
async function unlock(context: Context): Promise<Ending | undefined> {
  const state = await context.ask('app.state')
  if (!state.ok || state.value.lock === undefined) return undefined
  const fromInput = context.options['passphrase-stdin'] === true
  if (!fromInput && !context.interactive)
    return {
      exit: 'locked',
      error:
        'The data folder is protected by a passphrase, and there is no terminal to ask for it.\nNothing was sent or changed.\nGive it as the first line of standard input, with --passphrase-stdin.'
    }
  const passphrase = fromInput ? await readFirstLine() : await askForSecret('Passphrase')
  const unlocked = await context.ask('lock.unlock', { passphrase })
  if (unlocked.ok) return undefined
  return ofLock(unlocked.failure)
    ? { exit: 'locked', error: failureText(unlocked.failure) }
    : failureEnding(unlocked.failure)
}

/** An invocation of a command; help is not one. */
type CommandInvocation = Invocation & { readonly command: CommandName }

/** The action of each command that needs a console. */
const actions: Record<Exclude<CommandName, StandaloneName>, (context: Context) => Promise<Ending>> = {
  verify,
  check: checkApplicant,
  historySearch: searchHistory,
  historyShow: showRecord,
  historyCopy: copyDocument,
  reviewsList: listReviews,
  connectionAdd: addConnection,
  connectionList: listConnections,
  connectionCredentials: replaceCredentials,
  connectionRemove: removeConnection,
  connectionReset: (context) => resetFile(context, 'connections'),
  settingsReset: (context) => resetFile(context, 'settings'),
  diagnose,
  policies: listPolicies,
  auditVerify: verifyAudit,
  profileList: listProfiles,
  profileRemove: removeProfile,
  batchCheck: checkBatch,
  batchRun: runBatch,
  batchResume: resumeBatch,
  batchShare: shareBatch,
  batchTakeOver: takeOverBatch,
  batchList: listBatches,
  batchShow: showBatch,
  batchResolve: resolveBatch,
  batchSave: saveBatch,
  evidencePack: packEvidence,
  applicantData: showApplicantData,
  applicantStatus: showStatus,
  exportAuthority,
  applicantLetter: showLetter,
  applicantErase: eraseApplicant,
  applicantImport: importApplicants,
  applicantLink: linkRecords,
  applicantReceipt: showReceipts,
  export: exportData,
  retention: retentionPlan,
  backup: makeBackup,
  backupDocuments: backUpDocuments,
  documentsVerify: verifyDocuments,
  documentsDelete: deleteOtherFiles,
  restore: restoreBackup,
  evidenceCertificate: certificate,
  evidenceTimestamp: timestampEvidence,
  evidenceKeys: listKeys,
  evidenceRevoke: revokeKey,
  evidenceReplaceKey: replaceKey,
  teamAccess: prepareAccess,
  teamCreate: createTeam,
  teamRecover: recoverTeam,
  teamInvite: inviteToTeam,
  teamJoin: joinTeam,
  teamAdmit: admitToTeam,
  teamMembers: listMembers,
  teamRole: giveRole,
  teamRule: changeRule,
  teamConfirm: confirmEntry,
  teamWithdraw: withdrawEntry,
  teamRemove: removeFromTeam,
  teamShare: shareWithTeam,
  teamExchange: exchangeWithTeam,
  teamActivity: showActivity,
  teamApprovals: listApprovals,
  teamApprove: answerApproval,
  teamBatches: listTeamBatches,
  teamOverview: showOverview,
  teamFindings: listFindings,
  teamAcknowledge: acknowledgeFinding,
  teamFork: saveFork,
  teamLeave: leaveTeam,
  trustMake: makeTrustFile,
  trustSign: signTrustFile,
  timestampsSet: setTimestamps,
  timestampsShow: showTimestamps,
  timestampsTest: testTimestamps,
  timestampsOff: stopTimestamps,
  supportBundle,
  updates: showUpdates,
  updatesCheck: checkUpdates,
  updatesSet: setUpdates,
  updatesOff: stopUpdates
}

/** The action of each command that needs none. */
const standalone: Record<
  StandaloneName,
  (operands: readonly string[], options: OptionValues, dataFolder: string) => Ending | Promise<Ending>
> = {
  evidenceVerify: verifyEvidence,
  recoveryKeyEscrow: (_operands, _options, dataFolder) => printEscrow(dataFolder),
  recoveryKeyOpen: openRecoveryKey,
  teamCheck: (_, options) => checkTeam(options),
  teamSchema: (_, options, dataFolder) => printSchema(options, dataFolder),
  teamVerifyFork: verifyFork,
  trustShow: showTrustFile,
  updatesVerify: verifyInstaller,
  version: (_, options) => printVersions(options)
}

/** Commands that send requests to a connection's service. */
const sending: ReadonlySet<CommandName> = new Set<CommandName>([
  'verify',
  'check',
  'batchRun',
  'batchResume',
  'batchTakeOver'
])
/** Commands that fix what the others report. */
const resets: ReadonlySet<CommandName> = new Set<CommandName>(['settingsReset', 'connectionReset'])

/** Whether a command needs a browser that prints. */
const prints = ({ command, options }: Pick<CommandInvocation, 'command' | 'options'>): boolean =>
  options['pdf'] === true ||
  ((command === 'applicantData' || command === 'applicantLetter') && options['to'] !== undefined)

/** Why a file named by the options could not be written; tested before anything else is done. */
async function unwritable({ command, options }: CommandInvocation, dataFolder: string): Promise<Ending | undefined> {
  for (const [name, { writes }] of Object.entries<Option>(commands[command].options)) {
    const path = options[name]
    if (!writes || typeof path !== 'string') continue
    const tried = await testWritable(resolve(path), dataFolder)
    if (!tried.ok) return failureEnding(tried.failure)
  }
  return undefined
}

/**
 * Executes a command; never throws for an expected failure.
 *
 * @param launchWorker Launches workers.
 */
export async function perform(
  invocation: CommandInvocation,
  output: Output,
  launchWorker: LaunchWorker
): Promise<Ending> {
  const { command, operands, options, dataFolder: given } = invocation
  const chosen = await dataFolderOfStart(given)
  if (!chosen.ok) return failureEnding(chosen.failure)
  const folder = chosen.value
  const blocked = await unwritable(invocation, folder)
  if (blocked) return blocked
  if (isStandalone(command)) return standalone[command](operands, options, folder)
  const claimed = await claimDataFolder(folder, () => undefined)
  if (!claimed.ok) return failureEnding(claimed.failure)
  const { path: dataFolder, lock, notices } = claimed.value
  if (!lock)
    return {
      exit: 'unavailable',
      error: `Veridesk is already running with the data in ${dataFolder}.\nNothing was sent or changed.\nClose it, or use another folder with --data DIR.`
    }
  const practice = practiceStarter()
  const browser = prints({ command, options }) ? findBrowser() : undefined
  const listeners = new Set<(event: ConsoleEvent) => void>()
  const veridesk = createConsole({
    ...sourcePorts({ dataFolder, practice, announce: (event) => listeners.forEach((listener) => listener(event)) }),
    launchWorker,
    kind: 'cli',
    sendsAtOnce: sending.has(command),
    notices: () => notices,
    copyText: async () => undefined,
    readText: async () => undefined,
    clearText: async () => undefined,
    // Files are named on the command line, where a window would show a dialog.
    chooseFile: async () => {
      const named = typeof options['path'] === 'string' ? options['path'] : operands[0]
      return named === undefined ? undefined : resolve(named)
    },
    chooseSavePath: async () => (typeof options['to'] === 'string' ? resolve(options['to']) : undefined),
    notify: () => undefined,
    ...(browser !== undefined && { printPdf: (html: string) => printPdf(browser, html) })
  })
  const run = async (): Promise<Ending> => {
    await veridesk.start()
    await veridesk.opened()
    const context: Context = {
      operands,
      options,
      dataFolder,
      interactive: process.stdin.isTTY === true,
      terminal: process.stdout.isTTY === true,
      batches: () => veridesk.batches(),
      canPrint: browser !== undefined,
      onEvent: (listener) => {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
      output,
      ask: async (name, input) => (await veridesk.handle(name, input)) as AnswerOf<typeof name>,
      showProgress: (text) => void (process.stderr.isTTY && process.stderr.write(`\r\u001b[K${text}`)),
      clearProgress: () => void (process.stderr.isTTY && process.stderr.write('\r\u001b[K')),
      note: (text) => void process.stderr.write(`${text}\n`)
    }
    const locked = await unlock(context)
    if (locked) return locked
    if (!resets.has(command)) await noteFileFaults(context)
    const refused = await refusedResults(context)
    return refused ? failureEnding(refused) : actions[command](context)
  }
  const ending = await run().catch(internal)
  try {
    await veridesk.close()
    await practice.close()
    await lock.release()
    return ending
  } catch (error) {
    // The command's work is on disk; the unclean end is reported in addition.
    const unclean = internal(error)
    return {
      ...ending,
      exit: ending.exit === 'done' ? unclean.exit : ending.exit,
      error: [ending.error, unclean.error].filter(Boolean).join('\n')
    }
  }
}
