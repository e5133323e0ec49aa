/** What the command palette offers by itself: operations, views, actions, settings, sections and connections. */
import { finder } from '#kit/text/folding.ts'
import type { Router } from 'vue-router'
import type { ConnectionStatus } from '#contract/connections/connection.ts'
import { places, type PlaceName } from '#contract/app/places.ts'
import { operations } from '#contract/verification/operations.ts'
import type { Settings } from '#contract/settings/settings.ts'
import { queryOf } from '../history/filters.ts'
import { placeLabels } from '../shell/place-labels.ts'
import { leadTo, type Place } from '../shell/places.ts'
import { defaultOrder, queueAddress } from '../queue/queue-address.ts'
import { hiddenWord } from '../../kit/screen-share.ts'
import { filterOfView } from '../history/views.ts'
import { keyPlaces, settingPlaces } from '../settings/setting-places.ts'
import { words } from '../shell/words.ts'

export interface Command {
  readonly id: string
  readonly label: string
  readonly group: string
  readonly hint?: string
  /** Other words by which people look for it. */
  readonly words?: string
  /** Offered only while something is typed. */
  readonly onlyFound?: true
  /** Instead of the label in screen-share mode. */
  readonly hidden?: string
  readonly run: () => void
}
export interface CommandParts {
  readonly settings: Settings
  readonly connections: readonly ConnectionStatus[]
  readonly router: Router
  change(settings: Partial<Settings>): void
  choose(connectionId: string): void
  showShortcuts(): void
  print(): void
  lock(): void
  readonly screenShare: { readonly on: boolean; toggle(): void }
  /** Opens sample data in a window of its own, or closes the window if it has them. */
  readonly sample: { readonly inUse: boolean; openOrClose(): void }
}

/** Sections of data management by the ID of their heading. */
export const sectionPlaces: readonly (readonly [id: string, label: string, words: string])[] = [
  ['backups', words.backups, words.search.backUpNowRestoreSchedule],
  ['recovery', words.recoveryKey, words.search.lostKeychainRestore],
  ['exports', words.exports, words.search.saveCsvJsonDownload],
  ['retention', words.retention, words.search.deleteDaysOldErasePreview],
  ['erasure', words.legalHoldAndErasure, words.search.eraseDeleteApplicantGdprForget]
]

function verificationCommands({ router }: CommandParts): Command[] {
  const check: Command = {
    id: 'check',
    label: words.checkAnApplicant,
    group: words.verifications,
    run: () => void router.push({ name: 'check' })
  }
  const single = operations.map((operation, index) => ({
    id: operation.id,
    label: operation.title,
    group: words.verifications,
    hint: words.ctrlIndex({ index: index + 1 }),
    run: () => void router.push({ name: 'verify', params: { operation: operation.id } })
  }))
  return [check, ...single]
}

/** Keys of places, and other words by which people look for them. */
const placeWords: Readonly<Partial<Record<PlaceName, Partial<Command>>>> = {
  'queue': { words: words.search.pendingDecisionsTriage },
  'history': { hint: '/', words: words.search.recordsSearch },
  'new-verification': { hint: words.ctrlN },
  'overview': { words: words.search.volumesStatisticsResponseTimesFigures },
  'catalogue': { words: words.search.interpretations },
  'evidence': { words: words.search.evidenceVerifyCountersignImport },
  'audit': { words: words.search.eventsLogVerify }
}

function viewCommands({ settings, router, showShortcuts }: CommandParts): Command[] {
  const view = (name: string, label: string, more: Partial<Command> = {}): Command => ({
    id: name,
    label,
    group: words.goTo,
    run: () => void router.push({ name }),
    ...more
  })
  return [
    ...places.map((name) => view(name, placeLabels[name], placeWords[name])),
    view('batch-new', words.newBatch, { words: words.search.csvFileCreate }),
    {
      id: 'unresolved',
      label: words.historyNeedsResolution,
      group: words.goTo,
      words: words.search.unknownResolve,
      run: () => void router.push({ name: 'history', query: { unresolved: '1' } })
    },
    ...settings.savedViews.map(({ name, filter }) => ({
      id: `view ${name}`,
      label: words.historyName({ name }),
      hidden: words.historyName({ name: hiddenWord }),
      group: words.goTo,
      run: () => void router.push({ name: 'history', query: queryOf(filterOfView(filter, Date.now())) })
    })),
    ...settings.queueViews.map(({ name, filter, order }) => ({
      id: `queue view ${name}`,
      label: words.queueName({ name }),
      hidden: words.queueName({ name: hiddenWord }),
      group: words.goTo,
      run: () => void router.push({ name: 'queue', query: queueAddress(filter, order ?? defaultOrder) })
    })),
    view('connections', words.connections, { words: words.search.credentialsKeysAddress }),
    view('data-management', words.dataManagementBackupsExportsRetention),
    view('team', words.team, { words: words.search.membersColleaguesDatabaseInviteJoin }),
    view('keys', words.keysAndEvidence, { words: words.search.packFourEyesKeyFingerprint }),
    view('settings', words.settings, { words: words.search.preferencesOptions }),
    view('diagnosis', words.networkDiagnosis, {
      words: words.search.proxyDnsTlsCertificateFirewall
    }),
    view('about', words.helpAndDiagnostics, { words: words.search.versionManualSupportLog }),
    view('welcome', words.gettingStarted, { words: words.search.practiceTutorial }),
    {
      id: 'shortcuts',
      label: words.keyboardShortcuts,
      group: words.goTo,
      hint: '?',
      words: words.search.helpKeys,
      run: showShortcuts
    }
  ]
}

