/** The history's files with real damage: what is detected, and that nothing is discarded. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import Database from 'better-sqlite3-multiple-ciphers'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { openEngine } from '#store/engine/opening.ts'
import { fileNames, isPlain, openFile } from '#wire/sqlite/files.ts'
import { derivedKey } from '#kit/sealing/seal.ts'
import { damageFiles } from './support/history-damage.ts'
import { furnishedFiles } from './support/history-faults.ts'
import { counted, times } from './support/times.ts'
import { add, answer, inFolder, intentOf, lost, opened, testKey } from './history-fixtures.ts'

const now = 1_760_000_000_000
const codeOf = (folder: string, masterKey = testKey): string => {
  const result = openEngine({ folder, masterKey, now })
  if (!result.ok) return result.failure.code
  result.value.engine.close()
  return 'open'
}
const keyOf = (name: keyof typeof fileNames): string =>
  derivedKey(Buffer.from(testKey, 'hex'), fileNames[name]).toString('hex')
const hashesOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder).map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex')
    ])
  )

function filled(folder: string, records = 40): void {
  const engine = opened(folder)
  for (let n = 0; n < records; n += 1)
    add(engine, { applicant: `APP-${n}` }, n % 5 === 0 ? lost : answer(`Reply number ${n}`))
  engine.indexer.drain()
  engine.close()
}

describe('the files on disk', () => {
  it('hold no personal data in the clear, in no file, journal or index', () =>
    inFolder((folder) => {
      const canary = 'Kanari7391'
      const engine = opened(folder)
      const id = add(
        engine,
        { applicant: canary, url: `https://files.example.com/${canary}` },
        answer(`${canary} accepted`)
      )
      add(engine, { applicant: canary }, null)
      engine.indexer.drain()
      const look = (): void => {
        for (const name of readdirSync(folder)) {
          const bytes = readFileSync(join(folder, name))
          for (const encoding of ['utf8', 'utf16le', 'base64', 'hex'] as const) {
            const needle =
              encoding === 'base64' || encoding === 'hex'
                ? Buffer.from(canary).toString(encoding).slice(0, 12)
                : Buffer.from(canary, encoding)
            expect(bytes.includes(needle), `${name} ${encoding}`).toBe(false)
          }
          expect(bytes.subarray(0, 15).toString('latin1')).not.toBe('SQLite format 3')
        }
      }
      look()
      expect(readdirSync(folder).some((name) => name.endsWith('-wal'))).toBe(true)
      engine.close()
      look()
      const plain = openFile(folder, 'history', keyOf('history'))
      const events = JSON.stringify(plain.prepare('SELECT plain FROM event').pluck().all())
      expect(events).toContain(id)
      expect(events).not.toContain(canary)
      plain.close()
    }))

  it('are only for their owner', () =>
    inFolder((folder) => {
      filled(join(folder, 'history'), 1)
      expect(statSync(join(folder, 'history')).mode & 0o077).toBe(0)
    }))

  it('are distinguished from plain SQLite', () =>
    inFolder((folder) => {
      new Database(join(folder, 'plain.db')).exec('CREATE TABLE t (x)').close()
      expect(isPlain(join(folder, 'plain.db'))).toBe(true)
      filled(folder, 1)
      expect(isPlain(join(folder, fileNames.history))).toBe(false)
    }))
})

describe('a history that cannot be opened', () => {
  it('with this key is left untouched', () =>
    inFolder((folder) => {
      filled(folder)
      const before = hashesOf(folder)
      expect(codeOf(folder, 'f'.repeat(64))).toBe('history-key-wrong')
      expect(hashesOf(folder)).toEqual(before)
      expect(codeOf(folder)).toBe('open')
    }))

  it.each(['history', 'subjects'] as const)('because %s.db is newer is left untouched', (name) =>
    inFolder((folder) => {
      filled(folder)
      const db = openFile(folder, name, keyOf(name))
      db.pragma('user_version=999')
      db.close()
      const before = hashesOf(folder)
      const result = openEngine({ folder, masterKey: testKey, now })
      expect(result).toMatchObject({ ok: false, failure: { code: 'history-newer' } })
      expect(!result.ok && sentencesOf(result.failure).what).toContain('999')
      expect(hashesOf(folder)).toEqual(before)
    })
  )

  it('because it is open already is busy, and stays open where it is', () =>
    inFolder((folder) => {
      const engine = opened(folder)
      add(engine)
      expect(codeOf(folder)).toBe('history-busy')
      const script = `const { openEngine } = await import(${JSON.stringify(new URL('../../electron/store/engine/opening.ts', import.meta.url).href)})
        const result = openEngine({ folder: ${JSON.stringify(folder)}, masterKey: '${testKey}', now: 0 })
        console.log(result.ok ? 'open' : result.failure.code)`
      const other = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
      expect(other.trim()).toBe('history-busy')
      add(engine)
      expect(engine.verify()).toMatchObject({ intact: true })
      engine.close()
    }))

  it.each(['history', 'subjects'] as const)('because %s.db is missing does not become a new one', (name) =>
    inFolder((folder) => {
      filled(folder)
      execFileSync('rm', [join(folder, fileNames[name])])
      expect(codeOf(folder)).toBe('history-damaged')
      expect(existsSync(join(folder, fileNames[name]))).toBe(false)
    })
  )

  it('because a first start was interrupted between its two files is created completely, with this key only', () =>
    inFolder((folder) => {
      opened(folder).close()
      const left = hashesOf(folder)[fileNames.history]
      rmSync(join(folder, fileNames.subjects))
      const other = openEngine({ folder, masterKey: 'f'.repeat(64), now: 0 })
      expect(other).toMatchObject({ ok: false, failure: { code: 'history-damaged' } })
      const anchored = openEngine({ folder, masterKey: testKey, now: 0, anchor: { seq: 1, hash: '0'.repeat(64) } })
      expect(anchored).toMatchObject({ ok: false, failure: { code: 'history-damaged' } })
      expect(hashesOf(folder)[fileNames.history]).toBe(left)
      const engine = opened(folder)
      add(engine)
      expect(engine.verify()).toMatchObject({ intact: true })
      engine.close()
      expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([])
    }))

  it('because it is empty or plain text is damaged, and kept', () =>
    inFolder((folder) => {
      filled(folder)
      writeFileSync(join(folder, fileNames.history), 'not a database, '.repeat(1000))
      expect(codeOf(folder)).toBe('history-damaged')
      expect(readFileSync(join(folder, fileNames.history), 'utf8')).toContain('not a database')
      truncateSync(join(folder, fileNames.history), 0)
      expect(codeOf(folder)).toBe('history-damaged')
    }))
})

describe('damage', () => {
  it('of any kind is refused and kept, or fixed in the index: nothing opens as if intact, nothing is discarded', async ({
    task
  }) => {
    const { tried, faults } = await damageFiles(20 * times)
    counted(task, { 'times': tried, 'wrongly opened, or data lost': faults.length })
    expect(faults).toEqual([])
    expect(tried).toBeGreaterThan(130)
  })

  it('leaves the log after its fault in place, so that its data can be recovered', () =>
    inFolder((folder) => {
      const { crashed } = furnishedFiles(folder)
      const wal = join(crashed.folder, 'history.db-wal')
      const whole = readFileSync(wal)
      const bent = Buffer.from(whole)
      bent[100]! ^= 1
      writeFileSync(wal, bent)
      for (let again = 0; again < 2; again += 1) {
        expect(openEngine({ folder: crashed.folder, masterKey: testKey, now, anchor: crashed.anchor })).toMatchObject({
          ok: false,
          failure: { code: 'history-damaged' }
        })
        expect(readFileSync(wal).equals(bent)).toBe(true)
      }
      writeFileSync(wal, whole)
      const engine = opened(crashed.folder)
      expect(engine.records).toBe(crashed.records)
      engine.close()
      expect(readdirSync(crashed.folder).sort()).toEqual(['history.db', 'search.db', 'subjects.db'])
    }))

  it('of the index is fixed by rebuilding it', () =>
    inFolder((folder) => {
      filled(folder)
      truncateSync(join(folder, fileNames.search), 5000)
      const engine = opened(folder)
      expect(engine.queries.counts({ search: 'reply number 13' }).total).toBe(1)
      engine.close()
      execFileSync('rm', [join(folder, fileNames.search)])
      const again = opened(folder)
      expect(again.queries.counts({ search: 'reply number 13' }).total).toBe(1)
      again.close()
    }))

  it('by a truncated journal is reported: the missing end is detected', () =>
    inFolder((folder) => {
      const good = join(folder, 'good')
      const engine = opened(good)
      for (let n = 0; n < 30; n += 1) add(engine, { applicant: `APP-${n}` })
      const cut = join(folder, 'cut')
      cpSync(good, cut, { recursive: true })
      const wal = join(cut, `${fileNames.history}-wal`)
      truncateSync(wal, Math.floor(statSync(wal).size / 2))
      expect(codeOf(cut)).toBe('history-damaged')
      const rolledBack = join(folder, 'rolled-back')
      mkdirSync(rolledBack)
      for (const name of readdirSync(good)) copyFileSync(join(good, name), join(rolledBack, name))
      truncateSync(join(rolledBack, `${fileNames.history}-wal`), 0)
      expect(codeOf(rolledBack)).not.toBe('open')
      engine.close()
    }))

  it.each(['history', 'subjects'] as const)('by an older copy of %s.db put back is told', (name) =>
    inFolder((folder) => {
      filled(folder, 10)
      const old = readFileSync(join(folder, fileNames[name]))
      const engine = opened(folder)
      add(engine, { applicant: 'later' })
      engine.close()
      writeFileSync(join(folder, fileNames[name]), old)
      expect(codeOf(folder)).toBe('history-damaged')
    })
  )
})

describe('the chain', () => {
  const edits: readonly [string, string][] = [
    [
      'a changed word',
      `UPDATE event SET plain = replace(plain, 'tester', 'nobody') WHERE seq = (SELECT max(seq) FROM event WHERE kind = 'record.begun')`
    ],
    ['a changed time', 'UPDATE event SET at = at + 1 WHERE seq = 9'],
    [
      'changed links',
      `UPDATE event SET links = replace(links, '[1,', '[2,') WHERE seq = (SELECT max(seq) FROM event WHERE links LIKE '%[1,%')`
    ],
    ['links taken', `UPDATE event SET links = '{}' WHERE seq = 9`],
    [
      'the salt of its words changed',
      `UPDATE event SET digests = CAST(zeroblob(16) || substr(digests, 17) AS BLOB) WHERE seq = 9`
    ],
    [
      'changed digests of values',
      `UPDATE event SET digests = CAST(substr(digests, 1, 48) || zeroblob(32) AS BLOB) WHERE seq = 9`
    ],
    ['digests of values too many', `UPDATE event SET digests = CAST(digests || zeroblob(32) AS BLOB) WHERE seq = 9`],
    ['digests taken', 'UPDATE event SET digests = zeroblob(0) WHERE seq = 9'],
    [
      'the digest of a sealed part taken',
      'UPDATE event SET digests = substr(digests, 1, 48) WHERE length(digests) = 80'
    ],
    ['a word said twice', `UPDATE event SET plain = replace(plain, '{', '{"operator":"nobody",') WHERE seq = 9`],
    ['the same words in another spelling', `UPDATE event SET plain = plain || ' ' WHERE seq = 9`],
    ['a taken event', 'DELETE FROM event WHERE seq = 11'],
    ['a cut tail', 'DELETE FROM event WHERE seq > 60'],
    [
      'two events exchanged',
      'UPDATE event SET seq = -1 WHERE seq = 5; UPDATE event SET seq = 5 WHERE seq = 6; UPDATE event SET seq = 6 WHERE seq = -1'
    ]
  ]
  it.each(edits)('shows %s, even to one who holds the key', (_, sql) =>
    inFolder((folder) => {
      filled(folder)
      const db = openFile(folder, 'history', keyOf('history'))
      db.exec(`DROP TRIGGER event_never_changes; DROP TRIGGER event_never_goes; ${sql}`)
      db.close()
      expect(codeOf(folder)).toBe('history-damaged')
    })
  )

  it('cannot be edited by mistake', () =>
    inFolder((folder) => {
      filled(folder, 2)
      const db = openFile(folder, 'history', keyOf('history'))
      expect(() => db.exec('UPDATE event SET at = 0')).toThrow('append-only')
      expect(() => db.exec('DELETE FROM event')).toThrow('append-only')
      db.close()
    }))
})

describe('a full disk', () => {
  it('refuses the write, keeps what was committed, and continues once there is space', (context) =>
    inFolder((folder) => {
      try {
        execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder], { stdio: 'ignore' })
      } catch {
        console.warn('Skipped: a 4 MB file system may not be mounted here.')
        context.skip()
        return
      }
      try {
        const engine = opened(folder)
        const answered: string[] = []
        let refused = ''
        const body = JSON.stringify({ message: 'x'.repeat(20_000) })
        for (let n = 0; n < 1000 && !refused; n += 1) {
          const [begun] = engine.commit([(writer) => writer.begin(intentOf({ applicant: `APP-${n}` }))])
          if (!begun?.ok) refused = begun?.failure.code ?? ''
          else {
            const [ended] = engine.commit([(writer) => writer.finish(begun.value.id, answer('full', 200, body))])
            if (ended?.ok) answered.push(begun.value.id)
            else refused = ended?.failure.code ?? ''
          }
        }
        expect(refused).toBe('disk-full')
        expect(answered.length).toBeGreaterThan(10)
        for (const id of answered)
          expect(engine.queries.record(id)).toMatchObject({ ok: true, value: { state: 'answered' } })
        execFileSync('mount', ['-o', 'remount,size=16m', folder])
        add(engine)
        expect(engine.verify()).toMatchObject({ intact: true })
        engine.close()
        const again = opened(folder)
        expect(again.records).toBeGreaterThan(answered.length)
        again.close()
      } finally {
        execFileSync('umount', ['-l', folder])
      }
    }))
})
