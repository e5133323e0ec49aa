/** Events of a team: every way in which the database's administrator, a member or a former one could change them. */
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { firstEpoch, nextEpoch } from '#team/keys/epochs.ts'
import type { ShownEvent } from '#team/log/database.ts'
import { contentKeysIn, membersIn } from '#exchange/log/from-roster.ts'
import type { ContentKeys, Members } from '#team/thread/ports.ts'
import { signHead } from '#team/log/signature.ts'
import { chainStart, verifyEvents, type ChainPoint, type Verified } from '#exchange/log/verification.ts'
import { applicationOf } from '#team/roster/request.ts'
import type { FormerMember, LastEvent, RosterState } from '#team/roster/state.ts'
import {
  contentKey,
  copyOf,
  flipped,
  forged,
  hashText,
  installed,
  keys,
  keysOf,
  membersOf,
  rowsOf,
  segment,
  shown,
  team,
  valueOf,
  type Installation
} from './support/team-log.ts'

interface How {
  readonly from?: ChainPoint
  readonly keys?: ContentKeys
  readonly members?: Members
}
const verified = (one: Installation, rows: readonly ShownEvent[], how: How = {}): Verified =>
  verifyEvents(how.from ?? chainStart, rows, {
    team,
    installation: one.installation,
    keys: how.keys ?? keys,
    members: how.members ?? membersOf(one)
  })
const refused = (one: Installation, event: number, reason: string): unknown => ({
  events: [],
  failure: { code: 'team-events-refused', details: { installation: one.installation, event, reason } }
})

describe('an administrator of the database', () => {
  const one = installed(9)
  const rows = shown(one, [3, 4, 9])
  const at = (seq: number): ShownEvent => rows[seq - 1]!
  const changed = (seq: number, change: Partial<ShownEvent>): ShownEvent[] =>
    rows.with(seq - 1, { ...at(seq), ...change })

  it('shows everything unchanged, and it verifies', () => {
    const { events, failure } = verified(one, rows)
    expect(failure).toBeUndefined()
    expect(events.map(({ seq, hash }) => [seq, hash.toString('hex')])).toEqual(
      one.events.all.map(({ seq, hash }) => [seq, hash])
    )
  })

  it('cannot drop an event: neither the first, nor one within, nor the last of a segment', () => {
    expect(verified(one, rows.slice(1))).toEqual(refused(one, 1, 'gap'))
    expect(verified(one, rows.toSpliced(1, 1))).toEqual(refused(one, 2, 'gap'))
    const last = verified(one, rows.toSpliced(2, 1))
    expect(last).toEqual(refused(one, 3, 'gap'))
    // Nor between two segments: what was signed before stays.
    expect(verified(one, rows.toSpliced(3, 1))).toMatchObject({
      events: [{}, {}, {}],
      failure: { details: { event: 4, reason: 'gap' } }
    })
  })

  it('cannot change the order, or repeat an event', () => {
    expect(verified(one, [at(2), at(1), at(3)])).toEqual(refused(one, 1, 'gap'))
    expect(verified(one, [at(1), at(3), at(2)])).toEqual(refused(one, 2, 'gap'))
    expect(verified(one, [at(1), at(1), at(2)])).toEqual(refused(one, 2, 'order'))
    expect(verified(one, [{ ...at(2), seq: 1 }, { ...at(1), seq: 2 }, at(3)])).toEqual(refused(one, 1, 'body'))
  })

  it('cannot move a body to another number, epoch, installation or team', () => {
    expect(verified(one, changed(1, { body: at(2).body }))).toEqual(refused(one, 1, 'body'))
    const both = keysOf([1, contentKey], [2, contentKey])
    expect(
      verified(
        one,
        rows.map((row) => ({ ...row, epoch: 2 })),
        { keys: both }
      )
    ).toEqual(refused(one, 1, 'body'))
    const other = installed()
    expect(verified(other, rows, { members: membersOf({ ...other, publicKey: one.publicKey }) })).toEqual(
      refused(other, 1, 'body')
    )
    expect(
      verifyEvents(chainStart, rows, {
        team: hashText('c1'),
        installation: one.installation,
        keys,
        members: membersOf(one)
      })
    ).toEqual(refused(one, 1, 'body'))
  })

  it('cannot substitute a hash', () => {
    for (const seq of [1, 3])
      expect(verified(one, changed(seq, { hash: Buffer.alloc(32, 1) }))).toEqual(refused(one, seq, 'body'))
    expect(verified(one, changed(2, { hash: at(3).hash }))).toEqual(refused(one, 2, 'body'))
  })

  it('cannot replace a signature, by that of another event or key, or of another place', () => {
    const place = { team, installation: one.installation, seq: 3, hash: at(3).hash }
    const others = [
      at(4).sig!,
      Buffer.alloc(64),
      at(3).sig!.subarray(1),
      Buffer.concat([at(3).sig!, Buffer.alloc(1)]),
      signHead(installed().signingKey, place),
      signHead(one.signingKey, { ...place, seq: 4 }),
      signHead(one.signingKey, { ...place, installation: installed().installation }),
      signHead(one.signingKey, { ...place, team: hashText('c1') }),
      signHead(one.signingKey, { ...place, hash: at(2).hash })
    ]
    for (const sig of others) expect(verified(one, changed(3, { sig }))).toEqual(refused(one, 1, 'signature'))
    expect(verified(one, changed(3, { sig: signHead(one.signingKey, place) })).failure).toBeUndefined()
    // Nor add one in the midst of a segment.
    expect(verified(one, changed(2, { sig: at(3).sig }))).toEqual(refused(one, 1, 'signature'))
  })

  it('cannot drop a signature', () => {
    expect(verified(one, rows.slice(0, 3).with(2, { ...at(3), sig: null }))).toEqual(refused(one, 1, 'unsigned'))
    expect(verified(one, rows.slice(0, 2))).toEqual(refused(one, 1, 'unsigned'))
    // Events after the last signature do not count yet.
    expect(verified(one, rows.slice(0, 8))).toMatchObject({ events: [{}, {}, {}, { seq: 4 }] })
    expect(verified(one, rows.slice(0, 8)).failure).toBeUndefined()
    const long = installed(257)
    const unsigned = [1, 257]
      .flatMap((from) => rowsOf(segment(long, from, from === 1 ? 256 : 257)))
      .map((row) => ({ ...row, sig: row.seq === 256 ? null : row.sig }))
    expect(verified(long, unsigned)).toEqual(refused(long, 1, 'unsigned'))
  })

  it('cannot make anything count by changing any bit of any row', () => {
    fc.assert(
      fc.property(fc.nat(8), fc.constantFrom('hash', 'body', 'sig'), fc.nat(), fc.nat(7), (index, part, where, bit) => {
        const given = rows[index]!
        const before = given[part] ?? at(3).sig!
        const done = verified(one, rows.with(index, { ...given, [part]: flipped(before, where, bit) }))
        // Up to the segment before.
        expect(done.events).toHaveLength(index < 3 ? 0 : index < 4 ? 3 : 4)
        expect(done.failure?.code).toBe('team-events-refused')
      }),
      { numRuns: 120 }
    )
  })

  it('does not bring anything to a halt with numbers and bytes of its own', () => {
    const row = fc.record({
      seq: fc.nat(4),
      epoch: fc.nat(2),
      hash: fc.uint8Array({ minLength: 32, maxLength: 32 }).map(Buffer.from),
      body: fc.oneof(fc.uint8Array({ maxLength: 40 }).map(Buffer.from), fc.constant(Buffer.alloc(1024))),
      sig: fc.option(fc.uint8Array({ minLength: 64, maxLength: 64 }).map(Buffer.from))
    })
    fc.assert(
      fc.property(fc.array(row, { maxLength: 4 }), (given) => void expect(verified(one, given).events).toEqual([]))
    )
  })
})

