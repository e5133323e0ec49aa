/** `updates verify`: a downloaded installer against a signed notice. Without a console. */
import { createHash } from 'node:crypto'
import { createReadStream, readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { maxReleaseBytes } from '#contract/releases.ts'
import { minisignKey } from '#core/updates/minisign.ts'
import { readRelease } from '#core/updates/notice.ts'
import { failureText } from './print.ts'
import { usage, type Ending } from './context.ts'
import type { OptionValues } from './parse.ts'
import { print } from './print-text.ts'
import { keysIn } from './update-keys.ts'

const refused = (what: string): Ending => ({ exit: 'updateRefused', error: `${what}\nDo not install the file.\nDownload it again from the address in the notice.` })

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const part of createReadStream(path) as AsyncIterable<Uint8Array>) hash.update(part)
  return hash.digest('hex')
}

/** Verifies a file. A notice that has expired still says what its files are: it is named as expired. */
export async function verifyInstaller(operands: readonly string[], options: OptionValues): Promise<Ending> {
  const [path] = operands
  const { notice } = options
  if (path === undefined || operands.length > 1 || typeof notice !== 'string') return usage('Name the file and the notice: updates verify FILE --notice FILE --key KEY')
  const keys = keysIn(options)
  if (!keys.ok) return usage(keys.failure)
  let bytes: Uint8Array
  let size: number
  try {
    bytes = statSync(notice).size > maxReleaseBytes ? new Uint8Array(maxReleaseBytes + 1) : readFileSync(notice)
    size = statSync(path).size
  } catch (error) {
    return { exit: 'failed', error: `A file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).\nNothing was verified.\nCheck both paths.` }
  }
  const read = readRelease(bytes, keys.value.flatMap((line) => minisignKey(line) ?? []))
  if (!read.ok) return { exit: 'updateRefused', error: failureText(read.failure) }
  const { release, expiresAt, files } = read.value.release
  const named = files.find(({ name }) => name === basename(path))
  if (!named) return refused(`The notice of Veridesk ${release} names no file ${basename(path)}.`)
  if (size !== named.size) return refused(`${named.name} has ${size.toLocaleString('en')} bytes, and ${named.size.toLocaleString('en')} in the notice.`)
  if ((await sha256(path)) !== named.sha256) return refused(`The SHA-256 of ${named.name} is not the one in the notice.`)
  const expired = Date.parse(expiresAt) <= Date.now()
  const lines = [`${named.name} is a file of Veridesk ${release}.`, `Signed by the key ${read.value.keyId}.`, ...(expired ? [`The notice expired on ${expiresAt}: there may be a newer release.`] : [])]
  return { exit: 'done', out: print(options['json'], { verified: true, release, file: named, keyId: read.value.keyId, expired }, lines) }
}
