/**
 * The complete interface between a window and core, joined from the groups in `channels/`: the schema of each
 * request, its size limit, and the type of its answer. No answer contains a secret; no request is generic.
 */
import { administrationTabs, places } from '../app/places.ts'
import type { z } from 'zod'
import type { AppState } from '../app/app-state.ts'
import type { BatchLinkCheck } from '../batches/links.ts'
import type { BatchSummary } from '../batches/batches.ts'
import { appChannels } from '../app/channels.ts'
import { applicantChannels } from '../applicants/channels.ts'
import type { QueueCount } from '../applicants/queue.ts'
import { batchChannels } from '../batches/channels.ts'
import type { ValueOf } from './channel.ts'
import { connectionChannels, proxySignInChannels, diagnosisChannels } from '../connections/channels.ts'
import { dataManagementChannels } from '../data-management/channels.ts'
import { documentChannels } from '../documents/channels.ts'
import { historyChannels } from '../history/channels.ts'
import { overviewChannels } from '../overview/channels.ts'
import { lockChannels, screenShareChannels } from '../lock/channels.ts'
import { evidenceChannels, auditChannels } from '../evidence/channels.ts'
import { teamChannels, teamBatchChannels } from '../team/channels.ts'
import type { ExportProgress } from '../data-management/data-management.ts'
import type { DiagnosisStep } from '../connections/diagnosis.ts'
import type { Failure } from '../failures/failures.ts'
import type { Result } from '../failures/result.ts'

export const channels = {
  ...appChannels,
  ...lockChannels,
  ...connectionChannels,
  ...diagnosisChannels,
  ...proxySignInChannels,
  ...historyChannels,
  ...overviewChannels,
  ...batchChannels,
  ...dataManagementChannels,
  ...applicantChannels,
  ...auditChannels,
  ...evidenceChannels,
  ...documentChannels,
  ...screenShareChannels,
  ...teamChannels,
  ...teamBatchChannels
}

export type Channels = typeof channels
export type ChannelName = keyof Channels
export type RequestOf<Name extends ChannelName> = z.input<Channels[Name]['input']>
export type Answers = { readonly [Name in ChannelName]: ValueOf<Channels[Name]> }
export type AnswerOf<Name extends ChannelName> = Result<Answers[Name], Failure>

/** Why personal data was removed: it was erased, another history replaced the open one, or the console was locked. */
export type RemovalCause = 'erased' | 'replaced' | 'locked'

/** Sent to windows without a request. */
export type ConsoleEvent =
  | { readonly kind: 'state-changed'; readonly state: AppState }
  | { readonly kind: 'connections-changed' }
  | { readonly kind: 'history-changed' }
  /** The console is about to be locked: the window stores its drafts and confirms with `lock.ready`. */
  | { readonly kind: 'locking' }
  /** Windows must drop all personal data: forms, results, answers in progress, addresses. */
  | { readonly kind: 'data-removed'; readonly cause: RemovalCause }
  /** Progress of a verification; `sent` means that bytes may have been sent. */
  | {
      readonly kind: 'run-progress'
      readonly runId: string
      readonly phase: 'recording' | 'connecting' | 'sent' | 'receiving'
    }
  /** A check of an applicant has come further; `check.show` says how. */
  | { readonly kind: 'check-progress'; readonly checkId: string }
  /** A step of a network diagnosis has ended. */
  | { readonly kind: 'diagnosis-step'; readonly diagnosisId: string; readonly step: DiagnosisStep }
  /** A batch was created, progressed or was resolved; at most about four a second for each. */
  | { readonly kind: 'batch-changed'; readonly batch: BatchSummary }
  /** Progress of counting recently answered rows. */
  | { readonly kind: 'recent-duplicates-progress'; readonly checkId: string; readonly rows: number }
  /** Progress of a check of a file’s links, at most about four a second, and its end. */
  | { readonly kind: 'link-check'; readonly check: BatchLinkCheck }
  | { readonly kind: 'export-progress'; readonly progress: ExportProgress }
  /** Backups, receipts, holds or packs have changed. */
  | { readonly kind: 'data-management-changed' }
  /** An applicant, a decision, the queue or the catalogue changed. */
  | { readonly kind: 'evidence-changed' }
  /** What waits was counted again. */
  | { readonly kind: 'queue-counted'; readonly waiting: QueueCount }
  /** The exchange with the team, or something that arrived with it; at most four times a second. */
  | { readonly kind: 'team-changed' }
  /** Events verified so far, and their total. */
  | { readonly kind: 'audit-progress'; readonly verified: number; readonly total: number }
  /** The system asks to open something: the window takes it by `app.opening`. */
  | { readonly kind: 'opening-asked' }
  /** From a native menu or a global shortcut of the host. */
  | { readonly kind: 'menu'; readonly command: MenuCommand }

export const menuCommands = [
  ...places,
  ...administrationTabs,
  'diagnosis',
  'about',
  'find',
  'command-palette',
  'print',
  'lock',
  'screen-share',
  'help'
] as const
export type MenuCommand = (typeof menuCommands)[number]

/** The object that a host provides as `window.veridesk`: one named method per channel, none generic. */
export type ConsoleBridge = {
  readonly [Name in ChannelName]: (input?: RequestOf<Name>) => Promise<AnswerOf<Name>>
} & {
  /** Returns a function that ends the subscription. */
  readonly onEvent: (listener: (event: ConsoleEvent) => void) => () => void
}