describe('a member', () => {
  it('cannot let its events follow from others than those that are known', () => {
    const one = installed(4)
    const other = copyOf(one, 2)
    other.events.append({ plain: { operator: 'Another' } })
    const [, , from] = verified(one, shown(one)).events
    other.events.add(1)
    expect(verified(one, rowsOf(segment(other, 4, 4)), { from: from! })).toEqual(refused(one, 4, 'hash'))
  })

  it('cannot show values that are not those of its digests, nor such that nobody can write down', () => {
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    for (const draft of [
      { values: hashText('ab') },
      { text: '{"a":1e999}', values: hashText('ab') },
      { text: deep, values: hashText('ab') },
      { text: '[]', values: hashText('ab') },
      { text: 'no JSON', values: hashText('ab') },
      // Their digest is that of the values, but SQLite reads the first of two.
      { text: '{"operator":"Ada Lovelace","operator":"Ben"}' },
      { text: '{ "operator":"Ada Lovelace"}' }
    ]) {
      const one = installed()
      one.events.append(draft)
      expect(verified(one, forged(one))).toEqual(refused(one, 1, 'values'))
    }
    // Two forms of one event: a salt of another, which its hash does not cover.
    const one = installed(1)
    const salt = one.events.all[0]!.digests!.slice(0, 32)
    expect(
      verified(
        one,
        forged(
          one,
          () => 1,
          (content) => Buffer.from(content.toString('latin1').replace(salt, hashText('ab').slice(0, 32)), 'latin1')
        )
      )
    ).toEqual(refused(one, 1, 'values'))
  })

  it('cannot go back to an older key, which a removed member has', () => {
    const one = installed(3)
    const both = keysOf([1, contentKey], [2, contentKey])
    expect(
      verified(
        one,
        forged(one, (seq) => (seq === 3 ? 1 : 2)),
        { keys: both }
      )
    ).toEqual(refused(one, 3, 'epoch'))
    expect(
      verified(
        one,
        forged(one, (seq) => (seq === 1 ? 1 : 2)),
        { keys: both }
      ).events
    ).toHaveLength(3)
  })

  it('has events of a newer form, which wait for a newer version', () => {
    const one = installed(3)
    const newer = (content: Buffer, seq: number): Buffer =>
      seq === 2 ? Buffer.concat([Buffer.from([2]), content.subarray(1)]) : content
    expect(
      verified(
        one,
        forged(one, () => 1, newer)
      )
    ).toEqual({
      events: [],
      failure: { code: 'team-form-newer', details: { installation: one.installation, event: 2 } }
    })
    expect(
      verified(
        one,
        forged(
          one,
          () => 1,
          () => Buffer.from('x')
        )
      )
    ).toEqual(refused(one, 1, 'form'))
  })

  it('seals with a key that has not arrived yet: its events wait for it', () => {
    const one = installed(4)
    const second = randomBytes(32)
    const rows = [...rowsOf(segment(one, 1, 2)), ...rowsOf(segment(one, 3, 4, keysOf([2, second])))]
    const waiting = verified(one, rows)
    expect(waiting).toMatchObject({
      events: [{ seq: 1 }, { seq: 2 }],
      failure: { code: 'team-key-awaited', details: { installation: one.installation, event: 3, number: 2 } }
    })
    expect(
      verified(one, rows.slice(2), { from: waiting.events[1]!, keys: keysOf([1, contentKey], [2, second]) })
    ).toMatchObject({ events: [{ seq: 3 }, { seq: 4, epoch: 2 }] })
  })

  it('who is unknown is not believed', () => {
    const one = installed(1)
    expect(verified(one, shown(one), { members: membersOf(installed()) })).toEqual({
      events: [],
      failure: {
        code: 'team-installation-refused',
        details: { installation: one.installation, event: 1, reason: 'unknown' }
      }
    })
  })
})

