/** A session with sample data: what it is filled with, and that it uses neither the keychain nor a service but the practice one. */
import { rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { SampleState } from '#contract/app/app-state.ts'
import type { WorkerName } from '#wire/worker-line.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'
import { launchWorkers } from './support/workers.ts'

const seconds = 120_000

/** Counts connections to what the environment names as the D-Bus of this session, through which a keychain is reached on Linux. */
async function countedBus(folder: string): Promise<{ count(): number; close(): Promise<void> }> {
  let connections = 0
  const server: Server = createServer((socket) => {
    connections += 1
    socket.on('error', () => undefined)
    socket.destroy()
  })
  const path = join(folder, 'bus')
  await new Promise<void>((resolve) => server.listen(path, resolve))
  const before = process.env['DBUS_SESSION_BUS_ADDRESS']
  process.env['DBUS_SESSION_BUS_ADDRESS'] = `unix:path=${path}`
  return {
    count: () => connections,
    close: async () => {
      if (before === undefined) delete process.env['DBUS_SESSION_BUS_ADDRESS']
      else process.env['DBUS_SESSION_BUS_ADDRESS'] = before
      await new Promise((resolve) => server.close(resolve))
    }
  }
}

async function startSample(launched: WorkerName[] = []): Promise<TestConsole> {
  return startTestConsole(undefined, 'sample-operator', {
    sample: { close: () => undefined },
    launchWorker: (name) => {
      launched.push(name)
      return launchWorkers(name)
    }
  })
}

async function filled(console: TestConsole): Promise<SampleState | undefined> {
  await vi.waitFor(
    async () => {
      const { sample } = await console.get('app.state')
      if (!sample?.failure) expect(sample?.done).toBe(sample?.total)
    },
    { timeout: seconds, interval: 100 }
  )
  return (await console.get('app.state')).sample
}

describe('the sample data', () => {
  let sample: TestConsole
  const launched: WorkerName[] = []
  let begun = 0
  beforeAll(async () => {
    begun = Date.now()
    sample = await startSample(launched)
    expect(await filled(sample)).toEqual({ done: expect.any(Number) as number, total: expect.any(Number) as number })
  }, seconds)
  afterAll(() => sample.dispose())

  it('has invented applicants only, with every state', async () => {
    const { applicants } = await sample.get('applicants.list', { limit: 200 })
    expect(applicants).toHaveLength(200)
    expect(await sample.get('applicants.counts', {})).toMatchObject({ total: 240 })
    expect(applicants.filter(({ id }) => !/^SAMPLE-\d{4}$/.test(id))).toEqual([])
    expect(new Set(applicants.map(({ state }) => state))).toEqual(
      new Set(['none', 'approve', 'decline', 'escalate', 'outdated', 'no-evidence'])
    )
    expect(applicants.flatMap(({ tags }) => tags)).toEqual(expect.arrayContaining(['priority', 'renewal', 'follow-up']))
    const { entries } = await sample.get('applicants.timeline', { applicantId: 'SAMPLE-0006', limit: 50 })
    expect(new Set(entries.map(({ kind }) => kind))).toEqual(new Set(['check', 'note', 'decision']))
  })

  it('has its records in the order of their times', async () => {
    const times: number[] = []
    for (let cursor: { readonly before?: number } = {}; ;) {
      const { records, older } = await sample.get('history.page', { filter: {}, limit: 200, ...cursor })
      times.push(...records.map(({ startedAt }) => startedAt))
      if (!older) break
      cursor = { before: records.at(-1)?.seq ?? 1 }
    }
    expect(times.length).toBeGreaterThan(500)
    expect(times).toEqual([...times].sort((one, other) => other - one))
  })

  it('has a case for which a colleague asked for a second person', async () => {
    const { entries } = await sample.get('applicants.timeline', { applicantId: 'SAMPLE-0005', limit: 50 })
    const [asked, decided] = entries
    expect(asked).toMatchObject({ kind: 'approval', operator: expect.stringContaining('Lena Vogt') as string })
    expect(decided).toMatchObject({ kind: 'decision', decision: { decision: 'approve' } })
  })

  it('has six operations with every outcome, in which some need resolution and one is resolved', async () => {
    const { records } = await sample.get('history.page', { filter: {}, limit: 200 })
    expect(records).toHaveLength(200)
    expect(new Set(records.map(({ operation }) => operation)).size).toBe(6)
    expect(new Set(records.map(({ state }) => state))).toEqual(
      new Set(['answered', 'invalid-response', 'not-sent', 'unknown'])
    )
    const { unresolved } = await sample.get('history.counts', { filter: {} })
    expect(records.filter(({ state }) => state === 'unknown')).toHaveLength(2)
    expect(unresolved).toBe(1)
  })

  it('has a work queue with due dates, some of them overdue, and with assignees', async () => {
    const { counts, overdue, facets } = await sample.get('queue.list', { limit: 200 })
    for (const kind of ['open', 'escalated', 'outdated', 'unresolved'] as const)
      expect(counts[kind], kind).toBeGreaterThan(0)
    // Three reviews are overdue, and four are due in 30 days.
    expect(counts.review).toBe(7)
    expect(overdue).toBe(4)
    expect(facets?.due.today).toBe(3)
    expect(facets?.due.later).toBeGreaterThan(1)
    expect(
      facets?.assignees
        .map(({ value }) => value)
        .filter(Boolean)
        .sort()
    ).toEqual(['Jonas Berg', 'Lena Vogt', 'Sample Operator'])
  })

  it('has customers with risk classes and reviews at different times', async () => {
    const figures = await sample.get('overview.reviews', { from: 0, until: Date.now() })
    expect(figures).toMatchObject({ overdue: [{ risk: 'high', count: 3 }], in30: 4, in90: 5, done: 0 })
    expect(figures.unrated).toBeGreaterThan(12)
    const { applicants } = await sample.get('applicants.list', { relationships: ['refused'], limit: 50 })
    expect(applicants.length).toBeGreaterThan(10)
  })

  it('has a finished batch of some dozens of rows, with invalid and skipped ones', async () => {
    const [batch, ...more] = await sample.get('batches.list', { limit: 10 })
    expect(more).toEqual([])
    expect(batch).toMatchObject({ name: 'Sample applicants', state: 'finished' })
    expect(batch?.rows).toBeGreaterThan(24)
    expect(batch?.counts.answered).toBeGreaterThan(20)
    expect(batch?.counts.invalid).toBe(3)
  })

  it('has messages with and without an interpretation', async () => {
    const { messages, unread } = await sample.get('catalogue.list', { limit: 200 })
    expect(new Set(messages.flatMap(({ reading }) => (reading ? [reading.means] : [])))).toEqual(
      new Set(['good', 'bad', 'unclear'])
    )
    expect(unread).toBeGreaterThan(0)
  })

  it('has an intact audit trail of 90 days, made by three people, in order', async () => {
    expect(await sample.get('audit.verify')).toMatchObject({ intact: true })
    const { events } = await sample.get('audit.page', { limit: 200, groups: ['decisions'] })
    expect(events.length).toBe(200)
    expect(new Set(events.map(({ operator }) => operator))).toEqual(
      new Set(['Jonas Berg (sample-berg)', 'Lena Vogt (sample-vogt)', 'Tomas Ruiz (sample-ruiz)'])
    )
    const first = (await sample.get('history.page', { filter: {}, limit: 1, after: 0 })).records[0]
    expect(first?.startedAt).toBeLessThan(begun - 80 * 86_400_000)
    // What a person does has the time of now, and is signed by the sample's own person.
    await sample.get('applicants.note', { applicantId: 'SAMPLE-0010', text: 'Seen.' })
    const { entries } = await sample.get('applicants.timeline', { applicantId: 'SAMPLE-0010', limit: 1 })
    expect(entries[0]).toMatchObject({ kind: 'note', operator: 'Sample Operator (sample-operator)' })
    expect(entries[0]?.kind === 'note' && entries[0].at).toBeGreaterThanOrEqual(begun)
  })

  it('has documents that can be opened', async () => {
    const { records } = await sample.get('history.page', {
      filter: { operations: ['validate-passport'], states: ['answered'] },
      limit: 1
    })
    const record = await sample.get('history.record', { id: records[0]?.id ?? '' })
    const opened = await sample.get('documents.open', {
      connectionId: record.connection.id,
      field: 'id_url',
      url: record.input['id_url'] ?? ''
    })
    expect(opened).toMatchObject({ facts: { width: expect.any(Number) as number } })
  })

  it('adds no connection but the practice one', async () => {
    const before = await sample.get('connections.list')
    expect(before.map(({ practice, kept }) => ({ practice, kept }))).toEqual([{ practice: true, kept: 'session' }])
    const refused = await sample.ask('connections.save', {
      name: 'Head office',
      baseUrl: 'https://kyc.example.com',
      mode: 'live',
      colour: 'red',
      mark: 'HO'
    })
    expect(refused).toMatchObject({ ok: false, failure: { code: 'sample-practice-only' } })
    expect(await sample.get('connections.list')).toEqual(before)
  })

  it('starts no keychain process', () => {
    expect(new Set(launched)).toEqual(new Set(['history']))
  })
})

it.runIf(process.platform === 'linux')(
  'sample data reaches no keychain, where a console of one’s own does',
  async () => {
    const practice = await startSample()
    const bus = await countedBus(practice.dataFolder)
    await practice.close()
    try {
      const sample = await startSample()
      await filled(sample)
      await sample.get('recovery.create')
      await sample.get('keys.list')
      await sample.dispose()
      expect(bus.count()).toBe(0)
      const own = await startTestConsole()
      await own.get('practice.start')
      await own.dispose()
      expect(bus.count()).toBeGreaterThan(0)
    } finally {
      await bus.close()
      await practice.practice.close()
      await rm(practice.dataFolder, { recursive: true, force: true })
    }
  },
  seconds
)

it(
  'closes while it is still being filled',
  async () => {
    const sample = await startSample()
    await vi.waitFor(
      () => expect(sample.events.filter(({ kind }) => kind === 'history-changed').length).toBeGreaterThan(3),
      { timeout: seconds }
    )
    const last = sample.events.findLast((event) => event.kind === 'state-changed')
    await sample.dispose()
    expect(last?.state.sample?.done).toBeLessThan(last?.state.sample?.total ?? 0)
    expect(
      sample.events.filter((event) => event.kind === 'state-changed' && event.state.sample?.failure !== undefined)
    ).toEqual([])
  },
  seconds
)

it('another console neither closes at the request of its window nor pretends to be able to start a second one', async () => {
  const own = await startTestConsole()
  expect((await own.get('app.state')).sample).toBeUndefined()
  expect(await own.ask('sample.close')).toMatchObject({ ok: false, failure: { code: 'sample-not-here' } })
  expect(await own.ask('sample.open')).toMatchObject({
    ok: false,
    failure: { code: 'sample-not-opened', details: { reason: 'host' } }
  })
  await own.dispose()
})
