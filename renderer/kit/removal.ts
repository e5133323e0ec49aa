/**
 * Removes personal data from the window all at once, after an erasure or when another history was opened. Views and
 * dialogs lose their data because the frame is recreated (`generation` is its key); answers to earlier requests are
 * dropped (`bridge.ts`); stores outlive views, so each registers what it clears.
 */
import { readonly, ref } from 'vue'

const current = ref(0)
const registered = new Map<string, () => void>()

/** Incremented with each removal. */
export const generation = readonly(current)

/** Registers what a store clears, under its name; a test requires it of every store. */
export function onRemoval(store: string, empty: () => void): void {
  registered.set(store, empty)
}

/** The stores that have registered. */
export const emptied = (): ReadonlySet<string> => new Set(registered.keys())

/** Clears every store and recreates every view. Typed text is removed too, since it may be about the person. */
export function removeData(): void {
  current.value += 1
  for (const empty of registered.values()) empty()
}
