/** Backups, restores and the recovery key, with real files, a real worker and real damage. */
import { ok } from '#contract/failures/result.ts'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Failure } from '#contract/failures/failures.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { defaultSettings, type Settings } from '#contract/settings/settings.ts'
import { createBackups, type Backups } from '#core/backup/backups.ts'
import { finishRestoring } from '#core/history/unfinished-restore.ts'
import { parseRecoveryCode, recoveryCode } from '#core/backup/recovery-code.ts'
import { createRecoveries, formerKeyAccount, type Recoveries } from '#core/backup/recoveries.ts'
import { createCurrentHistory, type CurrentHistory } from '#core/history/current.ts'
import { masterKeyAccount } from '#core/history/open.ts'
import { createSessionSecrets } from '#core/secrets/session-secrets.ts'
import { answer, clock, intentOf, secretsInMemory } from './history-fixtures.ts'
import { launchWorkers } from './support/workers.ts'

interface Workspace {
  readonly current: CurrentHistory
  readonly backups: Backups
  readonly recoveries: Recoveries
  readonly secrets: ReturnType<typeof secretsInMemory>
  settings: Settings
  now: number
  /** Backups reported, and how often the notices changed. */
  readonly made: string[]
  noticed: number
  /** What is in progress, as the console would report it; one answer per query. */
  inProgress: ('check' | 'batch' | undefined)[]
}

let dataFolder: string
let workspaces: Workspace[] = []
beforeEach(() => {
  dataFolder = mkdtempSync(join(tmpdir(), 'veridesk-backup-'))
})
afterEach(async () => {
  for (const { current } of workspaces) await current.close()
  workspaces = []
  rmSync(dataFolder, { recursive: true, force: true })
})

async function workspace(entries = new Map<string, string>(), history: 'open' | 'closed' = 'open'): Promise<Workspace> {
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
  const made: Partial<Workspace> = {
    current,
    secrets,
    settings: { ...defaultSettings },
    now: Date.now(),
    made: [],
    noticed: 0,
    inProgress: []
  }
  const common = {
    dataFolder,
    keychain: secrets,
    launch,
    historyState: () => current.state(),
    store: () => current.ready(),
    changed: () => undefined,
    whileClosed: (work: () => Promise<void>) => current.whileClosed(work),
    clock: { ...clock, now: () => (made.now! += 1) }
  }
  const whole = Object.assign(made, {
    backups: createBackups({
      ...common,
      documents: async () => ok({ files: 0, missing: 0 }),
      settings: () => made.settings!,
      noticed: () => void (made.noticed! += 1),
      inProgress: () => made.inProgress!.shift(),
      made: async ({ records }, by) => void made.made!.push(`${records} by ${by}`)
    }),
    recoveries: createRecoveries({
      ...common,
      escrowTo: () => undefined,
      open: () => current.open(),
      openWithKey: (key) => current.openWithKey(key)
    })
  }) as Workspace
  workspaces.push(whole)
  if (history === 'open') await current.open()
  return whole
}

async function check({ current }: Workspace, applicant = 'APP-000123'): Promise<string> {
  const store = current.store()
  if (!store.ok) throw new Error(sentencesOf(store.failure).what)
  const begun = await store.value.begin(intentOf({ applicant }))
  if (!begun.ok) throw new Error(sentencesOf(begun.failure).what)
  await store.value.finish(begun.value.id, answer())
  return begun.value.id
}

const value = async <T>(result: Promise<{ ok: true; value: T } | { ok: false; failure: Failure }>): Promise<T> => {
  const settled = await result
  if (!settled.ok) throw new Error(`${settled.failure.code}: ${sentencesOf(settled.failure).what}`)
  return settled.value
}
const code = async (result: Promise<{ ok: boolean; failure?: { code: string } }>): Promise<string | undefined> =>
  (await result).failure?.code
const read = async ({ current }: Workspace, id: string) => {
  const store = current.store()
  return store.ok ? store.value.record(id) : store
}

