/** `recovery-key escrow|open`: what is sealed for an organisation. Without a console. */
import { basename, join, resolve } from 'node:path'
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { escrowIn, openEscrow } from '#core/backup/escrow.ts'
import { privateKeyIn } from '#core/files/pem.ts'
import { recoveryFileName } from '#core/history/copy-folders.ts'
import { ownFileBytes, readRegular } from '#wire/files/regular.ts'
import { historyFolder } from '#wire/sqlite/files.ts'
import { codeOf } from '#wire/files/write.ts'
import { failureEnding, usage, type Ending } from './context.ts'
import { readStandardInput } from './credentials-input.ts'
import type { OptionValues } from './parse.ts'
import { jsonText, print } from './print-text.ts'

const textOf = (path: string): Promise<Result<string, Failure>> =>
  readRegular(path, ownFileBytes).then(
    (bytes) => ok(String(bytes)),
    (error: unknown) => failed('file-unreadable', { file: basename(path), errno: codeOf(error) })
  )

export async function printEscrow(dataFolder: string): Promise<Ending> {
  const path = join(historyFolder(dataFolder), recoveryFileName)
  const text = await textOf(path)
  if (!text.ok && text.failure.details?.['errno'] !== 'ENOENT') return failureEnding(text.failure)
  const escrow = text.ok ? escrowIn(text.value) : undefined
  return escrow
    ? { exit: 'done', out: jsonText(escrow) }
    : failureEnding(failure('recovery-escrow-missing', { folder: dataFolder }))
}

export async function openRecoveryKey(operands: readonly string[], options: OptionValues): Promise<Ending> {
  const [path] = operands
  const { 'private-key': keyPath } = options
  if (path === undefined || operands.length > 1 || typeof keyPath !== 'string')
    return usage('Name the file and the private key: recovery-key open FILE --private-key FILE')
  const text = await textOf(resolve(path))
  if (!text.ok) return failureEnding(text.failure)
  const escrow = escrowIn(text.value)
  if (!escrow) return failureEnding(failure('recovery-escrow-unopened', { reason: 'file', file: basename(path) }))
  const pem = keyPath === '-' ? ok(await readStandardInput()) : await textOf(resolve(keyPath))
  if (!pem.ok) return failureEnding(pem.failure)
  const privateKey = privateKeyIn(pem.value)
  if (!privateKey) return failureEnding(failure('recovery-escrow-unopened', { reason: 'private-key' }))
  const key = openEscrow(escrow, privateKey)
  return key === undefined
    ? failureEnding(failure('recovery-escrow-unopened', { reason: 'other-key' }))
    : { exit: 'done', out: print(options['json'], { key, createdAt: escrow.createdAt }, [key]) }
}
