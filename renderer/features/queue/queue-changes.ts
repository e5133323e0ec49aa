/** What can be done with the selected items of the queue at once: in the bar, by keys, in the palette. */
import { BookOpenText, CalendarClock, Copy, Download, Tags, UserRound } from '@lucide/vue'
import { decisions, type Decision } from '#contract/applicants/applicants.ts'
import type { QueueFacets } from '#contract/applicants/queue.ts'
import type { ContextCommand } from '../../kit/context-commands.ts'
import { decisionLabels } from '../applicants/applicant-words.ts'
import { whyForbidden } from '../shell/forbidden.ts'
import { words } from './words.ts'

export type Change = 'tags' | 'due' | 'assignee'

export const selectionChanges = [
  { what: 'assignee', label: words.assign, icon: UserRound, keys: ['S'] },
  { what: 'due', label: words.dueDate, icon: CalendarClock, keys: ['U'] },
  { what: 'tags', label: words.tags, icon: Tags, keys: ['T'] }
] as const

/** Tags and names in use, to suggest. */
export const knownOf = (what: Change, facets: QueueFacets | undefined): readonly string[] =>
  what === 'due' ? [] : ((what === 'tags' ? facets?.tags : facets?.assignees) ?? []).flatMap(({ value }) => value || [])

/** Of the selection bar, for the palette. */
export function selectionCommands(of: {
  /** An unknown outcome may have no applicant. */
  readonly ofApplicants: boolean
  readonly changes: readonly (typeof selectionChanges)[number][]
  readonly canExport: boolean
  readonly decide: (decision: Decision) => Promise<void>
  readonly change: (what: Change) => Promise<void>
  readonly interpret: () => Promise<void>
  readonly exportChosen: () => Promise<void>
  readonly copy: () => Promise<void>
}): readonly ContextCommand[] {
  const copies = {
    id: 'copy',
    label: words.copyRows,
    icon: Copy,
    unavailable: whyForbidden('copy'),
    run: () => void of.copy()
  }
  if (!of.ofApplicants) return [copies]
  return [
    ...decisions.map((decision) => ({
      id: decision,
      label: words.decideAllAs({ decision: decisionLabels[decision] }),
      mark: decision,
      keys: ['Shift', decision.charAt(0).toUpperCase()],
      effect: words.afterASample,
      words: words.search.bulk,
      run: () => void of.decide(decision)
    })),
    ...of.changes.map(({ what, ...shown }) => ({
      ...{ id: what, ...shown, words: words.search.change },
      run: () => void of.change(what)
    })),
    {
      ...{ id: 'interpret', label: words.interpretMessages, icon: BookOpenText, keys: ['I'] },
      run: () => void of.interpret()
    },
    ...(of.canExport ? [{ id: 'export', label: words.export, icon: Download, run: () => void of.exportChosen() }] : []),
    copies
  ]
}
