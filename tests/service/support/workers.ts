/** The workers of the tests: built, for a history's thread is up in less than half of the time that the source takes. */
import { fileURLToPath } from 'node:url'
import { launchInNode } from '#core/workers/node.ts'

const built = (name: string): string => fileURLToPath(new URL(`../../../out/preview/${name}-worker.js`, import.meta.url))

// The set-up of the service tests builds them. Others that use what the tests have run the source.
export const launchWorkers = process.env['VITEST'] ? launchInNode({ history: built('history'), keychain: built('keychain') }) : launchInNode()
