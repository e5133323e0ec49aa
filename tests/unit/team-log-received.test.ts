/** Events of a team as they arrive: once or often, in any order, with another past, confirmed by others, and what is found wrong. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { failure } from '#contract/failures/failures.ts'
import { anchorKind, anchorRule, isAnchorDue, seenIn } from '#exchange/log/anchors.ts'
import type { ShownEvent } from '#team/log/database.ts'
import { isForkProof, type ForkProof } from '#team/log/fork.ts'
import type { Received } from '#exchange/log/received.ts'
import { receive, stateHash, type Taken } from '#exchange/log/receive.ts'
import { pollAfter, pollRule, retryAfter, retryRule } from '#team/log/schedule.ts'
import { signHead } from '#team/log/signature.ts'
import { isSharedWorkOnHold } from '#team/log/standing.ts'
import {
  at,
  copyOf,
  flipped,
  hashText,
  installed,
  keys,
  membersOf,
  receivedStore,
  rowsOf,
  segment,
  shown,
  stateOf,
  team,
  type Events,
  type Installation
} from './support/team-log.ts'

const taken = (store: Received, one: Installation, rows: readonly ShownEvent[] = shown(one), now = at): Taken =>
  receive(rows, { store, team, installation: one.installation, keys, members: membersOf(one) }, now)
const headOf = (store: Received, { installation }: Installation): number => store.head(installation).seq
/** Adds an anchor that names the last events of others. */
const anchor = (events: Events, heads: Readonly<Record<string, readonly [number, string]>>): void =>
  void events.append({ kind: anchorKind, plain: { operator: 'Ada', heads } })
const lastOf = ({ events }: Installation): readonly [number, string] => [events.head.seq, events.head.hash]

describe('events that arrive', () => {
  const one = installed(12)
  const rows = shown(one, [4, 5, 12])
  const whole = receivedStore()
  taken(whole, one, rows)

  it('once, count once', () => {
    expect(headOf(whole, one)).toBe(12)
    expect(whole.events(one.installation, 3, 5).map(({ seq, sig }) => [seq, sig !== null])).toEqual([
      [4, true],
      [5, true],
      [6, false],
      [7, false],
      [8, false]
    ])
    expect(whole.events(one.installation, 0, 100)).toHaveLength(12)
    expect(whole.hashAt(one.installation, 12)?.toString('hex')).toBe(one.events.head.hash)
    expect([
      whole.hashAt(one.installation, 13),
      whole.hashAt(one.installation, 0),
      whole.hashAt(hashText('ab'), 1)
    ]).toEqual([undefined, undefined, undefined])
  })

  it('again and tenfold, change nothing', () => {
    const store = receivedStore()
    for (let n = 0; n < 10; n += 1)
      expect(taken(store, one, rows)).toEqual({ events: n === 0 ? 12 : 0, failure: undefined })
    expect(stateOf(store)).toBe(stateOf(whole))
    expect(store.unanchored().events).toBe(12)
  })

  it('in overlapping pieces, end in the same state', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(11), fc.integer({ min: 1, max: 12 })), { maxLength: 12 }), (pieces) => {
        const store = receivedStore()
        for (const [from, count] of pieces) {
          const before = headOf(store, one)
          const { events, failure: why } = taken(store, one, rows.slice(from, from + count))
          // Whole segments alone, and nothing that leaves a gap.
          expect([0, 4, 5, 12]).toContain(headOf(store, one))
          expect(headOf(store, one) - before).toBe(events)
          if (from > before)
            expect(why).toMatchObject({ code: 'team-events-refused', details: { event: before + 1, reason: 'gap' } })
        }
        taken(store, one, rows)
        expect(stateOf(store)).toBe(stateOf(whole))
        store.close()
      }),
      { numRuns: 25 }
    )
  })

  it('partly known, add what is new', () => {
    const store = receivedStore()
    taken(store, one, rows.slice(0, 5))
    expect(taken(store, one, rows.slice(2, 5))).toEqual({ events: 0, failure: undefined })
    expect(taken(store, one, rows.slice(3))).toEqual({ events: 7, failure: undefined })
    // Known ones do not make the others count.
    const other = receivedStore()
    taken(other, one, rows.slice(0, 5))
    expect(taken(other, one, [...rows.slice(3, 7), ...rows.slice(8)])).toMatchObject({
      events: 0,
      failure: { details: { event: 8, reason: 'gap' } }
    })
    expect(taken(other, one, rows.slice(0, 7))).toMatchObject({
      events: 0,
      failure: { details: { event: 6, reason: 'unsigned' } }
    })
    expect(headOf(other, one)).toBe(5)
  })

  it('of several installations in any order, end in the same state', () => {
    const others = [installed(3), installed(5)]
    const [first, second] = [receivedStore(), receivedStore()]
    for (const each of [one, ...others]) taken(first, each)
    for (const each of others.toReversed()) taken(second, each, shown(each, [1, each.events.head.seq]))
    taken(second, one, rows)
    expect(stateOf(first)).toBe(stateOf(second))
    // Each holds its own as well.
    expect(
      stateHash(team, [
        [one.installation, one.events.head],
        ...others.map((each) => [each.installation, each.events.head] as const)
      ])
    ).toBe(stateOf(first))
    others[0]!.events.add(1)
    taken(first, others[0]!)
    expect(stateOf(first)).not.toBe(stateOf(second))
    expect(stateHash(hashText('c1'), [])).not.toBe(stateHash(team, []))
  })
})

