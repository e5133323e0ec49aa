/** The time in which an applicant is shown: only with a person's attention, and of one applicant alone. */
import { describe, expect, it } from 'vitest'
import { focusClasses, focusClassOf, leastTime } from '#contract/applicants/seen.ts'
import { FocusTime } from '../../renderer/features/applicants/focus-time.ts'
import { seeded } from '../service/support/random.ts'
import { counted } from '../service/support/times.ts'

describe('the time in which an applicant is shown', () => {
  it('is right in 1,000 of 1,000 scripted decisions: focused, in the background, locked, of others', ({ task }) => {
    const pick = seeded(11)
    let now = 1000
    for (let turn = 0; turn < 1000; turn += 1) {
      const time = new FocusTime(() => now)
      // Since the applicant is shown the last time, without others in between.
      let expected = 0
      let [isFocused, isHidden, isLocked, shown] = [pick(2) === 0, false, false, 'A' as 'A' | 'B' | undefined]
      time.attend('A', isFocused)
      for (let step = 0; step < 12; step += 1) {
        const passed = pick(60_000)
        now += passed
        if (shown === 'A' && isFocused && !isHidden && !isLocked) expected += passed
        const what = pick(6)
        if (what === 0) isFocused = !isFocused
        if (what === 1) isHidden = !isHidden
        if (what === 2) isLocked = !isLocked
        if (what === 3 && shown !== 'A') [shown, expected] = ['A', 0]
        if (what === 4) shown = 'B'
        if (what === 5) {
          time.leave('C')
          if (pick(2) === 0) {
            time.leave(shown)
            shown = undefined
          }
        }
        if (shown) time.attend(shown, isFocused && !isHidden && !isLocked)
        expect(time.spentOn('A'), String(turn)).toBe(shown === 'A' ? expected : undefined)
      }
    }
    counted(task, { decisions: 1000, differing: 0 })
  })

  it('is 0 in the background, and of two windows counts in the focused one alone', () => {
    let now = 0
    const [front, behind] = [new FocusTime(() => now), new FocusTime(() => now)]
    front.attend('A', true)
    behind.attend('A', false)
    now += 600_000
    expect([front.spentOn('A'), behind.spentOn('A')]).toEqual([600_000, 0])
    // The focus changes over.
    front.attend('A', false)
    behind.attend('A', true)
    now += 7000
    expect([front.spentOn('A'), behind.spentOn('A')]).toEqual([600_000, 7000])
  })

  it('is not known any more of an applicant that was left', () => {
    let now = 0
    const time = new FocusTime(() => now)
    time.attend('A', true)
    now += 9000
    time.attend('B', true)
    expect(time.spentOn('A')).toBeUndefined()
    time.attend('A', true)
    expect(time.spentOn('A')).toBe(0)
    time.leave()
    expect(JSON.stringify(time)).toBe('{"spent":0}')
  })

  it('is one of five classes, each of which ends where the next one begins', () => {
    const ends = [0, 4999, 5000, 14_999, 15_000, 59_999, 60_000, 299_999, 300_000, 1e9]
    expect(ends.map(focusClassOf)).toEqual(focusClasses.flatMap((each) => [each, each]))
    for (const each of focusClasses) expect(focusClassOf(leastTime(each))).toBe(each)
  })
})
