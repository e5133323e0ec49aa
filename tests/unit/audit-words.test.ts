/** The audit trail page's text for an event. */
import { describe, expect, it } from 'vitest'
import { auditKinds } from '#wire/audit-words.ts'

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
})