describe('a clock that was ahead once', () => {
  const hour = 3_600_000
  /** Backups made while the clock was ahead by 30 days; then it is right again. */
  async function ahead(count: number): Promise<Workspace> {
    const one = await workspace()
    one.settings = { ...one.settings, backupCount: 2, backupHours: 12 }
    await check(one)
    one.now += 30 * 24 * hour
    for (let n = 0; n < count; n += 1) await value(one.backups.make())
    one.now -= 30 * 24 * hour
    return one
  }
  const bySchedule = ({ made }: Workspace): number => made.filter((each) => each.endsWith('schedule')).length

  test.each([1, 2])('does not end scheduled backups: %i dated in the future', async (count) => {
    const one = await ahead(count)
    await one.backups.makeWhenDue()
    expect(bySchedule(one)).toBe(1)
    // One each time that it is due, and not at every look.
    await one.backups.makeWhenDue()
    expect(bySchedule(one)).toBe(1)
    one.now += 13 * hour
    await one.backups.makeWhenDue()
    expect(bySchedule(one)).toBe(2)
    expect((await value(one.backups.list())).backups.every(({ state }) => state === 'whole')).toBe(true)
  })

  test('does not delete the backup that was just made, but those of the future first', async () => {
    const one = await ahead(2)
    const made = [await value(one.backups.make()), await value(one.backups.make())]
    expect(made.map(({ state }) => state)).toEqual(['whole', 'whole'])
    const { backups } = await value(one.backups.list())
    expect(backups.map(({ id }) => id).sort()).toEqual(made.map(({ id }) => id).sort())
  })

  test('does not hide from a restore what was sent in a history that was set aside', async () => {
    const one = await ahead(1)
    const {
      backups: [ofTheFuture]
    } = await value(one.backups.list())
    await check(one, 'APP-SENT')
    expect(await one.current.setAside()).toMatchObject({ ok: true })
    expect((await value(one.backups.restore(ofTheFuture!.id))).held).toMatchObject({ known: true, sent: 1 })
  })
})

