/** What a record contains, what can be done with it, and its events in the chain. */
import { describe, expect, it } from 'vitest'
import { uuid7, uuidBytes, uuidText } from '#kit/bytes.ts'
import { assertKey } from '#wire/sqlite/files.ts'
import { partDigest } from '#kit/hashing/values.ts'
import { seal, unseal, newKey } from '#kit/sealing/seal.ts'
import { add, answer, connectionNamed, intentOf, lost, opened } from '../service/history-fixtures.ts'

const check = {
  operation: 'validate-applicant-id-document',
  connectionId: connectionNamed('x').id,
  input: intentOf().input
} as const

describe('a record', () => {
  it('returns request and answer exactly', () => {
    const engine = opened()
    const message = `${'long '.repeat(100)}‮\u0000 end`
    const ending = answer(message, 418, `{"message":${JSON.stringify(message)},"more":[1]}`)
    const id = add(engine, { applicant: '007', batchId: 'b1' }, ending)
    const result = engine.queries.record(id)
    expect(result).toMatchObject({
      ok: true,
      value: {
        id,
        seq: 1,
        status: 418,
        state: 'answered',
        batchId: 'b1',
        fullMessage: message,
        message: message.slice(0, 300),
        reply: ending.reply,
        took: 100
      }
    })
    expect(result.ok && result.value.input.applicant_id).toBe('007')
    expect(engine.queries.record('0190a000-0000-7000-8000-000000000000')).toMatchObject({
      ok: false,
      failure: { code: 'record-missing' }
    })
  })

  it('shows the previous answer', () => {
    const engine = opened()
    const first = add(engine, { startedAt: 1000 }, answer('old'))
    add(engine, { startedAt: 1500, applicant: 'another' }, answer('not this'))
    const second = add(engine, { startedAt: 2000 }, answer('new'))
    expect(engine.queries.record(second)).toMatchObject({
      value: { previous: { id: first, startedAt: 1000, status: 200, body: '{"message":"old"}' } }
    })
    engine.indexer.drain()
    expect(engine.queries.record(second)).toMatchObject({ value: { previous: { id: first } } })
    expect(engine.queries.record(first)).not.toHaveProperty('value.previous')
  })

  it('is found as recently answered, before and after it is indexed', () => {
    const engine = opened()
    const id = add(engine, { startedAt: 5000 })
    for (const step of ['fresh', 'indexed']) {
      expect(engine.queries.earlier(check, 5000), step).toMatchObject({ kind: 'answered', record: { id } })
      expect(engine.queries.earlier(check, 5001), step).toBeUndefined()
      expect(engine.queries.earlier({ ...check, connectionId: 'other' }, 0), step).toBeUndefined()
      engine.indexer.drain()
    }
  })

  it('is found before any answer while its outcome is unknown and not resolved, however old it is', () => {
    const engine = opened()
    const id = add(engine, { startedAt: 1000 }, lost)
    add(engine, { startedAt: 5000 })
    for (const step of ['fresh', 'indexed']) {
      expect(engine.queries.earlier(check, 5000), step).toMatchObject({ kind: 'unresolved', record: { id } })
      expect(engine.queries.earlier(check, Infinity), step).toMatchObject({ kind: 'unresolved' })
      expect(engine.queries.earlier({ ...check, connectionId: 'other' }, 0), step).toBeUndefined()
      engine.indexer.drain()
    }
    engine.commit([(writer) => writer.resolve(id, 'processed', '', { at: 9, operator: 'tester' })])
    expect(engine.queries.earlier(check, 5000)).toMatchObject({ kind: 'answered' })
  })

  it('ends once, and is resolved once and only if it is unknown', () => {
    const engine = opened()
    const answered = add(engine)
    const unknown = add(engine, {}, lost)
    const [twice, wrong, right, again, missing] = engine.commit<unknown>([
      (writer) => writer.finish(answered, lost),
      (writer) => writer.resolve(answered, 'processed', '', { at: 1, operator: 'tester' }),
      (writer) => writer.resolve(unknown, 'not-processed', 'Called Ama at the provider', { at: 9, operator: 'tester' }),
      (writer) => writer.resolve(unknown, 'processed', '', { at: 10, operator: 'tester' }),
      (writer) => writer.finish('nonsense', lost)
    ])
    expect([twice, wrong, again, missing].map((result) => !result?.ok && result?.failure.code)).toEqual([
      'internal',
      'record-not-resolvable',
      'record-not-resolvable',
      'record-missing'
    ])
    expect(right).toEqual({ ok: true, value: null })
    expect(engine.queries.record(unknown)).toMatchObject({
      value: { state: 'unknown', resolved: { as: 'not-processed', note: 'Called Ama at the provider', at: 9 } }
    })
    expect(engine.verify()).toMatchObject({ intact: true })
  })

  it('keeps the connection as it was, and counts it under its latest name', () => {
    const engine = opened()
    const early = add(engine, { connection: connectionNamed('Old name') })
    add(engine, { connection: connectionNamed('New name') })
    expect(engine.queries.record(early)).toMatchObject({ value: { connection: { name: 'Old name' } } })
    expect(engine.queries.counts({}).connections).toMatchObject([{ name: 'New name', count: 2 }])
  })

  it('of a group that cannot be written leaves nothing behind', () => {
    const engine = opened()
    add(engine)
    const bug = (): never => {
      throw new RangeError('a bug')
    }
    expect(() =>
      engine.commit([(writer) => writer.begin(intentOf({ connection: connectionNamed('Third') })), bug])
    ).toThrow('a bug')
    expect(engine.queries.counts({}).total).toBe(1)
    add(engine, { connection: connectionNamed('Third') })
    expect(engine.queries.page({ filter: {}, limit: 5 }).records.map(({ seq }) => seq)).toEqual([2, 1])
    expect(engine.verify()).toMatchObject({ intact: true })
  })
})

