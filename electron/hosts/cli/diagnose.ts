/** `diagnose`: why a service cannot be reached, and who can fix it. */
import { randomUUID } from 'node:crypto'
import { diagnosisSentence, diagnosisText, stepTitle } from '#contract/connections/diagnosis-text.ts'
import { diagnosisNotice } from '#contract/connections/diagnosis-words.ts'
import { failureEnding, findConnection, textOption, usage, type Context, type Ending } from './context.ts'
import { jsonText } from './print-text.ts'
import { onSignal, signalEndings, type EndingSignal } from './signals.ts'

/** Diagnoses a connection or an address and prints the report; Ctrl-C cancels it. */
export async function diagnose(context: Context): Promise<Ending> {
  const url = textOption(context, 'url')
  const [name, ...others] = context.operands
  if (others.length > 0 || (url !== undefined && name !== undefined))
    return usage('Give a connection or an address: diagnose CONNECTION, or diagnose --url URL')
  const diagnosisId = randomUUID()
  const connection = url === undefined ? await findConnection(context, name) : undefined
  if (connection && !connection.ok) return connection.failure
  if (context.interactive) context.note(diagnosisNotice)
  let signal: EndingSignal | undefined
  const ends = [
    onSignal((received) => {
      signal = received
      void context.ask('diagnosis.stop', { diagnosisId })
    }),
    context.onEvent((event) => {
      if (event.kind === 'diagnosis-step') context.showProgress(stepTitle(event.step))
    })
  ]
  const answer = await context.ask(
    'diagnosis.run',
    connection ? { diagnosisId, id: connection.value.id } : { diagnosisId, baseUrl: url ?? '' }
  )
  ends.forEach((end) => end())
  context.clearProgress()
  if (!answer.ok) return failureEnding(answer.failure)
  const report = answer.value
  const out = context.options.json ? jsonText(report) : diagnosisText(report)
  if (report.end === 'cancelled')
    return { exit: signal === undefined ? 'interrupted' : signalEndings[signal], out, error: diagnosisSentence(report) }
  return { exit: report.end === 'good' ? 'done' : 'networkFault', out }
}
