/** `updates verify`: a downloaded installer against a signed notice. Without a console. */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { basename } from 'node:path'
import { failure } from '#contract/failures/failures.ts'
import { maxReleaseBytes, type ReleaseFile } from '#contract/updates/releases.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { openRegular, readRegular } from '#wire/files/regular.ts'
import { codeOf } from '#wire/files/write.ts'
import { minisignKey } from '#core/updates/minisign.ts'
import { readRelease } from '#core/updates/notice.ts'
import { failureText } from './print.ts'
import { failureEnding, usage, type Ending } from './context.ts'
import type { OptionValues } from './parse.ts'
import { print } from './print-text.ts'
import { keysIn } from './update-keys.ts'

const refused = (what: string): Ending => ({
  exit: 'updateRefused',
  error: `${what}\nDo not install the file.\nDownload it again from the address in the notice.`
})

const refusal = (what: string): Result<never, Ending> => fail(refused(what))
const unreadable = (path: string, error: unknown): Result<never, Ending> =>
  fail(failureEnding(failure('file-unreadable', { file: basename(path), errno: codeOf(error) })))

/** Compares a file with what a notice says of it. */
async function compared(path: string, named: ReleaseFile): Promise<Result<null, Ending>> {
  try {
    const file = await openRegular(path, constants.O_RDONLY)
    try {
      const { size } = await file.stat()
      if (size !== named.size)
        return refusal(
          `${named.name} has ${size.toLocaleString('en')} bytes, and ${named.size.toLocaleString('en')} in the notice.`
        )
      const hash = createHash('sha256')
      // One that grows meanwhile is another file.
      for await (const part of file.createReadStream({
        autoClose: false,
        end: named.size
      }) as AsyncIterable<Uint8Array>)
        hash.update(part)
      return hash.digest('hex') === named.sha256
        ? ok(null)
        : refusal(`The SHA-256 of ${named.name} is not the one in the notice.`)
    } finally {
      await file.close()
    }
  } catch (error) {
    return unreadable(path, error)
  }
}

/** A notice; one that is too large is read as far as is needed to say so. */
const noticeIn = (path: string): Promise<Result<Uint8Array, Ending>> =>
  readRegular(path, maxReleaseBytes).then(ok, (error: unknown) =>
    codeOf(error) === 'EFBIG' ? ok(new Uint8Array(maxReleaseBytes + 1)) : unreadable(path, error)
  )

/** Verifies a file. A notice that has expired still says what its files are: it is named as expired. */
export async function verifyInstaller(operands: readonly string[], options: OptionValues): Promise<Ending> {
  const [path] = operands
  const { notice } = options
  if (path === undefined || operands.length > 1 || typeof notice !== 'string')
    return usage('Name the file and the notice: updates verify FILE --notice FILE --key KEY')
  const keys = await keysIn(options)
  if (!keys.ok) return keys.failure
  const bytes = await noticeIn(notice)
  if (!bytes.ok) return bytes.failure
  const read = readRelease(
    bytes.value,
    keys.value.flatMap((line) => minisignKey(line) ?? [])
  )
  if (!read.ok) return { exit: 'updateRefused', error: failureText(read.failure) }
  const { release, expiresAt, files } = read.value.release
  const named = files.find(({ name }) => name === basename(path))
  if (!named) return refused(`The notice of Veridesk ${release} names no file ${basename(path)}.`)
  const fits = await compared(path, named)
  if (!fits.ok) return fits.failure
  const expired = Date.parse(expiresAt) <= Date.now()
  const lines = [
    `${named.name} is a file of Veridesk ${release}.`,
    `Signed by the key ${read.value.keyId}.`,
    ...(expired ? [`The notice expired on ${expiresAt}: there may be a newer release.`] : [])
  ]
  return {
    exit: 'done',
    out: print(options['json'], { verified: true, release, file: named, keyId: read.value.keyId, expired }, lines)
  }
}
