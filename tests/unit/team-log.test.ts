/** Events of a team as they travel: their sizes, what they reveal, and that they cannot be read as anything else. */
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { auditKinds } from '#contract/evidence/event-sentences.ts'
import type { EventKind } from '#contract/evidence/event-kinds.ts'
import { sha256 } from '#kit/bytes.ts'
import { sealWith } from '#team/keys/sealing.ts'
import { bodyKey, openBody, sealBody, type BodyPlace, paddedSize } from '#exchange/log/body.ts'
import { contentOf, hashedBytesOf, readContent, type SharedEvent } from '#team/log/content.ts'
import type { ShownEvent } from '#team/log/database.ts'
import { segmentLimits, segmentOf } from '#exchange/log/segments.ts'
import { sharesValues } from '#team/log/shared-kinds.ts'
import { chainStart, verifyEvents, type Verified } from '#exchange/log/verification.ts'
import {
  contentKey,
  Events,
  flipped,
  hashText,
  installed,
  keys,
  keysOf,
  membersOf,
  rowsOf,
  shown,
  team,
  valueOf,
  type Installation
} from './support/team-log.ts'

const MiB = 1024 * 1024
const verified = (one: Installation, rows: readonly ShownEvent[]): Verified =>
  verifyEvents(chainStart, rows, { team, installation: one.installation, keys, members: membersOf(one) })
const read = (content: Buffer): SharedEvent => {
  const event = readContent(content)
  if (!event || event === 'newer') throw new Error('no event')
  return event
}

describe('a sealed event', () => {
  const place: BodyPlace = { team, installation: '01'.repeat(16), seq: 7, epoch: 1, hash: Buffer.alloc(32, 7) }
  const key = bodyKey(contentKey, place)
  const content = Buffer.from('what happened')
  const body = sealBody(key, place, content)!

  it('has one of thirteen sizes, powers of two from 1 KiB to 4 MiB', () => {
    const sizes = new Set<number>()
    fc.assert(
      fc.property(
        fc.oneof(
          fc.nat(5000),
          fc.nat(4 * MiB),
          fc.nat(22).map((n) => 2 ** n),
          fc.nat(21).map((n) => 2 ** n + 1)
        ),
        (bytes) => {
          const size = paddedSize(bytes)!
          sizes.add(size)
          expect(size).toBeGreaterThanOrEqual(Math.max(bytes, 1024))
          expect(size === 1024 || size < 2 * bytes).toBe(true)
          expect(Math.log2(size) % 1).toBe(0)
        }
      ),
      { numRuns: 500 }
    )
    expect(sizes.size).toBe(13)
    expect([paddedSize(4 * MiB), paddedSize(4 * MiB + 1), paddedSize(Number.MAX_SAFE_INTEGER)]).toEqual([
      4 * MiB,
      undefined,
      undefined
    ])
    expect(sealBody(key, place, Buffer.alloc(10))?.length).toBe(1024)
    expect(sealBody(key, place, Buffer.alloc(1024))?.length).toBe(2048)
    expect(sealBody(key, place, Buffer.alloc(4 * MiB))).toBeUndefined()
  })

  it('opens in its own place alone, with its own key', () => {
    expect(openBody(key, place, body)).toEqual(content)
    const others: Partial<BodyPlace>[] = [
      { team: hashText('c1') },
      { installation: '02'.repeat(16) },
      { seq: 8 },
      { epoch: 2 },
      { hash: Buffer.alloc(32, 8) }
    ]
    for (const other of others) expect(openBody(key, { ...place, ...other }, body)).toBeUndefined()
    for (const other of [
      bodyKey(randomBytes(32), place),
      bodyKey(contentKey, { ...place, installation: '02'.repeat(16) }),
      bodyKey(contentKey, { ...place, team: hashText('c1') })
    ])
      expect(openBody(other, place, body)).toBeUndefined()
  })

  it('cannot be changed in any byte, nor in its length', () => {
    fc.assert(
      fc.property(
        fc.nat(body.length - 1),
        fc.nat(7),
        (where, bit) => void expect(openBody(key, place, flipped(body, where, bit))).toBeUndefined()
      ),
      { numRuns: 300 }
    )
    for (const other of [
      Buffer.alloc(0),
      body.subarray(1),
      body.subarray(0, 1023),
      Buffer.concat([body, Buffer.alloc(1)]),
      Buffer.concat([body, body]),
      Buffer.alloc(1024)
    ])
      expect(openBody(key, place, other)).toBeUndefined()
  })

  it('is sealed in another way each time', () => {
    expect(sealBody(key, place, content)).not.toEqual(body)
  })

  it('is refused with a padding that hides something, a wrong length, or more padding than it needs', () => {
    const bound = Buffer.from(
      JSON.stringify([
        'veridesk/team/body',
        1,
        team,
        place.installation,
        place.seq,
        place.epoch,
        place.hash.toString('hex')
      ])
    )
    const handmade = (size: number, length: number, at?: number): Buffer => {
      const plain = Buffer.alloc(size - 29)
      plain.writeUInt32BE(length, 0)
      if (at !== undefined) plain.writeUInt8(1, at)
      return sealWith(key, bound, plain)
    }
    expect(openBody(key, place, handmade(1024, 3))).toEqual(Buffer.alloc(3))
    for (const wrong of [
      handmade(1024, 3, 7),
      handmade(1024, 3, 994),
      handmade(1024, 1000),
      handmade(1024, 0xffffffff),
      handmade(2048, 3),
      handmade(1000, 3),
      handmade(1025, 3)
    ])
      expect(openBody(key, place, wrong)).toBeUndefined()
  })
})

