/** `audit verify`. */
import { jsonText } from './print-text.ts'
import { failureEnding, type Context, type Ending } from './context.ts'

const number = (value: number): string => value.toLocaleString('en')

/** Walks the whole audit trail and says whether it holds, or exactly where and how it breaks. */
export async function verifyAudit(context: Context): Promise<Ending> {
  let told = Date.now()
  const stop = context.onEvent((event) => {
    if (event.kind !== 'audit-progress' || !context.interactive || Date.now() - told < 1000) return
    told = Date.now()
    context.note(`${number(event.verified)} of ${number(event.total)} events`)
  })
  const answer = await context.ask('audit.verify').finally(stop)
  if (!answer.ok) return failureEnding(answer.failure)
  const verdict = answer.value
  const exit = verdict.intact ? 'done' : 'broken'
  if (context.options.json) return { exit, out: jsonText(verdict) }
  if (!verdict.intact) return { exit, error: `The audit trail breaks at event ${number(verdict.at)} (${verdict.why}).\n${verdict.words}\n${number(verdict.verified)} events before it were verified.` }
  const { head, anchor } = verdict
  const lines = [
    `The audit trail holds: ${number(verdict.events)} events, ${number(verdict.opened)} with their sealed data, ${number(verdict.erased)} whose data was erased.`,
    `Last event ${head.seq}: ${head.hash}`,
    `Root of the tree: ${head.root}`,
    anchor ? `Known from outside the files: event ${anchor.seq}, kept in the keychain since ${new Date(anchor.at).toISOString()}.` : 'Nothing outside the files knows of its head.'
  ]
  return { exit, out: lines.join('\n') }
}
