/** Dragging a column's heading to another place, or its edge to another width, with mouse, pen or finger. */
import { onBeforeUnmount, ref } from 'vue'
import type { TableState } from './table-state.ts'

/** Movement in pixels from which a press is a drag. */
const dragFrom = 5

export function useColumnDrag(table: TableState) {
  /** The column that is being moved, and where it would go. */
  const moving = ref('')
  const over = ref<{ readonly name: string; readonly behind: boolean }>()
  let ended = new AbortController()
  onBeforeUnmount(() => ended.abort())

  /**
   * Follows the pointer until it is released. The window listens: a heading that moves in the page would lose a capture.
   */
  function follow(event: PointerEvent, move: (next: PointerEvent) => void, end: (dropped: boolean) => void): void {
    ended.abort()
    const own = (ended = new AbortController())
    const { pointerId } = event
    const { signal } = own
    const stop = (dropped: boolean): void => {
      own.abort()
      end(dropped)
    }
    window.addEventListener(
      'pointermove',
      (next) => {
        if (next.pointerId === pointerId && (next.buttons & 1) !== 0) move(next)
      },
      { signal }
    )
    window.addEventListener('pointerup', (next) => next.pointerId === pointerId && stop(true), { signal })
    window.addEventListener('pointercancel', (next) => next.pointerId === pointerId && stop(false), { signal })
    window.addEventListener(
      'keydown',
      (next) => {
        if (next.key !== 'Escape') return
        next.preventDefault()
        next.stopPropagation()
        stop(false)
      },
      { signal, capture: true }
    )
  }

  /** Starts on a heading; the click after a drag is dropped. */
  function grip(name: string, event: PointerEvent): void {
    if (event.button !== 0 || !event.isPrimary) return
    const row = (event.currentTarget as Element).parentElement
    const { clientX } = event
    const place = (x: number): typeof over.value => {
      const heads = [...(row?.querySelectorAll<HTMLElement>('[data-column]') ?? [])]
      const head = heads.find((each) => x < each.getBoundingClientRect().right) ?? heads.at(-1)
      const box = head?.getBoundingClientRect()
      return head && box && { name: head.dataset['column'] ?? '', behind: x > box.left + box.width / 2 }
    }
    follow(
      event,
      (next) => {
        if (!moving.value && Math.abs(next.clientX - clientX) < dragFrom) return
        moving.value = name
        over.value = place(next.clientX)
      },
      (dropped) => {
        const target = over.value
        if (moving.value)
          window.addEventListener('click', (click) => click.stopPropagation(), {
            capture: true,
            once: true,
            signal: AbortSignal.timeout(100)
          })
        if (dropped && moving.value && target) table.drop(name, target.name, target.behind)
        moving.value = ''
        over.value = undefined
      }
    )
  }

  /** Starts on the edge of a heading. Escape restores the width. */
  function stretch(name: string, event: PointerEvent): void {
    if (event.button !== 0 || !event.isPrimary) return
    event.preventDefault()
    event.stopPropagation()
    const head = (event.currentTarget as Element).closest('[data-column]')
    const before = head?.getBoundingClientRect().width ?? 0
    const { clientX } = event
    let changed = false
    follow(
      event,
      (next) => {
        changed = true
        table.resize(name, before + next.clientX - clientX)
      },
      (dropped) => {
        if (!dropped && changed) table.resize(name, before)
      }
    )
  }
  return { moving, over, grip, stretch }
}
