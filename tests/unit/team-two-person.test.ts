/** Two-person admission in the list of members: who is a second supervisor, and everything that takes no effect. */
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { teamRoles, type TeamRole } from '#contract/team/team.ts'
import { canonical } from '#kit/hashing/canonical-json.ts'
import { nextEpoch, type EpochKeys } from '#team/keys/epochs.ts'
import { entryText, parseEntry, type Entry } from '#team/roster/entry.ts'
import { applicationOf, signRequest } from '#team/roster/request.ts'
import { extended, following, type Draft, type Roster } from '#team/roster/roster.ts'
import { changed } from '#team/roster/rules.ts'
import type { LastEvent, RosterState } from '#team/roster/state.ts'
import { at, foundTeam, idOf, person, refused, rosterOf, type Person, type Team } from './support/team-list.ts'

const event = (seq: number): LastEvent => ({ seq, hash: 'ab'.repeat(32) })
const roles = ({ members }: Roster): readonly string[] => [...members.values()].map(({ role }) => role)
const roleOf = (team: Team, { application }: Person): TeamRole | undefined =>
  rosterOf(team).members.get(application.installation)?.role
const waitingIn = (team: Team): readonly string[] => rosterOf(team).waiting.map(({ entry }) => entry.kind)
/** Signed by its author, and refused by whoever reads it. */
function isRefused(team: Team, reason: string, act: () => void): void {
  act()
  expect(team.read()).toEqual(refused(reason, team.texts.length))
  team.texts.pop()
}

/** Three supervisors, an analyst, and the rule on: five entries. */
function strict() {
  const founder = person()
  const team = foundTeam(founder)
  const [second, third, analyst] = [person(), person(), person()]
  team.admit(founder, second, 'supervisor')
  team.admit(founder, third, 'supervisor')
  team.admit(founder, analyst)
  team.rule(founder, true)
  return { team, founder, second, third, analyst }
}

