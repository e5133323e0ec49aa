/** Which relationships there were, from what was recorded: an authority asks whether there is one, or was. */
import { describe, expect, it } from 'vitest'
import { periodsOf, type Relationship } from '#contract/applicants/relationships.ts'
import { periodText } from '#contract/applicants/status.ts'

const said = (...recorded: readonly string[]): string =>
  periodsOf(
    recorded.map((each) => {
      const [state, on = ''] = each.split(' ')
      return { state: state as Relationship['state'], on }
    })
  )
    .map(periodText)
    .join('; ')

describe('relationships that last or lasted', () => {
  it('are those before a refusal as well', () => {
    expect(said('active 2020-01-10', 'ended 2024-06-30', 'refused 2026-11-20')).toBe('2020-01-10 to 2024-06-30')
  })
  it('are several, of which the last one can be active', () => {
    expect(said('active 2010-01-10', 'ended 2012-06-30', 'active 2020-01-10', 'ended 2024-06-30')).toBe(
      '2010-01-10 to 2012-06-30; 2020-01-10 to 2024-06-30'
    )
    expect(said('active 2020-01-10', 'ended 2024-06-30', 'active 2026-11-20')).toBe(
      '2020-01-10 to 2024-06-30; since 2026-11-20'
    )
  })
  it('end with a refusal or an occasional transaction, too', () => {
    expect(said('active 2020-01-10', 'refused 2024-06-30')).toBe('2020-01-10 to 2024-06-30')
    expect(said('active 2020-01-10', 'occasional 2024-06-30', 'ended 2025-01-31')).toBe(
      '2020-01-10 to 2024-06-30; until 2025-01-31'
    )
  })
  it('have an end alone if nobody recorded when they began', () => {
    expect(said('ended 2024-06-30')).toBe('until 2024-06-30')
    expect(said('ended 2024-06-30', 'active 2026-11-20')).toBe('until 2024-06-30; since 2026-11-20')
  })
  it('have the day that was recorded last, without anything in between', () => {
    expect(said('active 2002-01-10', 'active 2020-01-10', 'ended 2024-06-03', 'ended 2024-06-30')).toBe(
      '2020-01-10 to 2024-06-30'
    )
    expect(said('ended 2024-06-03', 'ended 2024-06-30')).toBe('until 2024-06-30')
  })
  it('are none for who was refused, had an occasional transaction or nothing recorded', () => {
    expect(said('refused 2026-11-20', 'occasional 2026-11-21')).toBe('')
    expect(said()).toBe('')
  })
})
