/** `documents verify` and `backup documents`. */
import { failureEnding, textOption, usage, type Context, type Ending } from './context.ts'
import { count, print, time } from './print-text.ts'

export async function verifyDocuments(context: Context): Promise<Ending> {
  const stop = context.onEvent((event) => {
    if (event.kind !== 'data-management-changed') return
    void context.ask('documents.condition').then((now) => {
      if (now.ok && now.value.checking)
        context.showProgress(`${now.value.checking.done} of ${now.value.checking.total} verified`)
    })
  })
  const verified = await context.ask('documents.verify').finally(stop)
  context.clearProgress()
  if (!verified.ok) return failureEnding(verified.failure)
  const { checked, missing, damaged, others = 0, faulty } = verified.value
  const unlisted = missing + damaged - faulty.length
  return {
    exit: missing + damaged > 0 ? 'documentsFaulty' : 'done',
    out: print(context.options.json, verified.value, [
      `${count(checked, 'copy of a document', 'copies of documents')} verified: ${missing} missing, ${damaged} damaged.`,
      ...faulty.map(({ fault, recordId, field, at }) => `${fault}  ${recordId}  ${field}  ${time(at)}`),
      ...(unlisted > 0 ? [`${unlisted} more are not listed.`] : []),
      ...(others > 0
        ? [
            `${count(others, 'other file is', 'other files are')} in the folder: of a history that was set aside, of a backup, or not from Veridesk.`
          ]
        : [])
    ])
  }
}

export async function backUpDocuments(context: Context): Promise<Ending> {
  if (textOption(context, 'to') === undefined) return usage('Name the folder: backup documents --to DIR')
  const copied = await context.ask('backups.documents')
  if (!copied.ok) return failureEnding(copied.failure)
  if (!copied.value) return usage('Name the folder: backup documents --to DIR')
  const { path, there, bytes, faulty, refused } = copied.value
  return {
    exit: faulty + refused > 0 ? 'documentsFaulty' : 'done',
    out: print(context.options.json, copied.value, [
      path,
      `${count(copied.value.copied, 'file', 'files')} copied, ${count(bytes, 'byte', 'bytes')}. ${there} were there already.`,
      ...(faulty > 0
        ? [
            `${count(faulty, 'file was', 'files were')} not copied: missing or damaged here. “documents verify” lists them.`
          ]
        : []),
      ...(refused > 0
        ? [`${count(refused, 'file was', 'files were')} not copied: another file has the same name there.`]
        : [])
    ])
  }
}
