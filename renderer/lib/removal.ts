/**
 * Data of persons goes from the window, all of it at one moment: an erasure was carried out, or another history was
 * opened. Views and dialogs lose what they hold because the frame draws them anew (`generation` is its key); answers
 * to what was asked before are dropped (`bridge.ts`); stores outlive views, so each registers what it empties.
 */
import { readonly, ref } from 'vue'

const current = ref(0)
const registered = new Map<string, () => void>()

/** Rises with each removal. */
export const generation = readonly(current)

/** Registers what a store empties, under its name; a test asks every store for it. */
export function onRemoval(store: string, empty: () => void): void {
  registered.set(store, empty)
}

/** The stores that have registered. */
export const emptied = (): ReadonlySet<string> => new Set(registered.keys())

/** Empties every store and has every view drawn anew. What is typed goes as well: whom it is about nobody can tell. */
export function removeData(): void {
  current.value += 1
  for (const empty of registered.values()) empty()
}
