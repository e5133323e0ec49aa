/**
 * Kills the upgrade of an older history at every point where it may change a file, and at random moments. The next start must
 * complete it: with the same content as an upgrade that nothing interrupted, with an audit trail that verifies, and without a
 * partial copy of the files.
 */
import Database from 'better-sqlite3-multiple-ciphers'
import { spawn } from 'node:child_process'
import { cpSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openEngine } from '#store/engine/opening.ts'
import { historyMigrations, searchMigrations, subjectMigrations } from '#store/engine/schema.ts'
import { fileNames, openFile, type FileName } from '#wire/sqlite/files.ts'
import { versionOf } from '#wire/sqlite/migrate.ts'
import { derivedKey } from '#kit/sealing/seal.ts'
import { inProofFolder } from '../proof-folder.ts'

const victim = fileURLToPath(new URL('./victim.ts', import.meta.url))
/** After everything in the fixtures. */
const now = 1_800_000_000_000
/** Processes at a time. */
const atOnce = 2

export interface OldHistory {
  /** Its files, which are not touched. */
  readonly folder: string
  readonly masterKey: string
}

/** When the process is killed: before its point with this number, or this many milliseconds after it begins to open. */
export type Moment = { readonly point: number } | { readonly after: number }

export interface UpgradeKills {
  readonly kills: number
  /** Kills after which at least one file had its old version, and another start had to go on. */
  readonly inTheMiddle: number
  /** Processes that had ended before the kill. */
  readonly tooLate: number
  readonly faults: readonly string[]
}

const keyOf = (masterKey: string, name: FileName): string =>
  derivedKey(Buffer.from(masterKey, 'hex'), fileNames[name]).toString('hex')
const newest: Readonly<Record<FileName, number>> = {
  history: historyMigrations.length,
  subjects: subjectMigrations.length,
  search: searchMigrations.length
}
const names = Object.keys(newest) as FileName[]

/** The versions of the files of a history that is closed. */
export function versionsIn({ folder, masterKey }: OldHistory): Readonly<Record<FileName, number>> {
  const versions = { ...newest }
  for (const name of names) {
    const db = openFile(folder, name, keyOf(masterKey, name))
    versions[name] = versionOf(db)
    db.close()
  }
  return versions
}

/** Whether a file has an old version, so that opening the history upgrades it. Reads a copy, since closing a file changes it. */
export const isOld = (old: OldHistory): Promise<boolean> =>
  inProofFolder((place) => {
    const folder = join(place, 'history')
    cpSync(old.folder, folder, { recursive: true })
    const versions = versionsIn({ ...old, folder })
    return names.some((name) => versions[name] < newest[name])
  })

