/** What the command palette offers by itself: places, operations, actions, settings, sections, connections and help. */
import { CircleHelp, EyeOff, Keyboard, KeyRound, Lock, Play, Plug, Printer, Settings2, Sparkles } from '@lucide/vue'
import type { Component } from 'vue'
import type { RouteLocationRaw, Router } from 'vue-router'
import type { ConnectionStatus } from '#contract/connections/connection.ts'
import { administrationTabs, places, type AdministrationTab, type PlaceName } from '#contract/app/places.ts'
import { operations } from '#contract/verification/operations.ts'
import type { Settings } from '#contract/settings/settings.ts'
import { queryOf } from '../history/filters.ts'
import { placeIcons } from '../shell/place-icons.ts'
import { placeLabels } from '../shell/place-labels.ts'
import { leadTo, type Place } from '../shell/places.ts'
import type { RecentPlace } from '../shell/recent-places.ts'
import { defaultOrder, queueAddress } from '../queue/queue-address.ts'
import { caseCommands } from '../case/case-commands.ts'
import { currentContext, type Context } from '../../kit/context-commands.ts'
import { commandKey } from '../../kit/keys.ts'
import type { MarkedState } from '../../kit/marks.ts'
import { hiddenWord } from '../../kit/screen-share.ts'
import { relative } from '../../kit/time.ts'
import { filterOfView } from '../history/views.ts'
import { keyPlaces, settingPlaces } from '../settings/setting-places.ts'
import { rankOf, type Group } from './ranking.ts'
import { words } from './words.ts'

export interface Command {
  readonly id: string
  readonly label: string
  readonly group: Group
  readonly icon?: Component | undefined
  /** Instead of an icon, the state that it leads to. */
  readonly mark?: MarkedState | undefined
  readonly keys?: readonly string[] | undefined
  /** What it does, or where it is, in a few words. */
  readonly effect?: string | undefined
  /** Other words by which people look for it. */
  readonly words?: string | undefined
  /** Instead of the label in screen-share mode. */
  readonly hidden?: string
  /** Why it does not apply now: it is not offered, and a line says why if it is asked for. */
  readonly unavailable?: string | undefined
  readonly run: () => void
}
export interface CommandParts {
  readonly settings: Settings
  readonly connections: readonly ConnectionStatus[]
  readonly router: Router
  readonly recent: readonly RecentPlace[]
  change(settings: Partial<Settings>): void
  choose(connectionId: string): void
  showShortcuts(): void
  print(): void
  /** The page has something for paper. */
  readonly canPrint: boolean
  /** Why a policy keeps people from it. */
  readonly printOff?: string | undefined
  lock(): void
  readonly screenShare: { readonly on: boolean; toggle(): void }
  /** Opens sample data in a window of its own, or closes the window if it has them. */
  readonly sample: {
    readonly inUse: boolean
    /** Why they cannot be opened. */
    readonly off?: string | undefined
    openOrClose(): void
  }
}

/** Sections of data management by the ID of their heading. */
export const sectionPlaces: readonly (readonly [id: string, label: string, words: string])[] = [
  ['backups', words.backups, words.search.backUpNowRestoreSchedule],
  ['recovery', words.recoveryKey, words.search.lostKeychainRestore],
  ['exports', words.exports, words.search.saveCsvJsonDownload],
  ['retention', words.retention, words.search.deleteDaysOldErasePreview],
  ['erasure', words.legalHoldAndErasure, words.search.eraseDeleteApplicantGdprForget]
]

const tabLabels: Readonly<Record<AdministrationTab, readonly [label: string, words: string]>> = {
  'connections': [words.connections, words.search.addressOfTheService],
  'data-management': [words.dataManagement, ''],
  'team': [words.team, words.search.membersColleaguesDatabaseInviteJoin],
  'keys': [words.keysAndEvidence, words.search.packFourEyesKeyFingerprint],
  'settings': [words.settings, words.search.preferencesOptions]
}

const contextCommands = (context: Context | undefined): Command[] =>
  (context?.commands ?? []).map((command) => ({ ...command, id: `context ${command.id}`, group: 'context' }))

const recentCommands = ({ recent, router }: CommandParts): Command[] =>
  recent.map(({ key, label, hidden, kind, place, to, at }) => ({
    id: `recent ${key}`,
    label,
    ...(hidden !== undefined && { hidden }),
    group: 'recent',
    icon: placeIcons[place],
    effect: words.openedAgo({ kind, ago: relative(at, Date.now()) }),
    run: () => void router.push(to)
  }))

const operationCommands = ({ router }: CommandParts): Command[] => [
  {
    id: 'check',
    label: words.checkAnApplicant,
    group: 'go',
    icon: placeIcons['new-verification'],
    keys: [commandKey, 'N'],
    words: words.search.verifyAgain,
    run: () => void router.push({ name: 'check' })
  },
  ...operations.map(({ id, title }, index) => ({
    id,
    label: title,
    group: 'go' as const,
    icon: placeIcons['new-verification'],
    keys: [commandKey, String(index + 1)],
    run: () => void router.push({ name: 'verify', params: { operation: id } })
  }))
]

