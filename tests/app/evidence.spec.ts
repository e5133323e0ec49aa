/** The audit trail and evidence packs in the real window: verified, damaged, packed, and decisions approved by file. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { historyFolder } from '#wire/sqlite/files.ts'
import { openScene } from '../service/support/trail-scene.ts'
import {
  answeredByFile,
  askedByFile,
  check as evidenceCheck,
  evidenceWorkspace,
  person
} from '../service/evidence-workspace.ts'
import { startKeyring } from '../service/support/keyring.ts'
import { inspect } from './fixtures/axe.ts'
import { ask, expect, inKeyring, test, usePractice } from './fixtures/workspace.ts'
import { chooseWith, savedFile, savesInto } from './fixtures/files.ts'
import { historyKey } from './fixtures/history.ts'
import { replaced } from './fixtures/packs.ts'
import { startHost } from './fixtures/hosts.ts'
import { ApplicantPage } from './pages/applicants.ts'
import { AuditPage, EvidencePage } from './pages/records.ts'
import { choose } from './pages/fields.ts'

async function look(page: Page, applicant_id: string): Promise<void> {
  const { settings } = await ask(page, 'app.state')
  await ask(page, 'verification.run', {
    runId: randomUUID(),
    connectionId: settings.lastConnection,
    operation: 'get-applicant-details',
    input: { applicant_id },
    repeatAnyway: true
  })
}

async function decide(page: Page, applicantId: string): Promise<void> {
  const { evidence } = await ask(page, 'applicants.show', { applicantId, visit: randomUUID() })
  await ask(page, 'decisions.make', {
    applicantId,
    decision: 'approve',
    reasons: ['documents-in-order'],
    note: 'Seen.',
    evidence
  })
}

test('the audit trail is shown in words, verified, and reported with the place of any damage', async ({
  workspace,
  dataFolder
}) => {
  test.skip(!workspace.keyring, 'needs a keyring for tests')
  const page = await workspace.open()
  await usePractice(page)
  for (const id of ['APP-1', 'APP-2', 'APP-3']) await look(page, id)
  await ask(page, 'applicants.note', { applicantId: 'APP-2', text: 'A note.' })
  const audit = new AuditPage(page)
  await audit.open()
  const { seq } = await ask(page, 'audit.head')
  await expect(audit.events).toContainText(`${seq} events`)
  // The view of this page is the last event; views are listed on request.
  await audit.views.click()
  await expect(audit.row(1)).toContainText('Audit trail opened.')
  await audit.verify.click()
  await expect(audit.result).toContainText(`Audit trail intact: ${seq} events`)
  await inspect(page, 'a whole audit trail')
  await choose(audit.about, 'Notes, tags, links')
  await expect(audit.row(2)).toHaveCount(0)
  await expect(audit.row(1).getByRole('link', { name: 'APP-2' })).toHaveAttribute('href', /\/applicants\/APP-2$/)
  await audit.row(1).click()
  const event = page.getByRole('dialog', { name: /^Event \d+/ })
  await inspect(page, 'an event')
  await event.getByRole('link', { name: 'Open applicant' }).click()
  await expect(new ApplicantPage(page).timeline).toContainText('A note.')
  await workspace.close()

  if (!workspace.keyring) return
  const scene = openScene(historyFolder(dataFolder), await historyKey(workspace.keyring, dataFolder))
  // What opening checks is intact; one response was exchanged for another.
  scene.history.exec('UPDATE reply_body SET sealed = (SELECT sealed FROM reply_body WHERE record = 2) WHERE record = 1')
  scene.history.close()
  scene.subjects.close()
  const again = await workspace.open()
  const damaged = new AuditPage(again)
  await damaged.open()
  await damaged.verify.click()
  await expect(damaged.result).toContainText('A response body was replaced')
  const place = /broken at event (\d+)/.exec(await damaged.result.innerText())?.[1] ?? 'nowhere'
  await inspect(again, 'a broken audit trail')
  await damaged.result.getByRole('button', { name: 'Show event' }).click()
  await expect(damaged.row(1)).toContainText('Verification ended')
  await damaged.row(1).click()
  await expect(damaged.event(Number(place)).getByRole('link', { name: 'Open record' })).toBeVisible()
})

test('a pack is created, verifies, and is refused with one letter changed', async ({ workspace, home }) => {
  const page = await workspace.open()
  await savesInto(workspace.session(), home)
  await usePractice(page)
  await look(page, 'APP-1')
  await new ApplicantPage(page).open('APP-1')
  const evidence = new EvidencePage(page)
  await evidence.make('Everything')
  await inspect(page, 'an evidence pack')
  await page.keyboard.press('Escape')
  const path = await savedFile(home, '.veridesk-evidence')
  await evidence.open()
  await chooseWith(workspace.session(), path, () => evidence.check.click())
  await expect(evidence.verdict).toContainText('Pack verified')
  await expect(evidence.verdict).toContainText('this installation’s own key')
  await expect(evidence.verdict).toContainText(/All \d+ events of person \d+ up to event \d+ are shown\./)
  await inspect(page, 'a pack that verifies')
  // The PDF in the same folder is compared with the pack.
  const pdf = await savedFile(home, '.pdf')
  await expect(evidence.verdict).toContainText('is the one that belongs to the pack')
  writeFileSync(pdf, '%PDF-1.7')
  await chooseWith(workspace.session(), path, () => evidence.check.click())
  await expect(evidence.verdict).toContainText('Pack not verified')
  await expect(evidence.verdict).toContainText('is not the one that belongs to the pack')
  const changed = join(home, 'changed.json')
  writeFileSync(changed, replaced(path, 'APP-1', 'APP-2'))
  await chooseWith(workspace.session(), changed, () => evidence.check.click())
  await expect(evidence.verdict).toContainText('Pack not verified')
  await expect(evidence.verdict).toContainText('The signature does not match the content.')
  // A pack that asks for nothing is no request.
  await chooseWith(workspace.session(), path, () => evidence.answer.click())
  await expect(evidence.failure).toContainText('This file asks for no approval')
  await expect(evidence.form).toHaveCount(0)
})

test('a decision is approved by file only by a second person, and an answer after newer evidence is void', async ({
  workspace,
  home,
  folder,
  host
}) => {
  test.skip(!workspace.keyring, 'needs a keyring for tests')
  test.setTimeout(180_000)
  const page = await workspace.open()
  await savesInto(workspace.session(), home)
  await usePractice(page)
  await look(page, 'APP-1')
  await decide(page, 'APP-1')
  await new ApplicantPage(page).open('APP-1')
  await new EvidencePage(page).ask('Please look at the photo.')
  const path = await savedFile(home, '.veridesk-case')
  const applicant = new ApplicantPage(page)
  const waiting = page.getByRole('group', { name: 'Waiting for a second person' })
  await expect(waiting).toContainText('Please look at the photo.')
  await inspect(page, 'a request for approval by file')
  await new EvidencePage(page).open()
  const fingerprint = await new EvidencePage(page).fingerprint()

  // Another installation with its own data folder, home and keychain, but used by the same person.
  const otherHome = join(folder, 'other-home')
  mkdirSync(otherHome)
  const keyring = await startKeyring()
  const other = await startHost(host, {
    dataFolder: join(folder, 'other'),
    home: otherHome,
    environment: inKeyring(keyring)
  })
  // Two more people: one whose request is answered in the window, and one who answers the window's request.
  const [colleague, approver] = [
    await evidenceWorkspace(folder, 'a.colleague'),
    await evidenceWorkspace(folder, 'an.approver')
  ]
  let [signed, late] = ['', '']
  try {
    await savesInto(other, otherHome)
    const theirs = new EvidencePage(other.page)
    await theirs.open()
    await chooseWith(other, path, () => theirs.answer.press('Enter'))
    await expect(theirs.contents.first()).toBeVisible()
    await expect(other.page.getByText('four-eyes approval needs a second person')).toBeVisible()
    await expect(theirs.form).toHaveCount(0)
    await inspect(other.page, 'a request of the same person')
    // They confirm whose it is by the fingerprint from their colleague, as people write it down.
    await theirs.ownerFingerprint.fill('0123 4567')
    await expect(theirs.verdict).toContainText('A fingerprint has 64 characters')
    await theirs.ownerFingerprint.fill('ab'.repeat(32))
    await expect(theirs.verdict).toContainText('Signed with a different key. Do not rely on this pack')
    await theirs.ownerFingerprint.fill(fingerprint.toUpperCase())
    await expect(theirs.verdict).toContainText('Signed with this key.')

    await evidenceCheck(colleague)
    const before = await colleague.store.applicants.show(person)
    const decided = {
      applicantId: person,
      decision: 'approve' as const,
      reasons: ['documents-in-order'],
      note: 'Compared with the file.',
      evidence: before.ok ? before.value.evidence : 0
    }
    await colleague.store.applicants.decide(decided, { at: Date.now(), operator: 'a.colleague' })
    const request = await askedByFile(colleague, folder)
    await chooseWith(other, request, () => theirs.answer.press('Enter'))
    const verification = theirs.contents.and(other.page.locator('[data-kind="check"]'))
    const decision = theirs.contents.and(other.page.locator('[data-kind="decision"]'))
    await theirs.form.waitFor()
    await expect(verification).toHaveCount(1)
    // It is read in words, not in the names and JSON of the file.
    await expect(verification).toContainText('Validate applicant identity document')
    await expect(decision).toContainText('Decision: Approved')
    await expect(decision).toContainText('By a.colleague')
    await expect(decision).toContainText('Compared with the file.')
    await inspect(other.page, 'a request for approval to answer')
    // By keyboard alone.
    const yes = theirs.form.getByRole('radio', { name: 'I have read it and countersign' })
    await yes.focus()
    await other.page.keyboard.press('Space')
    await expect(yes).toBeChecked()
    await theirs.form.getByRole('textbox', { name: /^Note/ }).focus()
    await other.page.keyboard.type('Read all of it.')
    const sign = theirs.form.getByRole('button', { name: 'Sign and save answer' })
    // A key that was compared with nothing may be anybody's.
    await expect(theirs.form).toContainText('Compare the key first')
    await expect(sign).toBeDisabled()
    await theirs.form.getByRole('button', { name: 'Enter the fingerprint' }).press('Enter')
    await expect(theirs.ownerFingerprint).toBeFocused()
    const own = await colleague.evidence.publicKey()
    await other.page.keyboard.insertText(own.ok ? own.value.fingerprint : '')
    await sign.press('Enter')
    await expect(theirs.form).toHaveCount(0)
    colleague.open = await savedFile(otherHome, '.veridesk-approval')
    expect(await colleague.cases.import()).toMatchObject({ ok: true, value: { agrees: true } })
    signed = await answeredByFile(approver, folder, path)
    late = await answeredByFile(approver, folder, path, { agrees: false, note: 'Too late' })
  } finally {
    await other.close()
    await keyring.end()
    for (const { store } of [colleague, approver]) await store.close()
  }

  const evidence = new EvidencePage(page)
  await evidence.open()
  // The answer inverted on the way back.
  const turned = join(folder, 'turned.veridesk-approval')
  const envelope = JSON.parse(readFileSync(signed, 'utf8')) as { payload: string }
  const payload = Buffer.from(envelope.payload, 'base64').toString().replace('"agrees":true', '"agrees":false')
  writeFileSync(turned, `${JSON.stringify({ ...envelope, payload: Buffer.from(payload).toString('base64') })}\n`)
  await chooseWith(workspace.session(), turned, () => evidence.takeBack.press('Enter'))
  await expect(evidence.failure).toContainText('it was changed after it was signed')
  await inspect(page, 'a refused answer')
  await chooseWith(workspace.session(), signed, () => evidence.takeBack.press('Enter'))
  const answers = page.getByRole('list', { name: 'Answers of colleagues' }).getByRole('listitem')
  await expect(answers).toHaveCount(1)
  await expect(answers).toContainText('an.approver')
  await expect(answers).toContainText('Seen and agreed')
  await expect(waiting).toHaveCount(0)
  await inspect(page, 'an answer by file')
  // Newer evidence, and then another answer.
  await look(page, 'APP-1')
  await evidence.open()
  await chooseWith(workspace.session(), late, () => evidence.takeBack.press('Enter'))
  await expect(answers.filter({ hasText: 'Too late' })).toContainText('Void')
  await expect(applicant.entries.filter({ hasText: 'Seen and agreed' })).toContainText('an.approver')
  await inspect(page, 'a void answer by file')
})
