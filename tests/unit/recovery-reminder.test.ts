/** When the window reminds of the recovery key. */
import { describe, expect, it } from 'vitest'
import {
  recoveryReminder,
  snoozeTime,
  type ReminderFacts
} from '../../renderer/features/data-management/recovery-store.ts'

const now = Date.UTC(2026, 10, 21)
const facts: ReminderFacts = {
  onFile: true,
  records: 1,
  recovery: { exists: false, confirmed: false },
  snoozedUntil: 0,
  now
}

describe('the reminder of the recovery key', () => {
  it('is shown while there is none, or none whose copy was confirmed', () => {
    expect(recoveryReminder(facts)).toContain('There is no recovery key.')
    expect(recoveryReminder({ ...facts, recovery: { exists: true, createdAt: now, confirmed: false } })).toContain(
      'no copy of it has been confirmed'
    )
    expect(recoveryReminder({ ...facts, recovery: { exists: true, createdAt: now, confirmed: true } })).toBeUndefined()
  })
  it('is not shown where nothing would be lost, or before the state is known', () => {
    for (const other of [{ onFile: false }, { records: 0 }, { recovery: undefined }])
      expect(recoveryReminder({ ...facts, ...other })).toBeUndefined()
  })
  it('is put off for a week and no longer, also if the clock was set back', () => {
    expect(recoveryReminder({ ...facts, snoozedUntil: now + snoozeTime })).toBeUndefined()
    expect(recoveryReminder({ ...facts, snoozedUntil: now })).toBeDefined()
    expect(recoveryReminder({ ...facts, snoozedUntil: now + snoozeTime + 1 })).toBeDefined()
  })
})
