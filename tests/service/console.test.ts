import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { credentials } from '#contract/connections/credentials.ts'
import { operations, type FieldDeclaration, type OperationId } from '#contract/verification/operations.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'

let console: TestConsole
beforeEach(async () => {
  console = await startTestConsole()
})
afterEach(() => console.dispose())

function inputOf(operation: OperationId, trigger: string): Record<string, string> {
  const fields: readonly FieldDeclaration[] = operations.find((each) => each.id === operation)?.fields ?? []
  return Object.fromEntries(
    fields.map((field) => [
      field.name,
      field.kind === 'url' ? `https://files.example/${field.name}/trigger/${trigger}` : `PRACTICE-${trigger}`
    ])
  )
}

async function run(operation: OperationId, trigger: string, more: { repeatAnyway?: boolean; runId?: string } = {}) {
  const connection = await console.get('practice.start')
  return console.ask('verification.run', {
    runId: randomUUID(),
    connectionId: connection.id,
    operation,
    input: inputOf(operation, trigger),
    ...more
  })
}

async function recorded(operation: OperationId, trigger: string, more = {}) {
  const ending = await run(operation, trigger, more)
  if (!ending.ok || ending.value.kind !== 'recorded') throw new Error(JSON.stringify(ending))
  return ending.value.record
}

describe('a verification', () => {
  test.for(operations.map((operation) => operation.id))(
    '%s is answered, recorded and found again after a restart',
    async (operation, { skip }) => {
      const record = await recorded(operation, 'pass')
      expect(record).toMatchObject({ state: 'answered', status: 200, operation, operator: 'tester' })
      expect(record.input).toEqual(inputOf(operation, 'pass'))
      expect(JSON.parse(record.reply?.body ?? '')).toMatchObject({ message: record.fullMessage })

      const { kept } = (await console.get('app.state')).history as { kept: string }
      skip(kept === 'session', 'no keychain here, so nothing outlives the session; the runner provides one')
      await console.close()
      console = await startTestConsole(console)
      expect(await console.get('history.record', { id: record.id })).toMatchObject({
        id: record.id,
        fullMessage: record.fullMessage
      })
      const found = await console.get('history.page', {
        filter: { search: record.fullMessage?.slice(0, 12) },
        limit: 10
      })
      expect(found.records.map((each) => each.id)).toContain(record.id)
    }
  )

  test.each([
    ['400', 'answered', 400],
    ['401', 'answered', 401],
    ['404', 'answered', 404],
    ['429', 'answered', 429],
    ['500', 'answered', 500],
    ['html', 'invalid-response', 200],
    ['302', 'invalid-response', 302]
  ] as const)('trigger %s ends as %s with status %i', async (trigger, state, status) => {
    expect(await recorded('validate-passport', trigger)).toMatchObject({ state, status })
  })

  test('whose connection is cut is unknown, and can be resolved once', async () => {
    const record = await recorded('validate-passport', 'cut')
    expect(record).toMatchObject({ state: 'unknown', failure: { code: 'connection-lost' } })
    expect((await console.get('history.counts', { filter: {} })).unresolved).toBe(1)
    const resolved = await console.get('history.resolve', {
      id: record.id,
      as: 'not-processed',
      note: 'asked by telephone'
    })
    expect(resolved.resolved).toMatchObject({ as: 'not-processed', note: 'asked by telephone' })
    expect((await console.get('history.counts', { filter: {} })).unresolved).toBe(0)
    expect(await console.ask('history.resolve', { id: record.id, as: 'processed', note: '' })).toMatchObject({
      ok: false,
      failure: { code: 'record-not-resolvable' }
    })
  })

  test('is held back where the same check was recently answered, and sent when asked for again', async () => {
    const first = await recorded('validate-passport', 'pass')
    expect(await run('validate-passport', 'pass')).toMatchObject({
      ok: true,
      value: { kind: 'recently-answered', earlier: { id: first.id } }
    })
    expect(console.practice.ledger()).toHaveLength(1)
    const again = await recorded('validate-passport', 'pass', { repeatAnyway: true })
    expect(again.id).not.toBe(first.id)
    expect(again.previous).toMatchObject({ id: first.id, status: 200 })
    expect(console.practice.ledger()).toHaveLength(2)
  })

  test('cancelled after sending is unknown', async () => {
    const runId = randomUUID()
    const running = run('validate-passport', 'slow-20', { runId })
    await expect
      .poll(() => console.events.some((event) => event.kind === 'run-progress' && event.phase === 'sent'), {
        timeout: 5000
      })
      .toBe(true)
    expect(await console.get('verification.cancel', { runId })).toBe(true)
    expect(await running).toMatchObject({
      value: { kind: 'recorded', record: { state: 'unknown', failure: { code: 'cancelled-after-sending' } } }
    })
    expect(await console.get('verification.cancel', { runId })).toBe(false)
  })

  test('in progress when the console closes has its outcome on disk', async () => {
    const running = run('validate-passport', 'slow-20')
    await expect
      .poll(() => console.events.some((event) => event.kind === 'run-progress' && event.phase === 'sent'), {
        timeout: 5000
      })
      .toBe(true)
    await console.close()
    expect(await running).toMatchObject({ value: { kind: 'recorded', record: { state: 'unknown' } } })
  })

  test('with a signed link stores no signature, and is known again under a new signature', async () => {
    const connection = await console.get('practice.start')
    const order = (signature: string, date = '20261120') => ({
      runId: randomUUID(),
      connectionId: connection.id,
      operation: 'validate-passport' as const,
      input: {
        id_url: `https://bucket.s3.amazonaws.com/p.jpg?X-Amz-Expires=900&X-Amz-Date=${date}T000000Z&X-Amz-Signature=${signature}`
      }
    })
    const first = await console.get('verification.run', order('aaaa1111'))
    expect(JSON.stringify(first)).not.toContain('aaaa1111')
    expect(first).toMatchObject({ kind: 'recorded', record: { linksScrubbed: true } })
    expect(await console.get('verification.run', order('bbbb2222', '20261121'))).toMatchObject({
      kind: 'recently-answered'
    })
  })
})

