/**
 * Damage to the files of a history, as caused by a bad disk, a crash or an intruder, and the result of opening it. A
 * damaged history must not open as if it were intact, and no data may be discarded.
 */
import { cpSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KnownHead } from '#wire/history/audit-walk.ts'
import { openEngine } from '#store/engine/opening.ts'
import { fileNames, openFile, type FileName } from '#wire/sqlite/files.ts'
import { derivedKey } from '#kit/sealing/seal.ts'
import { add, answer, opened, testKey } from '../history-fixtures.ts'
import type { Random } from './random.ts'

export interface Left {
  readonly folder: string
  /** The head stored in the keychain. */
  readonly anchor: KnownHead
  readonly records: number
}

export const evidenceFiles = ['history.db', 'subjects.db', 'history.db-wal', 'subjects.db-wal'] as const
export const indexFiles = ['search.db', 'search.db-wal'] as const

export interface Histories {
  /** After a proper close: every byte of the three files counts. */
  readonly closed: Left
  /** After a crash: the latest data is in the write-ahead logs of the three files. */
  readonly crashed: Left
}

/** Creates a history and copies its files, once while it is open and once after closing. */
export function furnishedFiles(at: string): Histories {
  const life = join(at, 'life')
  const copied = (name: string, anchor: KnownHead): Left => {
    cpSync(life, join(at, name), { recursive: true })
    return { folder: join(at, name), anchor, records }
  }
  let records = 0
  const some = (count: number): ReturnType<typeof opened> => {
    const engine = opened(life)
    for (let n = 0; n < count; n += 1)
      add(engine, { applicant: `APP-${(records += 1)}` }, answer(`Reply number ${records}`))
    engine.indexer.drain()
    return engine
  }
  some(30).close()
  const engine = some(15)
  const crashed = copied('crashed', engine.last)
  engine.close()
  return { crashed, closed: copied('closed', crashed.anchor) }
}

/** Faults in a log use the state with logs; faults in a file use the state without a log above it. */
export const stateFor = (name: string, { closed, crashed }: Histories): Left =>
  name.endsWith('-wal') ? crashed : closed

/** What opening must do with the damage. */
type Due = 'refused' | 'fixed'

export interface Outcome {
  readonly due: Due
  /** Describes a wrong result; undefined if everything was as required. */
  readonly fault?: string
}

const bytesOf = (folder: string): Map<string, Buffer> =>
  new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]))
const now = 1_760_000_000_000

/** `open` if every record exists and is found by its text, otherwise the reason. */
function look(folder: string, anchor: KnownHead, records: number, masterKey = testKey): string {
  const result = openEngine({ folder, masterKey, now, anchor })
  if (!result.ok) return result.failure.code
  const { engine } = result.value
  try {
    engine.indexer.drain()
    const there = engine.records
    if (there !== records) return `open with ${there} of ${records} records`
    const found = engine.queries.counts({ search: 'reply number' }).total
    if (found !== records) return `open, and the index finds ${found} of ${records} records`
    return engine.verify().intact ? 'open' : 'open with a broken chain'
  } catch (error) {
    return `open, and then: ${error instanceof Error ? error.message : String(error)}`
  } finally {
    engine.close()
  }
}

/**
 * Replaces a file by damaged bytes (or removes it), opens the history and checks the result. Damaged evidence must be
 * refused with the right failure and its bytes kept, and be complete again after repair, which shows that nothing else
 * was discarded. The index, which is derived, must be rebuilt.
 */
export function tryFault(
  left: Left,
  trial: string,
  name: string,
  damaged: Buffer | undefined,
  code = 'history-damaged'
): Outcome {
  rmSync(trial, { recursive: true, force: true })
  cpSync(left.folder, trial, { recursive: true })
  const path = join(trial, name)
  if (damaged) writeFileSync(path, damaged)
  else rmSync(path)
  if (name.startsWith('search')) {
    const seen = look(trial, left.anchor, left.records)
    return { due: 'fixed', ...(seen !== 'open' && { fault: `${name}: ${seen}` }) }
  }
  const fault = (words: string): Outcome => ({ due: 'refused', fault: `${name}: ${words}` })
  const seen = look(trial, left.anchor, left.records)
  if (seen !== code) return fault(`${seen}, instead of ${code}`)
  const after = bytesOf(trial)
  if (damaged ? !after.get(name)?.equals(damaged) : after.has(name)) return fault('the damaged bytes were not kept')
  for (const each of readdirSync(left.folder))
    if (each !== name && !each.startsWith('search') && !after.has(each)) return fault(`${each} is gone`)
  writeFileSync(path, readFileSync(join(left.folder, name)))
  const fixed = look(trial, left.anchor, left.records)
  return fixed === 'open' ? { due: 'refused' } : fault(`put right, it is ${fixed}`)
}

/** Every file must be unchanged after opening with a wrong key. */
export function tryWrongKey(left: Left, trial: string, masterKey: string): Outcome {
  rmSync(trial, { recursive: true, force: true })
  cpSync(left.folder, trial, { recursive: true })
  const before = bytesOf(trial)
  const seen = look(trial, left.anchor, left.records, masterKey)
  if (seen !== 'history-key-wrong') return { due: 'refused', fault: `a wrong key: ${seen}` }
  const after = bytesOf(trial)
  for (const [name, bytes] of before)
    if (!after.get(name)?.equals(bytes)) return { due: 'refused', fault: `a wrong key: ${name} was changed` }
  return { due: 'refused' }
}

/** A file of a version that this application does not know. */
export function tryFutureVersion(left: Left, trial: string, name: FileName, version: number): Outcome {
  rmSync(trial, { recursive: true, force: true })
  cpSync(left.folder, trial, { recursive: true })
  const db = openFile(trial, name, derivedKey(Buffer.from(testKey, 'hex'), fileNames[name]).toString('hex'))
  const known = db.pragma('user_version', { simple: true }) as number
  db.pragma(`user_version=${version}`)
  db.close()
  const before = readFileSync(join(trial, fileNames[name]))
  const seen = look(trial, left.anchor, left.records)
  if (name === 'search') return { due: 'fixed', ...(seen !== 'open' && { fault: `a newer ${name}: ${seen}` }) }
  const fault = (words: string): Outcome => ({ due: 'refused', fault: `a newer ${name}: ${words}` })
  if (seen !== 'history-newer') return fault(seen)
  if (!readFileSync(join(trial, fileNames[name])).equals(before)) return fault('it was changed')
  const again = openFile(trial, name, derivedKey(Buffer.from(testKey, 'hex'), fileNames[name]).toString('hex'))
  again.pragma(`user_version=${known}`)
  again.close()
  const fixed = look(trial, left.anchor, left.records)
  return fixed === 'open' ? { due: 'refused' } : fault(`put right, it is ${fixed}`)
}

/** A file truncated at a random position. */
export const cut = (bytes: Buffer, random: Random): Buffer => bytes.subarray(0, random(bytes.length))