describe('another past', () => {
  /** Seven events were received; then a copy that has four of them shows others. */
  function forked(draft = {}) {
    const one = installed(6)
    one.events.append(draft)
    const copy = copyOf(one, 4)
    copy.events.append({ plain: { operator: 'Somebody else' }, sealed: { text: 'secret' }, ...draft })
    copy.events.add(5)
    const store = receivedStore()
    taken(store, one, shown(one, [3, 6, 7]))
    return { one, copy, store, theirs: shown(copy, [4, 6, 10]) }
  }
  const proofOf = (store: Received, { installation }: Installation): ForkProof =>
    JSON.parse(store.forkOf(installation) ?? 'null') as ForkProof

  it('that is signed is a fork: its proof is kept, and nothing more is accepted', () => {
    const { one, store, theirs } = forked()
    expect(taken(store, one, theirs)).toEqual({
      events: 0,
      failure: { code: 'team-events-forked', details: { installation: one.installation, event: 5 } }
    })
    const proof = proofOf(store, one)
    expect(proof).toMatchObject({
      installation: one.installation,
      publicKey: one.publicKey,
      after: { seq: 4, hash: one.events.all[3]!.hash },
      sides: [{ events: [{}, {}] }, { events: [{}, {}] }]
    })
    expect(isForkProof(proof)).toBe(true)
    for (const text of ['Somebody else', 'secret', 'Ada'])
      for (const { events } of proof.sides)
        expect(events.some((event) => Buffer.from(event, 'base64').includes(text))).toBe(false)
    one.events.add(1)
    expect(taken(store, one)).toEqual({ events: 0 })
    expect([headOf(store, one), store.isFrozen(one.installation), store.isFrozen(hashText('ab'))]).toEqual([
      7,
      true,
      false
    ])
    // The first proof is enough.
    store.keepFork(one.installation, {})
    expect(proofOf(store, one)).toEqual(proof)
  })

  it('is proven whatever piece of it is shown', () => {
    const { one, store, theirs } = forked()
    expect(taken(store, one, theirs.slice(4)).failure?.code).toBe('team-events-forked')
    expect(isForkProof(proofOf(store, one))).toBe(true)
  })

  it('that nobody signed is no fork', () => {
    const { one, copy, store, theirs } = forked()
    const stranger = { ...copy, signingKey: installed().signingKey }
    for (const rows of [
      theirs.slice(0, 5),
      theirs.map((row) => ({ ...row, sig: null })),
      shown(stranger),
      theirs.with(4, { ...theirs[4]!, body: flipped(theirs[4]!.body, 50) })
    ]) {
      expect(taken(store, one, rows).failure?.code).toBe('team-events-refused')
      expect(store.isFrozen(one.installation)).toBe(false)
    }
    one.events.add(1)
    expect(taken(store, one, rowsOf(segment(one, 8, 8))).events).toBe(1)
  })

  it('has a proof that cannot be changed', () => {
    const { one, store, theirs } = forked()
    taken(store, one, theirs)
    const text = store.forkOf(one.installation)!
    const jsonOf = (changed: string): unknown => {
      try {
        return JSON.parse(changed)
      } catch {
        return undefined
      }
    }
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.nat(6), (where, bit) => {
        expect(isForkProof(jsonOf(flipped(Buffer.from(text), where, bit).toString('latin1')))).toBe(false)
      }),
      { numRuns: 300 }
    )
    fc.assert(fc.property(fc.jsonValue(), (given) => void expect(isForkProof(given)).toBe(false)))
  })

  it('cannot be made of one past: neither twice, nor in another writing, nor in parts', () => {
    const { one, store, theirs } = forked()
    taken(store, one, theirs)
    const proof = proofOf(store, one)
    const [ours] = proof.sides
    const rewritten = (change: (event: string) => string): unknown => ({
      ...proof,
      sides: [ours, { ...ours, events: ours.events.map(change) }]
    })
    for (const change of [
      (event: string) => event,
      (event: string) => `${event}\n`,
      (event: string) => event.replace(/=*$/, ''),
      (event: string) => ` ${event}`,
      (event: string) => event.replaceAll('/', '_').replaceAll('+', '-'),
      // The last character before the padding has bits that stand for nothing.
      (event: string) =>
        event.replace(/(.)(=+)$/, (_, last: string, end: string) => String.fromCharCode(last.charCodeAt(0) + 1) + end)
    ]) {
      expect(isForkProof(rewritten(change))).toBe(false)
      const written = proof.sides[1].events.map(change)
      expect(isForkProof({ ...proof, sides: [ours, { ...proof.sides[1], events: written }] })).toBe(
        written.join() === proof.sides[1].events.join()
      )
    }
    const signature = signHead(one.signingKey, {
      team,
      installation: one.installation,
      seq: 5,
      hash: store.hashAt(one.installation, 5)!
    }).toString('hex')
    expect(isForkProof({ ...proof, sides: [ours, { events: ours.events.slice(0, 1), signature }] })).toBe(false)
    expect(isForkProof({ ...proof, sides: [...proof.sides].reverse() })).toBe(true)
  })
})

