/** Where a list or calendar of a field is drawn, and how Escape closes it. */
import { onMounted, shallowRef, type ShallowRef } from 'vue'

/**
 * A modal dialog is above everything else in the window, so what its fields open is drawn inside it; elsewhere in the
 * body. Not in `main`: beside a page that is being replaced, it would be the place where the next page is put.
 */
export function usePopupPlace(field: () => Element | undefined): {
  readonly place: ShallowRef<HTMLElement | string>
  onEscape(event: Event, close: () => void): void
} {
  const place = shallowRef<HTMLElement | string>('body')
  onMounted(() => (place.value = field()?.closest('dialog') ?? 'body'))
  /** The same key would close the dialog as well. */
  function onEscape(event: Event, close: () => void): void {
    event.preventDefault()
    close()
  }
  return { place, onEscape }
}
