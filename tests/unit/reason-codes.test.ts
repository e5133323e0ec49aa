/** The list of reasons as the settings edit it. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maxReasonCodes, type ReasonCode } from '#contract/applicants/applicants.ts'
import { defaultReasonCodes } from '#contract/settings/defaults.ts'
import { defaultSettings, settingsSchema } from '#contract/settings/settings.ts'
import { settingChanges } from '#core/audit/changes.ts'
import { reasonLabel } from '../../renderer/features/applicants/applicant-words.ts'
import {
  add,
  alter,
  codeOf,
  freeCode,
  move,
  restore,
  remove,
  type Edited,
  type Reasons
} from '../../renderer/features/reasons/reason-codes.ts'

const start: Reasons = { decisionReasons: defaultReasonCodes, removedReasons: [] }
const draft = (label: string, code = '', decisions: ReasonCode['decisions'] = ['approve']): ReasonCode => ({
  label,
  code,
  decisions
})
const list = (edited: Edited): Reasons => {
  if ('fault' in edited) throw new Error(edited.fault.words)
  return edited.reasons
}
const fault = (edited: Edited): string | undefined =>
  'fault' in edited ? `${edited.fault.field}: ${edited.fault.words}` : undefined
const codes = ({ decisionReasons }: Reasons): string[] => decisionReasons.map(({ code }) => code)

describe('the list of reasons', () => {
  test.each([
    ['Über 18 Jahre', 'uber-18-jahre'],
    ['The service’s answer', 'the-services-answer'],
    ['  --- ', ''],
    ['身份', ''],
    ['a'.repeat(39) + ' b', 'a'.repeat(39)]
  ])('makes of “%s” the code “%s”', (label, code) => expect(codeOf(label)).toBe(code))

  test('takes a new reason at its end, with a code of its name or of its own', () => {
    const added = list(add(start, draft(' Sanctions hit ', '', ['escalate', 'decline'])))
    expect(added.decisionReasons.at(-1)).toEqual({
      code: 'sanctions-hit',
      label: 'Sanctions hit',
      decisions: ['decline', 'escalate']
    })
    expect(codes(list(add(start, draft('身份', 'identity')))).at(-1)).toBe('identity')
  })

  test.each([
    [draft(''), 'label: Enter a name.'],
    [draft('   '), 'label: Enter a name.'],
    [draft('x'.repeat(121)), 'label: A name has at most 120 characters.'],
    [draft('documents in ORDER', 'other'), 'label: There is already a reason called “documents in ORDER”.'],
    [draft('Another', 'documents-in-order'), 'code: The code “documents-in-order” is already in the list.'],
    [draft('身份'), 'code: Enter a code: lower-case letters, digits and hyphens.'],
    [draft('Another', 'Has Spaces'), /^code: A code has lower-case letters/],
    [draft('Another', '', []), 'decisions: Choose at least one decision.']
  ])('refuses %o with a sentence', (given, words) => {
    expect(fault(add(start, given))).toEqual(typeof words === 'string' ? words : expect.stringMatching(words))
  })

  test('is full at its limit', () => {
    const full = {
      ...start,
      decisionReasons: Array.from({ length: maxReasonCodes }, (_, n) => draft(`Reason ${n}`, `r-${n}`))
    }
    expect(settingsSchema.safeParse(full).success).toBe(true)
    expect(fault(add(full, draft('One more')))).toContain('at most 50')
  })

  test('renames without a new code, and refuses an empty name, a taken one, and no decision', () => {
    const renamed = list(alter(start, 'second-opinion', { label: ' Four eyes ' }))
    expect(renamed.decisionReasons.at(-1)).toEqual({
      code: 'second-opinion',
      label: 'Four eyes',
      decisions: ['escalate']
    })
    expect(list(alter(start, 'second-opinion', { label: 'SECOND opinion needed' })).decisionReasons.at(-1)?.label).toBe(
      'SECOND opinion needed'
    )
    expect(fault(alter(start, 'second-opinion', { label: '' }))).toBe('label: Enter a name.')
    expect(fault(alter(start, 'second-opinion', { label: 'Documents in order' }))).toContain('already a reason called')
    expect(fault(alter(start, 'second-opinion', { decisions: [] }))).toContain('at least one decision')
    expect(codes(renamed)).toEqual(codes(start))
  })

  test('keeps the name of what was removed for the decisions that gave it, and its code from another meaning', () => {
    const left = remove(start, 'suspected-fraud')
    expect(codes(left)).not.toContain('suspected-fraud')
    expect(reasonLabel('suspected-fraud', left)).toBe('Suspected fraud')
    expect(reasonLabel('of-another-installation', left)).toBe('of-another-installation')
    expect(fault(add(left, draft('Fraud rumour', 'suspected-fraud')))).toContain(
      'belongs to the removed reason “Suspected fraud”'
    )
    const back = list(restore(left, 'suspected-fraud'))
    expect(back.removedReasons).toEqual([])
    expect(back.decisionReasons.at(-1)).toEqual(start.decisionReasons.find(({ code }) => code === 'suspected-fraud'))
    // Another reason may have its name by now.
    expect(fault(restore(list(add(left, draft('Suspected fraud', 'fraud'))), 'suspected-fraud'))).toContain(
      'already a reason called'
    )
  })

  test('loses and doubles nothing, wherever a reason is moved', () => {
    const place = fc.integer({ min: -3, max: 12 })
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(7), place), { maxLength: 20 }), (moves) => {
        let now = start
        for (const [which, to] of moves) {
          const code = codes(start)[which] ?? ''
          now = move(now, code, to)
          expect(codes(now).indexOf(code)).toBe(Math.min(Math.max(to, 0), 7))
        }
        expect(codes(now).sort()).toEqual(codes(start).sort())
      })
    )
    expect(move(start, 'nobody', 1)).toEqual(start)
  })

  test('is noted in the audit trail in words, and once', () => {
    const { decisionReasons, removedReasons } = remove(start, 'suspected-fraud')
    const [change, ...more] = settingChanges(defaultSettings, { ...defaultSettings, decisionReasons, removedReasons })
    expect(more).toEqual([])
    expect(change?.name).toBe('decisionReasons')
    expect(change?.from).toContain('Suspected fraud (suspected-fraud: decline, escalate)')
    expect(change?.to).not.toContain('suspected-fraud')
    expect(settingChanges(defaultSettings, { ...defaultSettings, decisionNoteNeeded: false })).toEqual([
      { name: 'decisionNoteNeeded', from: true, to: false }
    ])
  })
})

test('a name that is taken, or has no usable letters, has a code of its own', () => {
  expect(freeCode('Hoch', 'class', ['low'])).toBe('hoch')
  expect(freeCode('High!', 'class', ['high'])).toBe('high-2')
  expect(freeCode('高', 'class', ['class', 'class-2', 'low'])).toBe('class-3')
  const long = 'a'.repeat(60)
  expect(freeCode(long, 'class', ['a'.repeat(40)])).toBe(`${'a'.repeat(37)}-2`)
})