describe('what an event shares', () => {
  const words = { operator: 'Ada Lovelace', what: 'case', pack: 'ab'.repeat(8) }

  it('are its values, if it concerns the team’s work', () => {
    for (const kind of [
      'record.ended',
      'note.made',
      'decision.made',
      'subject.erased',
      'hold.placed',
      'team.anchored',
      'batch.changed'
    ] as const)
      expect(sharesValues({ kind })).toBe(true)
    for (const kind of [
      'view.opened',
      'document.viewed',
      'document.compared',
      'links.checked',
      'text.copied',
      'evidence.verified',
      'export.made',
      'setting.changed',
      'credential.changed',
      'connection.changed',
      'head.timestamped',
      'program.started',
      'program.stopped',
      'copies.cleared'
    ] as const)
      expect(sharesValues({ kind })).toBe(false)
    const event = new Events().append({ plain: words, sealed: { text: 'A note' } })
    expect(read(contentOf(event))).toMatchObject({
      kind: 'note.made',
      subject: 7,
      plain: { text: JSON.stringify(words) },
      sealed: event.sealed,
      reply: null
    })
  })

  it.each(Object.keys(auditKinds))('can be read: %s', (kind) => {
    expect(read(contentOf(new Events().append({ kind: kind as EventKind, plain: words })))).toMatchObject({ kind })
  })

  it('are kind, time and applicant’s number alone, if it concerns nobody else', () => {
    const one = installed()
    const event = one.events.append({ kind: 'view.opened', plain: words, sealed: { text: 'hidden' } })
    const content = contentOf(event)
    for (const part of [...Object.values(words), event.digests!.slice(0, 32), ...Object.keys(words)])
      expect(content.includes(part)).toBe(false)
    for (const part of [Buffer.from(event.digests!.slice(0, 32), 'hex'), Buffer.from(event.sealed!)])
      expect(content.includes(part)).toBe(false)
    expect(read(content)).toMatchObject({
      at: event.at,
      kind: 'view.opened',
      subject: 7,
      plain: null,
      sealed: null
    })
    // Nevertheless it cannot be changed.
    expect(verified(one, shown(one)).events).toHaveLength(1)
  })

  it('is not read in any other form', () => {
    const event = new Events().append({ sealed: { text: 'A note' }, reply: Buffer.from('reply') })
    const content = contentOf(event)
    const [start, end] = [5, 5 + content.readUInt32BE(1)]
    const header = JSON.parse(content.toString('utf8', start, end)) as Record<string, unknown>
    const written = (change: object, version = 1): Buffer => {
      const text = Buffer.from(JSON.stringify({ ...header, ...change }))
      const front = Buffer.from([version, 0, 0, 0, 0])
      front.writeUInt32BE(text.length, 1)
      return Buffer.concat([front, text, content.subarray(end)])
    }
    expect(readContent(written({}))).toEqual(readContent(content))
    expect(readContent(written({}, 2))).toBe('newer')
    expect(readContent(written({}, 0))).toBeUndefined()
    const digests = header['values'] as string[]
    for (const change of [
      { more: 1 },
      { at: 1.5 },
      { kind: 'Note' },
      { kind: 'a' },
      { subject: -1 },
      { commitment: null },
      { values: null },
      { values: [digests[0], ''] },
      { values: [digests[0], null] },
      { values: [digests[0]] },
      { links: null },
      { links: { subject: [1] } },
      { links: { other: [1, 0] } },
      { sealed: 1 },
      { reply: 6 },
      { reply: -1 },
      { sealed: null },
      { plain: { salt: '', text: '{}' } },
      { plain: { text: '{}' } },
      { plain: { digest: 'ab' } },
      { plain: { salt: '00'.repeat(16), text: '{}', digest: '00'.repeat(32) } }
    ])
      expect(readContent(written(change)), JSON.stringify(change)).toBeUndefined()
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        (bytes) => void expect([undefined, 'newer']).toContain(readContent(Buffer.from(bytes)))
      )
    )
  })

  it('has no other content with the same hash', () => {
    const events = new Events().add(1)
    const contents = [
      events.append({ plain: words, sealed: { text: 'A note' } }),
      events.append({ kind: 'view.opened', plain: words }),
      events.append({ sealed: { text: 'A note' } })
    ].map((event) => ({ event, content: contentOf(event) }))
    fc.assert(
      fc.property(fc.nat(2), fc.nat(), fc.nat(7), (index, where, bit) => {
        const { event, content } = contents[index]!
        const end = 5 + content.readUInt32BE(1)
        const changed = readContent(flipped(content, where % end, bit))
        const hashed =
          changed && changed !== 'newer'
            ? hashedBytesOf(changed, event.seq, Buffer.from(events.all[event.seq - 2]!.hash, 'hex'))
            : undefined
        expect(hashed && sha256(hashed).toString('hex')).not.toBe(event.hash)
      }),
      { numRuns: 500 }
    )
  })
})

