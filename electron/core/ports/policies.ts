import type { FailureDetails } from '#contract/failures/failures.ts'

/** Why a source of policies is unusable: a reason of `policies-unusable`, or the system's error code. */
export type PolicyFault =
  FailureDetails<'policies-unusable'> extends infer Each
    ? Each extends { readonly cause: unknown }
      ? never
      : Each extends unknown
        ? Omit<Each, 'place'>
        : never
    : never

/** What a source contains: nothing, values by name as they are stored there, or something unusable. */
export type PolicyFound =
  | { readonly kind: 'none' }
  | { readonly kind: 'values'; readonly values: Readonly<Record<string, unknown>> }
  /** Also where it is not known whether there is anything. */
  | { readonly kind: 'unusable'; readonly fault: PolicyFault }

/** One source of policies. */
export interface PolicyPlace {
  /** The file or registry key, as administrators name it. */
  readonly place: string
  /** What read it, for whoever looks for the reason of a fault; absent for a copy. */
  readonly by?: string
  readonly found: PolicyFound
}

/** Where this system's administrators put policies. */
export interface PolicyReader {
  /** All sources, the one that takes precedence first. Never rejects. */
  read(): Promise<readonly PolicyPlace[]>
  /**
   * Calls `changed` when a source may have changed, and at a calm interval where the system does not notify; returns a
   * function that ends this. Must not keep the process alive.
   */
  watch(changed: () => void): () => void
  /**
   * Milliseconds after which a change is read again before it applies. Administrators' tools remove values and write them
   * again, and what is read in between is not what anybody meant.
   */
  readonly confirmAfter: number
}
