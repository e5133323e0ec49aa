/** Whether the command palette and the list of shortcuts are open. */
import { defineStore } from 'pinia'
import { ref } from 'vue'
import { onRemoval } from '../../kit/removal.ts'

export const usePalette = defineStore('palette', () => {
  const open = ref(false)
  const shortcuts = ref(false)
  onRemoval('palette', () => (open.value = false))
  return { open, shortcuts }
})