/** Opens a copy of a history in a process of its own. Returns its output; undefined if it was killed. Throws if it failed. */
function open({ folder, masterKey }: OldHistory, round: number, moment?: Moment): Promise<string | undefined> {
  const point = moment && 'point' in moment ? moment.point : 0
  const child = spawn(process.execPath, [victim, folder, masterKey, String(now + round), String(point)], {
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let [out, errors] = ['', '']
  child.stderr.on('data', (part: Buffer) => (errors += part.toString()))
  child.stdout.on('data', (part: Buffer) => {
    if (out === '' && moment && 'after' in moment) setTimeout(() => child.kill('SIGKILL'), moment.after)
    out += part.toString()
  })
  return new Promise((resolve, reject) => {
    child.once('close', (code, signal) => {
      if (signal === 'SIGKILL') resolve(undefined)
      else if (code === 0) resolve(out)
      else reject(new Error(`the history did not open: ${errors}`))
    })
  })
}

/** The points of an upgrade, in order. */
export function upgradePoints(old: OldHistory): Promise<readonly string[]> {
  return inProofFolder(async (place) => {
    const folder = join(place, 'history')
    cpSync(old.folder, folder, { recursive: true })
    const out = await open({ ...old, folder }, 0)
    return JSON.parse((out ?? '').slice('opening\n'.length)) as readonly string[]
  })
}

/** What a history holds once it is open: all tables but those parts that are random or follow from them. */
function contentOf({ folder, masterKey }: OldHistory): string {
  const parts: unknown[] = []
  for (const name of ['history', 'subjects'] as const) {
    const db = openFile(folder, name, keyOf(masterKey, name))
    const tables = db
      .prepare(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('anchor', 'event') AND name NOT LIKE 'sqlite_%' ORDER BY name"
      )
      .pluck()
      .all() as string[]
    for (const table of tables) parts.push(table, db.prepare(`SELECT * FROM "${table}"`).raw().all())
    // Events of the opening itself have a random salt.
    if (name === 'history')
      parts.push(
        db.prepare('SELECT seq, kind, subject, record, links FROM event').raw().all(),
        db.prepare('SELECT hash FROM event WHERE links IS NULL').raw().all()
      )
    db.close()
  }
  return JSON.stringify(parts, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
}

/** Opens a history as the next start does; the reasons why it is not as it must be. */
function faultsAfter(old: OldHistory, round: number): readonly string[] {
  const result = openEngine({ ...old, now: now + 1_000_000 + round })
  if (!result.ok) return [`the next start: ${result.failure.code}`]
  const { engine } = result.value
  engine.indexer.drain()
  const intact = engine.verify().intact
  engine.close()
  const files = readdirSync(old.folder)
  return [
    ...(intact ? [] : ['the audit trail does not verify']),
    ...names
      .filter((name) => versionsIn(old)[name] !== newest[name])
      .map((name) => `${fileNames[name]} has an old version`),
    ...files.filter((name) => name.endsWith('.kept') || name.includes('unfinished')).map((name) => `${name} is left`),
    ...files
      .filter((name) => name.includes('.before-version-') && !isComplete(join(old.folder, name), old.masterKey))
      .map((name) => `${name} is a partial copy`)
  ]
}

/** Whether a copy that was made before a step can be used instead of its file. */
function isComplete(path: string, masterKey: string): boolean {
  const name = names.find((each) => path.includes(fileNames[each])) ?? 'history'
  let db
  try {
    db = new Database(path, { readonly: true, fileMustExist: true })
    db.pragma(`cipher='sqlcipher'`)
    db.pragma(`key="x'${keyOf(masterKey, name)}'"`)
    return versionOf(db) > 0 && db.pragma('integrity_check', { simple: true }) === 'ok'
  } catch {
    return false
  } finally {
    db?.close()
  }
}

/** Kills the upgrade of copies of a history once at each moment, and opens each copy again. */
export function killUpgrades(
  old: OldHistory,
  moments: readonly Moment[],
  onKill: (done: number) => void = () => undefined
): Promise<UpgradeKills> {
  return inProofFolder(async (place) => {
    const undisturbed = { ...old, folder: join(place, 'undisturbed') }
    cpSync(old.folder, undisturbed.folder, { recursive: true })
    await open(undisturbed, 0)
    const due = contentOf(undisturbed)
    const faults: string[] = [...faultsAfter(undisturbed, 0)]
    const counts = { done: 0, kills: 0, inTheMiddle: 0, tooLate: 0 }
    const round = async (moment: Moment, number: number): Promise<void> => {
      const copy = { ...old, folder: join(place, `round-${number}`) }
      cpSync(old.folder, copy.folder, { recursive: true })
      if ((await open(copy, number, moment)) === undefined) counts.kills += 1
      else counts.tooLate += 1
      if (await isOld(copy)) counts.inTheMiddle += 1
      const found = faultsAfter(copy, number)
      faults.push(...found.map((fault) => `${JSON.stringify(moment)}: ${fault}`))
      if (found.length === 0 && contentOf(copy) !== due)
        faults.push(`${JSON.stringify(moment)}: other content than without the kill`)
      rmSync(copy.folder, { recursive: true, force: true })
      onKill((counts.done += 1))
    }
    const waiting = moments.map((moment, at) => [moment, at + 1] as const)
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await round(...next)
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    return { kills: counts.kills, inTheMiddle: counts.inTheMiddle, tooLate: counts.tooLate, faults }
  })
}
