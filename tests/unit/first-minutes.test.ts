/** What the first minutes need: example values that the practice service knows, and credentials stored one by one. */
import { describe, expect, it } from 'vitest'
import { credentialIds, type CredentialId } from '#contract/connections/credentials.ts'
import { failure } from '#contract/failures/failures.ts'
import { operations } from '#contract/verification/operations.ts'
import { fieldFault } from '#contract/verification/verification.ts'
import { triggerIn } from '#practice/triggers.ts'
import { halfStoredWords, savedWords } from '../../renderer/features/connections/credential-words.ts'
import { exampleValues, practiceOutcomes } from '../../renderer/features/verify/examples.ts'
import { storeCredentials } from '../../renderer/features/connections/store-credentials.ts'

describe('examples', () => {
  it.each(operations)('of $id are valid input, with and without a trigger', ({ fields }) => {
    for (const trigger of [undefined, ...practiceOutcomes.map((outcome) => outcome.trigger)]) {
      const values = exampleValues(fields, trigger)
      for (const { name, kind } of fields) expect(fieldFault(kind, values[name] ?? '')).toBeUndefined()
    }
  })
  it.each(practiceOutcomes)('ask the practice service for $trigger in every field', ({ trigger }) => {
    for (const { fields } of operations) {
      const values = exampleValues(fields, trigger)
      for (const { name, kind } of fields) expect(triggerIn(kind, values[name] ?? '')?.trigger?.name).toBe(trigger)
    }
  })
})

describe('credentials of a new connection', () => {
  const values = new Map<CredentialId, string>(credentialIds.map((id) => [id, `value of ${id}`]))
  it('are stored even if one of them is refused, which is named', async () => {
    const stored: string[] = []
    const refusal = failure('credential-invalid', { reason: 'unprintable' })
    const result = await storeCredentials(values, (id) => {
      if (id === 'api-secret') return Promise.resolve(refusal)
      stored.push(id)
      return Promise.resolve(undefined)
    })
    expect(stored).toEqual(['api-key', 'authorization'])
    expect(result).toEqual({ missing: ['api-secret'], failure: refusal })
    expect(halfStoredWords('Head office', ['API secret', 'Authorization value'])).toBe(
      '“Head office” was added, but not stored: API secret and Authorization value. Nothing can be sent on this connection until they are.'
    )
  })
  it('are confirmed with the place where they are', () => {
    const about = { cleared: false, withCredentials: true }
    expect(savedWords({ name: 'A', kept: 'keychain' }, about)).toContain('in this computer’s keychain')
    expect(savedWords({ name: 'A', kept: 'session' }, about)).toContain('for this session only')
    expect(savedWords({ name: 'A', kept: 'keychain' }, { ...about, withCredentials: false })).toBe('“A” saved.')
  })
})
