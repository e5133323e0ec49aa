/** The series of events: their links, and packs that contain them completely. */
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { EventLinks } from '#kit/hashing/values.ts'
import { verifyConsistency, verifyInclusion } from '#kit/hashing/merkle.ts'
import { hashOfEvent, partDigest, valueDigest, valuesDigest } from '#kit/hashing/values.ts'
import { eventHash } from '#wire/history/chain.ts'
import type { Evidence, PackPlain, ProvenEvent } from '#wire/history/evidence.ts'
import type { ChainedEvent } from '#wire/history/events.ts'
import type { Engine, Write } from '#store/engine/engine.ts'
import { Walk } from '#store/audit/walk.ts'
import { unseal } from '#kit/sealing/seal.ts'
import { Subjects } from '#store/storage/subjects.ts'
import { DamageError } from '#wire/sqlite/files.ts'
import { Packs } from '#store/evidence/packs.ts'
import { holdRestored } from '#store/copies/restore-hold.ts'
import { add, answer, inFolder, intentOf, lost, opened, packOf, testKey } from './history-fixtures.ts'

const by = { at: 1_760_000_100_000, operator: 'tester' }
const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex')

const isProven = (event: Evidence['events'][number]): event is ProvenEvent => 'version' in event
/** All events of version 1. */
const all = ({ events }: Evidence): readonly ProvenEvent[] => {
  expect(events.every(isProven)).toBe(true)
  return events.filter(isProven)
}
const plainOf = (event: ProvenEvent | undefined): Readonly<Record<string, unknown>> =>
  Object.fromEntries((event?.plain.entries ?? []).map(([, name, value]) => [name, value]))

function wrote<T>(engine: Engine, write: Write<T>): T {
  const [done] = engine.commit([write])
  if (!done?.ok) throw new Error(done?.failure.code)
  return done.value
}
const isWhole = (engine: Engine): boolean =>
  new Walk(engine.dbs, new Subjects(engine.dbs.subjects)).step({ until: engine.walk.size, known: [], slice: 1e9 })
    .kind === 'whole'

/** The links of one kind in a history, by event. */
function linksIn(engine: Engine, member: keyof EventLinks, where: string): [seq: number, n: number, before: number][] {
  const rows = engine.dbs.history.prepare(`SELECT seq, links FROM event WHERE ${where} ORDER BY seq`).all() as {
    seq: number
    links: string
  }[]
  return rows.flatMap(({ seq, links }) => {
    const link = (JSON.parse(links) as EventLinks)[member]
    return link ? [[seq, ...link] as [number, number, number]] : []
  })
}
/** Whether each event names its number and the one before it. */
function isUnbroken(links: readonly (readonly [number, number, number])[]): boolean {
  return (
    links.length > 0 &&
    links.every(([, n, before], index) => n === index + 1 && before === (links[index - 1]?.[0] ?? 0))
  )
}

/** A batch with as many rows as applicants; returns its ID. */
function batchOf(engine: Engine, applicants: readonly string[]): string {
  const { operation, connection } = intentOf()
  const draft = {
    name: 'Batch',
    fileName: 'rows.csv',
    sha256: '0'.repeat(64),
    operations: [operation],
    connection,
    columns: [],
    headings: [],
    atOnce: 2,
    pace: 10,
    createdAt: by.at,
    operator: 'tester'
  }
  const { id } = wrote(engine, (writer) =>
    engine.batches.create(writer, draft as unknown as Parameters<Engine['batches']['create']>[1])
  )
  wrote(engine, (writer) =>
    engine.batches.add(
      writer,
      id,
      applicants.map(
        (applicantId, row) => ({ row: row + 1, state: 'waiting', cells: [applicantId], applicantId }) as const
      )
    )
  )
  wrote(engine, (writer) => engine.batches.seal(writer, id))
  wrote(engine, (writer) => engine.batches.setState(writer, id, 'running', by))
  return id
}