describe('two-person admission', () => {
  it('needs two supervisors, and is not switched to what it is', () => {
    const team = foundTeam()
    const other = person()
    isRefused(team, 'rule', () => team.rule(team.founder, true))
    team.admit(team.founder, other, 'reviewer')
    isRefused(team, 'rule', () => team.rule(team.founder, true))
    isRefused(team, 'rule', () => team.rule(team.founder, false))
    isRefused(team, 'right', () => team.rule(other, true))
    team.role(team.founder, other, 'supervisor')
    team.rule(other, true)
    expect(rosterOf(team).twoPerson).toBe(true)
    isRefused(team, 'rule', () => team.rule(other, true))
  })

  it.each(['reviewer', 'supervisor'] as const)('admits a %s with a second supervisor only', (role) => {
    const { team, founder, second } = strict()
    const newcomer = person()
    team.admit(founder, newcomer, role)
    expect(roleOf(team, newcomer)).toBeUndefined()
    expect(waitingIn(team)).toEqual(['admit'])
    team.mailbox(founder)
    expect(roleOf(team, newcomer)).toBeUndefined()
    team.second(second, rosterOf(team).waiting[0]!.hash)
    const { members, waiting } = rosterOf(team)
    // The second one gives the keys, of the epoch of that time.
    expect(members.get(idOf(newcomer))).toMatchObject({ role, admittedBy: idOf(founder), keysBy: idOf(second) })
    expect(waiting).toEqual([])
  })

  it.each(['reviewer', 'supervisor'] as const)('gives the role of %s with a second supervisor only', (role) => {
    const { team, founder, second, analyst } = strict()
    team.role(founder, analyst, role, event(4))
    expect(roleOf(team, analyst)).toBe('analyst')
    // What they did meanwhile does not approve.
    team.second(second, undefined, event(9))
    expect(rosterOf(team).members.get(idOf(analyst))).toMatchObject({
      role,
      roleBy: idOf(founder),
      approving: { after: 9, earlier: [] }
    })
  })

  it('begins approving with the later of the two last events', () => {
    const { team, founder, second, analyst } = strict()
    team.role(founder, analyst, 'reviewer', event(9))
    team.second(second, undefined, event(4))
    expect(rosterOf(team).members.get(idOf(analyst))?.approving).toEqual({ after: 9, earlier: [] })
  })

  it('leaves to one supervisor what gives no power: admitting without approval, lowering, removing, keys', () => {
    const { team, founder, second, third, analyst } = strict()
    const [newcomer, auditor] = [person(), person()]
    team.admit(founder, newcomer)
    team.admit(founder, auditor, 'auditor')
    team.role(founder, second, 'reviewer', event(3))
    team.role(founder, second, 'reviewer', event(3))
    team.role(founder, third, 'analyst', event(3))
    team.role(founder, analyst, 'auditor')
    team.append(founder, { at, by: idOf(founder), kind: 'epoch', epoch: team.epoch() })
    team.remove(founder, third)
    expect(roles(rosterOf(team))).toEqual(['supervisor', 'reviewer', 'auditor', 'analyst', 'auditor'])
    expect(waitingIn(team)).toEqual([])
  })

  it('is switched off by two, and then one admits again', () => {
    const { team, founder, second } = strict()
    team.rule(founder, false)
    expect(rosterOf(team)).toMatchObject({ twoPerson: true, waiting: [{ entry: { kind: 'rule' } }] })
    isRefused(team, 'same', () => team.second(founder))
    team.second(second)
    expect(rosterOf(team)).toMatchObject({ twoPerson: false, waiting: [] })
    const newcomer = person()
    team.admit(founder, newcomer, 'reviewer')
    expect(roleOf(team, newcomer)).toBe('reviewer')
  })

  it('changes nothing of what took effect before', () => {
    const { team, founder } = strict()
    const before = rosterOf(team).members
    team.admit(founder, person(), 'reviewer')
    expect(rosterOf(team).members).toEqual(before)
  })

  it('is left waiting for ever, and by anybody withdrawn', () => {
    const { team, founder, second, analyst } = strict()
    team.role(founder, analyst, 'reviewer')
    const { hash } = team.head()
    for (let index = 0; index < 20; index += 1) team.mailbox(founder)
    expect(waitingIn(team)).toEqual(['role'])
    isRefused(team, 'right', () => team.withdraw(analyst, hash))
    isRefused(team, 'second', () => team.withdraw(founder, 'cd'.repeat(32)))
    team.withdraw(second, hash)
    expect(waitingIn(team)).toEqual([])
    isRefused(team, 'second', () => team.second(second, hash))
    isRefused(team, 'second', () => team.withdraw(second, hash))
  })

  it('replaces an entry by a later one about the same', () => {
    const { team, founder, second, analyst } = strict()
    team.role(founder, analyst, 'supervisor')
    const first = team.head().hash
    team.role(second, analyst, 'reviewer')
    expect(rosterOf(team).waiting).toMatchObject([{ entry: { role: 'reviewer' } }])
    isRefused(team, 'second', () => team.second(second, first))
    // One that needs nobody else replaces it, too.
    team.role(second, analyst, 'auditor')
    expect(waitingIn(team)).toEqual([])
    const newcomer = person()
    team.admit(founder, newcomer, 'reviewer')
    const admission = team.head().hash
    team.admit(second, newcomer, 'analyst')
    expect(roleOf(team, newcomer)).toBe('analyst')
    isRefused(team, 'second', () => team.second(second, admission))
  })
})