function actionCommands({ sample, screenShare, print, lock }: CommandParts): Command[] {
  return [
    {
      id: 'sample',
      label: sample.inUse ? words.closeAndDeleteSampleData : words.exploreSampleData,
      group: words.actions,
      words: words.search.demoExampleTryLookAround,
      run: () => sample.openOrClose()
    },
    {
      id: 'screen-share',
      label: screenShare.on ? words.leaveScreenShareMode : words.screenShareModeHidePersonal,
      group: words.actions,
      words: words.search.maskPrivacyHideShowReveal,
      run: () => screenShare.toggle()
    },
    {
      id: 'print',
      label: words.print,
      group: words.actions,
      hint: words.ctrlP,
      words: words.search.paperPdfRecordApplicantQueue,
      run: print
    },
    ...(sample.inUse
      ? []
      : [
          {
            id: 'lock',
            label: words.lockVeridesk,
            group: words.actions,
            hint: words.ctrlShiftL,
            words: words.search.awayLeaveScreenPrivacyPassphrase,
            run: lock
          }
        ])
  ]
}

function appearanceCommands({ settings, change }: CommandParts): Command[] {
  const theme = (to: Settings['theme'], label: string): Command[] =>
    settings.theme === to
      ? []
      : [
          {
            id: `theme ${to}`,
            label,
            group: words.actions,
            words: words.search.appearanceMode,
            onlyFound: true,
            run: () => change({ theme: to })
          }
        ]
  const isCompact = settings.density === 'compact'
  return [
    ...theme('dark', words.switchToDarkTheme),
    ...theme('light', words.switchToLightTheme),
    ...theme('system', words.useTheSystemsTheme),
    {
      id: 'density',
      label: isCompact ? words.switchToComfortableDensity : words.switchToCompactDensity,
      group: words.actions,
      words: words.search.appearanceRows,
      onlyFound: true,
      run: () => change({ density: isCompact ? 'comfortable' : 'compact' })
    }
  ]
}

function placeCommands({ router }: CommandParts): Command[] {
  const place = (to: Place, label: string, group: string, synonyms: string): Command => ({
    id: `${to.page} ${to.name}`,
    label,
    group,
    words: synonyms,
    onlyFound: true,
    run: () => void leadTo(to, router)
  })
  return [
    ...settingPlaces.map(([label, synonyms]) =>
      place({ page: 'settings', name: label }, label, words.settings, synonyms)
    ),
    ...keyPlaces.map(([label, synonyms]) =>
      place({ page: 'keys', name: label }, label, words.keysAndEvidence, synonyms)
    ),
    ...sectionPlaces.map(([name, label, synonyms]) =>
      place({ page: 'data-management', name }, label, words.dataManagement, synonyms)
    )
  ]
}

function connectionCommands({ connections, choose }: CommandParts): Command[] {
  return connections.map((connection) => ({
    id: connection.id,
    label: words.useName({ name: connection.name }),
    group: words.connections,
    hint: connection.mode === 'live' ? 'LIVE' : 'SANDBOX',
    words: words.search.switchConnection,
    run: () => choose(connection.id)
  }))
}

export function paletteCommands(parts: CommandParts): Command[] {
  return [
    verificationCommands,
    viewCommands,
    actionCommands,
    appearanceCommands,
    placeCommands,
    connectionCommands
  ].flatMap((commands) => commands(parts))
}

/** The commands that contain each typed word; without words, those that are always offered. */
export function foundCommands(all: readonly Command[], text: string): Command[] {
  const typed = text.split(/\s+/).flatMap((word) => finder(word) ?? [])
  return all.filter(
    ({ label, group, words = '', onlyFound }) =>
      (typed.length > 0 || !onlyFound) && typed.every((isFound) => isFound(`${label} ${group} ${words}`))
  )
}
