/** With which findings a supervisor has dealt: they stay, hold nothing any more, and what is new holds again. */
import { beforeEach, describe, expect, it } from 'vitest'
import { failure, type Failure } from '#contract/failures/failures.ts'
import { openReceived } from '#team/log/received-schema.ts'
import { KnownMembers } from '#exchange/log/known-members.ts'
import { Received } from '#exchange/log/received.ts'
import { receive } from '#exchange/log/receive.ts'
import { isCovered, isSharedWorkOnHold, isWorse } from '#team/log/standing.ts'
import { at, installed, keys, membersOf, shown, team, type Installation } from './support/team-log.ts'

const [one, other] = ['e1'.repeat(16), 'e2'.repeat(16)]
const lost = (found: number, expected = 6): Failure =>
  failure('team-events-rolled-back', { installation: one, found, expected })
const withheld = (found: number, by = other): Failure =>
  failure('team-events-withheld', { installation: one, other: by, found, expected: 6 })
const by = { by: other, operator: 'anna', at, reason: 'A backup was restored' }

let store: Received
let names: KnownMembers
beforeEach(() => {
  const db = openReceived('', undefined)
  if (!db.ok) throw new Error(db.failure.code)
  store = new Received(db.value)
  names = new KnownMembers(db.value)
})
const held = (): boolean => isSharedWorkOnHold(store.findings.all())
const codes = (): readonly string[] => store.findings.all().map(({ failure: { code } }) => code)

describe('what a supervisor has dealt with', () => {
  it('goes on without a hold for as long as it stands, and while events come back', () => {
    store.findings.find(one, [lost(2)], at)
    store.findings.acknowledge(one, 'team-events-rolled-back', by)
    store.findings.onComplete()
    for (const [index, found] of [2, 2, 4].entries())
      expect(store.findings.find(one, [lost(found)], at + (index + 1) * 100_000)).toEqual([])
    expect([codes(), held()]).toEqual([['team-events-rolled-back'], false])
    expect(store.findings.of(one)).toMatchObject([{ firstAt: at, acknowledged: by }])
  })

  it('holds again if more is lost, or once it ended and is found anew', () => {
    for (const next of [[lost(1)], [lost(2, 7)]]) {
      store.findings.find(one, [lost(2)], at)
      store.findings.acknowledge(one, 'team-events-rolled-back', by)
      expect(held()).toBe(false)
      expect(store.findings.find(one, next, at + 1)).toEqual(next)
      expect(held()).toBe(true)
    }
    store.findings.acknowledge(one, 'team-events-rolled-back', by)
    store.findings.find(one, [], at + 2)
    store.findings.find(one, [], at + 3)
    expect([codes(), held()]).toEqual([['team-events-rolled-back'], false])
    expect(store.findings.find(one, [lost(2)], at + 4)).toEqual([lost(2)])
    expect([held(), store.findings.of(one)[0]?.firstAt]).toEqual([true, at + 4])
  })

  it('says nothing about other findings and other installations', () => {
    store.findings.find(one, [lost(2), withheld(2)], at)
    store.findings.find(other, [lost(2)], at)
    store.findings.acknowledge(one, 'team-events-rolled-back', by)
    expect(held()).toBe(true)
    store.findings.acknowledge(one, 'team-events-withheld', by)
    expect(held()).toBe(true)
    store.findings.acknowledge(other, 'team-events-rolled-back', by)
    expect(held()).toBe(false)
  })

  it('is never this installation that was restored: it needs another number', () => {
    store.findings.find(one, [failure('team-installation-restored', { event: 3 })], at)
    expect(held()).toBe(true)
  })

  it('is compared with what a batch finds itself', () => {
    store.findings.find(one, [lost(2)], at)
    expect(isCovered(store.findings.of(one), lost(2))).toBe(false)
    store.findings.acknowledge(one, 'team-events-rolled-back', by)
    expect([lost(2), lost(3), lost(1), withheld(2)].map((each) => isCovered(store.findings.of(one), each))).toEqual([
      true,
      true,
      false,
      false
    ])
    expect([isWorse(withheld(2), withheld(2)), isWorse(withheld(2), withheld(2, one))]).toEqual([false, true])
  })
})

describe('what a colleague says about a finding', () => {
  const says = (
    author: Installation,
    finding: unknown = 'team-events-rolled-back',
    reason: unknown = 'Explained'
  ): void => {
    author.events.append({
      kind: 'finding.acknowledged',
      subject: 0,
      plain: { operator: 'anna', installation: one, finding, details: {}, reason }
    })
    receive(shown(author), { store, team, installation: author.installation, keys, members: membersOf(author) }, at)
  }
  const member = (author: Installation, role: 'supervisor' | 'analyst') => ({
    installation: author.installation,
    identity: author.publicKey,
    mailbox: '',
    name: 'Anna',
    role,
    mailboxSince: 1,
    keysBy: author.installation,
    admittedBy: null
  })
  const listed = (author: Installation, role: 'supervisor' | 'analyst', isRemoved = false): void => {
    const entry = [author.installation, member(author, role)] as const
    names.note(
      isRemoved
        ? { members: new Map(), removed: new Map([[entry[0], { ...entry[1], last: null }]]) }
        : { members: new Map([entry]), removed: new Map() }
    )
  }

  it('counts from a supervisor, also if the list says so later, and whatever becomes of that member', () => {
    const anna = installed()
    store.findings.find(one, [lost(2)], at)
    says(anna)
    store.findings.onComplete()
    expect(held()).toBe(true)
    listed(anna, 'analyst')
    store.findings.onComplete()
    expect(held()).toBe(true)
    listed(anna, 'supervisor')
    store.findings.onComplete()
    expect(held()).toBe(false)
    listed(anna, 'analyst', true)
    store.findings.onComplete()
    expect([held(), store.findings.of(one)[0]?.acknowledged]).toEqual([
      false,
      { by: anna.installation, operator: 'anna', at: expect.any(Number) as number, reason: 'Explained' }
    ])
  })

  it('from a former supervisor does not count', () => {
    const anna = installed()
    listed(anna, 'supervisor', true)
    store.findings.find(one, [lost(2)], at)
    says(anna)
    store.findings.onComplete()
    expect(held()).toBe(true)
  })

  it('says nothing about what is found after it', () => {
    const anna = installed()
    listed(anna, 'supervisor')
    says(anna)
    store.findings.onComplete()
    store.findings.find(one, [lost(2)], at)
    store.findings.onComplete()
    expect(held()).toBe(true)
  })

  it('counts for what the same look finds', () => {
    const anna = installed()
    listed(anna, 'supervisor')
    says(anna)
    store.findings.find(one, [lost(2)], at)
    store.findings.onComplete()
    expect(held()).toBe(false)
  })

  it('in another form is no acknowledgement', () => {
    const anna = installed()
    listed(anna, 'supervisor')
    store.findings.find(one, [lost(2)], at)
    says(anna, 'team-installation-restored')
    says(anna, 7)
    says(anna, undefined, 'x'.repeat(501))
    store.findings.onComplete()
    expect(held()).toBe(true)
  })
})
