/** `support-bundle`: a file for whoever helps. */
import { failureEnding, textOption, usage, type Context, type Ending } from './context.ts'

export async function supportBundle(context: Context): Promise<Ending> {
  if (!textOption(context, 'to')) return usage('Name the file: support-bundle --to FILE')
  const saved = await context.ask('support.save')
  if (!saved.ok) return failureEnding(saved.failure)
  return {
    exit: 'done',
    out: `${saved.value?.path ?? ''}\nIt has no personal data and no secret. Read it before you pass it on.`
  }
}
