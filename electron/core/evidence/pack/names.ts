/** Who was involved in what a pack shows, as its events name them. */
import type { Content, ContentEvent } from './pack.ts'
import { plainOf } from './reading.ts'

const nameOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Who made the pack; null if withheld. */
export const makerOf = (made: ContentEvent): string | null => nameOf(plainOf(made, 'operator'))

/** Who made the pack, and who made the last decision in it, if there is one; null if withheld. */
export function namesInvolved({ events }: Content, made: ContentEvent): (string | null)[] {
  const decision = events.findLast(({ kind }) => kind === 'decision.made')
  return [makerOf(made), ...(decision ? [nameOf(plainOf(decision, 'operator'))] : [])]
}
