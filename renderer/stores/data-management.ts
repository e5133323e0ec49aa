/** Backups, holds, receipts and exports as the window sees them. */
import { defineStore } from 'pinia'
import { ref, shallowReactive, shallowRef } from 'vue'
import type { Failure } from '#contract/failures.ts'
import type { ExportProgress, Restored } from '#contract/data-management.ts'
import { onRemoval } from '../lib/removal.ts'

/** How a restore or an erasure ended: told after the removal, and gone with the next one. */
export interface Ended {
  readonly section: 'backups' | 'retention' | 'erasure'
  readonly failure?: Failure | undefined
  readonly restored?: Restored
}

export const useDataManagement = defineStore('data-management', () => {
  /** Rises when backups, receipts, holds or cases have changed. */
  const version = ref(0)
  const exports = shallowReactive(new Map<string, ExportProgress>())
  /** What a step ended with that removed data of persons, for the section that asked for it and was drawn anew meanwhile. */
  const ended = shallowRef<Ended>()
  const changed = (): void => void (version.value += 1)
  const onProgress = (progress: ExportProgress): void => void exports.set(progress.exportId, progress)
  onRemoval('data-management', () => {
    exports.clear()
    ended.value = undefined
  })
  return { version, exports, ended, changed, onProgress }
})
