/** Opens the ZIP file of a pack with its documents, and compares them. Nothing is unpacked or written. */
import { constants } from 'node:fs'
import type { EvidenceFinding } from '#contract/evidence/evidence.ts'
import { readStored, storedEntries, type StoredEntry, type StoredSource } from '#kit/archive/stored.ts'
import { openRegular } from '#wire/files/regular.ts'
import { documentsFolder, packPart } from './pack-documents.ts'
import { attachmentOf } from './pack/attachments.ts'
import { checkPack, type CheckedPack } from './pack/check.ts'
import type { Content } from './pack/pack.ts'
import { plainOf, sealedOf } from './pack/reading.ts'
import { finding } from './refusal.ts'

export interface OpenedArchive {
  readonly checked: CheckedPack
  /** What it says about each document, and about those that are recorded and not there. */
  readonly documents: readonly EvidenceFinding[]
}

/** Most bytes of one part that is read into memory at once: no document has more, and no pack. */
const maxPartBytes = 256 * 1024 * 1024

const refused: OpenedArchive = {
  checked: { intact: false, verified: false, findings: [finding('archive-wrong')], withheld: 0 },
  documents: []
}

/** Whether a file begins as a ZIP file does, which no pack does. Throws the file system's errors. */
export async function withArchive<T>(path: string, work: (source: StoredSource) => Promise<T>): Promise<T | undefined> {
  const handle = await openRegular(path, constants.O_RDONLY)
  try {
    const source: StoredSource = {
      bytes: (await handle.stat()).size,
      read: async (offset, length) => {
        const bytes = Buffer.alloc(length)
        const { bytesRead } = await handle.read(bytes, 0, length, offset)
        return bytes.subarray(0, bytesRead)
      }
    }
    const start = Buffer.from(await source.read(0, 2))
    return start.toString('latin1') === 'PK' ? await work(source) : undefined
  } finally {
    await handle.close()
  }
}

/** Verifies the pack in a ZIP file as ever, and compares each file beside it. Throws the file system's errors. */
export async function checkArchive(source: StoredSource): Promise<OpenedArchive> {
  const entries = await storedEntries(source)
  const pack = entries?.find(({ name }) => name === packPart)
  if (!entries || !pack || entries.some(({ bytes }) => bytes > maxPartBytes)) return refused
  const bytes = await readStored(source, pack)
  let text: string
  try {
    if (!bytes) return refused
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return refused
  }
  const checked = checkPack(text)
  if (!checked.intact || !checked.pack) return { checked, documents: [] }
  const { content } = checked.pack
  const documents: EvidenceFinding[] = []
  for (const entry of entries) if (entry !== pack) documents.push(await compared(source, entry, content))
  const names = new Set(entries.map(({ name }) => name))
  for (const { name } of content.attachments)
    if (!names.has(name)) documents.push(finding('attachment-missing', { name }))
  return { checked, documents: [...documents, ...leftOut(content)] }
}

/** The SHA-256 of each copy that an event says was kept, with its event. */
const keptIn = ({ events }: Content) =>
  events.flatMap((event) =>
    event.kind === 'document.kept'
      ? [{ event: event.seq, field: String(plainOf(event, 'field')), sha256: sealedOf(event, 'sha256') }]
      : []
  )

async function compared(source: StoredSource, entry: StoredEntry, content: Content): Promise<EvidenceFinding> {
  const { name } = entry
  const named = content.attachments.find((each) => each.name === name)
  if (!named) return finding('attachment-unknown', { name })
  const bytes = await readStored(source, entry)
  const found = bytes && attachmentOf(name, bytes)
  if (found?.sha256 !== named.sha256 || found.bytes !== named.bytes) return finding('attachment-wrong', { name })
  // The signer says that it belongs to the pack; its event, whose place nobody can change, that it is what was kept.
  if (name.startsWith(documentsFolder) && !keptIn(content).some((each) => each.sha256 === named.sha256))
    return finding('attachment-unproved', { name })
  return finding('attachment-right', { name })
}

/** Copies that were kept and are not named by the pack: they could not be opened when it was made. */
function leftOut(content: Content): EvidenceFinding[] {
  const named = new Set(content.attachments.map(({ sha256 }) => sha256))
  return keptIn(content)
    .filter(({ sha256 }) => typeof sha256 !== 'string' || !named.has(sha256))
    .map(({ event, field }) => finding('document-left-out', { event, name: field }))
}
