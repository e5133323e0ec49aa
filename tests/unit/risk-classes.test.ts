/** Risk classes: how long a review may wait at most, as a setting and as a policy. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { riskClassesSchema, type RiskClass } from '#contract/applicants/risk.ts'
import { settingsDefaults } from '#contract/settings/defaults.ts'
import { policiesInFile } from '#core/policies/json-file.ts'
import { understand } from '#core/policies/understand.ts'
import type { Engine } from '#store/engine/engine.ts'
import { add, opened } from '../service/history-fixtures.ts'

const one = (months: number, enhanced = false, code = 'one'): RiskClass => ({ code, label: 'One', months, enhanced })
const isAccepted = (classes: readonly RiskClass[]): boolean => riskClassesSchema.safeParse(classes).success

describe('risk classes', () => {
  it('are low, medium and high at first', () => {
    expect(settingsDefaults.riskClasses.map(({ code, months, enhanced }) => [code, months, enhanced])).toEqual([
      ['low', 60, false],
      ['medium', 36, false],
      ['high', 12, true]
    ])
    expect(isAccepted(settingsDefaults.riskClasses)).toBe(true)
  })

  it('wait for a review at most 12 months with enhanced measures, and 60 without', () => {
    for (const [months, enhanced, accepted] of [
      [60, false, true],
      [61, false, false],
      [12, true, true],
      [13, true, false],
      [0, false, false],
      [1.5, false, false]
    ] as const)
      expect(isAccepted([one(months, enhanced)]), `${months} ${enhanced}`).toBe(accepted)
  })

  it('have a code each, and are at least one', () => {
    expect(isAccepted([])).toBe(false)
    expect(isAccepted([one(12), one(24)])).toBe(false)
    expect(isAccepted([one(12), one(24, false, 'two')])).toBe(true)
    expect(isAccepted([one(12, false, 'Not a code')])).toBe(false)
  })
})

describe('the policy of risk classes', () => {
  const read = (classes: readonly RiskClass[]) =>
    understand([
      {
        place: 'file',
        found: policiesInFile(
          Buffer.from(
            JSON.stringify({
              format: 'veridesk-policies',
              version: 1,
              policies: { RiskClasses: classes, LockMinutes: 5 }
            })
          )
        )
      }
    ])

  it('is refused as a whole with 61 months, or 13 with enhanced measures', () => {
    const refused = { ok: false, failure: { fault: { reason: 'policy', policy: 'RiskClasses' } } }
    expect(read([one(61)])).toMatchObject(refused)
    expect(read([one(60), one(13, true, 'two')])).toMatchObject(refused)
    expect(read([one(60), one(12, true, 'two')])).toMatchObject({ ok: true, value: { values: { LockMinutes: 5 } } })
  })
})

describe('a class whose months were changed', () => {
  const by = { at: Date.UTC(2026, 10, 30), operator: 'tester' }
  let engine: Engine
  beforeEach(() => {
    engine = opened()
    for (const applicant of ['A-1', 'A-2']) add(engine, { applicant })
  })
  afterEach(() => engine.close())
  const change = (months: number, ...applicantIds: string[]) =>
    engine.commit([
      (writer) =>
        engine.applicants.changeMany(
          writer,
          { applicantIds, relationship: { state: 'active', on: '2026-01-31' }, rated: { risk: 'high', months } },
          by
        )
    ])[0]
  const enter = (months: number) => {
    const entries = ['A-1', 'A-2'].map((applicantId) => ({ applicantId, rated: { risk: 'high', months } }))
    const states = engine.applicants.compare(entries)
    engine.commit([(writer) => engine.applicants.enterMany(writer, entries, by)])
    return states
  }
  const reviews = () => ['A-1', 'A-2'].map((each) => engine.applicants.read.find(each)?.review_at)

  it('applies to whom it is given afterwards, also to many who have it and by an import', () => {
    expect(change(12, 'A-1', 'A-2')).toMatchObject({ value: { changed: 2, same: 0 } })
    expect(reviews()).toEqual(['2027-01-31', '2027-01-31'])
    expect(change(6, 'A-1')).toMatchObject({ value: { changed: 1, same: 0 } })
    expect(reviews()).toEqual(['2026-07-31', '2027-01-31'])
    expect(enter(6)).toMatchObject({ value: ['same', 'changed'] })
    expect(reviews()).toEqual(['2026-07-31', '2026-07-31'])
    expect(enter(6)).toMatchObject({ value: ['same', 'same'] })
    expect(change(6, 'A-1', 'A-2')).toMatchObject({ value: { changed: 0, same: 2 } })
  })
})
