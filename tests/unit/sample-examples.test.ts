/** The examples of sample data: what they ask for exists, and nobody in them could be taken for a real person. */
import { describe, expect, it } from 'vitest'
import { operationOf } from '#contract/verification/operations.ts'
import { settingsDefaults } from '#contract/settings/defaults.ts'
import { fieldFault } from '#contract/verification/verification.ts'
import { decisionFault } from '#core/applicants/rules.ts'
import {
  batchOperation,
  checksOfNobody,
  colleagues,
  exampleApplicants,
  exampleBatch,
  imageLink,
  ownName
} from '#core/sample/examples.ts'
import { sampleBeginning, sampleSteps } from '#core/sample/past.ts'
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
    const people: readonly string[] = [ownName, ...colleagues.map(({ name }) => name)]
    expect(exampleApplicants.filter(({ assignee }) => assignee !== undefined && !people.includes(assignee))).toEqual([])
    const unknown = exampleApplicants.filter(({ checks }) => checks.some(({ trigger }) => trigger.startsWith('cut')))
    expect(unknown.map(({ resolved }) => resolved)).toEqual([undefined, true])
    const due = exampleApplicants.flatMap(({ dueIn, decision }) => dueIn ?? decision?.dueIn ?? [])
    expect(due.filter((days) => days < 0)).toHaveLength(1)
    expect(due.filter((days) => days === 0)).toHaveLength(3)
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

describe('their past', () => {
  // A Sunday morning, so that the last working day is a Friday.
  const now = new Date(2026, 10, 29, 7, 12).getTime()
  const steps = sampleSteps(now)

  it('has 240 applicants in 90 days, oldest first, each decided or in the queue', () => {
    expect(new Set(steps.flatMap(({ applicantId }) => applicantId ?? [])).size).toBe(240)
    const times = steps.map(({ at }) => at)
    expect(times).toEqual(times.toSorted((one, other) => one - other))
    expect(times[0]).toBeGreaterThan(sampleBeginning(now).at)
    expect(times[0]).toBeLessThan(now - 80 * 86_400_000)
    expect(times.at(-1)).toBeLessThan(now)
    const undecided = new Set(steps.flatMap(({ applicantId }) => applicantId ?? []))
    for (const { applicantId = '', action } of steps) if (action.kind === 'decide') undecided.delete(applicantId)
    expect([...undecided].filter((id) => id > 'SAMPLE-0030')).toEqual([])
    expect(undecided.size).toBeGreaterThan(9)
    const came = [...undecided].map((id) => steps.find(({ applicantId }) => applicantId === id)?.at ?? 0)
    expect(new Set(came.map((at) => new Date(at).toDateString())).size).toBeGreaterThan(5)
  })

  it('keeps the hours and the rhythm of a working week, by three people', () => {
    const decided = steps.filter(({ action }) => action.kind === 'decide')
    const onDay = (day: number): number => decided.filter(({ at }) => new Date(at).getDay() === day).length
    expect([onDay(0), onDay(6)]).toEqual([0, 0])
    expect(onDay(1)).toBeGreaterThan(onDay(4))
    const hours = steps.map(({ at }) => new Date(at).getHours())
    expect([Math.min(...hours), Math.max(...hours)]).toEqual([8, 17])
    expect(new Set(decided.map(({ operator }) => operator))).toEqual(
      new Set(colleagues.map(({ name, account }) => `${name} (${account})`))
    )
  })

  it('is the same whenever it is made, and ends on the last working day', () => {
    expect(sampleSteps(now)).toEqual(steps)
    expect(new Date(steps.at(-1)?.at ?? 0).getDay()).toBe(5)
    const monday = sampleSteps(new Date(2026, 10, 30, 23, 0).getTime())
    expect(new Date(monday.at(-1)?.at ?? 0).getDay()).toBe(5)
    const tuesday = sampleSteps(new Date(2026, 11, 1, 0, 30).getTime())
    expect(new Date(tuesday.at(-1)?.at ?? 0).getDate()).toBe(30)
  })
})
