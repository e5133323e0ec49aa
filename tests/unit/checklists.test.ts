/** Checklists: what a setting may hold, which answers core refuses, what is recorded of them, and editing them. */
import { describe, expect, it } from 'vitest'
import type { Decision, DecisionDraft } from '#contract/applicants/applicants.ts'
import {
  answeredOf,
  checklistOf,
  checklistsSchema,
  checklistText,
  checksOf,
  itemsFor,
  maxChecklistItems,
  unansweredOf,
  type ChecklistItem,
  type Checklists,
  type Checks
} from '#contract/applicants/checklists.ts'
import { wordsOf } from '#contract/evidence/event-sentences.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { defaultSettings } from '#contract/settings/settings.ts'
import { answeredChecklist, decisionFault, manyFault, oneByOneFault, reviewFault } from '#core/applicants/rules.ts'
import { settingChanges } from '#core/audit/changes.ts'
import { policiesInFile } from '#core/policies/json-file.ts'
import { understand } from '#core/policies/understand.ts'
import { askedItems, checksToSend } from '../../renderer/features/applicants/asked-items.ts'
import { add, alter, move, suggested, toggle } from '../../renderer/features/reasons/checklist-items.ts'
import { firstGap } from '../../renderer/features/case/first-gap.ts'

const photo = {
  code: 'photo-matches',
  label: 'The photo matches',
  required: true,
  answer: 'yes-no' as const,
  decisions: ['approve', 'escalate'] as Decision[]
}
const seen = {
  ...photo,
  code: 'seen',
  label: 'Looked at',
  answer: 'tick' as const,
  decisions: ['approve'] as Decision[]
}
const remark = { ...photo, code: 'remark', label: 'Remarkable', required: false, decisions: ['approve'] as Decision[] }
const values = { code: 'constructor', label: 'The values are right', required: true, answer: 'yes-no' as const }
const checklists: Checklists = { decision: [photo, seen, remark], review: [values] }
const settings = { ...defaultSettings, checklists }
const draft = { decision: 'approve' as Decision, reasons: ['documents-in-order'], note: 'x' }
/** By a code that every object has as well. */
const right: Checks = Object.fromEntries([['constructor', 'yes' as const]])
const all: Checks = { 'photo-matches': 'no', 'seen': 'yes' }

describe('the setting', () => {
  it('takes at most 20 items of each kind, each code once, with a decision where one belongs to it', () => {
    const taken = (found: unknown): boolean => checklistsSchema.safeParse(found).success
    const some = (count: number) => Array.from({ length: count }, (_, n) => ({ ...photo, code: `c-${n}` }))
    expect(taken(checklists)).toBe(true)
    expect(taken({ decision: some(maxChecklistItems), review: [] })).toBe(true)
    expect(taken({ decision: some(maxChecklistItems + 1), review: [] })).toBe(false)
    expect(taken({ decision: [photo, photo], review: [] })).toBe(false)
    expect(taken({ decision: [{ ...photo, decisions: [] }], review: [] })).toBe(false)
    expect(taken({ decision: [], review: [photo] })).toBe(false)
    expect(taken({ decision: [{ ...photo, label: ' ' }], review: [] })).toBe(false)
    expect(taken({ decision: [{ ...photo, answer: 'text' }], review: [] })).toBe(false)
    expect(defaultSettings.checklists).toEqual({ decision: [], review: [] })
  })

  it('is one policy, refused as a whole if an item is not right', () => {
    const read = (found: object) =>
      understand([
        {
          place: 'file',
          found: policiesInFile(
            Buffer.from(JSON.stringify({ format: 'veridesk-policies', version: 1, policies: { Checklists: found } }))
          )
        }
      ])
    expect(read(checklists)).toMatchObject({ ok: true, value: { values: { Checklists: checklists } } })
    expect(read({ ...checklists, review: [photo] })).toMatchObject({
      failure: { fault: { reason: 'policy', policy: 'Checklists' } }
    })
  })

  it('is written into the audit trail as text when it changes', () => {
    expect(settingChanges(defaultSettings, settings)).toEqual([
      {
        name: 'checklists',
        from: '',
        to: [
          'decision: The photo matches (photo-matches: yes-no, required, approve, escalate)',
          'decision: Looked at (seen: tick, required, approve)',
          'decision: Remarkable (remark: yes-no, approve)',
          'review: The values are right (constructor: yes-no, required)'
        ].join('; ')
      }
    ])
  })
})

