/** What the command palette offers by itself: operations, views, actions, settings, sections and connections. */
import type { Router } from 'vue-router'
import type { ConnectionStatus } from '#contract/connections/connection.ts'
import { operations } from '#contract/verification/operations.ts'
import type { Settings } from '#contract/settings/settings.ts'
import { queryOf } from '../history/filters.ts'
import { leadTo, type Place } from './places.ts'
import { defaultOrder, queueAddress } from '../queue/queue-address.ts'
import { hiddenWord } from '../../kit/screen-share.ts'
import { filterOfView } from '../history/views.ts'

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

/** Each setting by its label, with other words for it. A test follows every one of them. */
export const settingPlaces: readonly (readonly [label: string, words: string])[] = [
  ['Theme', 'appearance dark light system colours'],
  ['Density', 'appearance compact comfortable rows'],
  ['Lock after', 'minutes idle away inactivity automatic'],
  ['Passphrase', 'lock unlock password change remove'],
  ['Running batches', 'lock pause continue'],
  ['Spend guard', 'duplicates repeated cost billed'],
  ['Links before sending', 'check documents expired images'],
  ['Connection timeout', 'limit seconds slow'],
  ['Response timeout', 'limit seconds slow'],
  ['Maximum response size', 'limit bytes'],
  ['Rows answered with 429 or 503', 'batch retry busy'],
  ['Decision note', 'required reason'],
  ['Screen-share mode', 'hide mask privacy personal data start'],
  ['Clear the clipboard after', 'copy privacy seconds'],
  ['Address of the authority', 'time-stamp timestamp rfc 3161'],
  ['Certificates of the authority', 'time-stamp timestamp rfc 3161'],
  ['Proxy', 'network'],
  ['Proxy sign-in', 'network password user name 407 basic authentication'],
  ['Extra certificate authorities', 'network tls ca company certificate'],
  ['Update feed', 'updates new version release upgrade check now'],
  ['Public keys', 'updates minisign signature']
]
/** Sections of data management by the ID of their heading. */
export const sectionPlaces: readonly (readonly [id: string, label: string, words: string])[] = [
  ['backups', 'Backups', 'back up now restore schedule copy'],
  ['recovery', 'Recovery key', 'lost keychain restore'],
  ['exports', 'Exports', 'save csv json download'],
  ['retention', 'Retention', 'delete days old erase preview deletions'],
  ['erasure', 'Legal hold and erasure', 'erase delete applicant gdpr forget receipt']
]

