/** All attacks, in the order of the requirement. */
import type { Attack } from './attack.ts'
import { attackNames } from './attack.ts'
import { attacksOnAnswers } from './on-answers.ts'
import { attacksOnEvents } from './on-events.ts'
import { attacksOnMembers } from './on-members.ts'

export const attacks: readonly Attack[] = [...attacksOnEvents, ...attacksOnMembers, ...attacksOnAnswers].sort(
  (a, b) => attackNames.indexOf(a.of) - attackNames.indexOf(b.of)
)
