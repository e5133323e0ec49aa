/** Saves the proof of a fork: a file that anybody can check without the team's keys. */
import { ok } from '#contract/failures/result.ts'
import type { SavedTeamProof } from '#contract/team/overview.ts'
import type { Answer, TeamParts } from './actions.ts'

/** Null if the user cancelled. Failures: those of writing a chosen file. @param proof As it was kept. */
export async function saveProof(
  { chooseSavePath, files, auditTrail }: Pick<TeamParts, 'chooseSavePath' | 'files' | 'auditTrail'>,
  installation: string,
  proof: string
): Answer<SavedTeamProof> {
  const path = await chooseSavePath('Save evidence of the fork', `fork-${installation.slice(0, 8)}.json`, ['json'])
  if (path === undefined) return ok(null)
  const written = await files.write(path, `${JSON.stringify(JSON.parse(proof), null, 2)}\n`)
  if (!written.ok) return written
  await auditTrail.note({ kind: 'export.made', plain: { what: 'fork-proof', format: 'json', rows: 1 } })
  return ok({ path })
}
