/** The support file of a real console whose every text of a person is a canary: names, addresses, secrets, ids, replies. */
import { randomUUID } from 'node:crypto'
import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { credentials } from '#contract/connections/credentials.ts'
import type { SupportBundle } from '#contract/app/support.ts'
import { textHolds } from './support/secret-forms.ts'
import { startTestConsole } from './support/console.ts'

test('it says what helps and holds no canary in any form', async () => {
  const canary = (what: string): string => `CANARY-${what}-7Qx93Lm4`
  const secrets = [
    ...credentials.map(({ id }) => canary(id)),
    ...['operator', 'connection', 'applicant', 'host', 'proxy', 'note'].map(canary),
    'canary-host-7qx93lm4'
  ]
  const console = await startTestConsole(undefined, canary('operator'))
  try {
    const { connection } = await console.get('connections.save', {
      name: canary('connection'),
      baseUrl: `https://${canary('host')}.invalid`,
      mode: 'live',
      colour: 'red',
      mark: 'LV'
    })
    for (const { id } of credentials)
      await console.get('credentials.set', { connectionId: connection.id, credential: id, value: canary(id) })
    await console.get('settings.change', { proxyBypass: `${canary('proxy')}.example`, lastConnection: connection.id })
    // Without its name found, the request is not sent; the failure is in the log.
    await console.ask('verification.run', {
      runId: randomUUID(),
      connectionId: connection.id,
      operation: 'get-applicant-details',
      input: { applicant_id: canary('applicant') }
    })
    await appendFile(
      join(console.dataFolder, 'logs', 'veridesk.log'),
      `${JSON.stringify({ at: '2026-01-31T00:00:00.000Z', event: 'start', code: 'disk-full', host: canary('host'), note: canary('note') })}\n${canary('note')}\n`
    )
    console.save = console.fileAt('support.json')
    expect(await console.get('support.save')).toEqual({ path: console.save })

    const text = await readFile(console.save, 'utf8')
    expect(textHolds(await readFile(join(console.dataFolder, 'connections.json'), 'utf8'), secrets)).toBe(true)
    expect(textHolds(text, secrets)).toBe(false)
    expect(text).not.toContain(console.dataFolder)
    const bundle = JSON.parse(text) as SupportBundle
    expect(bundle).toMatchObject({
      format: 'veridesk-support',
      formatVersion: 1,
      versions: { veridesk: '0.0.0-test', node: process.versions.node },
      state: { host: 'preview', history: 'ready', inTeam: false, faults: [] },
      settings: { proxyBypass: 'set', lastConnection: 'set', proxyMode: 'system' },
      connections: [{ mode: 'live', practice: false, https: true, credentials: credentials.length }],
      failures: { 'disk-full': 1 }
    })
    expect(bundle.log.map(({ event }) => event)).toContain('start')
  } finally {
    await console.dispose()
  }
})
