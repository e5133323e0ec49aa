/** The main job, for every operation of the table: fill, Enter, read the answer, find it again. */
import { operations } from '#contract/operations.ts'
import { ask, expect, test, usePractice } from './fixtures/desk.ts'
import { checkPage, examples } from './pages/check.ts'
import { frame } from './pages/frame.ts'
import { historyPage } from './pages/history.ts'

for (const operation of operations) {
  test(`${operation.title}: from the form to the history of the next sitting`, async ({ desk }) => {
    const page = await desk.open()
    const connection = await usePractice(page)
    await frame(page).openOperation(operation.id)
    const check = checkPage(page)
    const input = examples(operation.fields)
    await expect(check.field(operation.fields[0].name)).toBeFocused()
    await check.run(input)

    const { record } = check
    await expect(record.outcome('answered')).toBeVisible()
    await expect(record.status).toHaveText('200')
    await record.show('Raw')
    const body = JSON.parse(await record.raw.innerText()) as { message: string }
    await expect(record.message).toHaveText(body.message)
    await record.show('Tree')
    await expect(record.treeLines.first()).toContainText(`message: ${body.message}`)
    await record.show('Headers')
    await expect(record.headers).toContainText('application/json')
    await expect(record.fact('Time taken')).toHaveText(/^\d+(\.\d)? m?s/)
    await expect(record.fact('Path')).toHaveText(`POST ${operation.path}`)
    for (const field of operation.fields) await expect(record.sent(field.name)).toHaveText(field.example)
    await expect(frame(page).announcer).toContainText(body.message)
    const id = await record.fact('Record').innerText()

    const reopened = desk.keyring ? await desk.again() : page
    if (desk.keyring) {
      // The form that was last used is the one that opens.
      await expect(frame(reopened).heading).toHaveText(operation.title)
      await expect(frame(reopened).strip).toContainText(connection.name)
    }
    await frame(reopened).openView('History')
    const history = historyPage(reopened)
    await expect(history.rows).toHaveCount(1)
    await expect(history.rows).toContainText(operation.shortTitle)
    await expect(history.rows).toContainText(body.message)
    await history.rows.click()
    await expect(history.record.fact('Record')).toHaveText(id)
    await expect(history.record.message).toHaveText(body.message)
    // What the core holds is what was shown, to the letter.
    const kept = await ask(reopened, 'history.record', { id })
    expect(kept).toMatchObject({ operation: operation.id, input, state: 'answered', status: 200, fullMessage: body.message, seq: 1 })
  })
}
