/** Who has an entry of the team's queue: the first committed claim, and what members who break the rules change of it. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TeamRole } from '#contract/team/team.ts'
import { awaited, claimsOf, type ClaimEvent } from '#exchange/claims/rules.ts'

const roles = new Map<string, TeamRole | 'removed'>([
  ['anna', 'supervisor'],
  ['ben', 'reviewer'],
  ['carla', 'analyst'],
  ['dewi', 'auditor'],
  ['emil', 'removed']
])
const claim = (by: string, seq: number, more: Partial<ClaimEvent> = {}): ClaimEvent => ({
  entry: 'x',
  by,
  seq,
  at: 1000 * seq,
  assigned: true,
  ...more
})
const release = (by: string, seq: number): ClaimEvent => claim(by, seq, { assigned: false })
const stateOf = (ordered: readonly (ClaimEvent | typeof awaited)[], rest: readonly ClaimEvent[] = []) =>
  claimsOf(ordered, rest, roles).get('x')
const holder = (...given: Parameters<typeof stateOf>): string | undefined => stateOf(...given)?.holding?.installation

describe('an entry', () => {
  it('has whoever claimed it first in the order of the database, whatever the clocks say', () => {
    const state = stateOf([claim('ben', 5), claim('carla', 2)])
    expect(state?.holding).toMatchObject({ installation: 'ben', since: 5000, tentative: false })
    expect([...(state?.lost ?? [])]).toEqual([['carla', 2000]])
  })

  it('is released and handed over by whoever has it, and by nobody else but a supervisor', () => {
    expect(holder([claim('ben', 1), release('carla', 1)])).toBe('ben')
    expect(holder([claim('ben', 1), claim('carla', 1, { to: 'carla' })])).toBe('ben')
    expect(holder([claim('ben', 1), claim('carla', 1, { to: 'anna' })])).toBe('ben')
    expect(holder([claim('ben', 1), release('ben', 2)])).toBeUndefined()
    expect(holder([claim('ben', 1), claim('ben', 2, { to: 'carla' })])).toBe('carla')
    // Whoever gave it away has it no more.
    expect(holder([claim('ben', 1), claim('ben', 2, { to: 'carla' }), release('ben', 3)])).toBe('carla')
    expect(holder([claim('ben', 1), release('anna', 1)])).toBeUndefined()
    expect(holder([claim('ben', 1), claim('anna', 1, { to: 'carla' })])).toBe('carla')
    expect(holder([claim('ben', 1), claim('anna', 1, { to: 'anna' })])).toBe('anna')
    // A supervisor who claims like everybody else is first or not.
    expect(holder([claim('ben', 1), claim('anna', 1)])).toBe('ben')
  })

  it('is free for the next one once it was released', () => {
    const state = stateOf([claim('ben', 1), claim('carla', 1), release('ben', 2), claim('carla', 2)])
    expect(state).toMatchObject({ holding: { installation: 'carla', since: 2000 } })
    expect(state?.lost.size).toBe(0)
  })

  it('keeps the time since when somebody has it', () => {
    expect(stateOf([claim('ben', 1), claim('ben', 9)])?.holding).toMatchObject({ since: 1000 })
  })

  it('is not lost any more once the claim was removed', () => {
    expect(stateOf([claim('ben', 1), claim('carla', 1)])?.lost.has('carla')).toBe(true)
    expect(stateOf([claim('ben', 1), claim('carla', 1), release('carla', 2)])?.lost.has('carla')).toBe(false)
    // That takes nothing from who was first, nor from who lost it, if it was handed over meanwhile.
    const late = claim('anna', 2, { assigned: false, late: true })
    expect(stateOf([claim('ben', 1), claim('anna', 1), late])).toMatchObject({
      holding: { installation: 'ben' },
      lost: new Map()
    })
    expect(holder([claim('ben', 1), claim('anna', 1), claim('ben', 2, { to: 'anna' }), late])).toBe('anna')
  })
})

describe('claims that do not count', () => {
  it('are those of auditors, of members who were removed, and of strangers', () => {
    for (const by of ['dewi', 'emil', 'mallory']) {
      expect(holder([claim(by, 1)])).toBeUndefined()
      expect(holder([claim(by, 1), claim('ben', 1)])).toBe('ben')
      expect(holder([claim('ben', 1), release(by, 1)])).toBe('ben')
      expect(holder([claim('ben', 1), claim('ben', 2, { to: by })])).toBe('ben')
    }
  })

  it('are those that are shown again, or in another order than their installation made them', () => {
    expect(holder([claim('ben', 1), release('ben', 2), claim('ben', 1)])).toBeUndefined()
    expect(holder([release('ben', 2), claim('ben', 1), claim('carla', 1)])).toBe('carla')
    expect(holder([claim('ben', 1)], [claim('ben', 1), release('ben', 1)])).toBe('ben')
  })
})

describe('a claim without a number', () => {
  it('is tentative, and comes after all that have one', () => {
    expect(stateOf([], [claim('ben', 1)])?.holding).toMatchObject({ installation: 'ben', tentative: true })
    expect(stateOf([claim('carla', 1)], [claim('ben', 1)])).toMatchObject({
      holding: { installation: 'carla', tentative: false }
    })
  })

  it('does not make tentative what its installation has for certain', () => {
    expect(stateOf([claim('ben', 1)], [claim('ben', 2)])?.holding).toMatchObject({
      installation: 'ben',
      tentative: false,
      since: 1000
    })
  })

  it('is what follows an event that has not arrived', () => {
    expect(stateOf([awaited, claim('ben', 1)])?.holding).toMatchObject({ tentative: true })
    expect(stateOf([claim('ben', 1), awaited])?.holding).toMatchObject({ tentative: false })
  })
})

it('gives one entry to at most one member, and never to one who may not have it', () => {
  const event = fc.record({
    entry: fc.constantFrom('x', 'y'),
    by: fc.constantFrom(...roles.keys(), 'mallory'),
    seq: fc.integer({ min: 1, max: 6 }),
    at: fc.integer(),
    assigned: fc.boolean(),
    to: fc.option(fc.constantFrom(...roles.keys(), 'mallory'), { nil: undefined })
  })
  fc.assert(
    fc.property(fc.array(event), fc.array(event), (ordered, rest) => {
      for (const { holding, lost } of claimsOf(ordered, rest, roles).values()) {
        if (!holding) continue
        expect(['anna', 'ben', 'carla']).toContain(holding.installation)
        expect(lost.has(holding.installation)).toBe(false)
      }
    })
  )
})
