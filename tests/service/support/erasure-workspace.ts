/** Retention and backups on one data folder, with hooks for tests. */
import { ok } from '#contract/failures/result.ts'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Failure } from '#contract/failures/failures.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { defaultSettings, type Settings } from '#contract/settings/settings.ts'
import { createBackups, type Backups } from '#core/backup/backups.ts'
import { createChosenFiles } from '#core/files/unfinished.ts'
import { createCurrentHistory, type CurrentHistory } from '#core/history/current.ts'
import type { OpenHistory } from '#core/history/open.ts'
import { createRetention, type Retention } from '#core/erasure/retention.ts'
import type { RetentionStore } from '#wire/history/erasure.ts'
import { createSessionSecrets } from '#core/secrets/session-secrets.ts'
import { extended } from '#wire/rpc.ts'
import { answer, clock, intentOf, secretsInMemory, type IntentParts } from '../history-fixtures.ts'
import { launchWorkers } from './workers.ts'

export const person = 'APP-VANISHING-7781'
export const url = 'https://files.example.com/vanishing/passport-of-nobody.jpg'
export const message = 'Vanishing Person was accepted'

export interface Workspace {
  readonly current: CurrentHistory
  readonly backups: Backups
  readonly retention: Retention
  readonly secrets: ReturnType<typeof secretsInMemory>
  settings: Settings
  saved?: string
  /** Called each time before and after the keys are destroyed. */
  before?: () => Promise<unknown>
  after?: () => Promise<unknown>
  /** Replaces the history's own answer that the copies were cleared. */
  cleared?: RetentionStore['cleared']
}

/** Opens what the folder contains. Close it through its `current`. */
export async function openWorkspace(dataFolder: string, entries = new Map<string, string>()): Promise<Workspace> {
  const secrets = secretsInMemory(entries)
  const launch = launchWorkers
  const current = createCurrentHistory({
    dataFolder,
    keychain: secrets,
    session: createSessionSecrets(),
    launch,
    clock,
    changed: () => undefined,
    replaced: () => undefined
  })
  const made: Partial<Workspace> = { current, secrets, settings: { ...defaultSettings } }
  const watched = async (): ReturnType<CurrentHistory['ready']> => {
    const found = await current.ready()
    if (!found.ok) return found
    const { erasure } = found.value
    const erase: RetentionStore['erase'] = async (order) => {
      await made.before?.()
      const erased = await erasure.erase(order)
      await made.after?.()
      return erased
    }
    const cleared = made.cleared ?? erasure.cleared
    return { ok: true, value: extended(found.value, { erasure: extended(erasure, { erase, cleared }) }) }
  }
  const common = {
    dataFolder,
    keychain: secrets,
    launch,
    clock,
    store: watched,
    changed: () => undefined,
    settings: () => made.settings!,
    noticed: () => undefined,
    inProgress: () => undefined,
    made: async () => undefined,
    documents: async () => ok({ files: 0, missing: 0 }),
    historyState: () => current.state(),
    whileClosed: (work: () => Promise<void>) => current.whileClosed(work)
  }
  const backups = createBackups(common)
  const chooseSavePath = async () => made.saved
  const retention = createRetention({
    ...common,
    operator: 'tester',
    exclusively: backups.exclusively,
    chooseSavePath,
    files: createChosenFiles(dataFolder),
    erased: async () => undefined,
    retainedInTeam: () => undefined,
    inTeam: async () => undefined
  })
  const whole = Object.assign(made, { backups, retention }) as Workspace
  await current.open()
  return whole
}

export function store({ current }: Workspace): OpenHistory {
  const found = current.store()
  if (!found.ok) throw new Error(sentencesOf(found.failure).what)
  return found.value as OpenHistory
}

export async function check(one: Workspace, parts: IntentParts, words = message): Promise<string> {
  const begun = await store(one).begin(intentOf(parts))
  if (!begun.ok) throw new Error(sentencesOf(begun.failure).what)
  await store(one).finish(begun.value.id, answer(words))
  return begun.value.id
}

export const value = async <T>(
  result: Promise<{ ok: true; value: T } | { ok: false; failure: Failure }>
): Promise<T> => {
  const settled = await result
  if (!settled.ok) throw new Error(`${settled.failure.code}: ${sentencesOf(settled.failure).what}`)
  return settled.value
}
export const code = async (result: Promise<{ ok: boolean; failure?: { code: string } }>): Promise<string | undefined> =>
  (await result).failure?.code
export const erase = (one: Workspace) => one.retention.erase(person, person, 'asked for by letter')

export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name))
}
