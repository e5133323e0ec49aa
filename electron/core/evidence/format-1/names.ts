/** Who was involved in what a pack of version 1 shows. */
import type { Pack, PackEvent } from './pack.ts'

/** The operator of an event, shown completely or as a field; null if the name is withheld. */
function operatorOf({ plain, fields }: PackEvent): string | null {
  const name =
    plain === null
      ? fields.find((field) => field.name === 'plain.operator')?.value
      : (JSON.parse(plain) as { operator?: unknown }).operator
  return typeof name === 'string' ? name : null
}

/** The creator of a pack, and the author of the decision in it, if there is one. */
export function namesInvolved({ content }: Pack): (string | null)[] {
  const decision = content.events.findLast(({ kind }) => kind === 'decision.made')
  return [content.made.by, ...(decision ? [operatorOf(decision)] : [])]
}