describe('links', () => {
  test('name the place of each event of a person, a record and a batch', () => {
    const engine = opened()
    const first = add(engine, { applicant: 'APP-1' }, lost)
    add(engine, { applicant: 'APP-2' })
    const passport = add(engine, { operation: 'validate-passport' })
    wrote(engine, (writer) => writer.resolve(first, 'processed', 'It arrived.', by))
    wrote(engine, (writer) => engine.applicants.note(writer, 'APP-1', 'a note', by))
    wrote(engine, (writer) => engine.applicants.link(writer, passport, 'APP-1', by))
    wrote(engine, (writer) => engine.applicants.due(writer, { recordId: first, due: by.at }, by))
    wrote(engine, (writer) => engine.applicants.unlink(writer, passport, by))
    wrote(engine, (writer) =>
      engine.audit.note(writer, {
        ...by,
        kind: 'view.opened',
        plain: { what: 'applicant' },
        about: { applicantId: 'APP-1' }
      })
    )
    const subject = engine.subjectOf('APP-1') ?? 0
    const own = linksIn(engine, 'subject', `subject = ${subject}`)
    expect(own).toHaveLength(7)
    expect(isUnbroken(own)).toBe(true)
    expect(isUnbroken(linksIn(engine, 'record', `record = 1 AND kind LIKE 'record.%'`))).toBe(true)
    expect(isUnbroken(linksIn(engine, 'all', `kind = 'record.begun'`))).toBe(true)
    const others = `kind NOT LIKE 'record.%' AND kind NOT IN ('note.made', 'link.made', 'link.removed', 'due.changed')`
    expect(engine.dbs.history.prepare(`SELECT DISTINCT links FROM event WHERE ${others}`).pluck().all()).toEqual(['{}'])
    expect(isWhole(engine)).toBe(true)
    engine.close()
  })

  test('of two batches that run at once are separate', () => {
    const engine = opened()
    const ids = [batchOf(engine, ['APP-1', 'APP-2', 'APP-3']), batchOf(engine, ['APP-2', 'APP-4', 'APP-1'])]
    // Each row asks for somebody else: the spend guard leaves out what another batch has sent.
    const begin = (id: string, row: number) => ({ begin: { row, intent: intentOf({ applicant: `${id} ${row}` }) } })
    let open: { id: string; recordId: string; row: number }[] = []
    for (let row = 1; row <= 3; row += 1) {
      const steps = ids.map((id) => (writer: Parameters<Write<unknown>>[0]) => {
        const before = open.find((each) => each.id === id)
        return engine.batches.step(writer, id, {
          ...(before && { finish: { row: before.row, recordId: before.recordId, ending: answer(), again: false } }),
          ...begin(id, row)
        })
      })
      const done = engine.commit(steps)
      open = done.map((one, n) => ({ id: ids[n] ?? '', recordId: one.ok ? (one.value.begun?.id ?? '') : '', row }))
    }
    for (const id of ids) {
      wrote(engine, (writer) => engine.batches.setState(writer, id, 'paused', by))
      const links = linksIn(
        engine,
        'batch',
        `json_extract(plain, '$.id') = '${id}' OR record IN (SELECT seq FROM record WHERE batch = '${id}')`
      )
      expect(links).toHaveLength(3 + 6)
      expect(isUnbroken(links)).toBe(true)
      const pack = packOf(engine, { kind: 'batch', id })
      expect(pack.records).toBe(3)
      expect(
        all(pack)
          .filter(({ links: { batch } }) => batch)
          .map(({ links: { batch } }) => batch?.[0])
      ).toEqual(links.map((_, n) => n + 1).concat(10))
    }
    expect(isWhole(engine)).toBe(true)
    engine.close()
  })

  test('continue after a group of writes that failed', () => {
    const engine = opened()
    add(engine, { applicant: 'APP-1' })
    engine.dbs.history.exec(
      `CREATE TEMP TRIGGER full BEFORE INSERT ON event WHEN new.kind = 'tags.changed' BEGIN SELECT RAISE(ABORT, 'full'); END`
    )
    expect(() =>
      engine.commit<unknown>([
        (writer) => engine.applicants.note(writer, 'APP-1', 'lost', by),
        (writer) => writer.begin(intentOf({ applicant: 'APP-1' })),
        (writer) => engine.applicants.tag(writer, 'APP-1', ['pep'], by)
      ])
    ).toThrow('full')
    wrote(engine, (writer) => engine.applicants.note(writer, 'APP-1', 'kept', by))
    const links = linksIn(engine, 'subject', `subject = ${engine.subjectOf('APP-1') ?? 0}`)
    expect(links).toHaveLength(3)
    expect(isUnbroken(links)).toBe(true)
    expect(packOf(engine, { kind: 'applicant', id: 'APP-1' }).records).toBe(1)
    engine.close()
  })
})