describe('a single supervisor, while two are needed,', () => {
  it('admits no approver, refused by every installation', () => {
    const { team, founder, second } = strict()
    const accomplice = person()
    team.admit(founder, accomplice, 'supervisor')
    const { hash } = team.head()
    // Twice the same person, whoever signs it.
    isRefused(team, 'same', () => team.second(founder, hash))
    isRefused(team, 'stranger', () => team.second(accomplice, hash))
    isRefused(team, 'signature', () => team.second({ key: founder.key, application: second.application }, hash))
    expect(roleOf(team, accomplice)).toBeUndefined()
  })

  it('is no second one under another installation: neither with the same key nor the same name', () => {
    const { team, founder, second, third } = strict()
    const laptop = person(founder.key)
    isRefused(team, 'present', () => team.admit(second, laptop, 'supervisor'))
    const { key, application } = person()
    const namesake = { key, application: applicationOf(key, { ...application, name: founder.application.name }) }
    team.admit(second, namesake, 'supervisor')
    team.second(third)
    expect(roleOf(team, namesake)).toBe('supervisor')
    team.admit(founder, person(), 'reviewer')
    isRefused(team, 'same', () => team.second(namesake))
  })

  it('makes no second one of a key that one admitted alone', () => {
    const { team, founder } = strict()
    const helper = person()
    team.admit(founder, helper, 'analyst')
    team.role(founder, helper, 'supervisor')
    const promotion = team.head().hash
    isRefused(team, 'right', () => team.second(helper, promotion))
    isRefused(team, 'right', () => team.rule(helper, false))
    team.admit(founder, person(), 'supervisor')
    isRefused(team, 'right', () => team.second(helper))
  })

  it('who is lowered or removed meanwhile leaves nothing that waits', () => {
    for (const act of ['role', 'remove'] as const) {
      const { team, founder, second, third, analyst } = strict()
      team.role(founder, analyst, 'reviewer')
      const { hash } = team.head()
      if (act === 'role') team.role(second, founder, 'analyst')
      else team.remove(second, founder)
      expect(waitingIn(team)).toEqual([])
      isRefused(team, 'second', () => team.second(third, hash))
      if (act === 'remove') continue
      // Not even when they are a supervisor again.
      team.role(second, founder, 'supervisor')
      team.second(third)
      isRefused(team, 'second', () => team.second(third, hash))
    }
  })

  it('who is lowered before is no second one', () => {
    const { team, founder, second, third, analyst } = strict()
    team.role(founder, analyst, 'reviewer')
    const { hash } = team.head()
    team.role(third, second, 'auditor')
    isRefused(team, 'right', () => team.second(second, hash))
    team.second(third, hash)
    expect(roleOf(team, analyst)).toBe('reviewer')
  })

  it('does not switch the rule off, not even the only one who is left', () => {
    const { team, founder, second, third } = strict()
    team.remove(founder, second)
    team.remove(founder, third)
    team.rule(founder, false)
    isRefused(team, 'same', () => team.second(founder))
    const newcomer = person()
    team.admit(founder, newcomer, 'supervisor')
    expect(rosterOf(team)).toMatchObject({ twoPerson: true })
    expect(roleOf(team, newcomer)).toBeUndefined()
  })
})

describe('a second signature', () => {
  it('counts for one entry, once, and after it', () => {
    const { team, founder, second, third, analyst } = strict()
    isRefused(team, 'second', () => team.second(second, 'ef'.repeat(32)))
    // Of an entry that needs none, and of one that is none.
    isRefused(team, 'second', () => team.second(second))
    isRefused(team, 'second', () => team.second(second, team.team))
    // Before the entry, whose hash its author could tell.
    const base = [...team.texts]
    team.role(founder, analyst, 'reviewer')
    const { hash } = team.head()
    const entry = team.texts.pop()!
    isRefused(team, 'second', () => team.second(second, hash))
    team.texts.push(entry)
    team.second(second, hash)
    const once = team.texts.at(-1)!
    expect(roleOf(team, analyst)).toBe('reviewer')
    // Again, as it was and signed anew.
    team.texts.push(once)
    expect(team.read()).toEqual(refused('repeated', team.texts.length))
    team.texts.pop()
    isRefused(team, 'second', () => team.second(third, hash))
    // And after the role was taken away, it does not come back.
    team.role(second, analyst, 'analyst')
    isRefused(team, 'second', () => team.second(third, hash))
    // In another continuation of the list, the entry is another one.
    team.texts.splice(0, team.texts.length, ...base)
    team.mailbox(third)
    team.role(founder, analyst, 'reviewer')
    isRefused(team, 'second', () => team.second(second, hash))
    team.texts.push(once)
    expect(team.read().ok).toBe(false)
  })

  it('names a last event for a role only', () => {
    const { team, founder, second } = strict()
    team.admit(founder, person(), 'reviewer')
    isRefused(team, 'second', () => team.second(second, undefined, event(1)))
  })

  it('does not admit who is a member by now, and their waiting admission has ended', () => {
    const { team, founder, second, third } = strict()
    const newcomer = person()
    team.admit(founder, newcomer, 'reviewer')
    const { hash } = team.head()
    const clash = person()
    team.admit(third, {
      key: clash.key,
      application: applicationOf(clash.key, { ...clash.application, mailbox: newcomer.application.mailbox })
    })
    expect(waitingIn(team)).toEqual([])
    isRefused(team, 'second', () => team.second(second, hash))
  })

  it('of a kind that is not known makes the whole list unusable, never a part of it', () => {
    const { team, founder } = strict()
    // As an installation sees it that is older than the kind.
    team.append(founder, { at, by: idOf(founder), kind: 'other', entry: team.head().hash } as never)
    expect(team.read()).toEqual(refused('form', 6))
  })
})

