/** The history's search while a large batch runs, from a keystroke to the painted list. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { ask, useService } from '../../../tests/app/fixtures/workspace.ts'
import { typed, watchTyping } from '../../../tests/app/fixtures/felt.ts'
import { startHost } from '../../../tests/app/fixtures/hosts.ts'
import { BatchPage, NewBatchPage } from '../../../tests/app/pages/batches.ts'
import { HistoryPage } from '../../../tests/app/pages/history.ts'
import { rowOf } from '../../figures/row.ts'
import type { Measured } from '../../figures/section.ts'
import type { BenchRun } from '../bench-run.ts'
import { inPlace } from './place.ts'
import { chromiumOf } from './versions.ts'

/** Milliseconds at the 95th percentile, from a keystroke to its painted result. */
const aim = 100
/** Milliseconds between two keystrokes: ninety words per minute. */
const pause = 120
/** IDs, words in every answer, and a word without matches. */
const searches = ['0000123', 'verified', '0000456', 'applicant', 'nowhere', '0000289']
/** Minimum length of a text search; shorter text is an applicant's whole ID, looked up after a pause. */
const shortest = 3

const newest = async (page: Page): ReturnType<typeof ask<'batches.list'>> => ask(page, 'batches.list', { limit: 1 })

/** Waits until the batch has this many answers; fails if the batch makes no progress for a minute. */
async function answered(page: Page, count: number): Promise<void> {
  for (let time = 0; time < 600; time += 1) {
    if (((await newest(page))[0]?.counts.answered ?? 0) > count) return
    await sleep(100)
  }
  throw new Error('the batch does not run')
}

export const measureBusy = ({ sized }: BenchRun): Promise<Measured> =>
  inPlace({ latency: 20 }, async ({ place, service }) => {
    // With fewer rows the batch would end before the typing.
    const rows = sized(100_000, 20_000)
    const host = await startHost('preview', place)
    const { page } = host
    const versions = chromiumOf(page)
    await useService(page, service, {}, { lastOperation: 'get-applicant-details', backupHours: 0 })
    const form = new NewBatchPage(page)
    await form.open()
    await form.paste(
      ['applicant_id', ...Array.from({ length: rows }, (_, at) => `0${String(at).padStart(6, '0')}`)].join('\n')
    )
    await form.go('Send')
    await form.atOnce.fill('8')
    await form.start.click()
    await new BatchPage(page).state.waitFor({ timeout: 90_000 })
    await answered(page, 500)
    const history = new HistoryPage(page)
    await history.open()
    await history.search.click()
    await history.rows.first().waitFor()
    await watchTyping(history.search, history.list)
    const [character, answer]: [number[], number[]] = [[], []]
    for (const search of searches) {
      await history.search.fill('')
      await history.list.and(page.locator('[data-search=""]')).waitFor()
      const waits = await typed(page, search, pause)
      character.push(...waits.character)
      answer.push(...waits.answer.slice(shortest - 1))
    }
    const [batch] = await newest(page)
    if (batch?.state !== 'running') throw new Error('the batch was over before the typing was')
    await ask(page, 'batches.cancel', { id: batch.id })
    await host.close()
    const name = `${rows.toLocaleString('en')} rows in progress`
    return {
      rows: [
        rowOf({ name: `${name}, key to painted character`, unit: 'ms', samples: character, aims: { p95: aim } }),
        rowOf({ name: `${name}, key to painted list`, unit: 'ms', samples: answer, aims: { p95: aim } })
      ],
      versions
    }
  })
