/** Every outcome that a service can cause, shown with its own text, and how a user handles it. */
import { createServer, type Server } from 'node:net'
import type { AddressInfo } from 'node:net'
import { userInfo } from 'node:os'
import type { Page } from '@playwright/test'
import type { FailureCode } from '#contract/failures/failures.ts'
import { failureTable } from '#contract/failures/table.ts'
import { operationOf } from '#contract/verification/operations.ts'
import { outcomeTitle } from '#contract/verification/next-steps.ts'
import { credentials } from '#contract/connections/credentials.ts'
import type { PracticeService } from '#practice/service.ts'
import { triggers, type Trigger } from '#practice/triggers.ts'
import { ask, expect, test as base, useService } from './fixtures/workspace.ts'
import { triggerValue } from './fixtures/inputs.ts'
import { HistoryPage } from './pages/history.ts'
import { Shell } from './pages/shell.ts'
import { VerifyPage } from './pages/verify.ts'

const lookup = operationOf('get-applicant-details')
const id = lookup.fields[0]?.name ?? ''

/** A port that accepts and then sends nothing, so that a TLS handshake never ends. */
const test = base.extend<{ mute: string }>({
  mute: async ({}, use) => {
    const server: Server = createServer((socket) => socket.on('error', () => undefined))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    await use(`https://127.0.0.1:${(server.address() as AddressInfo).port}`)
    server.close()
  }
})

/** The constant beginning of a failure's sentence. */
const beginning = (code: FailureCode): string => failureTable[code].what.split('{')[0]?.trim() ?? ''

/** The failure that is shown for a failing trigger. */
function expectedFailure({ group, outcome, name }: Trigger): readonly FailureCode[] {
  if (outcome === 'unknown') return ['connection-lost', 'total-timeout']
  if (group === 'Redirects') return ['reply-redirect']
  return /^(?:huge|endless|bomb)$/.test(name) ? ['reply-too-large'] : ['reply-not-json']
}

