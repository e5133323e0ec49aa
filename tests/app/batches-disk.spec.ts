/** A disk that fills up while a batch runs: what the user is shown, and how the batch continues. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { operationOf } from '#contract/verification/operations.ts'
import { expect, test as workspaces, useService } from './fixtures/workspace.ts'
import { NewBatchPage } from './pages/batches.ts'

const mount = (...words: string[]): void => void execFileSync('mount', words, { stdio: 'ignore' })
const mebibyte = 1024 * 1024

/** The folder of the history on a separate small disk; undefined if this is not permitted. */
const test = workspaces.extend<{ disk: string | undefined }>({
  disk: async ({ dataFolder }, use) => {
    const history = join(dataFolder, 'history')
    mkdirSync(history, { recursive: true, mode: 0o700 })
    let mounted = false
    try {
      mount('-t', 'tmpfs', '-o', 'size=8m,mode=700', 'tmpfs', history)
      mounted = true
    } catch {
      // Only root may mount.
    }
    await use(mounted ? history : undefined)
    if (mounted) execFileSync('umount', ['--lazy', history])
  }
})
test.use({ practiceOptions: { latency: 5 } })

test('a batch on a full disk reports it, sends nothing that it cannot record, and continues once there is space', async ({
  disk,
  workspace,
  practice
}) => {
  test.skip(disk === undefined, 'only root may mount a small disk')
  test.setTimeout(90_000)
  const page = await workspace.open()
  await useService(page, practice, {}, { lastOperation: operationOf('get-applicant-details').id })
  const form = new NewBatchPage(page)
  await form.open()
  const rows = 1500
  await form.paste(['applicant_id', ...Array.from({ length: rows }, (_, at) => `FULL-${at + 1}`)].join('\n'))
  await form.go('Send')
  await form.atOnce.fill('8')
  const batch = await form.kept()
  await expect(batch.state).toHaveText('Draft')

  // Everything but half a mebibyte of the space is used by something else.
  const ballast = join(disk ?? '', 'ballast')
  let taken = 0
  try {
    for (; ; taken += 65_536) writeFileSync(ballast, Buffer.alloc(65_536), { flag: 'a' })
  } catch {
    truncateSync(ballast, Math.max(0, taken - mebibyte / 2))
  }
  await batch.start.click()
  await expect(batch.state).toHaveText('Stopped', { timeout: 30_000 })
  await expect(batch.reason).toContainText('The disk is full.')
  await expect(batch.reason).toContainText('Nothing is sent that cannot be recorded.')
  await expect(batch.reason).toContainText('Free some disk space')
  await expect(batch.start).toHaveText(/Resume/)
  const reached = practice.ledger().length
  expect(reached).toBeLessThan(rows)

  // Tried again without space, it reports the same and sends nothing.
  await batch.start.click()
  // The message has been shown before, so the end of this attempt shows at the button.
  await expect(batch.start).toBeEnabled()
  await expect(batch.refused.or(batch.reason).first()).toContainText('The disk is full.')
  await expect(batch.state).toHaveText('Stopped')

  rmSync(ballast)
  mount('-o', 'remount,size=64m', disk ?? '')
  await batch.start.click()
  await expect(batch.state).toHaveText('Finished', { timeout: 40_000 })
  await expect.poll(() => batch.count('answered')).toBe(rows)
  await expect(batch.reason).toHaveCount(0)
  const digests = practice.ledger().map(({ digest }) => digest)
  expect(new Set(digests).size).toBe(rows)
  expect(digests).toHaveLength(rows)
})
