/** Log forwarding with a collector on a TLS socket and with a file: nothing is lost, doubles are recognised, nothing personal leaves. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LogForwarding } from '#contract/forwarding/forwarding.ts'
import { defaultSettings } from '#contract/settings/settings.ts'
import { createNetwork } from '#core/client/network.ts'
import { handOver } from '#core/forwarding/collector.ts'
import { appendLines } from '#core/forwarding/rotated-file.ts'
import { fillWithExamples } from '#core/sample/fill.ts'
import { createSampleHand } from '#core/sample/hand.ts'
import { systemClock } from '../../electron/hosts/node/ports.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'
import { startCollector, type LogCollector } from './support/log-collector.ts'
import { createTestAuthority } from './support/tls.ts'

const authority = createTestAuthority()
let folder: string
let collector: LogCollector
const consoles: TestConsole[] = []
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'veridesk-forwarding-'))
  writeFileSync(join(folder, 'ca.pem'), authority.cert)
  collector = await startCollector(authority.issue({ names: ['127.0.0.1'] }))
})
afterEach(async () => {
  for (const each of consoles.splice(0)) await each.dispose()
  await collector.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Line {
  readonly source: string
  readonly number: number
  readonly type: string
  readonly hash: string
  readonly details: Readonly<Record<string, unknown>>
}
const lineOf = (frame: string): Line => JSON.parse(frame.slice(frame.indexOf('] {') + 2)) as Line
const numbers = (): number[] => collector.taken.map((frame) => lineOf(frame).number)
/** As a collector drops doubles. */
const unique = (): number[] => [...new Set(numbers())].sort((a, b) => a - b)
const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1)

async function open(earlier?: TestConsole): Promise<TestConsole> {
  const console = await startTestConsole(earlier)
  consoles.push(console)
  await console.get('settings.change', { extraCaFile: join(folder, 'ca.pem') })
  return console
}
let round = 0
/** Each change offers what is new at once. */
async function offer(console: TestConsole, more: Partial<LogForwarding> = {}): Promise<void> {
  round += 1
  await console.get('settings.change', {
    logForwarding: { collector: collector.place, message: 'json', silentMinutes: 15 + (round % 60), ...more }
  })
}
/** Waits until the state says that everything was taken, and returns the last number. */
const complete = (console: TestConsole): Promise<number> =>
  vi.waitFor(async () => {
    const [target] = (await console.get('app.state')).forwarding
    expect(target).toMatchObject({ taken: target?.last })
    expect(target?.failure).toBeUndefined()
    return target?.taken ?? 0
  }, 20_000)
const tried = (console: TestConsole, code = 'forwarding-not-taken') =>
  vi.waitFor(async () => {
    const [target] = (await console.get('app.state')).forwarding
    expect(target?.failure?.code).toBe(code)
    return target
  }, 20_000)

describe('a collector', () => {
  it('gets every event from the first on, in order, and after a restart those that follow', async () => {
    const first = await open()
    await offer(first)
    const last = await complete(first)
    // More may have been taken since.
    expect(numbers().slice(0, last)).toEqual(upTo(last))
    const events = (await first.get('audit.page', { after: 0, limit: 200 })).events
    expect(collector.taken.slice(0, last).map((frame) => lineOf(frame).hash)).toEqual(
      events.slice(0, last).map(({ hash }) => hash)
    )
    await first.close()
    const before = collector.taken.splice(0).length

    const second = await open(consoles.pop())
    await offer(second)
    const then = await complete(second)
    expect(numbers()[0]).toBeGreaterThan(last)
    expect(numbers()[0]).toBeLessThanOrEqual(before + 1)
    expect(unique().at(-1)).toBeGreaterThanOrEqual(then)
    expect(unique()).toEqual(upTo(unique().at(-1) ?? 0).slice((numbers()[0] ?? 0) - 1))
    expect(collector.taken.map((frame) => lineOf(frame).type)).toContain('program.stopped')
    // The window knows nothing of it while it is locked.
    await second.get('lock.now')
    await vi.waitFor(async () => expect((await second.get('app.state')).forwarding).toEqual([]))
  })

  it('that breaks off in the middle is offered the rest again, and is told of once when it lasts', async () => {
    const console = await open()
    await offer(console)
    await complete(console)
    collector.breakAfter(3)
    for (let index = 0; index < 40; index += 1) await console.get('app.copy', { text: `Copy ${index}` })
    await offer(console)
    const failed = await tried(console)
    expect(failed?.silentSince).toBeUndefined()
    expect(failed?.taken).toBeLessThan(failed?.last ?? 0)

    console.ahead = 3_600_000 * 2
    await offer(console)
    await vi.waitFor(
      async () => expect((await console.get('app.state')).forwarding[0]?.silentSince).toBeDefined(),
      20_000
    )
    await offer(console)
    await tried(console)

    collector.breakAfter(undefined)
    await offer(console)
    const last = await complete(console)
    expect(unique().length).toBeGreaterThanOrEqual(last)
    expect(unique()).toEqual(upTo(unique().length))
    expect(numbers().length).toBeGreaterThan(unique().length)
    // The same number is the same event.
    expect(
      new Set(collector.taken.map((frame) => `${lineOf(frame).source} ${lineOf(frame).number} ${lineOf(frame).hash}`))
        .size
    ).toBe(unique().length)
    const { events } = await console.get('audit.page', { limit: 200, kinds: ['forwarding.changed'] })
    expect(events.map(({ words }) => words.replace(/\d+ events? waits?/, 'N wait'))).toEqual([
      'Log forwarding: the collector takes events again.',
      'Log forwarding: the collector takes nothing, N wait.'
    ])
  })

  it('that is not trusted gets nothing', async () => {
    const console = await open()
    await console.get('settings.change', { extraCaFile: '' })
    await offer(console)
    expect((await tried(console))?.failure?.cause).toMatchObject({ code: 'tls-failed' })
    expect(collector.taken).toEqual([])
  })

  it('that does not end a connection has confirmed nothing', async () => {
    const settings = () => ({ ...defaultSettings, extraCaFile: join(folder, 'ca.pem') })
    const network = createNetwork({ clock: systemClock, resolveSystemProxy: async () => 'DIRECT' }, settings)
    const order = {
      collector: collector.place,
      network,
      frames: [Buffer.from('5 hello')],
      seconds: 1,
      stop: new AbortController().signal
    }
    expect(await handOver(order)).toEqual({ ok: true, value: null })
    collector.neverEnd()
    expect(await handOver(order)).toMatchObject({
      failure: { code: 'forwarding-not-taken', details: { reason: 'silence' } }
    })
    expect(collector.taken).toEqual(['hello', 'hello'])
  })
})

