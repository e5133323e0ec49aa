/** The window's state of the team: that something of it has changed. */
import { defineStore } from 'pinia'
import { ref } from 'vue'
import { onRemoval } from '../lib/removal.ts'

export const useTeam = defineStore('team', () => {
  /** Incremented with each change of the exchange, and with everything that arrives. */
  const version = ref(0)
  function changed(): void {
    version.value += 1
  }
  // What colleagues recorded about an erased applicant is read again, and is gone.
  onRemoval('team', changed)
  return { version, changed }
})
