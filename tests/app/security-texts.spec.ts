/**
 * Hostile text in every place that a service, an applicant ID or a note can fill: shown as text, never run, never
 * fetched.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import type { AnswerOf, ConsoleBridge } from '#contract/ipc.ts'
import { credentialIds } from '#contract/credentials.ts'
import { type Failure } from '#contract/failures.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { hostileTexts } from './fixtures/hostile.ts'
import { expect, test } from './fixtures/test.ts'
import { goTo } from './pages/go.ts'

type Bridged = Window & { veridesk: ConsoleBridge; __executed?: number }

/** Runs one verification per text against a service that answers with it, through the window's own bridge. */
async function runAll(page: Page, baseUrl: string, texts: readonly string[]): Promise<string[]> {
  return page.evaluate(
    async ({ baseUrl, texts, credentialIds }) => {
      const bridge = (window as unknown as Bridged).veridesk
      const must = <T>(answer: { ok: true; value: T } | { ok: false; failure: Failure }): T => {
        if (!answer.ok) throw new Error(sentencesOf(answer.failure).what)
        return answer.value
      }
      const saved = must(await bridge['connections.save']({ name: '<b onclick=window.__executed=1>hostile</b>', baseUrl, mode: 'sandbox', colour: 'red', mark: 'HX' }))
      const connectionId = saved.connection.id
      for (const credential of credentialIds) must(await bridge['credentials.set']({ connectionId, credential, value: 'canary-value' }))
      const ids: string[] = []
      let next = 0
      const lane = async (): Promise<void> => {
        for (let at = next++; at < texts.length; at = next++) {
          const id = `APP-${at} ${(texts[at] ?? '').replace(/[^ -~]/g, '').slice(0, 200)}`.trim()
          const answer: AnswerOf<'verification.run'> = await bridge['verification.run']({
            runId: crypto.randomUUID(),
            connectionId,
            operation: 'get-applicant-details',
            input: { applicant_id: id },
            repeatAnyway: true
          })
          const ending = must(answer)
          if (ending.kind === 'recorded') ids.push(ending.record.id)
        }
      }
      await Promise.all(Array.from({ length: 4 }, lane))
      return ids
    },
    { baseUrl, texts: [...texts], credentialIds: [...credentialIds] }
  )
}

test('500 hostile texts in messages and ids: nothing runs, nothing is fetched', { tag: '@electron' }, async ({ consolePage }) => {
  test.setTimeout(120_000)
  const visits: string[] = []
  let answered = 0
  let texts: string[] = []
  const server = createServer((request, response) => {
    if (request.method !== 'POST') visits.push(`${request.method} ${request.url}`)
    const text = texts[answered++ % texts.length] ?? ''
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ message: text, [text.slice(0, 80)]: text, nested: { details: [text] } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  texts = hostileTexts(address)
  expect(texts).toHaveLength(500)
  const home = new URL(consolePage.url())
  consolePage.on('request', (request) => {
    if (new URL(request.url()).host !== home.host) visits.push(request.url())
  })
  consolePage.on('dialog', (dialog) => {
    visits.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })

  const ids = await runAll(consolePage, address, texts)
  expect(ids).toHaveLength(500)
  // Every place that shows them: the list while it is scrolled, and details of each kind of text.
  await goTo(consolePage, '/history')
  await expect(consolePage.getByText('APP-', { exact: false }).first()).toBeVisible()
  for (let step = 0; step < 20; step += 1) await consolePage.mouse.wheel(0, 1200)
  for (const id of ids.filter((_, at) => at % 20 === 0)) {
    await consolePage.evaluate((to) => (location.hash = `#/history/${to}`), id)
    await consolePage.waitForTimeout(60)
  }
  await consolePage.evaluate(() => (location.hash = '#/connections'))
  await consolePage.waitForTimeout(200)

  expect(await consolePage.evaluate(() => (window as unknown as Bridged).__executed)).toBeUndefined()
  expect(visits).toEqual([])
  server.close()
})
