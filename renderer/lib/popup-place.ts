/** Where a list or calendar of a field is drawn, and how Escape closes it. */
import { onMounted, shallowRef, type ShallowRef } from 'vue'

/**
 * A modal dialog is above everything else in the window, so what its fields open is drawn inside it; elsewhere on the
 * page that the field belongs to.
 */
export function usePopupPlace(field: () => Element | undefined): { readonly place: ShallowRef<HTMLElement | string>; onEscape(event: Event, close: () => void): void } {
  const place = shallowRef<HTMLElement | string>('body')
  onMounted(() => (place.value = field()?.closest<HTMLElement>('dialog, main') ?? 'body'))
  /** The same key would close the dialog as well. */
  function onEscape(event: Event, close: () => void): void {
    event.preventDefault()
    close()
  }
  return { place, onEscape }
}