export function paletteCommands({
  settings,
  connections,
  router,
  change,
  choose,
  showShortcuts,
  print,
  lock,
  screenShare,
  sample
}: CommandParts): Command[] {
  const view = (name: string, label: string, more: Partial<Command> = {}): Command => ({
    id: name,
    label,
    group: 'Views',
    run: () => void router.push({ name }),
    ...more
  })
  const place = (to: Place, label: string, group: string, words: string): Command => ({
    id: `${to.page} ${to.name}`,
    label,
    group,
    words,
    onlyFound: true,
    run: () => void leadTo(to, router)
  })
  const theme = (to: Settings['theme'], label: string): Command[] =>
    settings.theme === to
      ? []
      : [
          {
            id: `theme ${to}`,
            label,
            group: 'Actions',
            words: 'appearance mode',
            onlyFound: true,
            run: () => change({ theme: to })
          }
        ]
  return [
    ...operations.map((operation, index) => ({
      id: operation.id,
      label: operation.title,
      group: 'Verifications',
      hint: `Ctrl ${index + 1}`,
      run: () => void router.push({ name: 'verify', params: { operation: operation.id } })
    })),
    view('overview', 'Overview', { words: 'volumes statistics response times figures dashboard' }),
    view('history', 'History', { hint: '/', words: 'records search' }),
    {
      id: 'unresolved',
      label: 'History: needs resolution',
      group: 'Views',
      words: 'unknown resolve',
      run: () => void router.push({ name: 'history', query: { unresolved: '1' } })
    },
    ...settings.savedViews.map(({ name, filter }) => ({
      id: `view ${name}`,
      label: `History: ${name}`,
      hidden: `History: ${hiddenWord}`,
      group: 'Views',
      run: () => void router.push({ name: 'history', query: queryOf(filterOfView(filter, Date.now())) })
    })),
    view('batches', 'Batches'),
    view('batch-new', 'New batch', { words: 'csv file create' }),
    view('applicants', 'Applicants'),
    view('queue', 'Work queue', { words: 'pending decisions triage' }),
    ...settings.queueViews.map(({ name, filter, order }) => ({
      id: `queue view ${name}`,
      label: `Work queue: ${name}`,
      hidden: `Work queue: ${hiddenWord}`,
      group: 'Views',
      run: () => void router.push({ name: 'queue', query: queueAddress(filter, order ?? defaultOrder) })
    })),
    view('catalogue', 'Message catalogue', { words: 'interpretations' }),
    view('audit', 'Audit trail', { words: 'events log verify' }),
    view('data-management', 'Data management: backups, exports, retention, erasure'),
    view('evidence', 'Evidence: verify, countersign, import', { words: 'pack four-eyes key fingerprint' }),
    view('connections', 'Connections', { words: 'credentials keys address' }),
    view('diagnosis', 'Network diagnosis', {
      words: 'proxy dns tls certificate firewall cannot reach connect fails pac clock'
    }),
    view('team', 'Team', { words: 'members colleagues database invite join supervisor' }),
    view('settings', 'Settings', { words: 'preferences options' }),
    view('about', 'Help and diagnostics', { words: 'version manual support log' }),
    view('welcome', 'Getting started', { words: 'practice tutorial' }),
    { id: 'shortcuts', label: 'Keyboard shortcuts', group: 'Views', hint: '?', words: 'help keys', run: showShortcuts },
    {
      id: 'sample',
      label: sample.inUse ? 'Close and delete sample data' : 'Explore sample data',
      group: 'Actions',
      words: 'demo example try look around',
      run: () => sample.openOrClose()
    },
    {
      id: 'screen-share',
      label: screenShare.on ? 'Leave screen-share mode' : 'Screen-share mode: hide personal data',
      group: 'Actions',
      words: 'mask privacy hide show reveal present meeting',
      run: () => screenShare.toggle()
    },
    {
      id: 'print',
      label: 'Print',
      group: 'Actions',
      hint: 'Ctrl P',
      words: 'paper pdf record applicant queue',
      run: print
    },
    ...(sample.inUse
      ? []
      : [
          {
            id: 'lock',
            label: 'Lock Veridesk',
            group: 'Actions',
            hint: 'Ctrl Shift L',
            words: 'away leave screen privacy passphrase',
            run: lock
          }
        ]),
    ...theme('dark', 'Switch to dark theme'),
    ...theme('light', 'Switch to light theme'),
    ...theme('system', 'Use the system’s theme'),
    settings.density === 'compact'
      ? {
          id: 'density',
          label: 'Switch to comfortable density',
          group: 'Actions',
          words: 'appearance rows',
          onlyFound: true,
          run: () => change({ density: 'comfortable' })
        }
      : {
          id: 'density',
          label: 'Switch to compact density',
          group: 'Actions',
          words: 'appearance rows',
          onlyFound: true,
          run: () => change({ density: 'compact' })
        },
    ...settingPlaces.map(([label, words]) => place({ page: 'settings', name: label }, label, 'Settings', words)),
    ...sectionPlaces.map(([name, label, words]) =>
      place({ page: 'data-management', name }, label, 'Data management', words)
    ),
    ...connections.map((connection) => ({
      id: connection.id,
      label: `Use ${connection.name}`,
      group: 'Connections',
      hint: connection.mode === 'live' ? 'LIVE' : 'SANDBOX',
      words: 'switch connection',
      run: () => choose(connection.id)
    }))
  ]
}

/** The commands that contain each typed word; without words, those that are always offered. */
export function foundCommands(all: readonly Command[], text: string): Command[] {
  const typed = text.toLowerCase().split(/\s+/).filter(Boolean)
  return all.filter(
    ({ label, group, words = '', onlyFound }) =>
      (typed.length > 0 || !onlyFound) &&
      typed.every((word) => `${label} ${group} ${words}`.toLowerCase().includes(word))
  )
}