describe('core', () => {
  const refused = (more: Partial<DecisionDraft>): string[] =>
    Object.keys(decisionFault({ ...draft, ...more }, settings)?.fields ?? {})

  it('refuses a decision whose required items have no answer, at the item', () => {
    expect(refused({ checks: all })).toEqual([])
    expect(refused({})).toEqual(['checks.photo-matches', 'checks.seen'])
    expect(refused({ checks: { seen: 'yes' } })).toEqual(['checks.photo-matches'])
    const fault = decisionFault({ ...draft, checks: { seen: 'yes' } }, settings)
    expect(fault && sentencesOf(fault).what).toBe(
      'The decision is incomplete. Answer “The photo matches” in the checklist.'
    )
  })

  it('asks only for the items of the decision, and of the review that it is', () => {
    expect(refused({ decision: 'decline', reasons: ['reviewed-by-hand'] })).toEqual([])
    expect(refused({ decision: 'escalate', reasons: ['second-opinion'] })).toEqual(['checks.photo-matches'])
    expect(refused({ checks: all, review: 'unchanged' })).toEqual(['reviewChecks.constructor'])
    expect(refused({ checks: all, review: 'unchanged', reviewChecks: right })).toEqual([])
  })

  it('refuses an answer that no item asks for, and a tick that is none', () => {
    expect(refused({ checks: { ...all, other: 'yes' } })).toEqual(['checks'])
    expect(refused({ checks: { ...all, seen: 'no' } })).toEqual(['checks.seen'])
    expect(refused({ checks: all, reviewChecks: right })).toEqual(['reviewChecks'])
  })

  it('refuses a review in the same way', () => {
    expect(reviewFault({}, settings)).toMatchObject({
      code: 'review-invalid',
      fields: { 'checks.constructor': { code: 'check-needed' } }
    })
    expect(reviewFault({ checks: right }, settings)).toBeUndefined()
    expect(reviewFault({}, defaultSettings)).toBeUndefined()
  })

  it('lets nobody answer required items for applicants outside a sample', () => {
    expect(oneByOneFault('approve', 1, settings)).toMatchObject({ code: 'checklist-one-by-one' })
    expect(oneByOneFault('approve', 0, settings)).toBeUndefined()
    expect(oneByOneFault('decline', 100, settings)).toBeUndefined()
    expect(oneByOneFault('approve', 100, { checklists: { decision: [remark], review: [values] } })).toBeUndefined()
    expect(manyFault(draft, 1, settings)).toMatchObject({ code: 'checklist-one-by-one' })
    expect(manyFault(draft, 0, settings)).toBeUndefined()
    expect(manyFault({ ...draft, note: '' }, 0, settings)).toMatchObject({ code: 'decision-invalid' })
  })

  it('records the version, the answers to its items alone, and whether all are answered', () => {
    const text = checklistText('decision', checklists)
    expect(answeredChecklist(settings, 'approve', { ...all, other: 'no' })).toEqual({
      text,
      complete: false,
      checks: all
    })
    expect(answeredChecklist(settings, 'approve', { ...all, remark: 'not-applicable' })).toMatchObject({
      complete: true
    })
    expect(answeredChecklist(settings, 'escalate', { 'photo-matches': 'yes' })).toMatchObject({ text, complete: true })
    expect(answeredChecklist(settings, 'decline', all)).toBeUndefined()
    expect(answeredChecklist(defaultSettings, 'approve', all)).toBeUndefined()
    expect(answeredChecklist(settings, 'review')).toEqual({
      text: checklistText('review', checklists),
      complete: false,
      checks: {}
    })
  })
})

describe('a version', () => {
  it('is read back from its text, and names no answer that was not given', () => {
    const text = checklistText('decision', checklists)
    expect(checklistOf(text)).toEqual({ kind: 'decision', items: checklists.decision })
    for (const broken of ['', '{}', '[]', 'null', '{"kind":"other","items":[]}', '{"kind":"review","items":[{}]}'])
      expect(checklistOf(broken), broken).toBeUndefined()
    expect(answeredOf(text, 'escalate', { complete: false, checks: {} })).toEqual({
      complete: false,
      items: [{ label: 'The photo matches', answer: undefined }]
    })
    expect(answeredOf(checklistText('review', checklists), 'review', { complete: false, checks: {} })?.items).toEqual([
      { label: 'The values are right', answer: undefined }
    ])
  })

  it('has words in the audit trail', () => {
    const names = { connection: () => '' }
    const text = checklistText('decision', checklists)
    expect(wordsOf('checklist.noted', { ref: 1, text }, names)).toBe(
      'Checklist of 3 items for decisions answered for the first time.'
    )
    expect(wordsOf('checklist.noted', { ref: 1, text: 'x' }, names)).toBe('Checklist answered for the first time.')
    const plain = { decision: 'approve', records: [1], checklist: { ref: 1, complete: false } }
    expect(wordsOf('decision.made', plain, names)).toBe('Approved, based on 1 record, checklist incomplete.')
    expect(
      wordsOf('review.recorded', { outcome: 'unchanged', next: null, checklist: { ref: 1, complete: true } }, names)
    ).toBe('Review recorded: unchanged, checklist complete.')
  })
})

