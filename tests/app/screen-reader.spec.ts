/** What a screen reader says of the main views: the accessibility tree, as text. */
import { operationOf } from '#contract/verification/operations.ts'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { runCheck } from './fixtures/scene.ts'
import { QueuePage } from './pages/applicants.ts'
import { HistoryPage } from './pages/history.ts'
import { Shell } from './pages/shell.ts'
import { VerifyPage } from './pages/verify.ts'

test('the words of the queue, a decision, the history, a form and the lock', async ({ workspace }) => {
  const page = await workspace.open()
  const connection = await usePractice(page, { dateFormat: 'iso' })
  for (const id of ['SAMPLE-0009', 'SAMPLE-0010'])
    await runCheck(page, connection.id, 'get-applicant-details', { applicant_id: id })
  await ask(page, 'queue.due', { applicantId: 'SAMPLE-0009', due: Date.UTC(2031, 11, 1) })
  const main = page.getByRole('main')
  const shell = new Shell(page)

  // A row is named by whom it is about, state, message, interpretation and due date; its check box says what it selects.
  const queue = new QueuePage(page)
  await queue.open()
  await expect(main).toMatchAriaSnapshot(`
    - heading "Queue" [level=1]
    - paragraph: 2 items
    - grid "Queue, 2 rows":
      - row /^Selected State Applicant ID Name Message Interpretation/
      - rowgroup:
        - 'row /^SAMPLE-0009, Brann Örnek. Pending decision. Message: Applicant details retrieved successfully. Unreviewed. Due 2031-12-01.$/':
          - gridcell "Pending decision"
          - gridcell "SAMPLE-0009"
          - gridcell "Select SAMPLE-0009":
            - checkbox "Select SAMPLE-0009"
        - row /^SAMPLE-0010, Celeste Vzorec. Pending decision./
  `)

  await queue.row('SAMPLE-0009').click()
  await page.keyboard.press('d')
  await expect(queue.pane).toMatchAriaSnapshot(`
    - region "Case":
      - button "Back to the queue"
      - heading /^Case. .*SAMPLE-0009$/ [level=2]
      - button "Previous case"
      - button "Next case"
      - button "Check"
      - button "More actions"
      - group "Contents of the case":
        - region "Documents":
          - paragraph: No document links in the answers.
        - region "Values":
          - table:
            - rowgroup:
              - row "Field Details (service) Comparison"
            - rowgroup:
              - row /^Name .+ No earlier answer$/
        - region "Answers of the service":
          - list "Answers of the service, newest first":
            - listitem:
              - paragraph:
                - link "Applicant details"
              - paragraph: "The service’s message: “Applicant details retrieved successfully.”"
        - region "Timeline"
      - complementary "Decision and notes":
        - region "Facts"
        - region "Decision":
          - form "Decide":
            - group "Decision":
              - button "Approve, key A"
              - button "Decline, key D" [pressed]
              - button "Escalate, key E"
        - region "Notes"
  `)
  // What is missing is said, and the focus is where it belongs.
  await queue.pane.getByRole('button', { name: 'Record and next' }).press('Enter')
  const missing = queue.pane.locator(':focus')
  await expect(missing).toBeVisible()
  await expect(queue.pane.getByText('Choose at least one reason.')).toBeVisible()
  await page.keyboard.press('Escape')

  await new HistoryPage(page).open()
  await expect(main).toMatchAriaSnapshot(`
    - heading "History" [level=1]
    - paragraph: 2 records
    - grid "Records, newest first":
      - rowgroup:
        - row /Practice Applicant details SAMPLE-0010 Answered 200 .* Select SAMPLE-0010$/:
          - gridcell "Answered"
          - gridcell "Select SAMPLE-0010":
            - checkbox "Select SAMPLE-0010"
        - row /Practice Applicant details SAMPLE-0009 Answered 200 .* Select SAMPLE-0009$/
  `)

  const verify = new VerifyPage(page)
  await verify.open('get-applicant-details')
  const field = verify.field(operationOf('get-applicant-details').fields[0]?.label ?? '')
  await field.press('Enter')
  await expect(field).toBeFocused()
  await expect(field).toHaveAttribute('required')
  await expect(field).toHaveAccessibleDescription(/Enter the applicant’s ID\./)
  await expect(main).toMatchAriaSnapshot(`
    - heading "Get applicant details" [level=1]
    - form "Get applicant details":
      - textbox "Applicant ID" [invalid]
      - paragraph: Enter the applicant’s ID.
      - button "Send"
    - region "Result"
  `)
  await verify.run('get-applicant-details', { applicant_id: 'SAMPLE-0011' })
  await expect(shell.announced).toContainText('Applicant details retrieved successfully')

  await page.keyboard.press('ControlOrMeta+Shift+L')
  await expect(page.getByRole('button', { name: 'Unlock' })).toBeFocused()
  await expect(page.locator('body')).toMatchAriaSnapshot(`
    - heading "Veridesk is locked" [level=1]
    - form "Unlock":
      - button "Unlock"
  `)
  await page.keyboard.press('Enter')
  await expect(shell.heading).toBeVisible()
})
