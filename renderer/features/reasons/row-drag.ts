/** Dragging a row of a list to another position with mouse, pen or finger. */
import { onBeforeUnmount, ref, type Ref } from 'vue'

/**
 * `drop` is called with the row's key and the index, from 0, of the row on which it was dropped; below the last row
 * this is the last index. Escape cancels the drag.
 *
 * The window listens instead of the handle: pointer capture ends when the handle moves in the page, as when the list
 * changes in the meantime, and when the system reports a pointer without a pressed button, as when windows open and
 * close.
 */
export function useRowDrag(list: Readonly<Ref<HTMLElement | null>>, drop: (key: string, place: number) => void) {
  const dragged = ref('')
  const over = ref(-1)
  let ended = new AbortController()

  const placeAt = (y: number): number => {
    const rows = [...(list.value?.children ?? [])]
    const found = rows.findIndex((row) => y < row.getBoundingClientRect().bottom)
    return found < 0 ? rows.length - 1 : found
  }
  const end = (): void => {
    ended.abort()
    dragged.value = ''
    over.value = -1
  }
  onBeforeUnmount(end)

  /** Starts a drag on the row's handle. */
  function grip(key: string, event: PointerEvent): void {
    if (event.button !== 0 || !event.isPrimary) return
    event.preventDefault()
    end()
    ended = new AbortController()
    const { signal } = ended
    const { pointerId, clientX, clientY } = event
    const mine = (work: (event: PointerEvent) => void) => (next: PointerEvent) =>
      next.pointerId === pointerId && work(next)
    let moved = false
    dragged.value = key
    // The list captures the pointer, also outside the window; the handle could move in the page and lose the capture.
    list.value?.setPointerCapture(pointerId)
    window.addEventListener(
      'pointermove',
      mine((next) => {
        // Another pointer, or a release that was missed: neither gives a drop position.
        if ((next.buttons & 1) === 0) return
        moved = moved || Math.hypot(next.clientX - clientX, next.clientY - clientY) > 3
        if (moved) over.value = placeAt(next.clientY)
      }),
      { signal }
    )
    window.addEventListener(
      'pointerup',
      mine((next) => {
        const place = placeAt(next.clientY)
        end()
        if (moved) drop(key, place)
      }),
      { signal }
    )
    window.addEventListener('pointercancel', mine(end), { signal })
    window.addEventListener(
      'keydown',
      (next) => {
        if (next.key !== 'Escape') return
        next.preventDefault()
        end()
      },
      { signal }
    )
  }
  return { dragged, over, grip }
}
