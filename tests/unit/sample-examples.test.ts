/** The examples of sample data: what they ask for exists, and nobody in them could be taken for a real person. */
import { describe, expect, it } from 'vitest'
import { operationOf } from '#contract/verification/operations.ts'
import { settingsDefaults } from '#contract/settings/defaults.ts'
import { fieldFault } from '#contract/verification/verification.ts'
import { decisionFault } from '#core/applicants/rules.ts'
import {
  batchOperation,
  checksOfNobody,
  exampleApplicants,
  exampleBatch,
  imageLink,
  resolvedApplicant
} from '#core/sample/examples.ts'
import { triggerIn } from '#practice/triggers.ts'

const checks = [
  ...exampleApplicants.flatMap(({ checks, afterwards = [] }) => [...checks, ...afterwards]),
  ...checksOfNobody
]

describe('the examples', () => {
  it('name thirty applicants, each plainly invented', () => {
    expect(exampleApplicants).toHaveLength(30)
    expect(new Set(exampleApplicants.map(({ id }) => id)).size).toBe(30)
    expect(exampleApplicants.filter(({ id }) => !/^SAMPLE-\d{4}$/.test(id))).toEqual([])
    expect(
      exampleApplicants.filter(({ assignee }) => assignee !== undefined && !/^Sample reviewer \d$/.test(assignee))
    ).toEqual([])
    expect(exampleApplicants.map(({ id }) => id)).toContain(resolvedApplicant)
  })

  it('ask the practice service for answers that it has, by links that are valid input', () => {
    const asked = checks.flatMap(({ operation, trigger }) =>
      operationOf(operation).fields.flatMap(({ name, kind }) =>
        kind === 'url'
          ? [{ trigger, link: imageLink('http://127.0.0.1:4010', operation, name, trigger, 'SAMPLE-0001') }]
          : []
      )
    )
    expect(asked.length).toBeGreaterThan(40)
    for (const { trigger, link } of asked) {
      expect(fieldFault('url', link)).toBeUndefined()
      expect(triggerIn('url', link)?.trigger?.name, trigger).toBe(trigger)
    }
    expect(new Set([batchOperation, ...checks.map(({ operation }) => operation)]).size).toBe(6)
  })

  it('decide as the default settings allow', () => {
    const decided = exampleApplicants.flatMap(({ id, decision }) =>
      decision ? [{ applicantId: id, ...decision }] : []
    )
    expect([...new Set(decided.map(({ decision }) => decision))].sort()).toEqual(['approve', 'decline', 'escalate'])
    for (const { applicantId, decision, reasons, note, dueIn } of decided)
      expect(
        decisionFault(
          { decision, reasons: [...reasons], note, ...(dueIn !== undefined && { due: 1 }) },
          settingsDefaults
        ),
        applicantId
      ).toBeUndefined()
  })

  it('have a file of some dozens of rows, with errors and duplicates', () => {
    const [heading, ...rows] = exampleBatch('http://127.0.0.1:4010').trim().split('\n')
    expect(heading).toBe('applicant_id,document_url')
    expect(rows.length).toBeGreaterThan(24)
    expect(rows.length - new Set(rows).size).toBe(2)
  })
})
