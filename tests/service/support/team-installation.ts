/** Installations of a team in one process, each with its folder and keychain, at a real database. */
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createChosenFiles } from '#core/files/unfinished.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import type { TeamDatabaseAddress } from '#contract/team/team.ts'
import { createTeam, type Team } from '#core/team/team.ts'
import { secretsInMemory } from '../history-fixtures.ts'
import type { TeamDatabase } from './postgres.ts'

export interface Installation {
  readonly name: string
  readonly folder: string
  readonly secrets: ReturnType<typeof secretsInMemory>
  readonly team: Team
  /** What its audit trail has. */
  readonly notes: object[]
  /** The file that it saved last. */
  readonly file: string
  /** Its number in the list. */
  readonly installation: string
}

/** The value of an answer that must succeed. */
export function valueOf<T>(
  given:
    | { readonly ok: true; readonly value: T }
    | { readonly ok: false; readonly failure: Parameters<typeof sentencesOf>[0] }
): T {
  if (!given.ok) throw new Error(`${given.failure.code}: ${sentencesOf(given.failure).what}`)
  return given.value
}

/** Where a test's database is. */
export const addressOf = ({ postgres }: TeamDatabase): TeamDatabaseAddress => ({
  host: '127.0.0.1',
  port: postgres.port,
  database: 'team'
})

/** An installation to which the administrator has given access. Its folder is in the system's temporary one. */
export async function installed(
  { postgres }: TeamDatabase,
  name: string,
  secrets = secretsInMemory()
): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-team-'))
  // Not in the data folder, where nothing that a person names is written.
  const file = `${folder}.json`
  const notes: object[] = []
  const team = createTeam({
    dataFolder: folder,
    keychain: secrets,
    clock: { now: () => 1_790_000_000_000 },
    auditTrail: { note: async ({ plain }) => void notes.push(plain) },
    files: createChosenFiles(folder),
    chooseSavePath: async () => file
  })
  const access = valueOf(await team.access())
  postgres.sql(access.sql, 'team')
  return { name, folder, secrets, team, notes, file, installation: access.installation }
}

/** What a newcomer makes of an invitation: its request, and the request's words. */
export async function requestOf(
  newcomer: Pick<Installation, 'name' | 'team' | 'file'>,
  invitation: string,
  words: string
): Promise<{ readonly request: string; readonly words: string }> {
  const saved = valueOf(await newcomer.team.join({ name: newcomer.name, invitation, words }))
  return { request: readFileSync(newcomer.file, 'utf8'), words: saved?.words ?? '' }
}