/** What somebody tries: members by their place in a list of seven, entries by how far back they are. */
const tries = fc.record({
  what: fc.constantFrom(
    'admit',
    'admit',
    'role',
    'role',
    'remove',
    'rule',
    'second',
    'second',
    'second',
    'second',
    'withdraw'
  ),
  // Mostly supervisors.
  by: fc.constantFrom(0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 4, 5, 6),
  whom: fc.nat(6),
  role: fc.constantFrom(...teamRoles),
  on: fc.boolean(),
  back: fc.constantFrom(0, 0, 0, 0, 1, 1, 2, 3)
})
type Try = typeof tries extends fc.Arbitrary<infer T> ? T : never
type Roles = readonly (TeamRole | 'removed' | undefined)[]
interface Moment {
  readonly tried: Try
  /** The entry that it names, by its place. */
  readonly of: number
  readonly roles: Roles
  readonly rule: boolean
}

const approves = (role: unknown): boolean => role === 'reviewer' || role === 'supervisor'
const isSame = (one: Try, other: Try): boolean =>
  one.what === other.what && (one.what === 'rule' || one.whom === other.whom)

/**
 * Looks back through everything that was accepted, without a list of what waits. Undefined if the entry is refused.
 *
 * @param past Each accepted entry, with the state after it.
 */
function recounted(past: readonly Moment[], tried: Try): Moment | undefined {
  const { roles, rule } = past.at(-1)!
  const { what, by, whom, role, on } = tried
  const of = past.length - 1 - tried.back
  if (roles[by] !== 'supervisor') return undefined
  const supervisors = roles.filter((each) => each === 'supervisor').length
  const isLast = (one: number): boolean => roles[one] === 'supervisor' && supervisors === 1
  const given = { tried, of, roles, rule }
  const after = (which: Try): Moment | undefined => {
    const present = teamRoles.some((each) => each === roles[which.whom])
    if (which.what === 'rule')
      return which.on === rule || (which.on && supervisors < 2) ? undefined : { ...given, rule: which.on }
    if (which.what === 'admit' ? roles[which.whom] !== undefined : !present) return undefined
    if (which.what === 'role' && which.role !== 'supervisor' && isLast(which.whom)) return undefined
    return { ...given, roles: roles.with(which.whom, which.role) }
  }
  if (what === 'remove') {
    const present = teamRoles.some((each) => each === roles[whom])
    return !present || isLast(whom) || whom === by ? undefined : { ...given, roles: roles.with(whom, 'removed') }
  }
  if (what === 'admit' || what === 'role' || what === 'rule') {
    const done = after({ ...tried, what, by, whom, role, on })
    return done && isOrder(past, past.length, tried) ? given : done
  }
  // A second one, or a withdrawal: is there an entry that needs one, and did nothing end it since?
  const order = past[of]
  if (!order || of < 1 || !isOrder(past, of, order.tried) || isOver(past, of)) return undefined
  if (what === 'withdraw') return given
  const isOwn = by === order.tried.by || (order.tried.what !== 'rule' && by === order.tried.whom)
  return isOwn ? undefined : after(order.tried)
}

/** Whether what was tried at a place needs two. */
function isOrder(past: readonly Moment[], place: number, { what, whom, role, on }: Try): boolean {
  const before = past[place - 1]!
  if (!before.rule) return false
  if (what === 'rule') return !on
  return what === 'admit' || what === 'role'
    ? approves(role) && before.roles[whom] !== role && before.roles[whom] !== 'supervisor'
    : false
}
/** Whether an entry that waited at its place does not any more. */
const isOver = (past: readonly Moment[], place: number): boolean =>
  past.slice(place + 1).some(({ tried, of, roles, rule }) => {
    const order = past[place]!.tried
    if (roles[order.by] !== 'supervisor' || isSame(tried, order)) return true
    if ((tried.what === 'second' || tried.what === 'withdraw') && of === place) return true
    if (order.what === 'rule') return !rule
    const now = roles[order.whom]
    return order.what === 'admit' ? now !== undefined : now === 'removed'
  })

