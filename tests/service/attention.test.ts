/** What calls a person to the console: without personal data, each kind by its setting, and nothing about oneself. */
import { randomUUID } from 'node:crypto'
import { afterEach, expect, it } from 'vitest'
import { dayLength, today } from '#contract/applicants/due-dates.ts'
import type { NotifiedPlace } from '#contract/app/opening.ts'
import { failingAfter } from '#core/attention/attention.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'

const person = 'CANARY-Avery-Specimen'
let open: TestConsole | undefined
afterEach(() => open?.dispose())

interface Told {
  readonly title: string
  readonly body: string
  readonly place: NotifiedPlace
}

async function begin() {
  const told: Told[] = []
  const badges: number[] = []
  const console = await startTestConsole(undefined, 'tester', {
    notify: (title, body, place) => void told.push({ title, body, place }),
    showBadge: (count) => void badges.push(count)
  })
  open = console
  const connection = await console.get('practice.start')
  const check = (applicantId: string) =>
    console.ask('verification.run', {
      runId: randomUUID(),
      connectionId: connection.id,
      operation: 'get-applicant-details',
      input: { applicant_id: applicantId }
    })
  return { console, told, badges, check }
}

it('counts what waits at the icon, and says once a day what is due', async () => {
  const { console, told, badges, check } = await begin()
  await check(person)
  await expect.poll(() => badges.at(-1), { timeout: 10_000 }).toBe(1)
  expect(told).toEqual([])
  // The windows have the same number.
  expect(await console.get('queue.waiting')).toEqual({
    ...{ all: 1, assigned: 0, unassigned: 1, due: 0, overdue: 0, reviews: 0, reviewsOverdue: 0 },
    names: ['tester']
  })
  await console.get('queue.due', { applicantId: person, due: today(Date.now()) - dayLength })
  await expect.poll(() => told.at(-1)?.title, { timeout: 10_000 }).toBe('1 case overdue')
  expect(told[0]?.place).toEqual({ page: 'queue' })
  // Again on the same day, and assigned by oneself: neither is news.
  await console.get('queue.assign', { applicantId: person, assignee: 'tester' })
  await expect.poll(() => badges.length, { timeout: 10_000 }).toBeGreaterThan(2)
  expect(told).toHaveLength(1)
  expect(JSON.stringify(told)).not.toContain('CANARY')
})

it('says with the same notification how many reviews wait, without whose they are', async () => {
  const { console, told, badges, check } = await begin()
  await check(person)
  await expect.poll(() => badges.at(-1), { timeout: 10_000 }).toBe(1)
  const { evidence } = await console.get('applicants.show', { applicantId: person })
  await console.get('applicants.relate', { applicantId: person, state: 'active', on: '2020-01-31', note: '' })
  await console.get('applicants.rate', { applicantId: person, risk: 'high', note: '' })
  // Who waits for a decision is one case, whatever else is due.
  expect(told).toEqual([])
  await console.get('decisions.make', {
    ...{ applicantId: person, decision: 'approve', reasons: ['documents-in-order'], note: 'Seen', evidence }
  })
  await expect.poll(() => told, { timeout: 10_000 }).toHaveLength(1)
  expect(told[0]).toEqual({
    title: '1 case overdue',
    body: '1 review due, 1 overdue. Open the queue in Veridesk.',
    place: { page: 'queue' }
  })
  expect(JSON.stringify(told)).not.toContain('CANARY')
})

it.each([true, false])('says once that a connection fails, if that is switched on: %s', async (notifyConnection) => {
  const { console, told, check } = await begin()
  await console.get('settings.change', { notifyConnection })
  await console.practice.close()
  for (let index = 0; index < failingAfter - 1; index += 1) await check(`${person}-${index}`)
  expect(told).toEqual([])
  for (let index = 0; index < 3; index += 1) await check(`${person}-more-${index}`)
  expect(told.map(({ place }) => place)).toEqual(notifyConnection ? [{ page: 'connections' }] : [])
  expect(JSON.stringify(told)).not.toContain('CANARY')
})
