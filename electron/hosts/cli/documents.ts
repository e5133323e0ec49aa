/** `documents verify`, `documents delete-others` and `backup documents`. */
import type { OtherFiles } from '#contract/documents/documents.ts'
import { failureEnding, textOption, usage, type Context, type Ending } from './context.ts'
import { count, number, print, sizeText, time } from './print-text.ts'

export async function verifyDocuments(context: Context): Promise<Ending> {
  const stop = context.onEvent((event) => {
    if (event.kind !== 'data-management-changed') return
    void context.ask('documents.condition').then((now) => {
      if (now.ok && now.value.checking)
        context.showProgress(`${number(now.value.checking.done)} of ${number(now.value.checking.total)} verified`)
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
      `${count(checked, 'copy of a document', 'copies of documents')} verified: ${number(missing)} missing, ${number(damaged)} damaged.`,
      ...faulty.map(({ fault, recordId, field, at }) => `${fault}  ${recordId}  ${field}  ${time(at)}`),
      ...(unlisted > 0 ? [`${count(unlisted, 'more is', 'more are')} not listed.`] : []),
      ...(others > 0
        ? [
            `${count(others, 'other file is', 'other files are')} in the folder: of a history that was set aside, of a backup, or not from Veridesk.`
          ]
        : [])
    ])
  }
}

/** Shows files that nothing names or, as they were shown, deletes them. */
export async function deleteOtherFiles(context: Context): Promise<Ending> {
  const digest = textOption(context, 'digest')
  if (digest === undefined) {
    const found = await context.ask('documents.otherFiles')
    return found.ok
      ? { exit: 'done', out: print(context.options.json, found.value, otherFilesLines(found.value)) }
      : failureEnding(found.failure)
  }
  if (!/^[0-9a-f]{64}$/.test(digest)) return usage('--digest has 64 hex digits. “documents delete-others” shows it.')
  const done = await context.ask('documents.deleteOtherFiles', { digest })
  if (!done.ok) return failureEnding(done.failure)
  const { deleted, bytes, left } = done.value
  return {
    exit: left > 0 ? 'documentsFaulty' : 'done',
    out: print(context.options.json, done.value, [
      `${count(deleted, 'file', 'files')} deleted, ${sizeText(bytes)}.`,
      ...(left > 0 ? [`${count(left, 'file was', 'files were')} not deleted.`] : [])
    ])
  }
}

function otherFilesLines({ files, bytes, digest, named, unlike, setAside, backups, unread }: OtherFiles): string[] {
  const read = `${count(setAside, 'history that was set aside', 'histories that were set aside')} and ${count(backups, 'backup', 'backups')}`
  return [
    `${count(files, 'file', 'files')} of documents, ${sizeText(bytes)}: neither this history nor ${read} in the data folder ${files === 1 ? 'names it' : 'name them'}. Backups elsewhere are not read.`,
    ...(named > 0
      ? [`${count(named, 'other file stays', 'other files stay')}: one of these names ${named === 1 ? 'it' : 'them'}.`]
      : []),
    ...(unlike > 0 ? [`${count(unlike, 'other file stays', 'other files stay')}: not named as copies are.`] : []),
    ...unread.map((folder) => `Cannot be read, so nothing is deleted: ${folder}`),
    ...(files > 0 && unread.length === 0 ? [`Digest ${digest}`] : [])
  ]
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
      `${count(copied.value.copied, 'file', 'files')} copied, ${sizeText(bytes)}. ${count(there, 'file was', 'files were')} there already.`,
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
