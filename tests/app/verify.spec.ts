/** The main task for every operation of the table: fill in, Enter, read the answer, find it again. */
import { operations } from '#contract/verification/operations.ts'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { examples } from './fixtures/inputs.ts'
import { HistoryPage } from './pages/history.ts'
import { Shell } from './pages/shell.ts'
import { VerifyPage } from './pages/verify.ts'

// The form is generated from the table: one operation shows that it works in Electron.
for (const [index, operation] of operations.entries()) {
  test(
    `${operation.title}: from the form to the history of the next session`,
    { tag: index === 0 ? '@electron-instead' : [] },
    async ({ workspace }) => {
      const page = await workspace.open()
      const connection = await usePractice(page)
      const verify = new VerifyPage(page)
      const shell = new Shell(page)
      // From another page: the start may have led to this operation already.
      await shell.open('History')
      await shell.operation(operation.shortTitle)
      await expect(shell.heading).toHaveText(operation.title)
      await expect(verify.field(operation.fields[0].label)).toBeFocused()
      const input = examples(operation.fields)
      await verify.run(operation.id, input)

      const { record } = verify
      await expect(record.outcome('Answered')).toBeVisible()
      await expect(record.status).toHaveText('200')
      await record.show('Raw')
      const body = JSON.parse(await record.raw.innerText()) as { message: string }
      await expect(record.message).toHaveText(body.message)
      await record.show('Tree')
      await expect(record.treeLines.first()).toContainText(`message: ${body.message}`)
      await record.show('Headers')
      await expect(record.headers).toContainText('application/json')
      await expect(record.fact('Duration')).toHaveText(/^\d+(\.\d)? m?s/)
      await expect(record.fact('Path')).toHaveText(`POST ${operation.path}`)
      for (const field of operation.fields) await expect(record.sentIn(field.name)).toHaveText(field.example)
      await expect(shell.announced).toContainText(body.message)
      const id = (await record.fact('Record').textContent()) ?? ''

      const reopened = workspace.keyring ? await workspace.again() : page
      const next = new Shell(reopened)
      // Alone, a person begins with the overview; a new verification with a check of an applicant.
      if (workspace.keyring) {
        await expect(next.heading).toHaveText('Overview')
        // Electron's own menu has the key; no page hears it.
        const { electron } = workspace.session()
        if (electron)
          await electron.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('new-verification')?.click())
        else await reopened.keyboard.press('ControlOrMeta+n')
        await expect(next.heading).toHaveText('Check an applicant')
      }
      await expect(next.currentConnection).toContainText(connection.name)
      await next.open('History')
      const history = new HistoryPage(reopened)
      await expect(history.rows).toHaveCount(1)
      await expect(history.rows).toContainText(operation.shortTitle)
      await expect(history.rows).toContainText(body.message)
      await history.rows.click()
      await expect(history.record.fact('Record')).toHaveText(id)
      await expect(history.record.message).toHaveText(body.message)
      // Core stores exactly what was shown.
      const kept = await ask(reopened, 'history.record', { id })
      expect(kept).toMatchObject({
        operation: operation.id,
        input,
        state: 'answered',
        status: 200,
        fullMessage: body.message,
        seq: 1
      })
    }
  )
}
