/** How a person is told how log forwarding goes. */
import type { TargetState } from '#contract/forwarding/forwarding.ts'
import { localTime } from '../../kit/time.ts'
import { words } from './words.ts'

/** One line about a target. */
export function targetSentence({ target, place, taken, last, silentSince }: TargetState): string {
  const name = target === 'file' ? words.theFile({ place }) : words.theCollector({ place })
  if (silentSince !== undefined)
    return words.hasTakenNoEventSince({ name, since: localTime(silentSince), waiting: last - taken })
  return taken >= last ? words.hasEveryEvent({ name, taken }) : words.hasTheEventsUpTo({ name, taken, last })
}
