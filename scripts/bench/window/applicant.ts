/** An applicant with a thousand records in a large history, from the click in the list to the painted timeline. */
import { openEngine } from '#store/engine/opening.ts'
import { historyFolder } from '#wire/sqlite/files.ts'
import { useService } from '../../../tests/app/fixtures/workspace.ts'
import { clickToPaint } from '../../../tests/app/fixtures/felt.ts'
import { historyKey } from '../../../tests/app/fixtures/history.ts'
import { startHost } from '../../../tests/app/fixtures/hosts.ts'
import { ApplicantsPage } from '../../../tests/app/pages/applicants.ts'
import { rowOf } from '../../figures/row.ts'
import type { Measured } from '../../figures/section.ts'
import { busyApplicant, busyChecks, withBusyApplicant } from '../../seed-data.ts'
import { seedWith } from '../../seed.ts'
import type { BenchRun } from '../bench-run.ts'
import { inPlace } from './place.ts'
import { chromiumOf } from './versions.ts'

/** Milliseconds at the 95th percentile. */
const aim = 200
/** Timeline entries that fit on a screen. */
const inSight = 20

export const measureApplicant = ({ sized, progress }: BenchRun): Promise<Measured> =>
  inPlace({}, async ({ place, keyring, service }) => {
    const [records, busy] = [sized(50_000, 2000), sized(busyChecks, 2 * inSight)]
    const opened = openEngine({
      folder: historyFolder(place.dataFolder),
      masterKey: await historyKey(keyring, place.dataFolder),
      now: Date.now()
    })
    if (!opened.ok) throw new Error(opened.failure.code)
    seedWith(opened.value.engine, withBusyApplicant(records, Date.now(), busy))
    opened.value.engine.close()
    progress(`${records} records made`)
    const host = await startHost('preview', place)
    const { page } = host
    const versions = chromiumOf(page)
    await useService(page, service, {}, { backupHours: 0 })
    const applicants = new ApplicantsPage(page)
    const times: number[] = []
    for (let time = sized(30, 3); time > 0; time -= 1) {
      await applicants.open()
      await applicants.search.fill(busyApplicant)
      // The heading's row and the applicant's.
      await page.waitForFunction(() => document.querySelectorAll('main [role="grid"] [role="row"]').length === 2)
      times.push(
        await clickToPaint(applicants.row(busyApplicant), `ol[aria-label^="Timeline"] > li:nth-child(${inSight})`)
      )
    }
    await host.close()
    const name = `applicant of ${busy.toLocaleString('en')} records among ${records.toLocaleString('en')}, click to painted timeline`
    return { rows: [rowOf({ name, unit: 'ms', samples: times, aims: { p95: aim } })], versions }
  })
