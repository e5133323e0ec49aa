/** Backups, holds, receipts and exports as the window sees them. */
import { defineStore } from 'pinia'
import { ref, shallowReactive } from 'vue'
import type { ExportProgress } from '#contract/keeping.ts'

export const useKeeping = defineStore('keeping', () => {
  /** Rises when backups, receipts, holds or cases have changed. */
  const version = ref(0)
  const exports = shallowReactive(new Map<string, ExportProgress>())
  const changed = (): void => void (version.value += 1)
  const hear = (progress: ExportProgress): void => void exports.set(progress.exportId, progress)
  return { version, exports, changed, hear }
})