describe('what is refused before anything is sent', () => {
  test.each([
    ['an empty id', { applicant_id: '' }],
    ['a 10 MB id', { applicant_id: 'x'.repeat(10_000_000) }],
    ['no id at all', {}],
    ['a field too many', { applicant_id: 'A-1', more: 'x' }]
  ])('%s', async (_name, input) => {
    const connection = await console.get('practice.start')
    const answer = await console.ask('verification.run', {
      runId: randomUUID(),
      connectionId: connection.id,
      operation: 'get-applicant-details',
      input: input as Record<string, string>
    })
    expect(answer.ok).toBe(false)
    expect(console.practice.ledger()).toHaveLength(0)
    expect((await console.get('history.counts', { filter: {} })).total).toBe(0)
  })

  test('a connection that is gone, and one without its credentials', async () => {
    const order = { runId: randomUUID(), operation: 'get-applicant-details' as const, input: { applicant_id: 'A-1' } }
    expect(await console.ask('verification.run', { ...order, connectionId: randomUUID() })).toMatchObject({
      failure: { code: 'connection-missing' }
    })
    const { connection } = await console.get('connections.save', {
      name: 'Bare',
      baseUrl: console.practice.baseUrl,
      mode: 'sandbox',
      colour: 'blue',
      mark: 'B'
    })
    const answer = await console.ask('verification.run', { ...order, connectionId: connection.id })
    expect(answer).toMatchObject({ failure: { code: 'credentials-missing' } })
    for (const credential of credentials) expect(JSON.stringify(answer)).toContain(credential.label)
  })
})