describe('random lists', () => {
  const everybody = Array.from({ length: 7 }, () => person())
  const [founder] = everybody as [Person]
  const team = foundTeam(founder)
  const requests = everybody.map(({ application, key }) => signRequest(team.team, application, key))

  /** The draft of what is tried, after so many accepted entries with these hashes. */
  function draftOf({ what, by, whom, role, on, back }: Try, hashes: readonly string[], keys: EpochKeys): Draft {
    const common = { at, by: idOf(everybody[by]!) }
    const entry = hashes[hashes.length - 1 - back] ?? 'ab'.repeat(32)
    const installation = idOf(everybody[whom]!)
    switch (what) {
      case 'admit':
        return { ...common, kind: 'admit', member: everybody[whom]!.application, role, request: requests[whom]! }
      case 'role':
        return { ...common, kind: 'role', installation, role, last: null }
      case 'remove':
        return { ...common, kind: 'remove', installation, last: null, epoch: nextEpoch(team.team, keys).epoch }
      case 'rule':
        return { ...common, kind: 'rule', twoPerson: on }
      case 'withdraw':
        return { ...common, kind: 'withdraw', entry }
      default:
        return { ...common, kind: 'second', entry, last: null }
    }
  }
  const seen = ({ members, removed, twoPerson }: RosterState): unknown => [
    everybody.map((each) => members.get(idOf(each))?.role ?? (removed.has(idOf(each)) ? 'removed' : undefined)),
    twoPerson
  ]
  const start: Moment = {
    tried: { what: 'remove', by: 0, whom: 0, role: 'supervisor', on: false, back: 0 },
    of: 0,
    roles: ['supervisor', ...Array<undefined>(6).fill(undefined)],
    rule: false
  }
  /** Begins with three supervisors and mostly the rule: otherwise few lists would come so far. */
  const opening = (isStrict: boolean): readonly Try[] => [
    { ...start.tried, what: 'admit', whom: 1 },
    { ...start.tried, what: 'admit', whom: 2 },
    ...(isStrict ? [{ ...start.tried, what: 'rule', on: true } as const] : [])
  ]
  const lists = fc.tuple(
    fc.integer({ min: 0, max: 9 }).map((each) => opening(each > 0)),
    fc.array(tries, { minLength: 1, maxLength: 10 })
  )

  it('say the same as a naive recount, ten thousand times', () => {
    let [seconds, effects] = [0, 0]
    fc.assert(
      fc.property(lists, ([first, more]) => {
        const genesis = parseEntry(team.texts[0]!)!
        let state = changed(undefined, genesis)
        const hashes = [genesis.hash]
        const past: Moment[] = [start]
        for (const tried of [...first, ...more]) {
          if (!state.ok) throw new Error('refused')
          const keys = { ...team.keys[0]!, number: state.value.epochs.length }
          const draft = draftOf(tried, hashes, keys)
          const entry = following({ head: { height: hashes.length, hash: hashes.at(-1)! } }, draft)
          const author = everybody[tried.by]!.application.identity
          // What is signed, and by whom, is tested with real signatures below.
          const hash = createHash('sha256').update(canonical(entry)).digest('hex')
          const next = changed(state.value, { entry, hash, signedBy: (identity) => identity === author })
          const expected = recounted(past, tried)
          if (next.ok !== (expected !== undefined)) throw new Error(`${tried.what} after ${past.length} entries`)
          if (!next.ok || !expected) continue
          if (JSON.stringify(seen(next.value)) !== JSON.stringify([expected.roles, expected.rule]))
            throw new Error(`${tried.what} after ${past.length} entries has another effect`)
          state = next
          hashes.push(hash)
          past.push(expected)
          if (tried.what === 'second') seconds += 1
          effects += expected.roles === past.at(-2)!.roles ? 0 : 1
        }
      }),
      { numRuns: 10_000 }
    )
    // Not by refusing everything.
    expect(seconds).toBeGreaterThan(200)
    expect(effects).toBeGreaterThan(10_000)
  }, 300_000)

  it('are the same at two installations, one of which follows and one reads everything at once', () => {
    fc.assert(
      fc.property(lists, ([first, more]) => {
        const texts = [team.texts[0]!]
        let follower = team.read(texts)
        for (const tried of [...first, ...more]) {
          if (!follower.ok) throw new Error('refused')
          const hashes = texts.map((text) => parseEntry(text)!.hash)
          const keys = { ...team.keys[0]!, number: follower.value.epochs.length }
          const entry: Entry = following(follower.value, draftOf(tried, hashes, keys))
          const text = entryText(entry, everybody[tried.by]!.key)
          const next = extended(follower.value, text)
          if (!next.ok) {
            // Nobody else takes it either.
            expect(team.read([...texts, text])).toEqual(next)
            continue
          }
          follower = next
          texts.push(text)
        }
        expect(team.read(texts)).toEqual(follower)
      }),
      { numRuns: 60 }
    )
  }, 60_000)
})
