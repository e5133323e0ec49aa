/**
 * Opens a history as the hosts do, requests its first page, and prints the duration without the start of the process.
 */
import { masterKeyAccount, openHistory } from '#core/history/open.ts'
import { createSessionSecrets } from '#core/secrets/session-secrets.ts'
import { launchInNode } from '../../../electron/hosts/node/workers.ts'
import { systemClock } from '../../../electron/hosts/node/ports.ts'
import type { SeededHistory } from '../seeded-histories.ts'

const { folder, masterKey } = JSON.parse(process.argv[2] ?? '') as SeededHistory
const secrets = createSessionSecrets()
await secrets.set(masterKeyAccount, masterKey)
const from = performance.now()
const opened = await openHistory({ folder, secrets, launch: launchInNode(), clock: systemClock })
if (!opened.ok) throw new Error(opened.failure.code)
const page = await opened.value.store.page({ filter: {}, limit: 50 })
const took = performance.now() - from
if (!page.ok || page.value.records.length !== 50) throw new Error('the first page is not whole')
await opened.value.store.close()
console.log(JSON.stringify({ took }))
