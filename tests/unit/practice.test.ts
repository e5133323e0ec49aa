/** The practice service's pure parts: triggers by name, invented applicants, messages. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { operations } from '#contract/verification/operations.ts'
import { fieldFault } from '#contract/verification/verification.ts'
import { failWording, passWording, unclearWording } from '#practice/answers.ts'
import { applicantDetails } from '#practice/applicants.ts'
import { triggers, triggerIn, triggerNamed } from '#practice/triggers.ts'

describe('the triggers', () => {
  it('have names that are unique, in lower case, and no other trigger’s name with a number', () => {
    const names = triggers.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const trigger of triggers) {
      expect(trigger.name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      expect(triggerNamed(trigger.name)).toMatchObject({ trigger, number: trigger.number?.usual ?? 0 })
    }
  })

  it('take a number up to their most, and none where they have none', () => {
    for (const trigger of triggers) {
      const { number } = trigger
      if (!number) expect(triggerNamed(`${trigger.name}-3`).trigger).toBeUndefined()
      else {
        expect(triggerNamed(`${trigger.name}-${number.most}`)).toMatchObject({ trigger, number: number.most })
        expect(triggerNamed(`${trigger.name}-${number.most + 1}`).trigger).toBeUndefined()
        expect(number.usual).toBeLessThanOrEqual(number.most)
      }
    }
  })

  it('are found in ids and URLs that the console itself would send', () => {
    for (const { name } of triggers) {
      const id = `PRACTICE-${name.toUpperCase()}.0042`
      const url = `https://files.example.com/a/trigger/${name}/photo.jpg?x=1#y`
      expect([fieldFault('applicant-id', id), fieldFault('url', url)]).toEqual([undefined, undefined])
      expect(triggerIn('applicant-id', id)?.name).toBe(name)
      expect(triggerIn('url', url)?.name).toBe(name)
      expect(triggerIn('applicant-id', url)).toBeUndefined()
      expect(triggerIn('url', id)).toBeUndefined()
    }
  })

  it('are looked for quickly and without error in any text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (text) => {
        triggerIn('applicant-id', `PRACTICE-${text}`)
        triggerIn('url', `http://x/${text}/trigger/${text}`)
      })
    )
    // A search that is not linear would not end within the limit of a test.
    triggerIn('url', `http://x${'/trigger'.repeat(200_000)}`)
    triggerIn('applicant-id', `PRACTICE-${'a-1'.repeat(200_000)}`)
  })
})

describe('the applicants', () => {
  const base = 'http://127.0.0.1:1'

  it('are the same for the same id, whatever the id', () => {
    fc.assert(
      fc.property(fc.string(), (id) => {
        const details = applicantDetails(id, base)
        expect(details).toEqual(applicantDetails(id, base))
        expect(details['applicant_id']).toBe(id)
        expect(Number.isNaN(Date.parse(String(details['date_of_birth'])))).toBe(false)
        expect(Number.isNaN(Date.parse(String(details['created_at'])))).toBe(false)
      })
    )
  })

  it('differ from one another, leading zeros included', () => {
    const people = Array.from({ length: 500 }, (_, index) =>
      JSON.stringify({ ...applicantDetails(`A-${index}`, base), applicant_id: '' })
    )
    expect(new Set(people).size).toBe(500)
    expect(applicantDetails('7', base)['documents']).not.toEqual(applicantDetails('007', base)['documents'])
  })
})

describe('the wording', () => {
  it('is three different whole sentences for each operation', () => {
    const all = operations.flatMap((operation) => [
      passWording(operation),
      failWording(operation),
      unclearWording(operation)
    ])
    for (const text of all) expect(text).toMatch(/^[A-Z].*\.$/)
    expect(new Set(operations.map(passWording)).size).toBe(operations.length)
    for (const operation of operations)
      expect(new Set([passWording(operation), failWording(operation), unclearWording(operation)]).size).toBe(3)
  })
})