test('no secret reaches a file, an answer or an event', async () => {
  const { connection } = await console.get('connections.save', {
    name: 'Canary',
    baseUrl: console.practice.baseUrl,
    mode: 'sandbox',
    colour: 'blue',
    mark: 'C'
  })
  const canary = (id: string): string => `canary-${id}-7f3a9c`
  for (const { id } of credentials)
    await console.get('credentials.set', { connectionId: connection.id, credential: id, value: canary(id) })
  const seen: unknown[] = [await console.get('connections.list'), await console.get('app.state')]
  for (const trigger of ['pass', 'echo', '401', 'html', 'cut', '302'])
    seen.push(
      await console.ask('verification.run', {
        runId: randomUUID(),
        connectionId: connection.id,
        operation: 'validate-passport',
        input: inputOf('validate-passport', trigger)
      })
    )
  seen.push(await console.get('history.page', { filter: {}, limit: 50 }), console.events)
  await console.close()

  const forms = credentials.flatMap(({ id }) => [
    canary(id),
    Buffer.from(canary(id)).toString('base64'),
    encodeURIComponent(canary(id))
  ])
  const text = JSON.stringify(seen)
  for (const form of forms) expect(text).not.toContain(form)
  for (const entry of await readdir(console.dataFolder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const bytes = await readFile(join(entry.parentPath, entry.name))
    for (const form of forms) expect(bytes.includes(form), `${form} in ${entry.name}`).toBe(false)
  }
})

test('settings change one by one and survive a restart', async () => {
  await console.get('settings.change', { totalTimeout: 12 })
  await console.get('settings.change', { theme: 'dark' })
  await console.close()
  console = await startTestConsole(console)
  expect((await console.get('app.state')).settings).toMatchObject({
    totalTimeout: 12,
    theme: 'dark',
    connectTimeout: 5
  })
})

test('each state that is told, asked or not, has a number above every one told before it', async () => {
  const heard = (): number[] =>
    console.events.flatMap((event) => (event.kind === 'state-changed' ? [event.state.number] : []))
  const before = Math.max(0, ...heard(), (await console.get('app.state')).number)
  const answers = await Promise.all([
    console.get('settings.change', { totalTimeout: 12 }),
    console.get('app.state'),
    console.get('keychain.tryAgain'),
    console.get('settings.change', { totalTimeout: 13 }),
    console.get('history.tryAgain'),
    console.get('history.openForSession'),
    console.get('app.state'),
    console.get('settings.change', { totalTimeout: 14 })
  ])
  const later = [await console.get('history.setAside'), await console.get('app.state')].map(({ number }) => number)
  const events = heard()
  expect(events).toEqual([...events].sort((a, b) => a - b))
  const all = [...events, ...answers.map(({ number }) => number), ...later]
  expect(new Set(all).size).toBe(all.length)
  expect(answers.every(({ number }) => number > before && number < later[0]!)).toBe(true)
  expect(later[1]).toBe(Math.max(...all))
  // Of all states reported, the one with the highest number has the current settings.
  const newest = [...answers].sort((a, b) => b.number - a.number)[0]
  expect(newest?.settings.totalTimeout).toBe(14)
})

test('a history whose keychain does not open stays closed, and the user can work in memory for a session', async ({
  skip
}) => {
  skip(process.env['VERIDESK_KEYRING_PID'] === undefined, 'no keychain here; the runner provides one')
  const record = await recorded('validate-passport', 'pass')
  await console.close()
  const bus = process.env['DBUS_SESSION_BUS_ADDRESS']
  process.env['DBUS_SESSION_BUS_ADDRESS'] = 'unix:path=/nonexistent'
  try {
    console = await startTestConsole(console)
    expect((await console.get('app.state')).history).toMatchObject({
      state: 'failed',
      failure: { code: 'keychain-absent' }
    })
    expect(await console.ask('history.page', { filter: {}, limit: 5 })).toMatchObject({
      failure: { code: 'history-unavailable' }
    })
    expect((await console.get('history.openForSession')).history).toMatchObject({
      state: 'ready',
      kept: 'session',
      recordsAtOpening: 0
    })
    await recorded('validate-kyc-photo', 'pass')
  } finally {
    process.env['DBUS_SESSION_BUS_ADDRESS'] = bus
  }
  await console.close()
  console = await startTestConsole(console)
  expect((await console.get('app.state')).history).toMatchObject({ state: 'ready', kept: 'file', recordsAtOpening: 1 })
  expect((await console.get('history.record', { id: record.id })).id).toBe(record.id)
})
