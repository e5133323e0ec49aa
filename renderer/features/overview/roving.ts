/** The marks of a plot as one stop of the Tab key: arrow keys, Home and End move between them. */
import { ref, type Ref } from 'vue'

/** @param isMark Matches the marks among the elements of the plot. */
export function useRoving(isMark = '[data-mark]'): {
  readonly current: Ref<number>
  onKey(event: KeyboardEvent): void
  onFocus(event: FocusEvent): void
} {
  /** Position of the mark that Tab reaches. */
  const current = ref(0)
  const marksIn = (event: Event): (HTMLElement | SVGElement)[] => [
    ...(event.currentTarget as Element).querySelectorAll<HTMLElement | SVGElement>(isMark)
  ]

  function onKey(event: KeyboardEvent): void {
    const steps: Readonly<Record<string, (at: number, last: number) => number>> = {
      ArrowRight: (at, last) => Math.min(at + 1, last),
      ArrowDown: (at, last) => Math.min(at + 1, last),
      ArrowLeft: (at) => Math.max(at - 1, 0),
      ArrowUp: (at) => Math.max(at - 1, 0),
      Home: () => 0,
      End: (_at, last) => last
    }
    const step = steps[event.key]
    if (!step || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    const marks = marksIn(event)
    event.preventDefault()
    marks[
      step(
        marks.findIndex((mark) => mark === event.target),
        marks.length - 1
      )
    ]?.focus()
  }
  function onFocus(event: FocusEvent): void {
    const at = marksIn(event).findIndex((mark) => mark === event.target)
    if (at >= 0) current.value = at
  }
  return { current, onKey, onFocus }
}
