/** The public keys that an option names: themselves, or files of minisign. */
import { readFileSync } from 'node:fs'
import { fieldFaultSentence } from '#contract/failures/sentences.ts'
import { invalidField } from '#contract/failures.ts'
import { fail, ok, type Result } from '#contract/result.ts'
import { updateKeySchema } from '#contract/updates.ts'
import type { OptionValues } from './parse.ts'

/** The key in the file of a public key: its last line. Undefined if there is no such file. */
function inFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').slice(0, 1000).trim().split('\n').at(-1)
  } catch {
    return undefined
  }
}

/** The keys of `--key`, at least one; or what is wrong, as a sentence. */
export function keysIn(options: OptionValues): Result<string[], string> {
  const given = options['key']
  const names = Array.isArray(given) ? (given as readonly string[]) : []
  if (names.length === 0) return fail('Name the public key: --key KEY')
  const keys = names.map((name) => [name, inFile(name)].map((text) => updateKeySchema.safeParse(text)).find(({ success }) => success)?.data)
  const valid = keys.filter((key) => key !== undefined)
  return valid.length === keys.length ? ok([...new Set(valid)]) : fail(fieldFaultSentence(invalidField('update-key-invalid')))
}