/** Keys of places, and other words by which people look for them. */
const placeWords: Readonly<Partial<Record<PlaceName, Partial<Command>>>> = {
  queue: { words: words.search.pendingDecisionsTriage },
  history: { keys: ['/'], words: words.search.recordsSearch },
  overview: { words: words.search.volumesStatisticsResponseTimesFigures },
  catalogue: { words: words.search.interpretations },
  evidence: { words: words.search.evidenceVerifyAnswerImport },
  audit: { words: words.search.eventsLogVerify }
}

function placeCommands({ settings, router }: CommandParts): Command[] {
  const go = (id: string, label: string, to: RouteLocationRaw, more: Partial<Command> = {}): Command => ({
    id,
    label,
    group: 'go',
    run: () => void router.push(to),
    ...more
  })
  return [
    ...places.map((name) => go(name, placeLabels[name], { name }, { icon: placeIcons[name], ...placeWords[name] })),
    ...administrationTabs.map((name) =>
      go(
        name,
        tabLabels[name][0],
        { name },
        {
          icon: placeIcons.administration,
          effect: words.administration,
          words: tabLabels[name][1]
        }
      )
    ),
    go(
      'trust',
      words.trustFile,
      { name: 'evidence', params: { tab: 'trust' } },
      { icon: placeIcons.evidence, effect: placeLabels.evidence, words: words.search.trustFile }
    ),
    go(
      'batch-new',
      words.newBatch,
      { name: 'batch-new' },
      { icon: placeIcons.batches, words: words.search.csvFileCreate }
    ),
    go(
      'unresolved',
      words.historyNeedsResolution,
      { name: 'history', query: { unresolved: '1' } },
      {
        icon: placeIcons.history,
        words: words.search.unknownResolve
      }
    ),
    ...settings.savedViews.map(({ name, filter }) =>
      go(
        `view ${name}`,
        words.historyName({ name }),
        { name: 'history', query: queryOf(filterOfView(filter, Date.now())) },
        {
          icon: placeIcons.history,
          hidden: words.historyName({ name: hiddenWord })
        }
      )
    ),
    ...settings.queueViews.map(({ name, filter, order }) =>
      go(
        `queue view ${name}`,
        words.queueName({ name }),
        { name: 'queue', query: queueAddress(filter, order ?? defaultOrder) },
        {
          icon: placeIcons.queue,
          hidden: words.queueName({ name: hiddenWord })
        }
      )
    ),
    go('welcome', words.gettingStarted, { name: 'welcome' }, { icon: Sparkles, words: words.search.practiceTutorial })
  ]
}

function actionCommands({ sample, screenShare, print, canPrint, printOff, lock }: CommandParts): Command[] {
  const unprintable =
    printOff ?? (screenShare.on ? words.nothingPrintedWhileHidden : canPrint ? undefined : words.nothingToPrint)
  return [
    {
      id: 'print',
      label: words.print,
      group: 'go',
      icon: Printer,
      keys: [commandKey, 'P'],
      words: words.search.paperPdf,
      unavailable: unprintable,
      run: print
    },
    {
      id: 'screen-share',
      label: screenShare.on ? words.leaveScreenShareMode : words.screenShareModeHidePersonal,
      group: 'settings',
      icon: EyeOff,
      keys: [commandKey, 'Shift', 'M'],
      words: words.search.maskPrivacyHideShowReveal,
      run: () => screenShare.toggle()
    },
    {
      id: 'lock',
      label: words.lockVeridesk,
      group: 'settings',
      icon: Lock,
      keys: [commandKey, 'Shift', 'L'],
      words: words.search.awayLeaveScreenPrivacyPassphrase,
      unavailable: sample.inUse ? words.sampleHasNoLock : undefined,
      run: lock
    },
    {
      id: 'sample',
      label: sample.inUse ? words.closeAndDeleteSampleData : words.exploreSampleData,
      group: 'help',
      icon: Play,
      words: words.search.demoExampleTryLookAround,
      unavailable: sample.off,
      run: () => sample.openOrClose()
    }
  ]
}

function appearanceCommands({ settings, change }: CommandParts): Command[] {
  const isCompact = settings.density === 'compact'
  const themes = [
    ['dark', words.switchToDarkTheme],
    ['light', words.switchToLightTheme],
    ['system', words.useTheSystemsTheme]
  ] as const
  return [
    ...themes
      .filter(([theme]) => theme !== settings.theme)
      .map(([theme, label]) => ({
        id: `theme ${theme}`,
        label,
        group: 'settings' as const,
        icon: Settings2,
        words: words.search.printTheme,
        run: () => change({ theme })
      })),
    {
      id: 'density',
      label: isCompact ? words.switchToComfortableDensity : words.switchToCompactDensity,
      group: 'settings',
      icon: Settings2,
      words: words.search.appearanceRows,
      run: () => change({ density: isCompact ? 'comfortable' : 'compact' })
    }
  ]
}

