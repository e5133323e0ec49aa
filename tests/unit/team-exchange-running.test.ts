/** The exchange for as long as it is open: lines that are lost, pauses, hints, and its end. */
import { describe, expect, it } from 'vitest'
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import { ok } from '#contract/failures/result.ts'
import { startExchange, type ExchangeState } from '#exchange/log/exchange.ts'
import type { TeamLine } from '#team/transport/line.ts'
import { at, Database, exchanging, installed, membersOf } from './support/team-log.ts'

/** On a computer that is busy, too. */
const eventually = <T>(given: () => T) => expect.poll(given, { timeout: 8000, interval: 5 })

describe('the exchange', () => {
  /** A line whose end the test decides. */
  function lineOf(query: TeamLine['query']) {
    let lose: (why: Failure) => void = () => undefined
    let hint: () => void = () => undefined
    const lost = new Promise<Failure>((resolve) => (lose = resolve))
    const line: TeamLine = {
      facts: { signIn: '', serverVersion: '' },
      query,
      onHint: (look) => (hint = look),
      lost,
      close: async () => undefined
    }
    return { line, lose, hint: () => hint() }
  }
  const parts = () => {
    const { parts: each } = exchanging(new Database(), membersOf(), installed())
    const waiting: (() => void)[] = []
    const states: ExchangeState[] = []
    let time = 0
    const timers = {
      host: 'db',
      random: () => 0.5,
      clock: { now: () => at, monotonic: () => (time += 1) },
      onChange: (state: ExchangeState) => void states.push(state),
      after: (_milliseconds: number, run: () => void) => {
        waiting.push(run)
        return () => undefined
      }
    }
    return { ...each, ...timers, waiting, states }
  }

  it('says at once that a line is lost, and why', async () => {
    const { waiting, states, ...rest } = parts()
    const { line, lose } = lineOf(async () => ok([]))
    let opened = 0
    const exchange = startExchange({
      ...rest,
      open: () => (opened++ === 0 ? Promise.resolve(ok(line)) : new Promise(() => undefined))
    })
    await eventually(() => exchange.state().connected).toBe(true)
    const why = failure('team-database-lost', { host: 'db' })
    lose(why)
    // A new one is being opened meanwhile.
    await eventually(() => opened).toBe(2)
    expect(exchange.state()).toMatchObject({ connected: false, failure: why })
    expect(states.at(-1)).toEqual(exchange.state())
    expect(waiting.length).toBeGreaterThan(0)
  })

  it('says so, too, if the line is lost within a round', async () => {
    const { waiting, states, ...rest } = parts()
    const why = failure('team-database-lost', { host: 'db' })
    const { line, lose } = lineOf(async (text) => {
      if (text.startsWith('LISTEN')) return ok([])
      lose(why)
      return { ok: false, failure: why }
    })
    const exchange = startExchange({ ...rest, open: async () => ok(line) })
    await eventually(() => states.length).toBeGreaterThan(0)
    await eventually(() => waiting.length).toBeGreaterThan(0)
    expect(exchange.state()).toMatchObject({ connected: false, failure: why })
  })

  it('ends although the database never answers', async () => {
    const { waiting, ...rest } = parts()
    const { line } = lineOf(() => new Promise(() => undefined))
    const exchange = startExchange({ ...rest, open: async () => ok(line) })
    // The line stands, and the first question waits for its answer.
    await new Promise(setImmediate)
    let isClosed = false
    const closed = exchange.close().then(() => (isClosed = true))
    await eventually(() => waiting.length).toBe(1)
    expect(isClosed).toBe(false)
    waiting[0]?.()
    await closed
    expect(isClosed).toBe(true)
  })

  it('ends at once while no line stands: opening one may take long, and nothing is lost with it', async () => {
    const { waiting, states: _states, ...rest } = parts()
    const exchange = startExchange({ ...rest, open: () => new Promise(() => undefined) })
    await new Promise(setImmediate)
    await exchange.close()
    expect(waiting).toEqual([])
  })

  it('keeps its pause after a failure whatever is recorded meanwhile, unless somebody asks it to try again', async () => {
    const { waiting, states, ...rest } = parts()
    const exchange = startExchange({ ...rest, open: async () => failed('team-keys-lost') })
    await eventually(() => waiting.length).toBe(1)
    for (let n = 0; n < 20; n += 1) exchange.look()
    for (let n = 0; n < 20; n += 1) await new Promise(setImmediate)
    expect([states.length, waiting.length]).toEqual([1, 1])
    exchange.retry()
    await eventually(() => states.length).toBe(2)
    await exchange.close()
  })

  it('keeps its pause whatever hints the database sends: any role can send them', async () => {
    const { waiting, states, ...rest } = parts()
    const { line, hint } = lineOf(() => Promise.resolve(ok([])))
    let prepared = 0
    const exchange = startExchange({
      ...rest,
      open: async () => ok(line),
      prepare: async () => ((prepared += 1), failed('team-keys-lost'))
    })
    await eventually(() => waiting.length).toBe(1)
    for (let n = 0; n < 20; n += 1) {
      for (let count = 0; count < 1000; count += 1) hint()
      await new Promise(setImmediate)
    }
    expect([prepared, states.length]).toEqual([1, 1])
    await exchange.close()
  })

  it('looks when it is asked to, also during a round, and at hints not more often than it likes', async () => {
    const { waiting, states, ...rest } = parts()
    let answer: (() => void) | undefined
    const { line, hint } = lineOf((text) =>
      text.includes('veridesk.head')
        ? new Promise((resolve) => (answer = () => resolve(ok([]))))
        : Promise.resolve(ok([]))
    )
    const exchange = startExchange({ ...rest, open: async () => ok(line) })
    const rounds = async (count: number): Promise<void> => {
      await eventually(() => answer !== undefined).toBe(true)
      answer?.()
      answer = undefined
      await eventually(() => states.length).toBe(count)
    }
    const isAsking = async (): Promise<boolean> => {
      for (let n = 0; n < 20; n += 1) await new Promise(setImmediate)
      return answer !== undefined
    }
    await rounds(1)
    expect([await isAsking(), waiting.length, exchange.state().connected]).toEqual([false, 1, true])
    for (let n = 0; n < 50; n += 1) hint()
    // The others are one look, when the rest after the first one is over.
    const later = waiting[1]
    await rounds(2)
    expect(await isAsking()).toBe(false)
    hint()
    expect(await isAsking()).toBe(false)
    later?.()
    await rounds(3)
    expect(await isAsking()).toBe(false)
    exchange.look()
    expect(await isAsking()).toBe(true)
    exchange.look()
    await rounds(4)
    expect(await isAsking()).toBe(true)
    const closed = exchange.close()
    answer?.()
    await closed
  })

  it('goes on after a bug, and says so', async () => {
    const { waiting, states, ...rest } = parts()
    const exchange = startExchange({ ...rest, open: () => Promise.reject(new TypeError('x')) })
    await eventually(() => waiting.length).toBe(1)
    expect(exchange.state()).toMatchObject({
      connected: false,
      failure: { code: 'internal', details: { error: 'TypeError' } }
    })
    waiting[0]?.()
    await eventually(() => states.length).toBe(2)
  })
})