describe('a pack', () => {
  test('proves its events, its values, its place and the pack before it', () => {
    const engine = opened()
    const id = add(engine, { applicant: 'APP-1' })
    const first = packOf(engine, { kind: 'record', id })
    expect(first.earlier).toBeNull()
    add(engine, { applicant: 'APP-1' }, lost)
    const { events, bodies, head, origin, earlier } = packOf(engine, { kind: 'applicant', id: 'APP-1' })
    expect(events.at(-1)).toMatchObject({ kind: 'pack.made', seq: head.seq, hash: head.hash })
    expect(origin.leaf).toBe(
      engine.dbs.history.prepare('SELECT lower(hex(hash)) FROM event WHERE seq = 1').pluck().get()
    )
    expect(verifyInclusion(bytes(origin.leaf), 0, head.seq, origin.path.map(bytes), bytes(head.root))).toBe(true)
    for (const event of events.filter(isProven)) {
      const { seq, at, kind, subject, record, links, plain, sealed, previous, hash, path } = event
      expect(
        hashOfEvent({
          seq,
          at,
          kind,
          subject,
          record,
          links,
          previous,
          plain: plain.values,
          sealed: sealed && sealed.values
        })
      ).toBe(hash)
      for (const part of [plain, ...(sealed ? [sealed] : [])])
        expect(valuesDigest((part.entries ?? []).map(valueDigest))).toBe(part.values)
      expect(verifyInclusion(bytes(hash), seq - 1, head.seq, path.map(bytes), bytes(head.root))).toBe(true)
    }
    expect(earlier).toMatchObject({ size: first.head.seq, root: first.head.root })
    expect(
      verifyConsistency(
        first.head.seq,
        head.seq,
        (earlier?.path ?? []).map(bytes),
        bytes(first.head.root),
        bytes(head.root)
      )
    ).toBe(true)
    const ended = all({ events } as unknown as Evidence)
      .filter(({ kind }) => kind === 'record.ended')
      .map(plainOf)
    expect(ended.map(({ reply }) => reply)).toEqual([expect.objectContaining({ status: 200 }), null])
    const { values } = ended[0]?.['reply'] as { values: string }
    expect(bodies).toMatchObject([{ version: 1, record: 1, part: { values } }])
    expect(valuesDigest((bodies[0]?.part.entries ?? []).map(valueDigest))).toBe(values)
    engine.close()
  })

  test('about an applicant has all of the person’s series, and the records that are linked', () => {
    const engine = opened()
    const [stays, goes] = ['a', 'b'].map(() => add(engine, { operation: 'validate-passport' }))
    const own = add(engine, { applicant: 'APP-1' }, lost)
    for (const id of [stays, goes]) wrote(engine, (writer) => engine.applicants.link(writer, id ?? '', 'APP-1', by))
    wrote(engine, (writer) => engine.applicants.unlink(writer, goes ?? '', by))
    packOf(engine, { kind: 'record', id: own })
    add(engine, { applicant: 'APP-2' })
    const pack = packOf(engine, { kind: 'applicant', id: 'APP-1' })
    const made = plainOf(all(pack).at(-1)) as unknown as PackPlain
    expect(made).toMatchObject({ operator: 'tester', about: 'applicant', profile: 'full' })
    expect(made.id).toBeUndefined()
    const subject = engine.subjectOf('APP-1') ?? 0
    const linked = linksIn(engine, 'record', 'record = 1')
    expect(made.series).toEqual([
      ['subject', subject, 7, pack.head.seq],
      ['record', 1, 2, linked.at(-1)?.[0]]
    ])
    expect(
      all(pack)
        .filter((event) => event.subject === subject)
        .map(({ kind, links }) => [kind, links.subject?.[0]])
    ).toEqual([
      ['record.begun', 1],
      ['record.ended', 2],
      ['link.made', 3],
      ['link.made', 4],
      ['link.removed', 5],
      ['pack.made', 6],
      ['pack.made', 7]
    ])
    expect(
      all(pack)
        .filter((event) => event.subject !== subject)
        .map(({ kind, record }) => [kind, record])
    ).toEqual([
      ['connection.noted', null],
      ['record.begun', 1],
      ['record.ended', 1]
    ])
    expect(
      all(pack)
        .at(-1)
        ?.sealed?.entries?.map(([, name, value]) => [name, value])
    ).toEqual([['applicantId', 'APP-1']])
    engine.close()
  })

  test('shows what an erasure left: events without content, also of a linked record', () => {
    const engine = opened()
    const passport = add(engine, { operation: 'validate-passport' })
    const own = add(engine, { applicant: 'APP-1' })
    wrote(engine, (writer) => engine.applicants.link(writer, passport, 'APP-2', by))
    const erase = (subjects: number[]): void => {
      const erased = engine.erasure.erase({
        at: by.at,
        operator: 'tester',
        reason: 'asked',
        cause: 'request',
        subjects
      })
      expect(erased.ok).toBe(true)
    }
    erase([engine.subjectOf('APP-1') ?? 0])
    const gone = packOf(engine, { kind: 'record', id: own })
    expect(
      all(gone)
        .filter(({ sealed }) => sealed)
        .map(({ kind, sealed }) => [kind, sealed?.entries])
    ).toEqual([
      ['record.begun', null],
      ['record.ended', null],
      ['subject.erased', [[expect.any(String), 'reason', 'asked']]]
    ])
    expect(gone.bodies).toMatchObject([{ version: 1, record: 2, part: { entries: null } }])
    expect(() => packOf(engine, { kind: 'applicant', id: 'APP-1' })).toThrow('evidence-nothing')

    erase([1])
    const left = packOf(engine, { kind: 'applicant', id: 'APP-2' })
    expect(all(left).map(({ kind, record }) => [kind, record])).toEqual([
      ['connection.noted', null],
      ['record.begun', 1],
      ['record.ended', 1],
      ['link.made', 1],
      ['subject.erased', null],
      ['pack.made', null]
    ])
    expect(isWhole(engine)).toBe(true)
    engine.close()
  })

  test('of an erased person confirms no guess of its values', () => {
    const engine = opened()
    add(engine, { applicant: 'APP-1' })
    const row = engine.dbs.history
      .prepare(`SELECT subject, sealed, digests FROM event WHERE kind = 'record.begun'`)
      .get() as { subject: number; sealed: Buffer; digests: Buffer }
    const key = new Subjects(engine.dbs.subjects).key(row.subject)
    const known = key && unseal(key, 'record.begun', row.sealed)
    const guess = JSON.parse(known?.payload ?? '') as Readonly<Record<string, unknown>>
    const recorded = row.digests.toString('hex', 48)
    // With the salt, which is sealed with them, the values would be confirmed.
    expect(partDigest(known?.salt ?? '', guess)).toBe(recorded)
    expect(
      engine.erasure.erase({
        at: by.at,
        operator: 'tester',
        reason: 'asked',
        cause: 'request',
        subjects: [row.subject]
      }).ok
    ).toBe(true)
    const left = JSON.stringify([
      ...engine.dbs.history
        .prepare('SELECT hex(plain), hex(sealed), hex(hash), links, hex(digests) FROM event')
        .raw()
        .iterate(),
      ...engine.dbs.subjects.prepare('SELECT hex(key), applicant FROM subject').raw().iterate()
    ])
    expect(left).toContain(recorded.toUpperCase())
    expect(left).not.toContain(known?.salt.toUpperCase())
    for (const digests of engine.dbs.history
      .prepare('SELECT digests FROM event')
      .pluck()
      .iterate() as IterableIterator<Buffer>)
      expect(partDigest(digests.toString('hex', 0, 16), guess)).not.toBe(recorded)
    engine.close()
  })

  test('has nothing that was recorded after it', () => {
    const engine = opened()
    add(engine, { applicant: 'APP-1' }, null)
    const request = {
      about: { kind: 'applicant', id: 'APP-1' },
      profile: 'full',
      operator: 'tester',
      at: by.at
    } as const
    const seq = wrote(engine, (writer) => engine.packs.begin(request, writer))
    const id = engine.dbs.history.prepare('SELECT lower(hex(id)) FROM record').pluck().get() as string
    wrote(engine, (writer) =>
      writer.finish(id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'), answer())
    )
    add(engine, { applicant: 'APP-1' })
    expect(engine.packs.collect(seq)).toMatchObject({ ok: true, value: { head: { seq }, records: 1, bodies: [] } })
    engine.close()
  })

  test.each([
    ['a link', `links = '{"record":[1,0],"subject":[2,0]}'`, 'event-changed'],
    ['the digest of the values', 'digests = zeroblob(80)', 'event-changed'],
    ['no links', `links = '{}'`, 'series'],
    ['plain', `plain = replace(plain, 'tester', 'nobody')`, 'event-changed'],
    ['the salt of plain', 'digests = CAST(zeroblob(16) || substr(digests, 17) AS BLOB)', 'event-changed'],
    ['plain, as text with the same values', `plain = plain || ' '`, 'event-changed'],
    ['plain, with a value said twice', `plain = replace(plain, '{"id"', '{"operator":"nobody","id"')`, 'event-changed'],
    ['plain, as no JSON', `plain = '{'`, 'event-changed'],
    ['no sealed part', 'sealed = NULL', 'event-sealed']
  ])('is refused if the history has been changed: %s', (_, change, reason) => {
    const engine = opened()
    const id = add(engine, { applicant: 'APP-1' })
    engine.dbs.history.exec(`DROP TRIGGER event_never_changes; UPDATE event SET ${change} WHERE kind = 'record.begun'`)
    expect(() => packOf(engine, { kind: 'record', id })).toThrow(
      expect.objectContaining({ damage: expect.objectContaining({ reason }) as unknown })
    )
    engine.close()
  })

  test('of somebody who is erased after it was recorded is refused: no event of it would say so', () => {
    const engine = opened()
    add(engine, { applicant: 'APP-1' })
    const about = { kind: 'applicant', id: 'APP-1' } as const
    const request = { about, profile: 'full', operator: 'tester', at: by.at } as const
    const seq = wrote(engine, (writer) => engine.packs.begin(request, writer))
    expect(
      engine.erasure.erase({ ...by, cause: 'request', reason: '', subjects: [engine.subjectOf('APP-1') ?? 0] })
    ).toMatchObject({ ok: true })
    expect(engine.packs.collect(seq)).toMatchObject({
      ok: false,
      failure: { code: 'evidence-nothing', details: { reason: 'erased' } }
    })
    engine.close()
  })

  test('is refused if a key is missing without an erasure', () => {
    const engine = opened()
    const id = add(engine, { applicant: 'APP-1' })
    engine.dbs.subjects.exec(`DELETE FROM subject WHERE applicant = 'APP-1'`)
    const { history, subjects } = engine.dbs
    const packs = new Packs({ history, subjects: new Subjects(subjects), proofs: engine.proofs })
    const request = { about: { kind: 'record', id }, profile: 'full', ...by } as const
    const seq = wrote(engine, (writer) => packs.begin(request, writer))
    expect(() => packs.collect(seq)).toThrow(DamageError)
    engine.close()
  })

  test('is refused if an event of a series is not found from its last one', () => {
    const engine = opened()
    add(engine, { applicant: 'APP-1' })
    engine.dbs.history.exec('UPDATE subject_series SET count = count + 1')
    expect(() => packOf(engine, { kind: 'applicant', id: 'APP-1' })).toThrow(
      expect.objectContaining({ damage: { reason: 'series', number: 5 } })
    )
    engine.close()
  })
})

test('the series of a restored backup continue from what it contains', () =>
  inFolder((folder) => {
    const [live, backup] = [join(folder, 'live'), join(folder, 'backup')]
    mkdirSync(live)
    const first = opened(live)
    add(first, { applicant: 'APP-1' })
    const id = batchOf(first, ['APP-1', 'APP-2'])
    const head = { ...first.last, records: first.records }
    first.close()
    cpSync(live, backup, { recursive: true })
    const later = opened(live)
    for (let n = 0; n < 3; n += 1) add(later, { applicant: 'APP-1' })
    packOf(later, { kind: 'applicant', id: 'APP-1' })
    later.close()

    expect(
      holdRestored({
        folder: backup,
        masterKey: testKey,
        backupAt: by.at,
        now: by.at + 1,
        head,
        candidates: [],
        erased: []
      })
    ).toMatchObject({ ok: true })
    const engine = opened(backup)
    expect(wrote(engine, (writer) => engine.batches.resolve(writer, id, undefined, 'sent', by))).toMatchObject({
      unresolved: 0
    })
    add(engine, { applicant: 'APP-1' })
    const pack = packOf(engine, { kind: 'applicant', id: 'APP-1' })
    expect(pack).toMatchObject({ records: 2, earlier: null })
    expect(isUnbroken(linksIn(engine, 'subject', `subject = ${engine.subjectOf('APP-1') ?? 0}`))).toBe(true)
    expect(all(packOf(engine, { kind: 'batch', id })).map(({ kind }) => kind)).toEqual([
      'batch.made',
      'batch.changed',
      'batch.changed',
      'batch.changed',
      'batch.resolved',
      'pack.made'
    ])
    expect(isWhole(engine)).toBe(true)
    engine.close()
  }))

describe('a verification of the audit trail', () => {
  test.each([
    ['too large a number', 'UPDATE subject_series SET count = count + 1 WHERE subject = 1'],
    ['an earlier event', 'UPDATE subject_series SET last = before, count = count - 1 WHERE subject = 1'],
    [
      'the event of another person',
      'UPDATE subject_series SET last = (SELECT max(last) FROM subject_series WHERE subject <> 1) WHERE subject = 1'
    ],
    [
      'a later event as well as a larger number',
      'UPDATE subject_series SET count = count + 1, last = (SELECT max(last) FROM subject_series) WHERE subject = 1'
    ],
    [
      'a person without events',
      'INSERT INTO subject_series SELECT 99, count, last, before FROM subject_series WHERE subject = 1'
    ],
    ['no person', 'DELETE FROM subject_series WHERE subject = 1'],
    ['another batch', `UPDATE batch_series SET batch = 'another'`],
    ['too small a number for a batch', 'UPDATE batch_series SET count = count - 1'],
    ['too large a number for all verifications', 'UPDATE kind_series SET count = count + 1'],
    ['no verifications', 'DELETE FROM kind_series']
  ])('finds that the list of series names %s', (_, change) => {
    const engine = opened()
    for (let n = 0; n < 3; n += 1) add(engine, { applicant: 'APP-1' })
    for (let n = 0; n < 3; n += 1) add(engine, { operation: 'validate-passport' })
    batchOf(engine, ['APP-1'])
    expect(isWhole(engine)).toBe(true)
    engine.dbs.history.exec(change)
    expect(isWhole(engine)).toBe(false)
    engine.close()
  })
})

test('the hash of an event is the one of the format', () => {
  const previous = Buffer.alloc(32, 7)
  const digests = Buffer.from(Array.from({ length: 80 }, (_, n) => n))
  const event: Omit<ChainedEvent, 'plain'> = {
    seq: 3,
    at: 1_760_000_000_000,
    kind: 'record.begun',
    subject: 5,
    record: null,
    links: '{"batch":[2,1],"subject":[1,0]}',
    digests
  }
  const formatted = (of: typeof event, links: EventLinks): string =>
    hashOfEvent({
      seq: of.seq,
      at: of.at,
      kind: of.kind,
      subject: of.subject,
      record: of.record,
      links,
      previous: previous.toString('hex'),
      plain: digests.toString('hex', 16, 48),
      sealed: of.digests.length > 48 ? digests.toString('hex', 48) : null
    })
  expect(eventHash(previous, event).toString('hex')).toBe(formatted(event, { batch: [2, 1], subject: [1, 0] }))
  const unsealed: typeof event = {
    ...event,
    record: 4,
    subject: null,
    links: '{}',
    digests: digests.subarray(0, 48)
  }
  expect(eventHash(previous, unsealed).toString('hex')).toBe(formatted(unsealed, {}))
})
