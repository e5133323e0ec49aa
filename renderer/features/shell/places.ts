/** Places within a page that the palette and links lead to: a setting, a section of data management. */
import { nextTick, shallowRef, watch, type Ref } from 'vue'
import type { Router } from 'vue-router'

export interface Place {
  readonly page: 'settings' | 'data-management' | 'keys'
  /** The setting's label, or the ID of the section's heading. */
  readonly name: string
}
const wanted = shallowRef<Place>()

/** Opens a page and brings a place in it into view, with the focus in its first control. */
export async function leadTo(place: Place, router: Router): Promise<void> {
  await router.push({ name: place.page })
  wanted.value = place
}

const controls = 'input:not(:disabled), select:not(:disabled), textarea:not(:disabled), button:not(:disabled)'

/** Brings an element into view and focuses its first control. */
export function reveal(element: Element): void {
  element.scrollIntoView({ block: element.clientHeight > innerHeight / 2 ? 'start' : 'center' })
  const all = [...element.querySelectorAll<HTMLElement>(controls)]
  // Of a group of choices, the chosen one has the focus.
  const target = all.find((control) => control instanceof HTMLInputElement && control.checked) ?? all[0]
  target?.focus({ preventScroll: true })
}

/** For a page: reveals the place that was asked for once its content is shown. */
export function usePlace(
  page: Place['page'],
  shown: Readonly<Ref<boolean>>,
  find: (name: string) => Element | null | undefined
): void {
  watch(
    [wanted, shown],
    async ([place, ready]) => {
      if (place?.page !== page || !ready) return
      wanted.value = undefined
      await nextTick()
      // After the frame of a new page has focused its heading.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          const element = find(place.name)
          if (element) reveal(element)
        })
      )
    },
    { immediate: true }
  )
}