describe('a segment', () => {
  const sealing = ({ installation, signingKey }: Installation) => ({ team, installation, signingKey, keys })
  const first = Buffer.alloc(32)

  it('leaves a response that is too large behind, and all sealed parts if that does not suffice', () => {
    const one = installed()
    one.events.append({ sealed: { text: 'A note' }, reply: Buffer.alloc(4 * MiB) })
    one.events.append({ sealed: { text: 'x'.repeat(5 * MiB) }, reply: Buffer.alloc(10) })
    one.events.append({ sealed: { text: 'A note' }, reply: Buffer.from('reply') })
    const { events } = verified(one, shown(one))
    expect(events.map(({ event: { sealed, reply } }) => [sealed && 'sealed', reply?.toString()])).toEqual([
      ['sealed', undefined],
      [null, undefined],
      ['sealed', 'reply']
    ])
  })

  it('does not begin with an event whose words are too large', () => {
    const one = installed()
    const event = one.events.append({ plain: { text: 'x'.repeat(4 * MiB) } })
    const tooLarge = (number: number): unknown => ({
      ok: false,
      failure: { code: 'team-event-too-large', details: { event: number, limitBytes: 4 * MiB } }
    })
    expect(segmentOf([event], first, sealing(one))).toEqual(tooLarge(1))
    // What is before it is sent.
    const other = installed(2)
    const [begin, ...rest] = [...other.events.all, other.events.append({ plain: { text: 'x'.repeat(4 * MiB) } })]
    expect(verified(other, rowsOf(valueOf(segmentOf([begin!, ...rest], first, sealing(other))))).events).toHaveLength(2)
    expect(segmentOf([rest[1]!], Buffer.from(rest[0]!.hash, 'hex'), sealing(other))).toEqual(tooLarge(3))
  })

  it('ends before it is larger than what a reader takes at once', () => {
    const one = installed()
    // Counted in characters, these are 2 MiB; sealed, they are 12.
    for (let n = 0; n < 6; n += 1) one.events.append({ plain: { text: '字'.repeat(350 * 1024) } })
    const [event, ...rest] = one.events.all
    const made = valueOf(segmentOf([event!, ...rest], first, sealing(one)))
    expect(made.bodies.map(({ length }) => length)).toEqual([2 * MiB, 2 * MiB])
    expect(made.bodies.reduce((sum, { length }) => sum + length, 0)).toBeLessThanOrEqual(segmentLimits.bytes)
    expect(verified(one, rowsOf(made)).events).toHaveLength(2)
  })

  it('has no event that differs from its hash: nobody would accept what follows', () => {
    const one = installed(3)
    const [event, ...rest] = one.events.all
    const damaged = { code: 'history-damaged', details: { reason: 'event-changed', number: 2, file: 'history.db' } }
    for (const change of [
      { plain: '{}' },
      { at: 1 },
      { links: '{}' },
      { links: 'no JSON' },
      { links: 'null' },
      { digests: '' },
      { digests: event!.digests },
      { hash: hashText('ab') },
      { kind: 'no kind' }
    ])
      expect(
        segmentOf([event!, { ...rest[0]!, ...change } as typeof event & object, rest[1]!], first, sealing(one)),
        JSON.stringify(change)
      ).toEqual({ ok: false, failure: damaged })
    expect(segmentOf([event!, ...rest], Buffer.alloc(32, 1), sealing(one))).toMatchObject({
      failure: { details: { number: 1 } }
    })
  })

  it('is not made without a key', () => {
    const one = installed(1)
    expect(segmentOf([one.events.all[0]!], first, { ...sealing(one), keys: keysOf() })).toEqual({
      ok: false,
      failure: { code: 'team-key-missing' }
    })
  })
})
