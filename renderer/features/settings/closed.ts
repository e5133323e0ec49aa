/** What policies turn off or require, for the controls that they disable. */
import { computed, type ComputedRef } from 'vue'
import type { PolicyName } from '#contract/settings/policies.ts'
import { useApp } from '../shell/app-store.ts'

/** The place of the policy that turns something off or requires it; undefined if none does. */
export function useClosed(name: PolicyName): ComputedRef<string | undefined> {
  const app = useApp()
  return computed(() => app.state?.managed?.closed[name])
}
