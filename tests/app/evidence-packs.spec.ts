/** Packs created where their subjects are shown, read without Veridesk: by the saved verifier and a PDF reader. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { operationOf } from '#contract/verification/operations.ts'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { inspect } from './fixtures/axe.ts'
import { chooseWith, savedFile, savesInto } from './fixtures/files.ts'
import { contentAt, packAt, replaced } from './fixtures/packs.ts'
import { readPdf } from './fixtures/pdf.ts'
import { decide, runCheck } from './fixtures/scene.ts'
import { ApplicantPage } from './pages/applicants.ts'
import { NewBatchPage } from './pages/batches.ts'
import { goTo } from './pages/go.ts'
import { EvidencePage } from './pages/records.ts'

const lookup = operationOf('get-applicant-details')
const idDocument = operationOf('validate-applicant-id-document')

const closely = (text: string): string => text.replace(/\s+/g, '')
const sha256 = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')

test(
  'packs about a record, an applicant and a batch verify with only the saved verifier, and their PDFs have the same content',
  { tag: '@electron-instead' },
  async ({ workspace, home }) => {
    test.setTimeout(120_000)
    const page = await workspace.open()
    await savesInto(workspace.session(), home)
    const connection = await usePractice(page, { lastOperation: lookup.id })
    const record = await runCheck(page, connection.id, idDocument.id, {
      applicant_id: 'APP-0042',
      document_url: 'https://files.example.com/card.jpg'
    })
    await ask(page, 'applicants.note', { applicantId: 'APP-0042', text: 'Zoë rang: “all is well”.' })

    const evidence = new EvidencePage(page)
    await evidence.open()
    const fingerprint = closely(await evidence.fingerprint())
    await page.getByRole('button', { name: 'Save verifier for Node' }).click()
    await expect(page.getByTestId('toast')).toContainText('Verifier saved as')
    const verifier = await savedFile(home, '.mjs')
    // A separate folder and no environment: nothing of Veridesk is reachable.
    const verify = (path: string, key = fingerprint): ReturnType<typeof spawnSync> =>
      spawnSync(process.execPath, [verifier, path, key], { cwd: home, env: {}, encoding: 'utf8' })

    const form = new NewBatchPage(page)
    await form.open()
    await form.paste('applicant_id\n0001\n0002\nPRACTICE-404')
    await form.go('Send')
    await form.name.fill('Three of them')
    const batch = await form.run()
    await expect(batch.state).toHaveText('Finished')
    await inspect(page, 'a finished batch')
    const made = [
      {
        kind: 'batch',
        paths: await evidence.make('Everything'),
        checks: 3,
        says: ['0001', '0002', 'Applicant not found.']
      }
    ]
    await inspect(page, 'a pack about a batch')
    await evidence.close()
    // The focus returns to the button that requested the pack.
    await expect(batch.main.getByRole('button', { name: 'Evidence pack' })).toBeFocused()
    await goTo(page, `/history/${record}`)
    // The batch's page must be gone first.
    await expect(page.getByRole('heading', { name: 'Response' })).toBeVisible()
    made.push({
      kind: 'record',
      paths: await evidence.make('Everything'),
      checks: 1,
      says: ['APP-0042', 'https://files.example.com/card.jpg']
    })
    await evidence.close()
    // Here it was requested from a menu, to whose button the focus returns.
    await expect(page.getByTestId('record').getByRole('button', { name: 'More actions' })).toBeFocused()
    await new ApplicantPage(page).open('APP-0042')
    made.push({
      kind: 'applicant',
      paths: await evidence.make('Everything'),
      checks: 1,
      says: ['APP-0042', 'Zoë rang: “all is well”.']
    })
    await evidence.close()

    for (const {
      kind,
      paths: { pack, pdf },
      checks,
      says
    } of made) {
      const content = packAt(pack)
      expect(content.about.kind).toBe(kind)
      expect(content.events.filter((event) => event.kind === 'record.begun').length).toBe(checks)
      expect(content.attachments).toMatchObject([{ sha256: sha256(pdf) }])
      const good = verify(pack)
      expect(`${good.status} ${String(good.stdout)}${String(good.stderr)}`, kind).toMatch(/^0 /)
      expect(verify(pack, '0'.repeat(64)).status, `${kind}: another key`).toBe(1)
      const touched = join(home, `touched-${kind}.json`)
      writeFileSync(touched, replaced(pack, content.events[0]?.hash ?? 'none', '0'.repeat(64)))
      expect(verify(touched).status, `${kind}: touched`).toBe(1)

      const paper = readPdf(readFileSync(pdf))
      expect(paper.pages, kind).toBeGreaterThan(0)
      // Each page has its number.
      expect(paper.text).toContain(`1/${paper.pages}`)
      for (const words of [...says, fingerprint, content.root, ...content.events.map(({ hash }) => hash)])
        expect(paper.text, `${kind}: ${words}`).toContain(closely(words))
    }
  }
)

test('a profile withholds fields from the pack and its PDF, and withheld fields can still be proved', async ({
  workspace,
  home
}) => {
  test.setTimeout(90_000)
  const page = await workspace.open()
  await savesInto(workspace.session(), home)
  const connection = await usePractice(page)
  await runCheck(page, connection.id, idDocument.id, {
    applicant_id: 'APP-SECRET',
    document_url: 'https://files.example.com/card-secret.jpg'
  })
  const { fullMessage = '' } = await ask(page, 'history.record', {
    id: (await ask(page, 'history.page', { filter: {}, limit: 1 })).records[0]?.id ?? ''
  })
  expect(fullMessage).not.toBe('')
  await ask(page, 'applicants.note', { applicantId: 'APP-SECRET', text: 'A note of the staff.' })
  await decide(page, 'APP-SECRET', 'decline', ['suspected-fraud'], 'The reason in words.')
  const evidence = new EvidencePage(page)
  await new ApplicantPage(page).open('APP-SECRET')
  const personal = ['APP-SECRET', 'card-secret', fullMessage]
  const inner = ['A note of the staff.', 'suspected-fraud', 'The reason in words.']
  const expected = [
    { profile: 'Everything', shows: [...personal, ...inner], hides: [] },
    { profile: 'No personal data', shows: [], hides: [...personal, ...inner] }
  ]
  for (const { profile, shows, hides } of expected) {
    await new ApplicantPage(page).open('APP-SECRET')
    const { pack, pdf } = await evidence.make(profile)
    await evidence.close()
    const texts = { pack: closely(contentAt(pack)), paper: readPdf(readFileSync(pdf)).text }
    for (const [where, text] of Object.entries(texts)) {
      for (const words of shows) expect(text, `${profile}: ${where} shows ${words}`).toContain(closely(words))
      for (const words of hides) expect(text, `${profile}: ${where} withholds ${words}`).not.toContain(closely(words))
    }
    if (hides.length > 0) expect(texts.paper).toContain('withheld;itsdigestisinthefile')
    await evidence.open()
    await chooseWith(workspace.session(), pack, () => evidence.check.click())
    await expect(evidence.verdict).toContainText('Pack verified')
    if (hides.length > 0) await expect(evidence.verdict).toContainText(/\d+ values withheld/)
    else await expect(evidence.verdict).toContainText('Values withheld: 0')
  }
  await inspect(page, 'a redacted pack that verifies')
})