describe('backups', () => {
  test('are complete and encrypted, and are restored next to the previous files', async () => {
    const one = await workspace()
    const kept = await check(one)
    const backup = await value(one.backups.make())
    expect(backup).toMatchObject({ state: 'whole', records: 1 })
    const folder = join(dataFolder, 'backups', backup.id)
    expect(readdirSync(folder).sort()).toEqual(['backup.json', 'history.db', 'subjects.db'])
    for (const name of ['history.db', 'subjects.db'])
      expect(readFileSync(join(folder, name)).includes('APP-000123')).toBe(false)
    if (process.platform !== 'win32') expect(statSync(folder).mode & 0o077).toBe(0)

    const later = await check(one, 'APP-LATER')
    const restored = await value(one.backups.restore(backup.id))
    expect(restored.history).toMatchObject({ state: 'ready', recordsAtOpening: 1 })
    expect((await read(one, kept)).ok).toBe(true)
    expect(await code(read(one, later))).toBe('record-missing')
    expect(readdirSync(restored.setAside!)).toEqual(expect.arrayContaining(['history.db', 'subjects.db', 'search.db']))
    // The index is rebuilt: a search finds what the backup contains.
    const store = one.current.store()
    const found = store.ok ? await store.value.page({ filter: { search: 'APP-000123' }, limit: 10 }) : undefined
    expect(found?.ok && found.value.records.length).toBe(1)
  })

  test.each(['history.db', 'subjects.db'])(
    'with a flipped bit in %s are refused, and the current history stays',
    async (name) => {
      const one = await workspace()
      const kept = await check(one)
      const { id } = await value(one.backups.make())
      const path = join(dataFolder, 'backups', id, name)
      const bytes = readFileSync(path)
      bytes[Math.floor(bytes.length * 0.6)]! ^= 1
      writeFileSync(path, bytes)
      expect(await value(one.backups.check(id))).toMatchObject({ state: 'invalid' })
      expect(await code(one.backups.restore(id))).toBe('backup-invalid')
      expect((await read(one, kept)).ok).toBe(true)
      expect(readdirSync(dataFolder).filter((each) => each.startsWith('history'))).toEqual(['history'])
    }
  )

  test('with another key, truncated, or incomplete are distinguished from complete ones', async () => {
    const one = await workspace()
    await check(one)
    const [first, second, third] = [
      await value(one.backups.make()),
      await value(one.backups.make()),
      await value(one.backups.make())
    ]
    const path = (id: string, name: string): string => join(dataFolder, 'backups', id, name)
    writeFileSync(path(first.id, 'history.db'), readFileSync(path(first.id, 'history.db')).subarray(0, 8192))
    rmSync(path(second.id, 'subjects.db'))
    rmSync(path(third.id, 'backup.json'))
    const states = (await value(one.backups.list())).backups.map(({ state }) => state)
    expect(states).toEqual(['unreadable', 'unreadable', 'invalid'])
    const foreign = await value(one.backups.make())
    one.secrets.entries.set(masterKeyAccount, 'f'.repeat(64))
    expect(await value(one.backups.check(foreign.id))).toMatchObject({ state: 'invalid' })
  })

  test('are limited to the number in the settings, deleting the oldest first', async () => {
    const one = await workspace()
    await check(one)
    one.settings = { ...one.settings, backupCount: 2 }
    const made = []
    for (let n = 0; n < 4; n += 1) made.push((await value(one.backups.make())).id)
    expect((await value(one.backups.list())).backups.map(({ id }) => id)).toEqual(made.slice(2).reverse())
  })

  test('are made by schedule when one is due, and not before', async () => {
    const one = await workspace()
    await one.backups.makeWhenDue()
    expect((await value(one.backups.list())).backups).toHaveLength(0)
    await check(one)
    await one.backups.makeWhenDue()
    await one.backups.makeWhenDue()
    expect((await value(one.backups.list())).backups).toHaveLength(1)
    one.now += 25 * 3_600_000
    await one.backups.makeWhenDue()
    expect((await value(one.backups.list())).backups).toHaveLength(2)
  })

  test('are not restored while a verification or batch is in progress or has started in the meantime', async () => {
    const one = await workspace()
    const kept = await check(one)
    const { id } = await value(one.backups.make())
    for (const answers of [['batch'], ['check'], [undefined, 'batch']] as const) {
      one.inProgress = [...answers]
      const refused = await one.backups.restore(id)
      expect(refused).toMatchObject({
        ok: false,
        failure: { code: 'restore-busy', details: { reason: answers.includes('batch' as never) ? 'batch' : 'check' } }
      })
      expect(one.inProgress).toEqual([])
      expect(readdirSync(dataFolder).filter((name) => name.startsWith('history'))).toEqual(['history'])
      expect((await read(one, kept)).ok).toBe(true)
    }
    expect(await value(one.backups.restore(id))).toMatchObject({ history: { state: 'ready' } })
  })

  test('by schedule that fail are reported until one succeeds, and each created one is recorded once', async () => {
    const one = await workspace()
    await check(one)
    writeFileSync(join(dataFolder, 'backups'), 'a file in the place of the folder')
    for (let n = 0; n < 3; n += 1) await one.backups.makeWhenDue()
    const [notice, ...more] = one.backups.notices()
    expect(more).toEqual([])
    expect(notice).toMatchObject({ code: 'backup-by-schedule-failed', cause: { code: 'backup-failed' } })
    expect(sentencesOf(notice!).what).toMatch(/^The last scheduled backup failed: [^{}:]+\.$/)
    expect((await value(one.backups.list())).lastFailure).toEqual(notice)
    // The same failure is reported once, however often it recurs.
    expect([one.noticed, one.made]).toEqual([1, []])
    rmSync(join(dataFolder, 'backups'))
    await one.backups.makeWhenDue()
    expect([one.backups.notices(), one.noticed, one.made]).toEqual([[], 2, ['1 by schedule']])
    await value(one.backups.make())
    await one.backups.makeWhenDue()
    expect(one.made).toEqual(['1 by schedule', '1 by person'])
  })

  test('leave nothing behind that looks like a backup when they cannot be written', async () => {
    const one = await workspace()
    await check(one)
    writeFileSync(join(dataFolder, 'backups'), 'a file in the place of the folder')
    expect(await code(one.backups.make())).toBe('backup-failed')
    rmSync(join(dataFolder, 'backups'))
    mkdirSync(join(dataFolder, 'backups', '.unfinished-x'), { recursive: true })
    await value(one.backups.make())
    expect(readdirSync(join(dataFolder, 'backups')).filter((name) => name.startsWith('.'))).toEqual([])
  })

  test('are restored even if the process dies between the two renames', async () => {
    const one = await workspace()
    const kept = await check(one)
    const { id } = await value(one.backups.make())
    await value(one.backups.restore(id))
    await one.current.close()
    renameSync(join(dataFolder, 'history'), join(dataFolder, 'history-restored'))
    const two = await workspace(one.secrets.entries)
    expect(two.current.state()).toMatchObject({ state: 'ready', recordsAtOpening: 1 })
    expect((await read(two, kept)).ok).toBe(true)
    mkdirSync(join(dataFolder, 'history-restored'))
    expect(await finishRestoring(dataFolder)).toBe(true)
    expect(existsSync(join(dataFolder, 'history-restored'))).toBe(false)
  })
})

