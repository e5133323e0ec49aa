/** After a supervisor has acknowledged that the database lost something, shared batches wait until every member has exchanged once since. */
import { beforeEach, describe, expect, it } from 'vitest'
import { anchorKind } from '#exchange/log/anchors.ts'
import { KnownMembers } from '#exchange/log/known-members.ts'
import { openReceived } from '#team/log/received-schema.ts'
import { receive } from '#exchange/log/receive.ts'
import { Received } from '#exchange/log/received.ts'
import { isSharedWorkOnHold } from '#team/log/standing.ts'
import { at, installed, keys, membersOf, shown, team, type Installation } from './support/team-log.ts'

const self = 'e1'.repeat(16)
let store: Received
let names: KnownMembers
let [anna, ben] = [installed(), installed()]
type Role = 'supervisor' | 'analyst'
const member = (installation: string, role: Role) =>
  [
    installation,
    {
      installation,
      identity: '',
      mailbox: '',
      name: 'N',
      role,
      mailboxSince: 1,
      keysBy: installation,
      admittedBy: null,
      last: null
    }
  ] as const
function listed(annas: Role = 'supervisor', removed: readonly string[] = []): void {
  const all = [member(anna.installation, annas), member(ben.installation, 'analyst'), member(self, 'analyst')]
  names.note({
    members: new Map(all.filter(([id]) => !removed.includes(id))),
    removed: new Map(all.filter(([id]) => removed.includes(id)))
  })
}
beforeEach(() => {
  const db = openReceived('', undefined)
  if (!db.ok) throw new Error(db.failure.code)
  ;[store, names, anna, ben] = [new Received(db.value), new KnownMembers(db.value), installed(), installed()]
  listed()
})
const arrive = (author: Installation): void => {
  receive(shown(author), { store, team, installation: author.installation, keys, members: membersOf(author) }, at)
  store.onComplete(self, at)
}
const acknowledges = (finding: string, installation = ben.installation): void => {
  anna.events.append({
    kind: 'finding.acknowledged',
    subject: 0,
    plain: { operator: 'anna', installation, finding, details: {}, reason: 'Restored' }
  })
  arrive(anna)
}
/** Somebody says which of Anna's events have arrived there. */
const anchors = (by: Installation, { seq, hash } = anna.events.head): void => {
  by.events.append({ kind: anchorKind, plain: { heads: { [anna.installation]: [seq, hash] } } })
  arrive(by)
}
const awaited = (): readonly string[] =>
  store.findings
    .all()
    .flatMap(({ installation, failure: { code }, acknowledged }) =>
      code === 'team-exchange-awaited' && !acknowledged ? [installation] : []
    )
const held = (): boolean => isSharedWorkOnHold(store.findings.all())

describe('after a loss was acknowledged', () => {
  it('each member is awaited until it has said that it knows of it, which it does after all that it recorded before', () => {
    anna.events.append({ kind: 'note.made', subject: 0, plain: {} })
    arrive(anna)
    const before = { ...anna.events.head }
    acknowledges('team-events-rolled-back')
    expect([awaited(), held()]).toEqual([[ben.installation], true])
    anchors(ben, before)
    expect(awaited()).toEqual([ben.installation])
    expect(store.losses.covers(ben.installation, 1000)).toBe(true)
    anchors(ben)
    expect([awaited(), held()]).toEqual([[], false])
    const { seq } = ben.events.head
    expect([store.losses.covers(ben.installation, seq), store.losses.covers(ben.installation, seq + 1)]).toEqual([
      true,
      false
    ])
  })

  it('nobody is awaited who is no member any more', () => {
    acknowledges('team-intents-lost')
    listed('supervisor', [ben.installation])
    store.onComplete(self, at)
    expect([awaited(), held()]).toEqual([[], false])
  })

  it('nobody is awaited who joined afterwards', () => {
    const carla = 'e3'.repeat(16)
    acknowledges('team-events-rolled-back')
    names.note({
      members: new Map([anna.installation, ben.installation, self, carla].map((id) => member(id, 'supervisor'))),
      removed: new Map()
    })
    store.onComplete(self, at)
    expect([awaited(), store.losses.covers(ben.installation, 1), store.losses.covers(carla, 1)]).toEqual([
      [ben.installation],
      true,
      false
    ])
  })

  it('a supervisor goes on without a named member, until there is another loss', () => {
    acknowledges('team-events-rolled-back')
    acknowledges('team-exchange-awaited')
    expect([awaited(), held()]).toEqual([[], false])
    acknowledges('team-events-withheld')
    expect([awaited(), held()]).toEqual([[ben.installation], true])
  })

  it('this installation says so at once, and once', () => {
    expect(store.losses.isUntold).toBe(false)
    acknowledges('team-events-rolled-back')
    expect(store.losses.isUntold).toBe(true)
    store.noteAnchored(store.unanchored().heads)
    expect(store.losses.isUntold).toBe(false)
  })

  it('by somebody who is no supervisor, nothing follows, nor from what is no loss', () => {
    listed('analyst')
    acknowledges('team-events-rolled-back')
    expect(awaited()).toEqual([])
    listed('supervisor')
    store.onComplete(self, at)
    expect(awaited()).toEqual([ben.installation])
    anchors(ben)
    acknowledges('team-events-forked')
    expect(awaited()).toEqual([])
  })

  it('here, all others are awaited at once', () => {
    store.acknowledge(
      ben.installation,
      'team-events-rolled-back',
      { by: self, operator: 'me', at, reason: 'Restored' },
      5
    )
    expect([...awaited()].sort()).toEqual([anna.installation, ben.installation].sort())
  })
})
