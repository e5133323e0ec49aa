/**
 * Each trigger, sent by the console's client, ends as its table states.
 * @deadlines
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { directRoute } from '#core/client/proxy.ts'
import { sendVerification } from '#core/client/send.ts'
import { createTrustStore, type Trust } from '#wire/trust.ts'
import type { RecordEnding } from '#contract/history/records.ts'
import { operationOf } from '#contract/verification/operations.ts'
import { outcomeIds } from '#contract/verification/outcomes.ts'
import { defaultSettings } from '#contract/settings/settings.ts'
import { startPracticeService, type PracticeService } from '#practice/service.ts'
import { triggers } from '#practice/triggers.ts'
import { inputOf, withApplicant } from './practice-client.ts'

let service: PracticeService
let trust: Trust
beforeAll(async () => {
  service = await startPracticeService()
  const found = await createTrustStore().trust('')
  if (!found.ok) throw new Error(sentencesOf(found.failure).what)
  trust = found.value
})
afterAll(() => service.close())

function check(applicant: string, totalTimeout = 10, at = service): Promise<RecordEnding> {
  return sendVerification({
    origin: at.baseUrl,
    path: operationOf(withApplicant).path,
    body: inputOf(withApplicant, { applicant }),
    credentials: at.credentials,
    limits: { ...defaultSettings, totalTimeout },
    route: directRoute,
    trust,
    signal: new AbortController().signal,
    onPhase: () => {},
    clock: { now: () => Date.now(), monotonic: () => performance.now() }
  })
}

/** The same outcome with a shorter wait: one second instead of five. */
const shortened: Record<string, string> = { slow: 'slow-1' }

describe('the console’s client', () => {
  it.concurrent.each(triggers)('ends “$name” as $outcome', async ({ name, outcome }) => {
    const ending = await check(`PRACTICE-${shortened[name] ?? name}`, outcome === 'unknown' ? 1 : 10)
    expect(ending.outcome).toBe(outcome)
    // No response may bring the credentials into the history.
    for (const value of Object.values(service.credentials)) expect(JSON.stringify(ending)).not.toContain(value)
  })

  it('gets three of the four outcomes here; the fourth needs an unreachable service', async () => {
    const absent = await startPracticeService()
    await absent.close()
    const ending = await check('APP-1', 10, absent)
    expect(new Set([ending.outcome, ...triggers.map(({ outcome }) => outcome)])).toEqual(new Set(outcomeIds))
  })
})
