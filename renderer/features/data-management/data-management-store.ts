/** The window's state of backups, holds, receipts and exports. */
import { defineStore } from 'pinia'
import { ref, shallowReactive, shallowRef } from 'vue'
import type { Failure } from '#contract/failures/failures.ts'
import type { ExportProgress, Restored } from '#contract/data-management/data-management.ts'
import { onRemoval } from '../../kit/removal.ts'

/** The result of a restore or an erasure: set after the removal, cleared by the next one. */
export interface Ended {
  readonly section: 'backups' | 'retention' | 'erasure'
  readonly failure?: Failure | undefined
  readonly restored?: Restored
}

export const useDataManagement = defineStore('data-management', () => {
  /** Incremented when backups, receipts, holds or cases have changed. */
  const version = ref(0)
  const exports = shallowReactive(new Map<string, ExportProgress>())
  /** The result of a step that removed personal data, for the section that started it and has been recreated since. */
  const ended = shallowRef<Ended>()
  const changed = (): void => void (version.value += 1)
  const onProgress = (progress: ExportProgress): void => void exports.set(progress.exportId, progress)
  onRemoval('data-management', () => {
    exports.clear()
    ended.value = undefined
  })
  return { version, exports, ended, changed, onProgress }
})
