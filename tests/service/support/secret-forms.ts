/** The forms in which a secret could be written, and a search of everything below a folder for them. */
import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The base64 of a text at each of the three offsets that it can have within a longer one, without the uncertain ends. */
function base64Forms(text: string): string[] {
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)])
      .toString('base64')
      .replace(/=+$/, '')
    return encoded.slice(offset === 0 ? 0 : offset + 1, -1)
  })
}

/** Forms of a secret as bytes: raw, escaped as JSON, URL-encoded, base64 and base64url, hexadecimal, UTF-16. */
export function secretForms(secret: string): readonly Buffer[] {
  const texts = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    ...base64Forms(secret),
    ...base64Forms(secret).map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
    Buffer.from(secret).toString('hex')
  ]
  return [...new Set(texts)].map((text) => Buffer.from(text, 'latin1')).concat(Buffer.from(secret, 'utf16le'))
}

const blockSize = 4 * 1024 * 1024

/** Which forms a file holds. Read in blocks that overlap, so that its size does not matter. */
function formsInFile(path: string, forms: readonly Buffer[]): Buffer[] {
  const longest = Math.max(...forms.map(({ length }) => length))
  const block = Buffer.alloc(blockSize + longest)
  const found = new Set<Buffer>()
  const file = openSync(path, 'r')
  try {
    for (let kept = 0, read = 0; (read = readSync(file, block, kept, blockSize, null)) > 0;) {
      const filled = block.subarray(0, kept + read)
      for (const form of forms) if (filled.includes(form)) found.add(form)
      kept = Math.min(longest, filled.length)
      block.copyWithin(0, filled.length - kept, filled.length)
    }
  } finally {
    closeSync(file)
  }
  return [...found]
}

export interface Searched {
  readonly files: number
  readonly bytes: number
  /** Paths that hold a secret in any form. */
  readonly hits: readonly string[]
}

/** Searches names and contents of all files below folders. Sockets and links are left out. */
export function searchFolders(folders: readonly string[], secrets: readonly string[]): Searched {
  const forms = secrets.flatMap(secretForms)
  const hits: string[] = []
  let [files, bytes] = [0, 0]
  for (const folder of folders.filter((each) => existsSync(each)))
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      if (forms.some((form) => Buffer.from(entry.name).includes(form))) hits.push(`the name ${path}`)
      if (!entry.isFile()) continue
      files += 1
      bytes += statSync(path).size
      if (formsInFile(path, forms).length > 0) hits.push(path)
    }
  return { files, bytes, hits }
}
/** Whether a text holds a secret in any form. */
export const textHolds = (text: string, secrets: readonly string[]): boolean => {
  const bytes = Buffer.from(text)
  return secrets.flatMap(secretForms).some((form) => bytes.includes(form))
}