describe('the recovery key', () => {
  test('and a backup wait for a history that is still opening', async () => {
    const first = await workspace()
    await check(first)
    await first.current.close()
    const { current, recoveries, backups } = await workspace(first.secrets.entries, 'closed')
    const opened = current.open()
    expect(await Promise.all([recoveries.create(), backups.make()])).toMatchObject([
      { ok: true },
      { ok: true, value: { records: 1 } }
    ])
    expect(await opened).toMatchObject({ state: 'ready' })
  })

  test('and a backup wait for a history that is closed for a moment', async () => {
    const { current, recoveries, backups } = await workspace()
    const closed = current.whileClosed(async () => undefined)
    expect(await Promise.all([recoveries.create(), backups.make()])).toMatchObject([{ ok: true }, { ok: true }])
    expect(await closed).toMatchObject({ state: 'ready' })
  })

  test('opens the history after the keychain was wiped, and restores the master key', async () => {
    const one = await workspace()
    const kept = await check(one)
    const masterKey = one.secrets.entries.get(masterKeyAccount)
    const { key } = await value(one.recoveries.create())
    expect(key).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){13}[0-9A-HJKMNP-TV-Z]{4}$/)
    await one.current.close()

    const two = await workspace()
    expect(two.current.state()).toMatchObject({ state: 'failed', failure: { code: 'history-key-missing' } })
    expect(await value(two.recoveries.open(key.toLowerCase().replaceAll('-', ' ')))).toMatchObject({
      state: 'ready',
      recordsAtOpening: 1
    })
    expect(two.secrets.entries.get(masterKeyAccount)).toBe(masterKey)
    expect((await read(two, kept)).ok).toBe(true)
    // It was typed from a copy.
    expect(await value(two.recoveries.state())).toMatchObject({ exists: true, confirmed: true })
  })

  test('keeps a key from the keychain that did not fit', async () => {
    const one = await workspace()
    await check(one)
    const { key } = await value(one.recoveries.create())
    await one.current.close()
    const two = await workspace(new Map([[masterKeyAccount, 'a'.repeat(64)]]))
    expect(two.current.state()).toMatchObject({ failure: { code: 'history-key-wrong' } })
    expect(await value(two.recoveries.open(key))).toMatchObject({ state: 'ready' })
    expect(two.secrets.entries.get(formerKeyAccount)).toBe('a'.repeat(64))
  })

  test('opens a backup when the history folder is lost as well', async () => {
    const one = await workspace()
    const kept = await check(one)
    const { key } = await value(one.recoveries.create())
    const { id } = await value(one.backups.make())
    await one.current.close()
    rmSync(join(dataFolder, 'history'), { recursive: true })
    // Both keychain and folder are new: the start has created an empty history under its own key.
    const two = await workspace()
    expect(two.current.state()).toMatchObject({ state: 'ready', recordsAtOpening: 0 })
    expect(await value(two.recoveries.open(key))).toMatchObject({ state: 'ready', recordsAtOpening: 0 })
    const restored = await value(two.backups.restore(id))
    expect(restored.history).toMatchObject({ state: 'ready', recordsAtOpening: 1 })
    expect((await read(two, kept)).ok).toBe(true)
    // A recovery key does not set aside records under another key.
    two.secrets.entries.set(masterKeyAccount, 'c'.repeat(64))
    expect(await code(two.recoveries.open(key))).toBe('recovery-key-wrong')
  })

  test('that is wrong, or was replaced, opens nothing and changes nothing', async () => {
    const one = await workspace()
    await check(one)
    const first = await value(one.recoveries.create())
    await value(one.backups.make())
    const second = await value(one.recoveries.create())
    await one.current.close()
    const two = await workspace()
    for (const wrong of [
      first.key,
      second.key.slice(0, -1) + (second.key.endsWith('0') ? '1' : '0'),
      'ABCD',
      `${second.key.slice(0, -1)}U`
    ])
      expect(await code(two.recoveries.open(wrong))).toBe('recovery-key-wrong')
    expect(two.secrets.entries.has(masterKeyAccount)).toBe(false)
    expect(await value(two.recoveries.open(second.key))).toMatchObject({ state: 'ready' })
  })

  test('is in no file', async () => {
    const one = await workspace()
    await check(one)
    const { key } = await value(one.recoveries.create())
    const parsed = parseRecoveryCode(key)
    if ('fault' in parsed) throw new Error(JSON.stringify(parsed.fault))
    expect(recoveryCode(parsed.key)).toBe(key)
    const sealed = readFileSync(join(dataFolder, 'history', 'recovery.sealed'), 'utf8')
    for (const form of [
      key,
      key.replaceAll('-', ''),
      parsed.key.toString('hex'),
      one.secrets.entries.get(masterKeyAccount)!
    ])
      expect(sealed).not.toContain(form)
  })
})
