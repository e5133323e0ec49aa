/** The workers of the tests: built ones, whose history thread starts in less than half the time of the source. */
import { fileURLToPath } from 'node:url'
import { launchInNode } from '../../../electron/hosts/node/workers.ts'

const built = (name: string): string =>
  fileURLToPath(new URL(`../../../out/preview/${name}-worker.js`, import.meta.url))

// The set-up of the service tests builds them. Other users of these helpers run the source.
export const launchWorkers = process.env['VITEST']
  ? launchInNode({
      history: built('history'),
      keychain: built('keychain'),
      team: built('team'),
      workbook: built('workbook')
    })
  : launchInNode()
