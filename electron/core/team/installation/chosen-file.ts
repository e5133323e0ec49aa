/** A file that a user chose for an action of the team. */
import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { failed, type Failure } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'
import type { TeamFileKind } from '#contract/team.ts'
import { readCaFile } from '#core/client/trust.ts'
import { codeOf } from '#core/files/write.ts'

/** An invitation with a company’s authorities has a few kilobytes. */
const maxBytes = 512 * 1024

/** Reads the text of a file. Failures: `file-unreadable`, `team-file-refused` for one that is too large, `ca-file-invalid`. */
export async function readTeamFile(path: string, kind: TeamFileKind): Promise<Result<{ readonly name: string; readonly text: string }, Failure>> {
  const name = basename(path)
  if (kind === 'authorities') {
    const read = await readCaFile(path)
    return read.ok ? ok({ name, text: read.value.pem.join('\n') }) : read
  }
  try {
    const found = await stat(path)
    if (!found.isFile() || found.size > maxBytes) return failed('team-file-refused', { reason: kind })
    return ok({ name, text: await readFile(path, 'utf8') })
  } catch (error) {
    return failed('file-unreadable', { file: name, errno: codeOf(error) })
  }
}
