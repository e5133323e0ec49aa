/** An installation of a team with its history and its batches, for processes that are killed: its keychain is a file. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { ok } from '#contract/failures/result.ts'
import { createChosenFiles } from '#core/files/unfinished.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { runRules, type RunRules } from '#core/team/batches/rules.ts'
import { createTeam, type Team } from '#core/team/team.ts'
import { launchInNode } from '../../../electron/hosts/node/workers.ts'
import { systemClock } from '../../../electron/hosts/node/ports.ts'
import { secretsInMemory } from '../history-fixtures.ts'
import { groundConnection, openGround, type Ground } from '../../../scripts/batch-ground.ts'

export const secretsFile = (folder: string): string => join(folder, 'secrets.json')

/** What a process that is killed must find again. */
export function secretsOnDisk(folder: string): SecretStore {
  const path = secretsFile(folder)
  const kept = secretsInMemory(
    new Map(Object.entries(JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>))
  )
  // A kill in between leaves the old file or the new one.
  const save = (): void => {
    writeFileSync(`${path}.new`, JSON.stringify(Object.fromEntries(kept.entries)))
    renameSync(`${path}.new`, path)
  }
  return {
    ...kept,
    async set(account, value) {
      const done = await kept.set(account, value)
      save()
      return done
    },
    async remove(account) {
      const done = await kept.remove(account)
      save()
      return done
    }
  }
}

/**
 * Seconds. The gate before the service holds rows back until the next kill, and for longer than that on a busy machine. A
 * shorter limit would make them time out, and after ten in succession a batch stops for a person, as it should.
 */
const requests = { connectTimeout: 3, totalTimeout: 300 } as const

/** The times of the product are up to a minute: whoever waits for a take-over in a test would wait as long. */
export const quickRules: RunRules = { ...runRules, seconds: 8, renewsAfter: 2000, heard: 2000, replaced: 5000 }

export interface TeamGround extends Ground {
  readonly team: Team
}

/** Opens what is in the folder. Throws if it does not open. */
export async function openTeamGround(
  folder: string,
  baseUrl: string,
  secrets: SecretStore = secretsOnDisk(folder)
): Promise<TeamGround> {
  let team: Team | undefined
  const ground = await openGround({
    folder: join(folder, 'history'),
    baseUrl,
    secrets,
    announce: () => team?.look(),
    settings: requests,
    team(store) {
      team = createTeam(
        {
          dataFolder: folder,
          keychain: secrets,
          clock: systemClock,
          auditTrail: { note: async () => undefined },
          files: createChosenFiles(folder),
          chooseSavePath: async () => undefined
        },
        {
          launch: launchInNode(),
          starts: true,
          operator: 'ground',
          version: '0.0.0-ground',
          batchRules: quickRules,
          history: async () => ok(store),
          connections: async () => ok([groundConnection]),
          changed: () => undefined,
          recorded: () => undefined
        }
      )
      const { run, results, locate } = team.batches
      return { run, results, locate }
    }
  })
  if (!team) throw new Error('no team')
  const opened = team
  opened.start()
  return {
    ...ground,
    team: opened,
    async close() {
      await ground.batches.close()
      await opened.close()
      await ground.store.close()
    }
  }
}

/** The value of an answer that must succeed. */
export function must<T>(
  given:
    | { readonly ok: true; readonly value: T }
    | { readonly ok: false; readonly failure: Parameters<typeof sentencesOf>[0] }
): T {
  if (!given.ok)
    throw new Error(`${given.failure.code}: ${sentencesOf(given.failure).what} ${JSON.stringify(given.failure)}`)
  return given.value
}
