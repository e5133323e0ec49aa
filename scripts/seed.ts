/**
 * Fills a history with synthetic records through the store's own code: sealed, chained and indexed.
 *
 *   node scripts/seed.ts 1000000 [--folder DIR] [--key 64 HEX DIGITS]
 *
 * DIR is the folder of the history's files. Without --folder a new one is created and printed; without --key a new key
 * is used and printed, which is not a secret, since it protects no real data.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { openEngine } from '#store/engine/opening.ts'
import type { Engine } from '#store/engine/engine.ts'
import { seedChecks, type SeedCheck } from './seed-data.ts'

/** Records per transaction. */
const group = 2000

type OnProgress = (done: number) => void

/** Adds synthetic records; calls back after each group. */
export const seed = (engine: Engine, count: number, now: number, onProgress: OnProgress = () => undefined): void =>
  seedWith(engine, seedChecks(count, now), onProgress)

/** Adds these records, like `seed`. */
export function seedWith(engine: Engine, all: Iterable<SeedCheck>, onProgress: OnProgress = () => undefined): void {
  engine.bulk(true)
  let checks: SeedCheck[] = []
  let done = 0
  const flush = (): void => {
    const results = engine.commit(
      checks.map(({ intent, ending }) => (writer) => {
        const begun = writer.begin(intent)
        return begun.ok
          ? writer.finish(begun.value.id, { ...ending, endedAt: intent.startedAt + (ending.took ?? 0) })
          : begun
      })
    )
    const refused = results.find((result) => !result.ok)
    if (refused && !refused.ok) throw new Error(sentencesOf(refused.failure).what)
    engine.indexer.drain()
    done += checks.length
    checks = []
    onProgress(done)
  }
  for (const check of all) if (checks.push(check) === group) flush()
  if (checks.length > 0) flush()
  engine.bulk(false)
}

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { folder: { type: 'string' }, key: { type: 'string' } }
  })
  const count = Number(positionals[0])
  if (!Number.isSafeInteger(count) || count < 1 || (values.key && !/^[0-9a-f]{64}$/i.test(values.key))) {
    console.error('Usage: npm run seed -- COUNT [--folder DIR] [--key 64 HEX DIGITS]')
    process.exit(2)
  }
  const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'veridesk-seed-'))
  const key = values.key ?? randomBytes(32).toString('hex')
  const opened = openEngine({ folder, masterKey: key, now: Date.now() })
  if (!opened.ok) {
    console.error(sentencesOf(opened.failure).what, sentencesOf(opened.failure).nextStep)
    process.exit(1)
  }
  const { engine } = opened.value
  const from = performance.now()
  seed(engine, count, Date.now(), (done) => {
    if (process.stderr.isTTY || done % 100_000 === 0)
      process.stderr.write(
        `${process.stderr.isTTY ? '\r' : ''}${done.toLocaleString('en')} records${process.stderr.isTTY ? '' : '\n'}`
      )
  })
  const seconds = (performance.now() - from) / 1000
  engine.close()
  console.log(
    `\n${count.toLocaleString('en')} records in ${seconds.toFixed(1)} s, ${Math.round(count / seconds).toLocaleString('en')} a second.`
  )
  console.log(`Folder: ${folder}\nKey: ${key}`)
}

if (import.meta.main) main()
