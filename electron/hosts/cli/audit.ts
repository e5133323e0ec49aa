/** `audit verify`. */
import { auditBreakText } from '#contract/failures/sentences.ts'
import { jsonText } from './print-text.ts'
import { failureEnding, type Context, type Ending } from './context.ts'

const number = (value: number): string => value.toLocaleString('en')

/** Verifies the whole audit trail and reports whether it is intact, or where and how it is broken. */
export async function verifyAudit(context: Context): Promise<Ending> {
  let shownAt = Date.now()
  const stop = context.onEvent((event) => {
    if (event.kind !== 'audit-progress' || !context.interactive || Date.now() - shownAt < 1000) return
    shownAt = Date.now()
    context.note(`${number(event.verified)} of ${number(event.total)} events`)
  })
  const answer = await context.ask('audit.verify').finally(stop)
  if (!answer.ok) return failureEnding(answer.failure)
  const verdict = answer.value
  const exit = verdict.intact ? 'done' : 'broken'
  if (context.options.json)
    return { exit, out: jsonText(verdict.intact ? verdict : { ...verdict, words: auditBreakText(verdict) }) }
  if (!verdict.intact)
    return {
      exit,
      error: `Audit trail broken at event ${number(verdict.at)} (${verdict.why}).\n${auditBreakText(verdict)}\n${number(verdict.verified)} events before it verified.`
    }
  const { head, anchor } = verdict
  const lines = [
    `Audit trail intact: ${number(verdict.events)} events, ${number(verdict.opened)} with encrypted data, ${number(verdict.erased)} with erased data.`,
    `Last event ${head.seq}: ${head.hash}`,
    `Merkle root: ${head.root}`,
    anchor
      ? `Anchored in the keychain: event ${anchor.seq}, since ${new Date(anchor.at).toISOString()}.`
      : 'There is no anchor outside the files.'
  ]
  return { exit, out: lines.join('\n') }
}
