/** One verification in the window, from the click to the painted result. */
import { clickToPaint } from '../../../tests/app/fixtures/felt.ts'
import { useService } from '../../../tests/app/fixtures/workspace.ts'
import { startHost } from '../../../tests/app/fixtures/hosts.ts'
import { VerifyPage } from '../../../tests/app/pages/verify.ts'
import { rowOf } from '../../figures/row.ts'
import type { Measured } from '../../figures/section.ts'
import type { BenchRun } from '../bench-run.ts'
import { inPlace } from './place.ts'
import { chromiumOf } from './versions.ts'

const operation = 'get-applicant-details'
/** Milliseconds at the 95th percentile. */
const aim = 50
/** The first ones fill caches. */
const warm = 5

export const measureVerification = ({ sized }: BenchRun): Promise<Measured> =>
  inPlace({}, async ({ place, service }) => {
    const host = await startHost('preview', place)
    const { page } = host
    const versions = chromiumOf(page)
    // The daily backup starts half a minute after startup and would be measured too.
    await useService(page, service, {}, { lastOperation: operation, backupHours: 0 })
    const verify = new VerifyPage(page)
    await verify.open(operation)
    const times: number[] = []
    for (let check = 0; check < sized(100, 10) + warm; check += 1) {
      if (check > 0) await verify.clear.click()
      await verify.fill(operation, { applicant_id: `APP-${check}` })
      times.push(await clickToPaint(verify.send, 'section[aria-label="Result"] [data-testid="record"]'))
    }
    await host.close()
    return {
      rows: [
        rowOf({
          name: 'one verification, click to painted result',
          unit: 'ms',
          samples: times.slice(warm),
          aims: { p95: aim }
        })
      ],
      versions
    }
  })
