/** The forms: typing, pasting, copying and resending. */
import type { Page } from '@playwright/test'
import { credentials } from '#contract/connections/credentials.ts'
import { operationOf, operations } from '#contract/verification/operations.ts'
import { ask, expect, test, useService } from './fixtures/workspace.ts'
import { copiedBy } from './fixtures/clipboard.ts'
import { examples } from './fixtures/inputs.ts'
import { HistoryPage } from './pages/history.ts'
import { Shell } from './pages/shell.ts'
import { VerifyPage } from './pages/verify.ts'

const both = operationOf('validate-applicant-documents')
const fieldNamed = (name: string) => {
  const field = both.fields.find((each) => each.name === name)
  if (!field) throw new Error(`no field ${name}`)
  return field
}
const applicant = fieldNamed('applicant_id')
const photo = fieldNamed('photo_document_url')

async function openForm(page: Page, id = both.id): Promise<VerifyPage> {
  const verify = new VerifyPage(page)
  await verify.open(id)
  return verify
}
const values = async (verify: VerifyPage): Promise<string[]> =>
  Promise.all(both.fields.map((field) => verify.field(field.label).inputValue()))

test('an empty form marks every field and sends nothing', async ({ workspace, practice }) => {
  const page = await workspace.open()
  await useService(page, practice)
  for (const operation of operations) {
    const verify = await openForm(page, operation.id)
    await verify.send.click()
    for (const field of operation.fields) expect(await verify.faultOf(field.label)).not.toBe('')
    await expect(verify.field(operation.fields[0].label)).toBeFocused()
  }
  expect(practice.ledger()).toEqual([])
})

test('the focus goes from Send to Cancel, and back once the answer is there', async ({ workspace, practice }) => {
  const page = await workspace.open()
  await useService(page, practice)
  const verify = await openForm(page, 'validate-passport')
  await verify.field('Passport URL').fill('https://files.example.com/trigger/slow-1/passport.png')
  await verify.send.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('running').getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expect(verify.send).toBeFocused()
  expect(practice.ledger()).toHaveLength(1)
})