describe('anchors', () => {
  it('are due after 256 events of others, or ten minutes', () => {
    expect([
      isAnchorDue(0, 0),
      isAnchorDue(0, 1e9),
      isAnchorDue(1, 0),
      isAnchorDue(255, anchorRule.milliseconds - 1)
    ]).toEqual([false, false, false, false])
    expect([isAnchorDue(256, 0), isAnchorDue(1, 10 * 60_000)]).toEqual([true, true])
  })

  it('name the last events that have arrived, without anchors', () => {
    const [one, other] = [installed(3), installed(2)]
    const store = receivedStore()
    for (const each of [one, other]) taken(store, each)
    const { events, heads } = store.unanchored()
    expect([events, heads]).toEqual([5, { [one.installation]: lastOf(one), [other.installation]: lastOf(other) }])
    // What arrives meanwhile waits for the next one.
    other.events.add(1)
    taken(store, other)
    store.noteAnchored(heads)
    expect(store.unanchored()).toEqual({ events: 3, heads: { [other.installation]: lastOf(other) } })
    // Else two installations would confirm each other's confirmations without end.
    store.noteAnchored(store.unanchored().heads)
    anchor(one.events, {})
    taken(store, one)
    expect(store.unanchored()).toEqual({ events: 0, heads: {} })
  })

  it('count if they have the form of anchors', () => {
    const event = (heads: unknown, kind: string = anchorKind): Parameters<typeof seenIn>[0] =>
      ({ kind, plain: { salt: '', text: JSON.stringify({ heads }) } }) as Parameters<typeof seenIn>[0]
    const id = '0a'.repeat(16)
    const good = { [id]: [3, hashText('ab')] }
    expect(seenIn(event(good))).toEqual(good)
    expect(seenIn(event(good, 'note.made'))).toBeUndefined()
    for (const bad of [
      null,
      [],
      'x',
      { x: [3, hashText('ab')] },
      { [id]: [0, hashText('ab')] },
      { [id]: [1.5, hashText('ab')] },
      { [id]: [2 ** 40, hashText('ab')] },
      { [id]: [3, 'ab'] },
      { [id]: [3] }
    ])
      expect(seenIn(event(bad)), JSON.stringify(bad)).toBeUndefined()
    expect(seenIn({ ...event(good), plain: null })).toBeUndefined()
    const many = (count: number): unknown =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [index.toString(16).padStart(32, '0'), [1, hashText('ab')]])
      )
    expect(Object.keys(seenIn(event(many(4000))) ?? {})).toHaveLength(4000)
    expect(seenIn(event(many(4001)))).toBeUndefined()
  })

  it('confirm events, once each, and never those of their own installation', () => {
    const [one, ...others] = [installed(3), installed(), installed()]
    const store = receivedStore()
    taken(store, one)
    expect(store.confirmation(one.installation, 3)).toEqual({ installations: 0 })
    const [, hash] = lastOf(one)
    for (const [index, each] of others.entries()) {
      anchor(each.events, { [one.installation]: [3, hash] })
      taken(store, each, shown(each), at + index)
    }
    // What is anchored counts once it was compared with what is here.
    expect(store.confirmation(one.installation, 3)).toEqual({ installations: 0 })
    for (const head of store.unchecked(hashText('ab'))) store.noteChecked(head, true)
    expect(store.confirmation(one.installation, 3)).toEqual({ installations: 2, at: at + 1 })
    expect([
      store.confirmation(one.installation, 1).installations,
      store.confirmation(one.installation, 4).installations
    ]).toEqual([2, 0])
    // An older anchor, or one's own, changes nothing.
    anchor(others[0]!.events, {
      [one.installation]: [1, hashText('ab')],
      [others[0]!.installation]: [9, hashText('ab')]
    })
    anchor(one.events, { [one.installation]: [3, hash] })
    for (const each of [one, others[0]!]) taken(store, each)
    expect(store.confirmation(one.installation, 3).installations).toBe(2)
    expect(store.confirmation(others[0]!.installation, 1).installations).toBe(0)
    // A newer one has to be compared again.
    anchor(others[0]!.events, { [one.installation]: [4, hashText('ab')] })
    taken(store, others[0]!)
    const newer = { by: others[0]!.installation, of: one.installation, seq: 4, hash: hashText('ab') }
    expect([store.unchecked(hashText('ab')), store.ahead()]).toEqual([[newer], []])
    // What is not here yet waits, except of this installation.
    anchor(others[0]!.events, { [one.installation]: [5, hashText('ab')] })
    taken(store, others[0]!)
    expect([store.unchecked(hashText('ab')), store.unchecked(one.installation), store.ahead()]).toEqual([
      [],
      [{ ...newer, seq: 5 }],
      [{ ...newer, seq: 5 }]
    ])
  })

  it('of one installation do not fill the file', () => {
    const one = installed()
    for (let n = 0; n < 3; n += 1)
      anchor(
        one.events,
        Object.fromEntries(
          Array.from({ length: 2000 }, (_, index) => [
            (n * 2000 + index + 1000).toString(16).padStart(32, 'f'),
            [1, hashText('ab')]
          ])
        )
      )
    const store = receivedStore()
    taken(store, one)
    expect(headOf(store, one)).toBe(3)
    expect(store.ahead()).toHaveLength(4000)
  })
})

