/** Whether the command palette, the list of shortcuts and the help are open. */
import { defineStore } from 'pinia'
import { ref } from 'vue'
import { onRemoval } from '../../kit/removal.ts'

export const usePalette = defineStore('palette', () => {
  const open = ref(false)
  const shortcuts = ref(false)
  const help = ref(false)
  onRemoval('palette', () => (open.value = false))
  return { open, shortcuts, help }
})
