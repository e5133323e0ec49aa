/** What commands do before they show something of the team. */
import { sentencesOf } from '#contract/failures/sentences.ts'
import type { Context } from './context.ts'

/** Milliseconds between two looks at how far it is. */
const pause = 250
/** Seconds after which a command goes on with what has arrived. */
const patience = 20

/** Receives what colleagues did until now, for a command that shows it. Without the database it says how old the answer is. */
export async function receiveFirst(context: Context): Promise<void> {
  const until = performance.now() + patience * 1000
  for (;;) {
    const answer = await context.ask('team.exchange')
    // The command’s own question says why.
    if (!answer.ok || !answer.value) return
    const { failure: why, at, toReceive } = answer.value
    if (why) return context.note(`${sentencesOf(why).what} This is what had arrived before.`)
    if (at !== undefined && toReceive === 0) return
    if (performance.now() > until) return context.note('Not everything has arrived yet: “team exchange” goes on.')
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}