/** The service's own answer to the same request, without the console. */
async function answerOf(service: PracticeService, value: string): Promise<{ status: number; message: string }> {
  const reply = await fetch(`${service.baseUrl}${lookup.path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...Object.fromEntries(credentials.map((row) => [row.header, service.credentials[row.id]]))
    },
    body: JSON.stringify({ [id]: value })
  })
  return { status: reply.status, message: ((await reply.json()) as { message: string }).message }
}

/** The console masks credentials that the service returns. */
const withoutSecrets = (text: string, service: PracticeService): string =>
  credentials.reduce((left, row) => left.replaceAll(service.credentials[row.id], row.placeholder), text)

/** Slow triggers with a shorter delay; the others by their names in the table. */
const called = (trigger: Trigger): string => (trigger.name === 'slow' ? 'slow-1' : trigger.name)
/** Their answer depends on how often the request was sent. */
const counts = (trigger: Trigger): boolean => /-first$|^changes$/.test(trigger.name)

const groups = [...new Set(triggers.map((trigger) => trigger.group))]
for (const group of groups) {
  test(`${group}: each trigger ends as its row says, in words`, async ({ workspace, practice }) => {
    test.setTimeout(90_000)
    const page = await workspace.open()
    await useService(page, practice, {}, { lastOperation: lookup.id })
    const verify = new VerifyPage(page)
    await verify.open(lookup.id)
    const { record } = verify
    for (const trigger of triggers.filter((row) => row.group === group)) {
      await test.step(trigger.name, async () => {
        const value = triggerValue({ kind: 'applicant-id' }, called(trigger))
        // Those without an answer end at the deadline: two seconds are as good as thirty. Of the others nobody measures the time.
        await ask(page, 'settings.change', { totalTimeout: trigger.outcome === 'unknown' ? 2 : 30 })
        await verify.run(lookup.id, { [id]: value })
        await expect(record.sentIn(id)).toHaveText(value)
        const [ended] = (await ask(page, 'history.page', { filter: {}, limit: 1 })).records
        expect(ended).toMatchObject({ state: trigger.outcome })
        await expect(record.outcome(outcomeTitle({ ...ended, state: trigger.outcome }).title)).toBeVisible()
        if (trigger.outcome === 'answered') {
          await expect(record.failure).toHaveCount(0)
          if (counts(trigger)) return
          const said = await answerOf(practice, value)
          await expect(record.status).toHaveText(String(said.status))
          // Exactly: text that is not plain has its own tests.
          if (/^[ -~]+$/.test(said.message))
            await expect(record.message).toHaveText(withoutSecrets(said.message, practice), { useInnerText: true })
        } else {
          await expect(record.message).toHaveCount(0)
          const words = await record.failure.innerText()
          expect(expectedFailure(trigger).filter((code) => words.includes(beginning(code)))).toHaveLength(1)
          expect(words).toMatch(/Impact/)
          expect(words).toMatch(/Next step/)
          await expect(record.resolveForm).toHaveCount(trigger.outcome === 'unknown' ? 1 : 0)
        }
      })
    }
    // The console sent nothing twice by itself.
    const kept = await ask(page, 'history.page', { filter: {}, limit: 200 })
    expect(kept.records.map((each) => each.state).reverse()).toEqual(
      triggers.filter((row) => row.group === group).map((row) => row.outcome)
    )
  })
}

async function openLookup(page: Page): Promise<VerifyPage> {
  const verify = new VerifyPage(page)
  await verify.open(lookup.id)
  return verify
}

test('hostile texts are shown as text and run nothing', async ({ workspace, practice }) => {
  const page = await workspace.open()
  const dialogs: string[] = []
  page.on('dialog', (dialog) => (dialogs.push(dialog.message()), void dialog.dismiss()))
  await useService(page, practice)
  const verify = await openLookup(page)
  const shown: Record<string, string> = {}
  for (const name of ['markup', 'bidi', 'control', 'unicode', 'formula', 'empty-message']) {
    await verify.run(lookup.id, { [id]: triggerValue({ kind: 'applicant-id' }, name) })
    await expect(verify.record.sentIn(id)).toHaveText(triggerValue({ kind: 'applicant-id' }, name))
    shown[name] = await verify.record.message.innerText()
  }
  expect(shown['markup']).toContain('<script>alert(1)</script><img src=x onerror="alert(2)">')
  expect(shown['markup']).toContain('{{7*7}} ${7*7}')
  // Characters that would reverse the reading direction or ring a bell are shown by name instead.
  expect(shown['bidi']).toContain('⟨U+202E⟩delifdelav ton⟨U+202C⟩')
  expect(shown['control']).toContain('Line one\nLine two')
  expect(shown['control']).toContain('␇␛[31mred␛[0m␀end')
  expect(shown['unicode']).toContain('検証済み · تم التحقق')
  expect(shown['formula']).toContain('=HYPERLINK(')
  expect(shown['empty-message']).toBe('(empty)')
  const inserted = await page.evaluate(
    () => document.querySelectorAll('main script, main img[src="x"], main a[href^="javascript"]').length
  )
  expect(inserted).toBe(0)
  expect(dialogs).toEqual([])
})

const heavy = [
  { trigger: 'deep', what: 'a body 100,000 lists deep' },
  { trigger: 'long-500000', what: 'a message of half a million characters' },
  { trigger: 'huge-1000', what: 'a message that fills the mebibyte' }
]
for (const { trigger, what } of heavy) {
  test(`the window keeps responding with ${what}`, async ({ workspace, practice }) => {
    const page = await workspace.open()
    await useService(page, practice)
    const verify = await openLookup(page)
    const { record } = verify
    await verify.run(lookup.id, { [id]: triggerValue({ kind: 'applicant-id' }, trigger) })
    await expect(record.outcome('Answered')).toBeVisible()
    await expect(record.status).toHaveText('200')
    await record.show('Raw')
    await expect(record.raw).toBeVisible()
    await record.show('Tree')
    await record.tree.focus()
    await page.keyboard.press('End')
    for (let press = 0; press < 5; press += 1) await page.keyboard.press('ArrowRight')
    const all = record.root.getByRole('figure').getByRole('button', { name: /^Show all/ })
    await expect(all).toHaveCount(trigger === 'deep' ? 0 : 1)
    await new Shell(page).open('Settings')
    await expect(new Shell(page).heading).toHaveText('Administration')
  })
}

test('a verification is cancelled before anything was sent: not sent', async ({ workspace, practice, mute }) => {
  const page = await workspace.open()
  await useService(page, { ...practice, baseUrl: mute })
  const verify = await openLookup(page)
  await verify.run(lookup.id, { [id]: 'APP-1' })
  await expect(verify.running).toContainText('Nothing was sent yet. You can cancel safely.')
  await expect(verify.running).toContainText('Connecting')
  const first = Number(await verify.elapsed.innerText())
  await expect.poll(async () => Number(await verify.elapsed.innerText())).toBeGreaterThan(first)
  await verify.cancel.click()
  await expect(verify.record.outcome('Not sent')).toBeVisible()
  await expect(verify.record.failure).toContainText(failureTable['cancelled-before-sending'].what)
  await expect(verify.record.failure).toContainText('Nothing was sent.')
})

test('a verification is cancelled after it was sent: unknown, and a person resolves it', async ({
  workspace,
  practice
}) => {
  const page = await workspace.open()
  await useService(page, practice)
  const shell = new Shell(page)
  const verify = await openLookup(page)
  await verify.run(lookup.id, { [id]: triggerValue({ kind: 'applicant-id' }, 'silent') })
  await expect(verify.running).toContainText('The request was sent.')
  await page.keyboard.press('Escape')
  await expect(verify.record.outcome('Unknown outcome')).toBeVisible()
  await expect(verify.record.failure).toContainText(failureTable['cancelled-after-sending'].what)
  expect(practice.ledger()).toHaveLength(1)
  await expect(shell.unresolvedBadge).toContainText('1 unknown outcome to resolve')

  await shell.open('History')
  const history = new HistoryPage(page)
  await history.unresolved.click()
  await expect(history.rows).toHaveCount(1)
  await history.row(1).click()
  await history.record.resolve('It was processed', 'Asked the operator; <b>yes</b>.')
  await expect(history.record.resolved).toContainText('It was processed')
  await expect(history.record.resolved).toContainText('<b>yes</b>')
  await expect(history.record.resolved).toContainText(`by ${userInfo().username}`)
  await expect(history.record.resolveForm).toHaveCount(0)
  await expect(history.record.failure).not.toContainText('resolve the record')
  await expect(history.record.failure).not.toContainText('may have processed')
  await expect(history.record.outcome('Unknown outcome, resolved')).toBeVisible()
  await expect(shell.unresolvedBadge).not.toContainText('to resolve')
  expect(practice.ledger()).toHaveLength(1)
  // The result below the form is the same record.
  await verify.open(lookup.id)
  await expect(verify.record.resolved).toContainText('It was processed')
  await expect(verify.record.resolveForm).toHaveCount(0)
})

test('the spend guard shows the earlier answer instead of asking again', async ({ workspace, practice }) => {
  const page = await workspace.open()
  await useService(page, practice)
  const verify = await openLookup(page)
  await verify.run(lookup.id, { [id]: 'APP-7' })
  const message = await verify.record.message.innerText()
  await verify.run(lookup.id, { [id]: 'APP-7' })
  await expect(verify.recentlyAnswered).toContainText('Nothing was sent now')
  await expect(verify.recentlyAnswered).toContainText(message)
  expect(practice.ledger()).toHaveLength(1)
  await verify.showEarlier.click()
  await expect(new HistoryPage(page).record.sentIn(id)).toHaveText('APP-7')

  await verify.open(lookup.id)
  await verify.sendAnyway.click()
  await expect(verify.record.status).toHaveText('200')
  expect(practice.ledger()).toHaveLength(2)
  // Another applicant is another request.
  await verify.run(lookup.id, { [id]: 'APP-8' })
  await expect(verify.record.sentIn(id)).toHaveText('APP-8')
  expect(practice.ledger()).toHaveLength(3)
})

test('an invalid response shows its raw text, its headers and no message', async ({ workspace, practice }) => {
  const page = await workspace.open()
  await useService(page, practice)
  const verify = await openLookup(page)
  await verify.run(lookup.id, { [id]: triggerValue({ kind: 'applicant-id' }, 'html') })
  await expect(verify.record.outcome('Invalid response')).toBeVisible()
  await expect(verify.record.raw).toContainText('<!doctype html><html><head><title>Sign in</title>')
  await verify.record.show('Headers')
  await expect(verify.record.headers).toContainText('text/html; charset=utf-8')
  await expect(verify.record.tree).toHaveCount(0)
})

test('run again shows what changed since the previous answer', async ({ workspace, practice }) => {
  const page = await workspace.open()
  await useService(page, practice, {}, { spendGuardMinutes: 0 })
  const verify = await openLookup(page)
  const { record } = verify
  await verify.run(lookup.id, { [id]: triggerValue({ kind: 'applicant-id' }, 'changes') })
  await expect(record.treeLines.filter({ hasText: 'attempt: 1' })).toBeVisible()
  await expect(record.changes).toHaveCount(0)
  await record.runAgain.click()
  await expect(record.changes).toContainText('attempt')
  const rows = record.changes.getByRole('listitem')
  await expect(rows.filter({ hasText: 'attempt' })).toContainText(/Changed.*attempt.*1.*2/s)
  await expect(rows.filter({ hasText: 'tampering' })).toContainText('Added')
  await expect(rows.filter({ hasText: 'reviewer' })).toContainText('Removed')
  expect(practice.ledger()).toHaveLength(2)
})