describe('the form', () => {
  it('asks for the checklist before the reasons, and for that of the review last', () => {
    const input = {
      decision: 'approve',
      newer: false,
      unanswered: 1,
      unansweredOfReview: 1,
      offered: 2,
      given: 0,
      noteNeeded: true,
      note: ''
    }
    expect(firstGap(input)).toBe('checklist')
    expect(firstGap({ ...input, newer: true })).toBe('evidence')
    expect(firstGap({ ...input, unanswered: 0 })).toBe('reasons')
    expect(firstGap({ ...input, unanswered: 0, given: 1, note: 'x' })).toBe('review')
    expect(firstGap({ ...input, unanswered: 0, unansweredOfReview: 0, given: 1, note: 'x' })).toBeUndefined()
  })

  it('sends the answers to what is shown, and knows what is missing', () => {
    const items = itemsFor(checklists, 'escalate')
    expect(checksOf(items, { ...all, remark: 'yes' })).toEqual({ 'photo-matches': 'no' })
    expect(unansweredOf(itemsFor(checklists, 'approve'), { seen: 'yes' }).map(({ code }) => code)).toEqual([
      'photo-matches'
    ])
  })
})

describe('the editor', () => {
  const items = (edited: ReturnType<typeof add>): readonly ChecklistItem[] => {
    if ('fault' in edited) throw new Error(edited.fault)
    return edited.items
  }
  it('adds an item under a code of its own, and refuses an empty name, a second one and a 21st', () => {
    const one = items(add([], 'decision', ' Photo matches '))
    expect(one).toEqual([
      { code: 'photo-matches', label: 'Photo matches', required: true, answer: 'yes-no', decisions: ['approve'] }
    ])
    const two = items(add(one, 'decision', 'Photo – matches'))
    expect(two.map(({ code }) => code)).toEqual(['photo-matches', 'photo-matches-2'])
    expect(items(add(two, 'decision', 'photo / matches')).at(-1)?.code).toBe('photo-matches-3')
    expect(items(add([], 'review', '照片')).at(-1)).toEqual({
      code: 'item',
      label: '照片',
      required: true,
      answer: 'yes-no'
    })
    expect(add(one, 'decision', '')).toEqual({ fault: 'Enter a name.' })
    expect(add(one, 'decision', 'PHOTO matches')).toHaveProperty('fault')
    const full = Array.from({ length: maxChecklistItems }, (_, n) => ({ ...photo, code: `c-${n}`, label: `Item ${n}` }))
    expect(add(full, 'decision', 'More')).toHaveProperty('fault')
    expect(checklistsSchema.safeParse({ decision: two, review: [] }).success).toBe(true)
  })

  it('suggests what is not there yet, changes and moves items, and keeps a decision for each', () => {
    expect(suggested([], 'decision').map(({ code }) => code)).toEqual([
      'photo-matches',
      'document-not-expired',
      'values-match',
      'why-no-eid'
    ])
    expect(suggested([photo], 'decision')).toHaveLength(3)
    expect(
      checklistsSchema.safeParse({ decision: suggested([], 'decision'), review: suggested([], 'review') })
    ).toMatchObject({
      success: true
    })
    const both = [photo, seen]
    expect(items(alter(both, 'seen', { decisions: ['escalate', 'approve'] }))[1]?.decisions).toEqual([
      'approve',
      'escalate'
    ])
    expect(alter(both, 'seen', { decisions: [] })).toHaveProperty('fault')
    const alone = items(alter(both, 'seen', { decisions: ['approve'] }))
    const ticked = items(toggle(alone, 'seen', 'escalate', true))
    expect(items(toggle(ticked, 'seen', 'decline', true))[1]?.decisions).toEqual(['approve', 'decline', 'escalate'])
    expect(items(toggle(ticked, 'seen', 'approve', false))[1]?.decisions).toEqual(['escalate'])
    expect(toggle(alone, 'seen', 'approve', false)).toHaveProperty('fault')
    expect(alter(both, 'seen', { label: 'the photo MATCHES' })).toHaveProperty('fault')
    expect(items(alter(both, 'seen', { required: false, label: ' Seen ' }))[1]).toMatchObject({
      label: 'Seen',
      required: false
    })
    expect(move(both, 'seen', -1).map(({ code }) => code)).toEqual(['seen', 'photo-matches'])
    expect(move(both, 'photo-matches', 5).map(({ code }) => code)).toEqual(['seen', 'photo-matches'])
  })
})

it('takes no answer for one to another question, whatever its code', () => {
  const item = { code: 'photo', label: 'The photo matches', required: true, answer: 'yes-no' } as const
  const asking = (each: ChecklistItem) => askedItems({ decision: [], review: [each] }, 'review')
  const [asked] = asking(item)
  const given: Checks = { [asked?.code ?? '']: 'yes' }
  expect(checksToSend(asking(item), given)).toEqual({ photo: 'yes' })
  // What does not change the question keeps the answer.
  expect(unansweredOf(asking({ ...item, required: false }), given)).toEqual([])
  for (const other of [
    { ...item, label: 'The person is on a list' },
    { ...item, answer: 'tick' as const }
  ]) {
    expect(unansweredOf(asking(other), given)).toHaveLength(1)
    expect(checksToSend(asking(other), given)).toEqual({})
  }
})