test('an invalid value is reported at its field, and the error disappears when it is fixed', async ({
  workspace,
  practice
}) => {
  const page = await workspace.open()
  await useService(page, practice)
  const verify = await openForm(page)
  const faults: readonly (readonly [label: string, value: string, fault: RegExp])[] = [
    [photo.label, 'not an address', /space or an invisible character/],
    [photo.label, 'photo.jpg', /complete URL that begins with https/],
    [photo.label, 'ftp://files.example.com/photo.jpg', /must begin with https:\/\/ or http:\/\//],
    [photo.label, 'javascript:alert(1)', /must begin with https:\/\/ or http:\/\//],
    [photo.label, 'https://user:word@files.example.com/p.jpg', /user name or password/],
    [photo.label, `https://files.example.com/${'a'.repeat(9000)}`, /at most 8,192 characters/],
    [applicant.label, 'APP\u200b1', /invisible character/],
    [applicant.label, 'a'.repeat(300), /at most 256 characters\. This value has 300/]
  ]
  for (const [label, value, fault] of faults) {
    await verify.field(label).fill(value)
    await verify.field(label).blur()
    expect(await verify.faultOf(label)).toMatch(fault)
    await expect(verify.field(label)).toHaveAttribute('aria-invalid', 'true')
  }
  await verify.field(photo.label).fill(photo.example)
  await expect(verify.field(photo.label)).not.toHaveAttribute('aria-invalid')
  await verify.field(applicant.label).fill('  APP-1  ')
  await verify.field(applicant.label).blur()
  await expect(verify.field(applicant.label)).toHaveValue('APP-1')
  expect(practice.ledger()).toEqual([])
})

test('an ID of 10 MB is refused at its field, and the window stays usable', async ({ workspace, practice }) => {
  const page = await workspace.open()
  await useService(page, practice)
  const verify = await openForm(page, 'get-applicant-details')
  await verify.paste(applicant.label, '9', 10 * 1024 * 1024)
  await expect(verify.field(applicant.label)).toHaveAttribute('aria-invalid', 'true')
  expect(await verify.faultOf(applicant.label)).toContain('Enter at most 256 characters. This value has 10,485,760.')
  // The field was not changed, so its previous content can still be sent.
  await expect(verify.field(applicant.label)).toHaveValue('')
  expect(practice.ledger()).toEqual([])
  await verify.run('get-applicant-details', { applicant_id: 'APP-1' })
  await expect(verify.record.status).toHaveText('200')
})

const wanted = ['0012', 'https://files.example.com/p.jpg?a=1&b=2', 'https://files.example.com/i.jpg']
const body = JSON.stringify({ applicant_id: wanted[0], photo_document_url: wanted[1], id_document_url: wanted[2] })
const pastes: readonly (readonly [what: string, text: string])[] = [
  ['JSON', body],
  [
    'JSON with other names',
    JSON.stringify({ customer: { 'Applicant ID': wanted[0] }, selfie: wanted[1], document: wanted[2] })
  ],
  ['a curl command', `curl -X POST 'https://kyc.example.com/x' \\\n  -H 'x-api-key: k' \\\n  --data-raw '${body}'`],
  ['name and value lines', `applicant_id: ${wanted[0]}\nphoto_url = ${wanted[1]}\nid_url\t${wanted[2]}`],
  ['a list of lines', `${wanted[0]}\n${wanted[1]}\n${wanted[2]}\n`],
  ['a table row', `applicant_id\tphoto\tdocument\n${wanted[0]}\t${wanted[1]}\t${wanted[2]}`]
]
test('a pasted request fills the fields, and one key undoes it', async ({ workspace, practice }) => {
  const page = await workspace.open()
  await useService(page, practice)
  const verify = await openForm(page)
  const shell = new Shell(page)
  for (const [what, text] of pastes) {
    await test.step(what, async () => {
      await verify.fill(both.id, { applicant_id: 'before' })
      await verify.paste(photo.label, text)
      await expect.poll(() => values(verify)).toEqual(wanted)
      await expect(shell.message).toContainText('Filled')
      await shell.undo()
      await expect.poll(() => values(verify)).toEqual(['before', '', ''])
    })
  }
  // Two links fill the two link fields in order and leave the ID unchanged.
  await verify.paste(photo.label, `${wanted[1]}\n${wanted[2]}`)
  await expect.poll(() => values(verify)).toEqual(['before', wanted[1], wanted[2]])
  // A single plain value is not spread: it is inserted at the cursor, without outer spaces.
  await verify.clear.click()
  await verify.paste(applicant.label, '  APP-42 \n')
  await expect.poll(() => values(verify)).toEqual(['APP-42', '', ''])
})

test('a copied request of another operation offers to switch to it', async ({ workspace, practice }) => {
  const page = await workspace.open()
  await useService(page, practice)
  const verify = await openForm(page)
  const command = `curl 'https://kyc.example.com/kyc-api/v1.0/kyc/validate-passport' -H 'x-api-key: c4nary1' -d '{"id_url":"${wanted[2]}"}'`
  await verify.paste(applicant.label, command)
  const offer = page.getByRole('alert').filter({ hasText: 'This is a request for “Passport”' })
  await expect(offer).toContainText('Credentials in the pasted text were ignored: API key.')
  expect(await values(verify)).toEqual(['', '', ''])
  await offer.getByRole('button', { name: 'Keep here' }).click()
  await expect(offer).toBeHidden()
  // “id_url” is another name of this form's ID document.
  await expect.poll(() => values(verify)).toEqual(['', '', wanted[2]])
  await verify.clear.click()
  await verify.paste(applicant.label, command)
  await offer.getByRole('button', { name: 'Switch to Passport' }).press('Enter')
  const [passport] = operationOf('validate-passport').fields
  await expect(verify.field(passport?.label ?? '')).toHaveValue(wanted[2] ?? '')
  await expect(verify.field(passport?.label ?? '')).toBeFocused()
  expect(practice.ledger()).toEqual([])
})

test('a copied command that is not understood stays out of the fields, and the field says why', async ({
  workspace,
  practice
}) => {
  const page = await workspace.open()
  await useService(page, practice)
  const verify = await openForm(page)
  const secret = 'c4naryQ7RkP2mWvT9Zx'
  for (const [text, sentence] of [
    [`curl https://kyc.example.com/x -H 'x-api-key: ${secret}' -d @body.json`, /reads its body from a file/],
    [
      `fetch("https://kyc.example.com/x", { headers: { "x-api-key": "${secret}" } })`,
      /looks like a command or a request/
    ],
    ['{"colour": "red"}', /Nothing in the pasted text fits/]
  ] as const) {
    await verify.paste(applicant.label, text)
    await expect.poll(() => verify.faultOf(applicant.label)).toMatch(sentence)
    expect(await values(verify)).toEqual(['', '', ''])
  }
  // Typed by hand, it is neither sent nor stored.
  await verify.fill(both.id, {
    applicant_id: `x-api-key: ${secret}`,
    photo_document_url: wanted[1] ?? '',
    id_document_url: wanted[2] ?? ''
  })
  await verify.field(applicant.label).press('Enter')
  await expect.poll(() => verify.faultOf(applicant.label)).toMatch(/looks like a command or a request/)
  await expect(verify.record.status).toBeHidden()
})

const signed = (at: Date, seconds: number): string =>
  `https://bucket.s3.amazonaws.com/p.jpg?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIA%2Feu&X-Amz-Date=${at.toISOString().replace(/[-:]|\.\d+/g, '')}&X-Amz-Expires=${seconds}&X-Amz-SignedHeaders=host&X-Amz-Signature=5eecafe5eecafe`

test('a signed link says when it ends, and its signature is not kept', async ({ workspace, practice }) => {
  const page = await workspace.open()
  await useService(page, practice)
  const verify = await openForm(page, 'validate-kyc-photo')
  const label = operationOf('validate-kyc-photo').fields[0]?.label ?? ''
  await verify.field(label).fill(signed(new Date(Date.now() - 7200_000), 3600))
  await expect(verify.hint(/This signed link expired 1 hour ago/)).toBeVisible()
  await verify.field(label).fill(signed(new Date(), 120))
  await expect(verify.hint(/This signed link expires in \d+ (?:seconds|minutes)/)).toBeVisible()
  await verify.field(label).press('Enter')
  await expect(verify.record.status).toHaveText('200')
  await expect(verify.record.sentIn('photo_url')).toContainText('X-Amz-Signature=REMOVED')
  const id = (await verify.record.fact('Record').textContent()) ?? ''
  expect(JSON.stringify(await ask(page, 'history.record', { id }))).not.toContain('5eecafe')

  // Run again from the history asks for a new link instead of sending a broken one.
  await verify.record.more.click()
  await verify.record.openInHistory.click()
  await new HistoryPage(page).record.runAgain.click()
  await expect(verify.hint(/Paste a new link/)).toBeVisible()
  expect(practice.ledger()).toHaveLength(1)
})

test('copy as curl gives the request with placeholders, never a credential', async ({ workspace, practice }) => {
  const page = await workspace.open()
  await useService(page, practice)
  const verify = await openForm(page)
  const input = { ...examples(both.fields), applicant_id: "O'Neill" }
  await verify.run(both.id, input)
  await expect(verify.record.status).toHaveText('200')
  const copied = await copiedBy(
    page,
    async () => {
      await verify.record.more.click()
      await verify.record.copyCurl.click()
    },
    'Copied: The curl command, with placeholders for the secrets'
  )
  expect(copied).toContain(`curl --request POST '${practice.baseUrl}${both.path}'`)
  for (const row of credentials) {
    expect(copied).toContain(`'${row.header}: ${row.placeholder}'`)
    expect(copied).not.toContain(practice.credentials[row.id])
  }
  expect(copied).toContain(JSON.stringify(input).replaceAll("'", `'\\''`))
  expect(await copiedBy(page, () => verify.record.copyMessage.click(), 'Copied: Message')).toBe(
    await verify.record.message.innerText()
  )
  const whole = await copiedBy(page, () => verify.record.copyBody.click(), 'Copied: Body')
  expect(JSON.parse(whole)).toHaveProperty('message')
})

test('a form keeps its text while the user is on other pages, and a record fills it again', async ({
  workspace,
  practice
}) => {
  const page = await workspace.open()
  await useService(page, practice)
  const verify = await openForm(page, 'get-applicant-details')
  await verify.run('get-applicant-details', { applicant_id: 'APP-9' })
  await expect(verify.record.status).toHaveText('200')
  await openForm(page, both.id)
  await verify.fill(both.id, { applicant_id: 'half-typed' })
  const history = new HistoryPage(page)
  await history.open()
  await history.row(1).click()
  await history.record.runAgain.click()
  await expect(new Shell(page).heading).toHaveText(operationOf('get-applicant-details').title)
  await expect(verify.field(applicant.label)).toHaveValue('APP-9')
  await openForm(page, both.id)
  await expect(verify.field(applicant.label)).toHaveValue('half-typed')
})