describe('the list of members', () => {
  const member = ({ installation, signingKey }: Installation) => ({
    ...applicationOf(signingKey, { installation, mailbox: hashText('ab'), name: 'Ada' }),
    role: 'analyst' as const,
    mailboxSince: 1,
    keysBy: installation,
    admittedBy: null
  })
  /** An installation that was removed, after this event. */
  const without = (one: Installation, last: LastEvent | null): Members =>
    membersIn({
      members: new Map<string, FormerMember>(),
      removed: new Map([[one.installation, { ...member(one), last }]])
    })
  const removed = (one: Installation, event: number): unknown => ({
    code: 'team-installation-refused',
    details: { installation: one.installation, event, reason: 'removed' }
  })

  it('says whose events count', () => {
    const [one, other] = [installed(2), installed(2)]
    const members = membersIn({ members: new Map([[one.installation, member(one)]]), removed: new Map() })
    expect(verified(one, shown(one), { members }).events).toHaveLength(2)
    expect(verified(other, shown(other), { members }).failure).toMatchObject({
      code: 'team-installation-refused',
      details: { reason: 'unknown' }
    })
  })

  it('lets events of a removed member count up to its last one', () => {
    const one = installed(6)
    const rows = shown(one, [2, 4, 6])
    const members = without(one, { seq: 4, hash: one.events.all[3]!.hash })
    expect(verified(one, rows.slice(0, 4), { members })).toMatchObject({ events: [{}, {}, {}, { seq: 4 }] })
    // What follows is signed, too, and sealed with a key that it had.
    expect(verified(one, rows, { members })).toMatchObject({
      events: [{}, {}, {}, { seq: 4 }],
      failure: removed(one, 5)
    })
    expect(verified(one, shown(one, [2, 6]), { members })).toMatchObject({
      events: [{}, { seq: 2 }],
      failure: removed(one, 3)
    })
    expect(verified(one, rows, { members: without(one, null) })).toEqual({ events: [], failure: removed(one, 1) })
  })

  it('names the last event: another one with its number does not count', () => {
    const one = installed(4)
    const members = without(one, { seq: 4, hash: hashText('ab') })
    expect(verified(one, shown(one, [2, 4]), { members })).toMatchObject({
      events: [{}, { seq: 2 }],
      failure: removed(one, 3)
    })
  })

  it('announces the keys of all epochs: a newcomer reads what was sealed before', () => {
    const first = firstEpoch()
    const next = nextEpoch(team, first.keys)
    const roster: Pick<RosterState, 'team' | 'epochs'> = { team, epochs: [first.epoch, next.epoch] }
    const known = valueOf(contentKeysIn(roster, next.keys))
    const one = installed(4)
    const rows = [...rowsOf(segment(one, 1, 2, keysOf([1, first.keys.content]))), ...rowsOf(segment(one, 3, 4, known))]
    expect(verified(one, rows, { keys: known }).events.map(({ epoch }) => epoch)).toEqual([1, 1, 2, 2])
    // Who was removed before the second epoch does not.
    expect(verified(one, rows, { keys: valueOf(contentKeysIn(roster, first.keys)) })).toMatchObject({
      events: [{}, {}],
      failure: { code: 'team-key-awaited' }
    })
    expect(contentKeysIn(roster, { ...next.keys, content: randomBytes(32) })).toMatchObject({
      failure: { code: 'team-key-refused' }
    })
  })
})
