/** Reads what was dropped: nothing before the drop, and then only the beginning of a file, for core to identify. */
import { droppedHead, droppedNames, type Dropped } from '#contract/verification/drops.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'

export interface DroppedItem {
  /** Absent for a folder. */
  readonly file?: File
  readonly identified: Promise<Dropped>
}

function base64(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}
export const headOf = async (file: File): Promise<Dropped> => ({
  name: file.name.slice(0, 255),
  head: base64(new Uint8Array(await file.slice(0, droppedHead).arrayBuffer()))
})
const namesIn = (folder: FileSystemDirectoryEntry): Promise<Dropped> =>
  new Promise((resolve) => {
    const answer = (entries: readonly FileSystemEntry[]): void =>
      resolve({
        name: folder.name.slice(0, 255),
        folder: entries.slice(0, droppedNames).map(({ name }) => name.slice(0, 255))
      })
    folder.createReader().readEntries(answer, () => answer([]))
  })

/** Whether files are being dragged; what they are cannot be seen before the drop. */
export const holdsFiles = (transfer: DataTransfer | null): boolean => transfer?.types.includes('Files') ?? false

/** The one thing that was dropped. Call it during the event: afterwards the browser has let go of it. */
export function droppedItem({ items, files }: DataTransfer): Result<DroppedItem, Failure> | undefined {
  const found = [...items].filter(({ kind }) => kind === 'file')
  if (found.length > 1) return failed('dropped-several', { count: found.length })
  const entry = found[0]?.webkitGetAsEntry()
  if (entry?.isDirectory) return ok({ identified: namesIn(entry as FileSystemDirectoryEntry) })
  const [file] = files
  return file && ok({ file, identified: headOf(file) })
}
