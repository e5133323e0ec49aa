/** When a review is due: against a recount that counts days one by one, over random histories and through the store. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addMonths, nextExpiry, nextReview, type ReviewFact } from '#contract/applicants/reviews.ts'
import { counted, times } from '../service/support/times.ts'

const dayLength = 86_400_000
const iso = (at: number): string => new Date(at).toISOString().slice(0, 10)
const following = (day: string): string => iso(Date.parse(day) + dayLength)

/** Day by day: the first day that many months later with the same number, or the last day of that month. */
function naiveMonths(day: string, months: number): string {
  const place = (text: string): number => Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7))
  let next = day
  while (place(next) < place(day) + months) next = following(next)
  while (Number(next.slice(8)) < Number(day.slice(8)) && place(following(next)) === place(next)) next = following(next)
  return next
}

/** Fact by fact, keeping what holds after each. */
function naive(facts: readonly ReviewFact[]): unknown {
  let [months, state, since, approved] = [0, '', '', '']
  let ends: string[] = []
  let reviews: string[] = []
  let papers: { document: string; expires: string }[] = []
  for (const fact of facts) {
    if (fact.kind === 'rated') months = fact.months
    if (fact.kind === 'relationship') {
      state = fact.state
      if (state === 'active') since = fact.on
      else ends = [...ends, fact.on]
    }
    if (fact.kind === 'reviewed') reviews = [...reviews, fact.day]
    if (fact.kind === 'expiry') papers = [...papers.filter(({ document }) => document !== fact.document), fact]
    if (fact.kind === 'approved' && (!approved || fact.day < approved)) approved = fact.day
  }
  if (!months || (state && state !== 'active')) return undefined
  // What was before the relationship began again is of another one.
  const again = ends.some((end) => end <= since)
  while (again && (reviews.at(-1) ?? since) < since) reviews = reviews.slice(0, -1)
  const last = reviews.at(-1) ?? (again ? since : '')
  const from = last || (approved && (!since || approved < since) ? approved : since)
  if (!from) return undefined
  let [at, cause] = [naiveMonths(from, months), 'period']
  for (const { expires } of papers) if (expires < at && !(last && expires <= last)) [at, cause] = [expires, 'expiry']
  return { at, cause }
}

const day = fc.integer({ min: 0, max: 6000 }).map((days) => iso(Date.UTC(2016, 0, 31) + days * dayLength))
// Days at which months differ in length are common.
const edge = fc.constantFrom('2024-02-29', '2028-02-29', '2026-01-31', '2026-03-31', '2027-02-28', '2025-12-31')
const anyDay = fc.oneof(day, edge)
const fact: fc.Arbitrary<ReviewFact> = fc.oneof(
  fc.record({ kind: fc.constant('approved' as const), day: anyDay }),
  fc.record({
    kind: fc.constant('relationship' as const),
    state: fc.constantFrom('active', 'active', 'active', 'occasional', 'refused', 'ended') as fc.Arbitrary<'active'>,
    on: anyDay
  }),
  fc.record({ kind: fc.constant('rated' as const), months: fc.constantFrom(1, 12, 36, 60) }),
  fc.record({
    kind: fc.constant('expiry' as const),
    document: fc.constantFrom('Passport', 'ID'),
    expires: anyDay
  }),
  fc.record({ kind: fc.constant('reviewed' as const), day: anyDay })
)

describe('the next review', () => {
  it('is what a recount finds, for 1,000 random histories', { timeout: 10_000 * times }, ({ task }) => {
    const histories = 1000 * times
    let scheduled = 0
    fc.assert(
      fc.property(fc.array(fact, { maxLength: 12 }), (facts) => {
        const found = nextReview(facts)
        if (found) scheduled += 1
        expect(found).toEqual(naive(facts))
      }),
      { numRuns: histories }
    )
    expect(scheduled).toBeGreaterThan(histories / 5)
    counted(task, { histories, differing: 0 })
  })

  it('ends a month that has no such day with its last one', () => {
    expect(addMonths('2024-02-29', 12)).toBe('2025-02-28')
    expect(addMonths('2024-02-29', 48)).toBe('2028-02-29')
    expect(addMonths('2026-01-31', 1)).toBe('2026-02-28')
    expect(addMonths('2026-11-30', 3)).toBe('2027-02-28')
  })

  it('moves to the earlier day with a raised class, and forward with an expiry, until a review', () => {
    const facts: ReviewFact[] = [
      { kind: 'rated', months: 60 },
      { kind: 'approved', day: '2026-03-14' }
    ]
    expect(nextReview(facts)).toEqual({ at: '2031-03-14', cause: 'period' })
    facts.push({ kind: 'rated', months: 12 })
    expect(nextReview(facts)).toEqual({ at: '2027-03-14', cause: 'period' })
    facts.push({ kind: 'expiry', document: 'Passport', expires: '2026-12-01' })
    expect(nextReview(facts)).toEqual({ at: '2026-12-01', cause: 'expiry' })
    facts.push({ kind: 'reviewed', day: '2026-12-02' })
    expect(nextReview(facts)).toEqual({ at: '2027-12-02', cause: 'period' })
    facts.push({ kind: 'relationship', state: 'ended', on: '2027-01-01' })
    expect(nextReview(facts)).toBeUndefined()
  })
  it('begins anew with a relationship that begins again', () => {
    const facts: ReviewFact[] = [
      { kind: 'approved', day: '2020-01-08' },
      { kind: 'relationship', state: 'active', on: '2020-01-10' },
      { kind: 'rated', months: 12 },
      { kind: 'expiry', document: 'Passport', expires: '2022-05-01' },
      { kind: 'relationship', state: 'ended', on: '2020-06-30' },
      { kind: 'relationship', state: 'active', on: '2026-11-20' }
    ]
    const anew = { at: '2027-11-20', cause: 'period' }
    expect(nextReview(facts)).toEqual(anew)
    expect(nextExpiry(facts)).toBeUndefined()
    const reviewed = (day: string) => nextReview([...facts.slice(0, 4), { kind: 'reviewed', day }, ...facts.slice(4)])
    expect(reviewed('2020-06-01')).toEqual(anew)
    expect(nextReview([...facts, { kind: 'approved', day: '2026-11-24' }])).toEqual(anew)
    expect(nextReview([...facts, { kind: 'expiry', document: 'Passport', expires: '2027-05-01' }])?.cause).toBe(
      'expiry'
    )
    expect(nextReview([...facts, { kind: 'reviewed', day: '2027-03-01' }])?.at).toBe('2028-03-01')
  })

  it('goes on with a relationship whose end was recorded by mistake, and from a day that was corrected', () => {
    const mistaken: ReviewFact[] = [
      { kind: 'relationship', state: 'active', on: '2020-01-10' },
      { kind: 'rated', months: 12 },
      { kind: 'reviewed', day: '2026-03-01' },
      { kind: 'relationship', state: 'ended', on: '2026-11-20' },
      { kind: 'relationship', state: 'active', on: '2020-01-10' }
    ]
    expect(nextReview(mistaken)?.at).toBe('2027-03-01')
    const corrected: ReviewFact[] = [
      { kind: 'relationship', state: 'active', on: '2002-01-10' },
      { kind: 'rated', months: 36 },
      { kind: 'relationship', state: 'active', on: '2026-01-10' }
    ]
    expect(nextReview(corrected)?.at).toBe('2029-01-10')
  })
})