describe('sealing', () => {
  it('opens under its own key and purpose only', () => {
    const key = newKey()
    const { sealed, salt } = seal(key, 'record.begun', 'secret')
    expect(unseal(key, 'record.begun', sealed)).toEqual({ payload: 'secret', salt })
    expect(unseal(key, 'record.ended', sealed)).toBeUndefined()
    expect(unseal(newKey(), 'record.begun', sealed)).toBeUndefined()
    for (let at = 0; at < sealed.length; at += 1) {
      const bent = Buffer.from(sealed)
      bent[at]! ^= 1
      expect(unseal(key, 'record.begun', bent)).toBeUndefined()
    }
  })

  it('gives equal payloads another salt each, so that the digest of their values cannot be guessed', () => {
    const [one, other] = [seal(newKey(), 'x', '{"id":"APP-1"}'), seal(newKey(), 'x', '{"id":"APP-1"}')]
    expect(one.salt).toMatch(/^[0-9a-f]{32}$/)
    expect(partDigest(one.salt, { id: 'APP-1' })).not.toBe(partDigest(other.salt, { id: 'APP-1' }))
  })

  it('takes no key that SQLite would read as “no encryption”', () => {
    for (const key of ['', 'ab', 'z'.repeat(64), 'a'.repeat(63), 'a'.repeat(65), `${'a'.repeat(64)}\n`])
      expect(() => assertKey(key)).toThrow()
    expect(() => assertKey('a'.repeat(64))).not.toThrow()
  })
})

describe('a record’s id', () => {
  it('is a UUID of version 7 that sorts by time', () => {
    const early = uuidText(uuid7(1_700_000_000_000))
    const late = uuidText(uuid7(1_700_000_000_001))
    expect(early < late).toBe(true)
    expect(early).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(uuidText(uuidBytes(early)!)).toBe(early)
  })
})
