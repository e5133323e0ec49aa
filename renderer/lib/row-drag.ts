/** Dragging a row of a list to another place, with the mouse, a pen or a finger. */
import { onBeforeUnmount, ref, type Ref } from 'vue'

/**
 * `drop` is told the row's key and the place, counted from 0, of the row that it was let go on; below the last row that is
 * the last place. Escape leaves the row where it was.
 *
 * The window listens, not the handle: a capture ends when the handle moves in the page, as it does where the list changes
 * meanwhile, and when the system tells of a pointer with no button held, as it does where windows open and close.
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

  /** Begins with a press on the row's handle. */
  function grip(key: string, event: PointerEvent): void {
    if (event.button !== 0 || !event.isPrimary) return
    event.preventDefault()
    end()
    ended = new AbortController()
    const { signal } = ended
    const { pointerId, clientX, clientY } = event
    const mine = (work: (event: PointerEvent) => void) => (next: PointerEvent) => next.pointerId === pointerId && work(next)
    let moved = false
    dragged.value = key
    // Outside the window, too, the list hears of it; the handle could move in the page and lose it.
    list.value?.setPointerCapture(pointerId)
    window.addEventListener('pointermove', mine((next) => {
      // Another pointer of the system, or a release that was missed: neither says where the row is to go.
      if ((next.buttons & 1) === 0) return
      moved = moved || Math.hypot(next.clientX - clientX, next.clientY - clientY) > 3
      if (moved) over.value = placeAt(next.clientY)
    }), { signal })
    window.addEventListener('pointerup', mine((next) => {
      const place = placeAt(next.clientY)
      end()
      if (moved) drop(key, place)
    }), { signal })
    window.addEventListener('pointercancel', mine(end), { signal })
    window.addEventListener('keydown', (next) => {
      if (next.key !== 'Escape') return
      next.preventDefault()
      end()
    }, { signal })
  }
  return { dragged, over, grip }
}
