/** The command palette and the list of shortcuts: open or not. */
import { defineStore } from 'pinia'
import { ref } from 'vue'

export const usePalette = defineStore('palette', () => {
  const open = ref(false)
  const shortcuts = ref(false)
  return { open, shortcuts }
})
