/** What can be done with what a view shows. Its own controls and keys read the same table as the palette and the help. */
import { computed, onBeforeUnmount, shallowRef, type Component } from 'vue'
import type { RouteLocationRaw } from 'vue-router'
import type { MarkedState } from './marks.ts'

/** One thing that a person can do, as all of its controls say it. */
export interface ContextCommand {
  readonly id: string
  readonly label: string
  readonly icon?: Component
  /** Instead of an icon, the state that it leads to. */
  readonly mark?: MarkedState
  /** The keys that do it, as they are shown. */
  readonly keys?: readonly string[]
  /** What happens then, in a few words. */
  readonly effect?: string
  /** Other words by which people look for it. */
  readonly words?: string
  /** Why it does not apply now. */
  readonly unavailable?: string | undefined
  run(): void
}

/** What the commands of the window are about at the moment. */
export interface Context {
  readonly kind: 'case' | 'selection' | 'batch' | 'record'
  /** Such as a name. */
  readonly title: string
  /** Instead of the title in screen-share mode. */
  readonly hidden: string
  /** Where it is shown, to come back later; absent for a selection. */
  readonly place?: RouteLocationRaw
  readonly commands: readonly ContextCommand[]
}

const shown = shallowRef<readonly (() => Context | undefined)[]>([])

/** Says what a view's commands are, for as long as it is shown. */
export function provideContext(context: () => Context | undefined): void {
  shown.value = [...shown.value, context]
  onBeforeUnmount(() => (shown.value = shown.value.filter((each) => each !== context)))
}

/** Of the views that are shown, the newest that has something to say; a selection before what it is in. */
export const currentContext = computed(() => {
  const all = shown.value.flatMap((context) => context() ?? [])
  return all.findLast(({ kind }) => kind === 'selection') ?? all.at(-1)
})
