/** Whether the command palette, the list of shortcuts and the help are open. */
import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import { onRemoval } from '../../kit/removal.ts'
import type { GuidePlace } from '../help/terms.ts'

export const usePalette = defineStore('palette', () => {
  const open = ref(false)
  const shortcuts = ref(false)
  const help = ref(false)
  /** What the help is to show next. */
  const place = shallowRef<GuidePlace>()
  function openAt(next: GuidePlace): void {
    place.value = next
    help.value = true
  }
  onRemoval('palette', () => (open.value = false))
  return { open, shortcuts, help, place, openAt }
})
