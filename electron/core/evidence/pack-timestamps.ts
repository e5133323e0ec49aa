/** Time-stamps of packs: of one that is being made, and of one that was saved without. */
import type { StampedPack } from '#contract/evidence/evidence.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { ChosenFiles } from '#core/files/unfinished.ts'
import type { Timestamps } from '#core/timestamps/timestamps.ts'
import type { checkPack } from './pack/check.ts'
import { endorsedBytes } from '#wire/evidence/dsse.ts'
import { fileText, type PackFile } from './pack/pack.ts'

/** Maximum time-stamps in a pack that this console adds to. */
const most = 20

/** The text of a pack with a time-stamp more. Failures: those of `Timestamps.take`. */
export async function stamped(
  timestamps: Timestamps,
  file: PackFile
): Promise<Result<{ readonly text: string } & Omit<StampedPack, 'path'>, Failure>> {
  const taken = await timestamps.take(endorsedBytes(file.envelope))
  if (!taken.ok) return taken
  const { token, time, authority } = taken.value
  return ok({
    text: fileText({ ...file, timestamps: [...file.timestamps, Buffer.from(token).toString('base64')] }),
    time,
    authority
  })
}

/** Adds a time-stamp to a pack's file and replaces it. Failures: `evidence-refused` if it is not an intact pack. */
export async function stampFile(
  parts: { readonly timestamps: Timestamps; readonly files: Pick<ChosenFiles, 'write'> },
  path: string,
  checked: ReturnType<typeof checkPack>
): Promise<Result<StampedPack, Failure>> {
  const { intact, pack, findings } = checked
  if (!intact || !pack) return failed('evidence-refused', { reason: findings.at(-1)?.what ?? 'format' })
  if (pack.file.timestamps.length >= most) return failed('evidence-refused', { reason: 'time-stamps-many' })
  const added = await stamped(parts.timestamps, pack.file)
  if (!added.ok) return added
  const { text, ...stamp } = added.value
  const written = await parts.files.write(path, text)
  return written.ok ? ok({ path, ...stamp }) : written
}