describe('findings', () => {
  const [one, other] = ['01'.repeat(16), '02'.repeat(16)]
  const gap = (event: number) => failure('team-events-refused', { installation: one, event, reason: 'gap' })
  const fork = failure('team-events-forked', { installation: one, event: 3 })
  const codesOf = (store: Received): readonly string[] =>
    store.findings.all().map(({ installation, failure: { code } }) => `${installation.slice(0, 2)} ${code}`)

  it('go when they no longer hold, except those that were proven', () => {
    const store = receivedStore()
    expect(store.findings.find(one, [gap(3), fork], at)).toEqual([gap(3), fork])
    expect(store.findings.find(other, [gap(3)], at)).toEqual([gap(3)])
    expect(store.findings.find(one, [gap(3)], at + 1)).toEqual([])
    expect(store.findings.find(one, [], at + 2)).toEqual([])
    expect(codesOf(store)).toEqual(['01 team-events-forked', '02 team-events-refused'])
    // A person who has dealt with it does not make it go.
    store.findings.acknowledge(one, 'team-events-forked', {
      by: other,
      operator: 'anna',
      at,
      reason: 'Restored by mistake'
    })
    expect(codesOf(store)).toEqual(['01 team-events-forked', '02 team-events-refused'])
  })

  it('say what is wrong now, and since when', () => {
    const store = receivedStore()
    store.findings.find(one, [gap(3)], at)
    // The same answer every two seconds is not worth a write each time.
    store.findings.find(one, [gap(3)], at + 2000)
    expect(store.findings.all()).toMatchObject([{ installation: one, failure: gap(3), firstAt: at, lastAt: at }])
    expect(store.findings.find(one, [gap(5)], at + 4000)).toEqual([])
    expect(store.findings.all()).toMatchObject([{ installation: one, failure: gap(5), firstAt: at, lastAt: at + 4000 }])
    store.findings.find(one, [gap(5)], at + 64_000)
    expect(store.findings.all()).toMatchObject([{ firstAt: at, lastAt: at + 64_000 }])
  })

  it('hold work on shared batches if the database may have lost or hidden something', () => {
    const holds = (...codes: readonly string[]): boolean =>
      isSharedWorkOnHold(
        codes.map((code) => ({ installation: one, failure: { code } as typeof fork, firstAt: at, lastAt: at }))
      )
    for (const code of [
      'team-events-rolled-back',
      'team-events-withheld',
      'team-events-forked',
      'team-views-differ',
      'team-events-refused',
      'team-installation-restored'
    ])
      expect(holds('team-key-awaited', code)).toBe(true)
    expect(holds()).toBe(false)
    expect(
      holds(
        'team-key-awaited',
        'team-form-newer',
        'team-installation-refused',
        'team-key-missing',
        'team-event-too-large'
      )
    ).toBe(false)
  })
})

