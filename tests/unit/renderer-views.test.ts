import { describe, expect, test } from 'vitest'
import { maxSavedViews, savedViewsSchema, type SavedView } from '#contract/app/views.ts'
import { filterOfView, keepView, periodStart, currentView, viewOf } from '../../renderer/features/history/views.ts'

const now = new Date(2026, 2, 30, 15, 20).getTime()
const day = (text: string): number => new Date(`${text}T00:00:00`).getTime()

describe('a view of the history', () => {
  test('keeps no word that was searched for', () => {
    const view = viewOf({ search: 'APP-77', operations: ['validate-passport'], unresolved: true }, now)
    expect(view).toEqual({ operations: ['validate-passport'], unresolved: true })
    expect(savedViewsSchema.safeParse([{ name: 'a', filter: { search: 'APP-77' } }]).success).toBe(false)
  })

  test('keeps a relative period relative', () => {
    const view = viewOf({ from: periodStart(7, now) }, now)
    expect(view).toEqual({ days: 7 })
    const later = new Date(2026, 3, 2, 9).getTime()
    // Whole local days, across the change to summer time.
    expect(filterOfView(view, later)).toEqual({ from: day('2026-03-27') })
  })

  test('keeps a period of fixed days as it is', () => {
    const fixed = { from: day('2026-01-01'), until: day('2026-02-01') }
    expect(filterOfView(viewOf(fixed, now), now + 86_400_000)).toEqual(fixed)
    const open = { from: day('2026-01-05') }
    expect(filterOfView(viewOf(open, now), now)).toEqual(open)
    // Until now: a fixed period, although it begins where a relative one would.
    const closed = { from: periodStart(7, now) ?? 0, until: day('2026-03-31') }
    expect(filterOfView(viewOf(closed, now), now + 86_400_000)).toEqual(closed)
  })

  test('is recognised whatever the order of its values, and with a search', () => {
    const views = [
      { name: 'Faults', filter: { states: ['unknown', 'not-sent'] as ('unknown' | 'not-sent')[], days: 30 } }
    ]
    const filter = {
      states: ['not-sent', 'unknown'] as ('unknown' | 'not-sent')[],
      from: periodStart(30, now),
      search: 'x'
    }
    expect(currentView(views, filter, now)?.name).toBe('Faults')
    expect(currentView(views, { ...filter, statuses: [200] }, now)).toBeUndefined()
    expect(currentView(views, { ...filter, unresolved: undefined }, now)?.name).toBe('Faults')
  })

  test('takes the place of the one of its name', () => {
    const first = keepView<SavedView>(keepView<SavedView>([], { name: 'a', filter: { days: 1 } }), {
      name: 'b',
      filter: {}
    })
    expect(keepView(first, { name: 'a', filter: { days: 7 } })).toEqual([
      { name: 'a', filter: { days: 7 } },
      { name: 'b', filter: {} }
    ])
  })

  test('has a unique name, and their number is limited', () => {
    const view = (name: string) => ({ name, filter: {} })
    expect(savedViewsSchema.safeParse([view('a'), view('a ')]).success).toBe(false)
    expect(savedViewsSchema.safeParse([view('  ')]).success).toBe(false)
    expect(
      savedViewsSchema.safeParse(Array.from({ length: maxSavedViews + 1 }, (_, at) => view(String(at)))).success
    ).toBe(false)
  })
})
