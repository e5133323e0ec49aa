/** The kept copies of what was erased, where the program ends before it has said what became of them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { failed } from '#contract/failures.ts'
import { check, code, erase, openDesk, person, store, url, value, type Desk } from './support/erasure-desk.ts'

let dataFolder: string
let open: Desk[] = []
beforeEach(() => {
  dataFolder = mkdtempSync(join(tmpdir(), 'veridesk-copies-'))
})
afterEach(async () => {
  for (const { keeper } of open) await keeper.close()
  open = []
  rmSync(dataFolder, { recursive: true, force: true })
})
async function desk(entries?: Map<string, string>): Promise<Desk> {
  const opened = await openDesk(dataFolder, entries)
  open.push(opened)
  return opened
}

test('copies that were rewritten before a crash are counted on the receipt that is written after it', async () => {
  const one = await desk()
  await check(one, { applicant: person, url })
  for (let n = 0; n < 2; n += 1) await value(one.backups.make())
  one.cleared = async () => failed('disk-full')
  expect(await code(erase(one))).toBe('erasure-unfinished')
  await one.keeper.close()

  const two = await desk(one.secrets.entries)
  await two.retention.resume()
  const [receipt] = await value(two.retention.receipts())
  expect(receipt).toMatchObject({ backupsRewritten: 2, copiesNotReached: [] })
  expect(receipt?.copiesPending).toBeUndefined()
  expect((await value(store(two).audit.page({ limit: 20 }))).events.filter(({ kind }) => kind === 'copies.cleared')).toHaveLength(1)
})
