/** What the actions of a team share: their answers, their notes in the audit trail, and the files that they save. */
import type { Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { ComparedWords, TeamFile } from '#contract/team/team.ts'
import type { AuditTrail } from '#core/audit/audit-trail.ts'
import type { ActionNote } from '#contract/evidence/event-kinds.ts'
import type { ChosenFiles } from '#core/files/unfinished.ts'
import type { SessionParts } from './session.ts'

export type Answer<T> = Promise<Result<T, Failure>>

export interface TeamParts extends SessionParts {
  readonly auditTrail: Pick<AuditTrail, 'note'>
  readonly files: Pick<ChosenFiles, 'write'>
  readonly chooseSavePath: (title: string, name: string, extensions: readonly string[]) => Promise<string | undefined>
}

type TeamAction = Extract<ActionNote, { readonly action: `team.${string}` }>

/** Records a change of the team under the operator’s name. */
export const noteTeam = ({ auditTrail }: TeamParts, plain: TeamAction): Promise<unknown> =>
  auditTrail.note({ kind: 'setting.changed', plain })

/** Saves a file to pass on. Null if the user cancelled. Failures: those of writing a chosen file. */
export async function saveTeamFile(
  { chooseSavePath, files }: TeamParts,
  file: { readonly title: string; readonly name: string; readonly text: string; readonly compared: ComparedWords }
): Answer<TeamFile> {
  const path = await chooseSavePath(file.title, file.name, ['json'])
  if (path === undefined) return ok(null)
  const written = await files.write(path, file.text)
  return written.ok ? ok({ path, ...file.compared }) : written
}
