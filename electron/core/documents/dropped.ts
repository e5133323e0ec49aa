/** What a dropped file is, by its first bytes; its name decides only between kinds of text. */
import { batchDelimiters } from '#contract/batches/batches.ts'
import { isTrustText } from '#contract/evidence/trust-view.ts'
import { droppedHead, type Dropped, type DroppedKind } from '#contract/verification/drops.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { typeOf, type OtherType } from './type.ts'

/** Files of a backup; with one of these names and a history, a folder is one. */
const backupNames = ['backup.json', 'recovery.sealed']

/** Kinds of files that nothing in Veridesk reads, as reasons of `dropped-unknown`. */
const unreadKinds: Readonly<Partial<Record<OtherType, 'empty' | 'page' | 'packed' | 'media'>>> = {
  empty: 'empty',
  html: 'page',
  svg: 'page',
  xml: 'page',
  zip: 'packed',
  gzip: 'packed',
  video: 'media'
}
const images: ReadonlySet<string> = new Set(['jpeg', 'png', 'pdf', 'heic', 'webp', 'gif', 'avif', 'tiff', 'bmp'])

/** The text of a head; UTF-16 is recognised by its mark or its zero bytes. */
function textOf(head: Buffer): string {
  if (head[0] === 0xfe && head[1] === 0xff)
    return Buffer.from(head.subarray(0, head.length & ~1))
      .swap16()
      .toString('utf16le')
  if ((head[0] === 0xff && head[1] === 0xfe) || head[1] === 0) return head.toString('utf16le')
  return head.toString('utf8')
}

/** Whether the first lines have the same delimiter equally often, as a table has. */
function isTable(text: string, isWhole: boolean): boolean {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/)
  // The last line may be cut.
  const [first, second] = (isWhole ? lines : lines.slice(0, -1)).filter((line) => line.trim() !== '')
  if (first === undefined || second === undefined || /^https?:/i.test(first)) return false
  return batchDelimiters.some((delimiter) => {
    const columns = first.split(delimiter).length
    return columns > 1 && second.split(delimiter).length === columns
  })
}

/** What a dropped file or folder is. Failures: `dropped-document`, `dropped-folder`, `dropped-unknown`. */
export function identify(dropped: Dropped): Result<DroppedKind, Failure> {
  const { name } = dropped
  if ('folder' in dropped)
    return dropped.folder.some((each) => backupNames.includes(each))
      ? ok('backup')
      : failed('dropped-folder', { file: name })
  const head = Buffer.from(dropped.head, 'base64')
  const type = typeOf(head)
  if (images.has(type)) return failed('dropped-document', { file: name })
  if (name === 'recovery.sealed') return ok('backup')
  const text = textOf(head)
  if (/^\ufeff?\s*\{\s*"envelope"\s*:/.test(text)) return ok('pack')
  if (/^\{"payload":"[A-Za-z0-9+/=]+/.test(text)) return ok('approval')
  if (isTrustText(text)) return ok('trust')
  if (/"format"\s*:\s*"veridesk-(?:backup|recovery)/.test(text)) return ok('backup')
  if (type === 'json') return ok('list')
  const isUtf16 = text !== head.toString('utf8')
  if (type === 'text' || (isUtf16 && type === 'unknown'))
    return ok(/\.(?:csv|tsv)$/i.test(name) || isTable(text, head.length < droppedHead) ? 'rows' : 'list')
  return failed('dropped-unknown', { file: name, reason: unreadKinds[type as OtherType] ?? 'other' })
}
