/** Copies that are recorded after their record: in the history’s thread, without the files. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LaterCopy } from '#wire/history/copies.ts'
import type { Engine } from '#store/engine/engine.ts'
import { seenWith } from '#store/records/document-copies.ts'
import { add, opened } from '../service/history-fixtures.ts'

let engine: Engine
beforeEach(() => void (engine = opened()))
afterEach(() => engine.close())

const field = 'document_url'
const by = { at: 2_000_000_000_000, operator: 'tester' }
const digest = (of: string): string => of.repeat(64)
function copy(recordId: string, more: Partial<LaterCopy> = {}): LaterCopy {
  const keys = engine.copies.keysOf({ recordId, field, when: 'file' })
  const under = keys.ok ? keys.value.under : ''
  const sha256 = more.sha256 ?? digest('a')
  return { recordId, field, when: 'later', under, type: 'jpeg', bytes: 9, sha256, name: sha256, ...more }
}
/** Runs a write in a transaction of its own. */
function keep(of: LaterCopy) {
  let done
  engine.commit([(writer) => (done = engine.copies.keep(writer, of, by))])
  return done
}

describe('a later copy', () => {
  it('is refused under a key that an erasure has destroyed, and leaves no event', () => {
    const id = add(engine, { applicant: 'APP-1' })
    const taken = copy(id)
    const scope = engine.erasure.scope('APP-1')
    if (!scope.ok) throw new Error(scope.failure.code)
    engine.erasure.erase({
      cause: 'request',
      reason: 'asked',
      operator: 'tester',
      at: by.at,
      subjects: scope.value.people
    })
    const { seq } = engine.last
    expect(keep(taken)).toMatchObject({ failure: { code: 'document-copy-failed', details: { reason: 'erased' } } })
    expect(engine.last.seq).toBe(seq)
    expect(engine.copies.keysOf(taken)).toMatchObject({ failure: { code: 'record-missing' } })
    expect(engine.copies.named([taken.name])).toEqual([])
  })

  it('is one for a link, beside files, each of them once and the first one first', () => {
    const id = add(engine, { applicant: 'APP-1' })
    expect(keep(copy(id, { when: 'file', sha256: digest('b') }))).toMatchObject({ ok: true })
    expect(keep(copy(id))).toMatchObject({ ok: true })
    expect(keep(copy(id, { sha256: digest('c') }))).toMatchObject({ failure: { code: 'document-copied' } })
    expect(keep(copy(id, { when: 'file' }))).toMatchObject({ ok: true })
    expect(engine.copies.kept(id)[field]?.map(({ when, sha256 }) => `${when} ${sha256.slice(0, 1)}`)).toEqual([
      'file b',
      'later a',
      'file a'
    ])
    expect(engine.copies.file(id, field)).toMatchObject({ when: 'file', at: by.at })
    expect(engine.copies.file(id, field, digest('a'))).toMatchObject({ when: 'later' })
    expect(engine.copies.file(id, field, digest('d'))).toBeUndefined()
  })
})

it('what is behind a link is compared with what was there before the request, and never with a file', () => {
  const seen = { type: 'jpeg', bytes: 1, sha256: digest('a'), at: 1 } as const
  const later = { ...seen, sha256: digest('b') }
  expect(seenWith({ [field]: [{ ...later, when: 'later' }] })).toEqual({ [field]: { ...later, noted: true } })
  expect(seenWith({ [field]: [{ ...later, when: 'later' }] }, { [field]: seen })).toEqual({ [field]: seen })
  expect(seenWith({ [field]: [{ ...seen, when: 'before' }] }, { [field]: later })).toEqual({ [field]: seen })
  expect(seenWith({ [field]: [{ ...later, when: 'file' }] })).toEqual({})
})
