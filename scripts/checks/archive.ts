/** Reads the contents of an .asar archive without unpacking it. */
import { closeSync, openSync, readSync } from 'node:fs'

interface Entry {
  readonly files?: Readonly<Record<string, Entry>>
  readonly unpacked?: boolean
  readonly integrity?: { readonly algorithm: string; readonly hash: string }
}

export interface ArchivedFile {
  readonly path: string
  readonly unpacked: boolean
  /** Whether the header contains the file's digest, which Electron compares when reading. */
  readonly digested: boolean
  /** That digest, in hexadecimal. */
  readonly sha256?: string
}

/** All files of an archive, in its own order. Throws if the file is not an archive. */
export function archivedFiles(archive: string): ArchivedFile[] {
  const file = openSync(archive, 'r')
  try {
    // Two length-prefixed fields: the header's size, then the header, whose text begins after 16 bytes.
    const head = Buffer.alloc(16)
    readSync(file, head, 0, 16, 0)
    const text = Buffer.alloc(head.readUInt32LE(12))
    readSync(file, text, 0, text.length, 16)
    const found: ArchivedFile[] = []
    const visit = (entry: Entry, path: string): void => {
      if (!entry.files) {
        found.push({
          path,
          unpacked: entry.unpacked === true,
          digested: entry.integrity?.algorithm === 'SHA256',
          sha256: entry.integrity?.hash
        })
        return
      }
      for (const [name, inner] of Object.entries(entry.files)) visit(inner, path === '' ? name : `${path}/${name}`)
    }
    visit(JSON.parse(text.toString('utf8')) as Entry, '')
    return found
  } finally {
    closeSync(file)
  }
}
