/** A file that a user chose for an action of the team. */
import { basename } from 'node:path'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { TeamFileKind } from '#contract/team/team.ts'
import { readCaFile } from '#wire/trust.ts'
import { readRegular } from '#wire/files/regular.ts'
import { codeOf } from '#wire/files/write.ts'

/** An invitation with a company’s authorities has a few kilobytes. */
const maxBytes = 512 * 1024

/** Reads the text of a file. Failures: `file-unreadable`, `ca-file-invalid`. */
export async function readTeamFile(
  path: string,
  kind: TeamFileKind
): Promise<Result<{ readonly name: string; readonly text: string }, Failure>> {
  const name = basename(path)
  if (kind === 'authorities') {
    const read = await readCaFile(path)
    return read.ok ? ok({ name, text: read.value.pem.join('\n') }) : read
  }
  try {
    return ok({ name, text: String(await readRegular(path, maxBytes)) })
  } catch (error) {
    return failed('file-unreadable', { file: name, errno: codeOf(error) })
  }
}