describe('a file', () => {
  it('has a line for each event, whole also after a line that was cut off, and is rotated', async () => {
    const path = join(folder, 'logs', 'audit.jsonl')
    const limits = { kept: 2, bytes: 30 }
    for (const line of ['first-first', 'second-second', 'third-third-third', 'fourth-fourth-fourth'])
      expect(await appendLines(path, [line], limits)).toEqual({ ok: true, value: null })
    const read = (name: string): string => readFileSync(join(folder, 'logs', name), 'utf8')
    expect(readdirSync(join(folder, 'logs')).sort()).toEqual(['audit.jsonl', 'audit.jsonl.1', 'audit.jsonl.2'])
    expect([read('audit.jsonl.2'), read('audit.jsonl.1'), read('audit.jsonl')]).toEqual([
      'first-first\nsecond-second\n',
      'third-third-third\n',
      'fourth-fourth-fourth\n'
    ])
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600)
    writeFileSync(path, '{"cut')
    await appendLines(path, ['{}'])
    expect(read('audit.jsonl')).toBe('{"cut\n{}\n')
    expect(await appendLines(folder, ['{}'])).toMatchObject({ failure: { code: 'forwarding-file' } })
  })

  it('has nothing personal of the sample data', async () => {
    const console = await open()
    const enough = new AbortController()
    await fillWithExamples({
      handle: console.veridesk.handle,
      hand: createSampleHand(systemClock),
      // It ends before what needs one.
      store: () => Promise.reject(new Error('not asked for')),
      batchEnded: (id) =>
        vi.waitFor(async () => expect((await console.get('batches.show', { id })).state).toBe('finished'), 60_000),
      signal: enough.signal,
      // The others are of the same kinds.
      progress: ({ done, failure }) => {
        expect(failure).toBeUndefined()
        if (done > 150) enough.abort()
      }
    })
    const [some] = (await console.get('applicants.list', { limit: 1 })).applicants
    const applicantId = some?.id ?? ''
    await console.get('applicants.note', { applicantId, text: 'Dunja was called about the address.' })
    await console.get('applicants.tag', { applicantId, tags: ['Dunja'] })
    await console.get('queue.assign', { applicantId, assignee: 'Dunja Weiss' })
    await console.get('holds.place', { applicantId, reason: 'Dunja asked for it.' })
    await console.get('applicants.list', { limit: 1, search: 'Dunja' })
    const path = join(folder, 'events.jsonl')
    await console.get('settings.change', {
      displayName: 'Dunja Weiss',
      logForwarding: { file: path, message: 'json', silentMinutes: 15 }
    })
    const last = await complete(console)
    const text = readFileSync(path, 'utf8')
    expect(text.trim().split('\n').length).toBeGreaterThanOrEqual(last)

    const personal = new Set<string>(['Dunja', 'Weiss'])
    const add = (value: unknown): void => {
      if (typeof value === 'string' && value.length > 5) personal.add(value)
      else if (typeof value === 'object' && value !== null) Object.values(value).forEach(add)
    }
    const { applicants } = await console.get('applicants.list', { limit: 200 })
    applicants.forEach(({ id }) => personal.add(id))
    for (const { id } of applicants.slice(0, 30)) {
      const { entries } = await console.get('applicants.timeline', { applicantId: id, limit: 50 })
      for (const entry of entries) {
        if (entry.kind === 'note') personal.add(entry.text)
        if (entry.kind === 'decision') personal.add(entry.decision.note)
      }
    }
    const { records } = await console.get('history.page', { filter: {}, limit: 100 })
    for (const { id } of records) {
      const { input, reply } = await console.get('history.record', { id })
      add(input)
      if (reply) personal.add(reply.body)
    }
    const kinds = new Set(
      text
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as Line).type)
    )
    for (const kind of [
      'record.ended',
      'decision.made',
      'note.made',
      'tags.changed',
      'assignee.changed',
      'view.opened'
    ])
      expect(kinds, kind).toContain(kind)
    expect(personal.size).toBeGreaterThan(100)
    expect([...personal].filter((value) => value !== '' && text.includes(JSON.stringify(value).slice(1, -1)))).toEqual(
      []
    )
    expect(text).not.toMatch(/SAMPLE-\d/)
  }, 120_000)
})