function settingCommands({ router }: CommandParts): Command[] {
  const place = (to: Place, label: string, where: string, synonyms: string): Command => ({
    id: `${to.page} ${to.name}`,
    label,
    group: 'settings',
    icon: Settings2,
    effect: where,
    words: synonyms,
    run: () => void leadTo(to, router)
  })
  return [
    ...settingPlaces.map(([label, synonyms]) =>
      place({ page: 'settings', name: label }, label, words.inSettings, synonyms)
    ),
    ...keyPlaces.map(([label, synonyms]) => place({ page: 'keys', name: label }, label, words.inKeys, synonyms)),
    ...sectionPlaces.map(([name, label, synonyms]) =>
      place({ page: 'data-management', name }, label, words.inDataManagement, synonyms)
    ),
    {
      id: 'credentials',
      label: words.credentials,
      group: 'settings',
      icon: KeyRound,
      effect: words.inConnections,
      words: words.search.credentials,
      run: () => void router.push({ name: 'connections' })
    }
  ]
}

const connectionCommands = ({ connections, choose }: CommandParts): Command[] =>
  connections.map((connection) => ({
    id: connection.id,
    label: words.useName({ name: connection.name }),
    group: 'settings',
    icon: Plug,
    effect: connection.mode === 'live' ? 'LIVE' : 'SANDBOX',
    words: words.search.switchConnection,
    run: () => choose(connection.id)
  }))

const helpCommands = ({ router, showShortcuts }: CommandParts): Command[] => [
  {
    id: 'shortcuts',
    label: words.keyboardShortcuts,
    group: 'help',
    icon: Keyboard,
    keys: ['?'],
    words: words.search.helpKeys,
    run: showShortcuts
  },
  {
    id: 'diagnosis',
    label: words.diagnoseNetwork,
    group: 'help',
    icon: CircleHelp,
    words: words.search.proxyDnsTlsCertificateFirewall,
    run: () => void router.push({ name: 'diagnosis' })
  },
  {
    id: 'about',
    label: words.about,
    group: 'help',
    icon: CircleHelp,
    words: words.search.versionSupport,
    run: () => void router.push({ name: 'about' })
  }
]

/** Everything, also what does not apply now. @param context What the commands are about, unless it was left. */
export function paletteCommands(parts: CommandParts, context: Context | undefined): Command[] {
  const applying = contextCommands(context)
  const said = new Set(applying.map(({ label }) => label))
  const others = [
    recentCommands,
    placeCommands,
    operationCommands,
    actionCommands,
    settingCommands,
    appearanceCommands,
    connectionCommands,
    helpCommands
  ].flatMap((commands) => commands(parts))
  // What applies to the context is said once: there it is about what is shown.
  return [...applying, ...others.filter(({ label }) => !said.has(label))]
}

type Named = Pick<Command, 'label' | 'words'> & { readonly reason: string }

/** What applies elsewhere, with what to do first. */
function elsewhere(context: Context | undefined): Named[] {
  const of = (kind: Context['kind'], named: readonly Pick<Command, 'label' | 'words'>[], reason: string): Named[] =>
    context?.kind === kind ? [] : named.map(({ label, words: synonyms }) => ({ label, words: synonyms, reason }))
  return [
    ...of('selection', [{ label: words.decideMany, words: words.search.bulk }], words.selectApplicants),
    ...of('case', caseCommands, words.openACase),
    ...of(
      'batch',
      [
        { label: words.startBatch, words: words.search.startBatch },
        { label: words.pauseBatch, words: words.search.pauseBatch }
      ],
      words.openABatch
    )
  ]
}

/** Why a command that is asked for by its name or by one of its other words does not apply; undefined if none is asked for. */
export function whyNot(text: string, all: readonly Command[], context = currentContext.value): string | undefined {
  const unavailable: Named[] = all.flatMap(({ label, words: synonyms, unavailable: reason }) =>
    reason === undefined ? [] : [{ label, words: synonyms, reason }]
  )
  const rank = (command: Pick<Command, 'label' | 'words'>): number =>
    rankOf(text, { ...command, group: 'go' }) ?? Number.POSITIVE_INFINITY
  const asked = [...unavailable, ...elsewhere(context)]
    .map((named) => ({ named, at: rank(named) }))
    .sort((one, other) => one.at - other.at)[0]
  // Its name, one of its other words, or the beginning of its name, and nothing that applies is called the same.
  if (text.trim() === '' || !asked || asked.at > 2) return undefined
  const offered = all.some((command) => command.unavailable === undefined && rank(command) === 0 && asked.at > 0)
  return offered || all.some(({ label, unavailable: reason }) => reason === undefined && label === asked.named.label)
    ? undefined
    : words.why(asked.named)
}
