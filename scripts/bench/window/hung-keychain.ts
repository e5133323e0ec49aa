/** Time until the window can be used with a keychain that does not respond. */
import { startHost } from '../../../tests/app/fixtures/hosts.ts'
import { Shell } from '../../../tests/app/pages/shell.ts'
import { rowOf } from '../../figures/row.ts'
import type { Measured } from '../../figures/section.ts'
import type { BenchRun } from '../bench-run.ts'
import { inPlace } from './place.ts'
import { chromiumOf } from './versions.ts'

/** Milliseconds. */
const aim = 2000

/** Stops the keyring's daemon and starts the console: from the start of its process to the first painted view. */
export const measureHungKeychain = ({ sized }: BenchRun): Promise<Measured> =>
  inPlace({}, async ({ place, keyring }) => {
    const times: number[] = []
    let versions: Measured['versions']
    keyring.signal('SIGSTOP')
    try {
      for (let round = sized(10, 2); round > 0; round -= 1) {
        const from = Date.now()
        const host = await startHost('preview', place)
        await new Shell(host.page).heading.waitFor()
        // A call to the page, since a painted page may not be usable yet.
        times.push((await host.page.evaluate(() => performance.timeOrigin + performance.now())) - from)
        versions = chromiumOf(host.page)
        await host.close()
      }
    } finally {
      keyring.signal('SIGCONT')
    }
    return {
      rows: [
        rowOf({
          name: 'keychain stopped, start of the process to usable window',
          unit: 'ms',
          samples: times,
          aims: { largest: aim }
        })
      ],
      versions
    }
  })
