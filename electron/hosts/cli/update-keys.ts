/** The public keys that an option names: themselves, or files of minisign. */
import { resolve } from 'node:path'
import { fieldFaultSentence } from '#contract/failures/sentences.ts'
import { failure, invalidField } from '#contract/failures/failures.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { updateKeySchema } from '#contract/updates/updates.ts'
import { readRegular } from '#wire/files/regular.ts'
import { codeOf } from '#wire/files/write.ts'
import { failureEnding, usage, type Ending } from './context.ts'
import type { OptionValues } from './parse.ts'

/** The file of a public key has a comment and the key. */
const maxKeyFileBytes = 4096

/** A key, or the one in a file: its last line. Undefined if it is neither. Failure: `file-unreadable`. */
async function keyOf(name: string): Promise<Result<string | undefined, Ending>> {
  const given = updateKeySchema.safeParse(name)
  if (given.success) return ok(given.data)
  try {
    const text = String(await readRegular(resolve(name), maxKeyFileBytes))
    return ok(updateKeySchema.safeParse(text.trim().split('\n').at(-1)).data)
  } catch (error) {
    const errno = codeOf(error)
    // Whatever names no file was meant as a key.
    return ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(errno)
      ? ok(undefined)
      : fail(failureEnding(failure('file-unreadable', { file: name, errno })))
  }
}

/** The keys of `--key`, at least one; or what is wrong. */
export async function keysIn(options: OptionValues): Promise<Result<string[], Ending>> {
  const given = options['key']
  const names = Array.isArray(given) ? (given as readonly string[]) : []
  if (names.length === 0) return fail(usage('Name the public key: --key KEY'))
  const keys = new Set<string>()
  for (const name of names) {
    const key = await keyOf(name)
    if (!key.ok) return key
    if (key.value === undefined) return fail(usage(fieldFaultSentence(invalidField('update-key-invalid'))))
    keys.add(key.value)
  }
  return ok([...keys])
}