describe('the schedule', () => {
  const random = fc.double({ min: 0, max: 1, noNaN: true })

  it('looks every two seconds while something happens, else every thirty, a fifth earlier or later', () => {
    fc.assert(
      fc.property(fc.boolean(), random, (isActive, chance) => {
        const middle = isActive ? pollRule.active : pollRule.idle
        expect(Math.abs(pollAfter(isActive, chance) - middle)).toBeLessThanOrEqual(middle / 5)
      })
    )
    expect([pollAfter(true, 0), pollAfter(true, 1), pollAfter(false, 0), pollAfter(false, 1)]).toEqual([
      1600, 2400, 24_000, 36_000
    ])
  })

  it('connects again within ten seconds of the database’s return, and never at once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), random, (failures, chance) => {
        const pause = retryAfter(failures, chance)
        expect(pause).toBeGreaterThanOrEqual(retryRule.first / 2)
        expect(pause).toBeLessThanOrEqual(retryRule.longest)
        expect(retryAfter(failures + 1, chance)).toBeGreaterThanOrEqual(pause)
      })
    )
    expect([1, 2, 3, 4, 5, 6, 100].map((failures) => retryAfter(failures, 1))).toEqual([
      500, 1000, 2000, 4000, 8000, 8000, 8000
    ])
  })
})
