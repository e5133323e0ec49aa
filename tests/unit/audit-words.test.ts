/** The audit trail page's text for an event. */
import { describe, expect, it } from 'vitest'
import { auditKinds, isUnnamed } from '#wire/audit-words.ts'
import { operatorLabel } from '../../renderer/features/audit/audit-words.ts'

const said = (kind: string, plain: Readonly<Record<string, unknown>>): string | undefined =>
  auditKinds[kind]?.words(plain, { connection: () => 'a connection' })

describe('the words of the audit trail', () => {
  it('tell each turn of a batch, and why it stopped', () => {
    expect(said('batch.changed', { from: 'made', to: 'running' })).toBe('Batch started.')
    expect(said('batch.changed', { from: 'paused', to: 'running' })).toBe('Batch resumed.')
    expect(said('batch.changed', { from: 'running', to: 'finished' })).toBe('Batch finished.')
    expect(said('batch.changed', { from: 'running', to: 'stopped', reason: 'disk-full' })).toBe(
      'Batch stopped (disk-full).'
    )
  })

  it.each([
    ['record.settled', { as: 'processed' }, 'Not recorded'],
    ['record.settled', { as: 'processed', operator: 'ama' }, 'ama'],
    ['batch.changed', { from: 'made', to: 'running' }, 'Not recorded'],
    ['batch.changed', { from: 'running', to: 'paused' }, 'Not recorded'],
    ['batch.changed', { from: 'running', to: 'paused', by: 'console' }, ''],
    ['batch.changed', { from: 'running', to: 'finished' }, ''],
    ['batch.changed', { from: 'running', to: 'stopped', reason: 'disk-full' }, ''],
    ['batch.resolved', { rows: 2, as: 'sent' }, 'Not recorded'],
    ['record.ended', { outcome: 'answered' }, '']
  ])(
    'name who did it, or say that it was not recorded: %s %j',
    (kind, plain: Readonly<Record<string, unknown>>, shown) => {
      const operator = plain['operator'] as string | undefined
      expect(operatorLabel({ operator, ...(isUnnamed(kind, plain) && { unnamed: true }) })).toBe(shown)
    }
  )
})
