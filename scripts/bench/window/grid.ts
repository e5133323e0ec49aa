/** The table of a large history: from a key or a click to the painted rows. */
import { constants, cpSync } from 'node:fs'
import { historyFolder } from '#wire/sqlite/files.ts'
import { toOtherRows } from '../../../tests/app/fixtures/felt.ts'
import { historyKey } from '../../../tests/app/fixtures/history.ts'
import { startHost } from '../../../tests/app/fixtures/hosts.ts'
import { useService } from '../../../tests/app/fixtures/workspace.ts'
import { HistoryPage } from '../../../tests/app/pages/history.ts'
import { Shell } from '../../../tests/app/pages/shell.ts'
import { TablePage } from '../../../tests/app/pages/table.ts'
import { rowOf } from '../../figures/row.ts'
import type { Measured } from '../../figures/section.ts'
import type { BenchRun } from '../bench-run.ts'
import { inPlace } from './place.ts'
import { chromiumOf } from './versions.ts'

/** Milliseconds at the 95th percentile; another order reads every record. */
const aims = { page: 100, sort: 200 }

export const measureGrid = (run: BenchRun): Promise<Measured> =>
  inPlace({}, async ({ place, keyring, service }) => {
    const { sized, progress } = run
    const records = sized(1_000_000, 2000)
    const { folder, masterKey } = await run.history(records)
    await historyKey(keyring, place.dataFolder, masterKey)
    cpSync(folder, historyFolder(place.dataFolder), { recursive: true, mode: constants.COPYFILE_FICLONE })
    const host = await startHost('preview', place)
    const { page } = host
    const versions = chromiumOf(page)
    await useService(page, service, {}, { backupHours: 0 })
    const [shell, history, table] = [new Shell(page), new HistoryPage(page), new TablePage(page)]
    const times = { opening: [] as number[], paging: [] as number[], ends: [] as number[], sorting: [] as number[] }
    const rounds = sized(20, 2)
    for (let round = 0; round < rounds; round += 1) {
      await shell.open('Settings')
      await shell.heading.filter({ hasText: 'Settings' }).waitFor()
      times.opening.push(await toOtherRows(page, () => shell.open('History')))
      await history.row(1).waitFor()
      await table.grid.focus()
      for (const key of ['End', 'Home']) times.ends.push(await toOtherRows(page, () => page.keyboard.press(key)))
      // The first moves to the last row in sight.
      await page.keyboard.press('PageDown')
      for (let step = 0; step < 5; step += 1)
        times.paging.push(await toOtherRows(page, () => page.keyboard.press('PageDown')))
      await page.keyboard.press('Home')
      await history.row(1).waitFor()
      // The second click turns the order round; the third gives the order by time again.
      for (const heading of ['HTTP', 'HTTP', 'Time'])
        times.sorting.push(await toOtherRows(page, () => table.sortBy(heading)))
      progress(`round ${round + 1} of ${rounds}`)
    }
    await host.close()
    const row = (name: string, samples: readonly number[], p95: number) =>
      rowOf({ name, unit: 'ms', samples: [...samples], aims: { p95 } })
    return {
      rows: [
        row('click to the first rows', times.opening, aims.page),
        row('a page down', times.paging, aims.page),
        row('to the end and back', times.ends, aims.page),
        row('another order', times.sorting, aims.sort)
      ],
      notes: [`The history holds ${records.toLocaleString('en')} records.`],
      versions
    }
  })
