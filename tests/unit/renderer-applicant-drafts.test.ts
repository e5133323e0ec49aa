/** Drafts about applicants: kept for the session, dropped once recorded, and removed with their history. */
import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'
import type { AppState } from '#contract/app/app-state.ts'
import { removeData } from '../../renderer/kit/removal.ts'
import { useApp } from '../../renderer/features/shell/app-store.ts'
import { useApplicantDrafts } from '../../renderer/features/applicants/applicant-drafts-store.ts'

const inState = async (state: AppState['history']['state']): Promise<void> => {
  useApp().state = { history: { state } } as unknown as AppState
  await nextTick()
}
const typed = () => {
  const drafts = useApplicantDrafts()
  const form = drafts.decisionOf('A', 5)
  Object.assign(form, { decision: 'approve', note: 'half' })
  drafts.setNote('A', 'half a note')
  return drafts
}

describe('drafts about applicants', () => {
  beforeEach(() => setActivePinia(createPinia()))

  it('are kept for each applicant, with the evidence that was seen', () => {
    const drafts = typed()
    expect(drafts.decisionOf('A', 9)).toMatchObject({ decision: 'approve', note: 'half', seen: 5 })
    expect(drafts.decisionOf('B', 9)).toMatchObject({ decision: undefined, note: '', seen: 9 })
    expect([drafts.noteOf('A'), drafts.noteOf('B')]).toEqual(['half a note', ''])
  })

  it('keep what was in sight with a decision that was begun, and begin anew without one', () => {
    const drafts = typed()
    drafts.seenOf('A', true).add('record 1')
    drafts.seenOf('B', true).add('record 2')
    // The page is left and opened again, by the same store and by that of the next session.
    expect([...drafts.seenOf('A', true)]).toEqual(['record 1'])
    expect([...drafts.seenOf('B', true)]).toEqual([])
    const kept = JSON.parse(JSON.stringify(drafts.kept.take())) as Parameters<typeof drafts.kept.restore>[0]
    setActivePinia(createPinia())
    const next = useApplicantDrafts()
    next.seenOf('A', true).add('record 3')
    next.kept.restore(kept)
    expect([...next.seenOf('A', true)]).toEqual(['record 3', 'record 1'])
    next.dropDecision('A', 9)
    expect([...next.seenOf('A', true)]).toEqual([])
  })

  it('keep a class of the time with a decision that was begun, and no time of an applicant that was left', () => {
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => now)
    const drafts = typed()
    expect(drafts.lookedAt('A').focus).toBeUndefined()
    drafts.attend('A', true)
    now += 20_000
    expect(drafts.lookedAt('A').focus).toBe('under-60')
    drafts.leave('A')
    drafts.attend('B', true)
    now += 400_000
    expect([drafts.lookedAt('A').focus, drafts.lookedAt('B').focus]).toEqual(['under-60', 'more'])
    // Nothing was begun about B, which begins anew; of A, 15 s are known.
    drafts.attend('A', true)
    now += 44_999
    expect(drafts.lookedAt('A').focus).toBe('under-60')
    now += 1
    expect(drafts.lookedAt('A').focus).toBe('under-300')
    drafts.attend('B', true)
    expect(drafts.lookedAt('B').focus).toBe('under-5')
    const kept = JSON.parse(JSON.stringify(drafts.kept.take())) as Parameters<typeof drafts.kept.restore>[0]
    expect(kept.shown).toEqual([['A', 'under-60']])
    setActivePinia(createPinia())
    const next = useApplicantDrafts()
    next.attend('A', false)
    next.kept.restore(kept)
    now += 400_000
    expect(next.lookedAt('A').focus).toBe('under-60')
    removeData()
    expect(next.lookedAt('A').focus).toBeUndefined()
    vi.restoreAllMocks()
  })

  it('use the current evidence if nothing was chosen', () => {
    const drafts = useApplicantDrafts()
    drafts.decisionOf('A', 5)
    expect(drafts.decisionOf('A', 9).seen).toBe(9)
  })

  it('are empty once recorded, also in the form on the screen', () => {
    const drafts = typed()
    const form = drafts.decisionOf('A', 9)
    drafts.dropDecision('A', 9)
    expect(form).toEqual({
      decision: undefined,
      checks: {},
      reviewChecks: {},
      reasons: [],
      note: '',
      due: '',
      seen: 9,
      refused: false
    })
  })

  it('are removed with personal data, but not on a failure of the history', async () => {
    await inState('ready')
    const drafts = typed()
    await inState('failed')
    await inState('ready')
    expect(drafts.noteOf('A')).toBe('half a note')
    removeData()
    expect([drafts.noteOf('A'), drafts.decisionOf('A', 1).note]).toEqual(['', ''])
  })
})
