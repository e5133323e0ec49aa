/** The order of claims as a database shows it: numbered after the commit, read once, and read anew when it lost some. */
import { describe, expect, it } from 'vitest'
import { ok } from '#contract/failures/result.ts'
import { claimTables, type NumberedClaim } from '#team/claims/order.ts'
import { Database, exchanging, installed, membersOf, type Exchanging, type Installation } from './support/team-log.ts'

const claimsAt = (...seqs: readonly number[]) =>
  seqs.map((seq) => ({ seq, at: seq, operator: 'Ada', assigned: true, applicantId: 'APP-1' }))
function pair(): { readonly database: Database; readonly ada: Exchanging; readonly ben: Exchanging } {
  const database = new Database()
  const one = (seqs: readonly number[]): Installation => Object.assign(installed(4), { claims: claimsAt(...seqs) })
  const [ada, ben] = [one([2, 4, 9]), one([1])]
  const members = membersOf(ada, ben)
  return { database, ada: exchanging(database, members, ada), ben: exchanging(database, members, ben) }
}
const order = (of: Exchanging): unknown[] =>
  [...of.store.claims.all()].map(({ installation, seq }) => [installation, seq])

describe('the order of claims', () => {
  it('has those that are committed, in the order of their commits, once', async () => {
    const { ada, ben } = pair()
    expect(await ben.round()).toMatchObject({ claims: 1 })
    expect(await ada.round()).toMatchObject({ claims: 3, more: false })
    expect(await ada.round()).toMatchObject({ claims: 0 })
    expect(await ben.round()).toMatchObject({ claims: 2 })
    const expected = [
      [ben.installation, 1],
      [ada.installation, 2],
      [ada.installation, 4]
    ]
    expect(order(ada)).toEqual(expected)
    expect(order(ben)).toEqual(expected)
  })

  it('has nothing of an installation that shares nothing', async () => {
    const { ada, database } = pair()
    Object.assign(ada.parts, { isSharing: false })
    await ada.round()
    expect(database.claimed).toEqual([])
  })

  it('is read anew, and made whole again, when the database lost some of it', async () => {
    const { database, ada, ben } = pair()
    await ben.round()
    await ada.round()
    await ben.round()
    // A backup of the database was restored, and somebody else was faster afterwards.
    database.claimed.splice(0)
    for (let n = 0; n < 3; n += 1) for (const each of [ada, ben]) await each.round()
    expect(order(ada)).toEqual([
      [ada.installation, 2],
      [ada.installation, 4],
      [ben.installation, 1]
    ])
    expect(order(ben)).toEqual(order(ada))
  })

  it('does not make a round go on at once, whatever is shown', async () => {
    const { ada } = pair()
    await ada.round()
    const same = Array.from({ length: 2000 }, (_, index): NumberedClaim => ({
      n: index + 1,
      installation: ada.installation,
      seq: 2
    }))
    for (const from of [async () => ok(same), async () => ok(same.slice(5)), async () => ok([])]) {
      const tables = { ...ada.parts.tables, claims: { ...ada.parts.tables.claims, from } }
      await ada.round(tables)
      expect(await ada.round(tables)).toMatchObject({ more: false })
    }
  })

  it('takes no row of another form', async () => {
    const row = { n: '1', installation: Buffer.alloc(16, 1), seq: '2' }
    const from = async (shown: unknown) => claimTables({ query: async () => ok(shown as never) }, 'db').from(1)
    expect(await from([row])).toEqual(ok([{ n: 1, installation: '01'.repeat(16), seq: 2 }]))
    for (const change of [
      { n: 1 },
      { n: '0' },
      { n: '-1' },
      { seq: '1e3' },
      { seq: null },
      { seq: '1099511627776' },
      { installation: '01' },
      { installation: Buffer.alloc(15) }
    ])
      expect(await from([{ ...row, ...change }])).toMatchObject({ failure: { code: 'team-answer-unusable' } })
  })
})
