/** Keeping the history for years and letting it go lawfully. */
import type { KeepingAnswers } from '#contract/keeping-channels.ts'
import type { Handlers } from '#core/door.ts'
import type { HandlerParts } from './parts.ts'

export function keepingHandlers({ keeping, stateChanged }: HandlerParts): Pick<Handlers, keyof KeepingAnswers> {
  const { backups, recoveries } = keeping
  return {
    'backups.list': () => backups.list(),
    'backups.make': () => backups.make(),
    'backups.check': ({ id }) => backups.check(id),
    'backups.restore': async ({ id }) => {
      const restored = await backups.restore(id)
      stateChanged()
      return restored
    },
    'recovery.state': () => recoveries.state(),
    'recovery.create': () => recoveries.create(),
    'recovery.open': async ({ key }) => {
      const opened = await recoveries.open(key)
      stateChanged()
      return opened
    }
  }
}
