/** Screen-share mode in core: its state, its events, and the protection of the window. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestConsole, type TestConsole } from './support/console.ts'

let workspace: TestConsole
const asked: boolean[] = []
let held = ''
const host = {
  protectContent: (on: boolean) => asked.push(on) > 0,
  copyText: async (text: string) => void (held = text),
  readText: async () => held,
  clearText: async () => void (held = '')
}
beforeAll(async () => {
  workspace = await startTestConsole(undefined, 'tester', host)
})
afterAll(() => workspace.dispose())

const events = async (...kinds: string[]) => (await workspace.get('audit.page', { limit: 200, kinds })).events

test('the mode is off at first, and each change is an event and protects the window', async () => {
  expect((await workspace.get('app.state')).screenShare).toEqual({ on: false, blocksCapture: false })
  expect((await workspace.get('screenShare.switch', { on: true })).screenShare).toEqual({
    on: true,
    blocksCapture: true
  })
  await workspace.get('screenShare.switch', { on: true })
  expect((await workspace.get('screenShare.switch', { on: false })).screenShare).toEqual({
    on: false,
    blocksCapture: false
  })
  expect(asked).toEqual([true, false])
  expect((await events('screen-share.switched')).map(({ words, operator }) => [words, operator])).toEqual([
    ['Screen-share mode switched off.', 'tester'],
    ['Screen-share mode switched on.', 'tester']
  ])
})

test('a shown value is an event with its field and its applicant, and without the value', async () => {
  const connectionId = (await workspace.get('practice.start')).id
  await workspace.get('verification.run', {
    runId: crypto.randomUUID(),
    connectionId,
    operation: 'get-applicant-details',
    input: { applicant_id: 'CANARY-1' }
  })
  await workspace.get('screenShare.reveal', { field: 'applicant', about: { applicantId: 'CANARY-1' } })
  await workspace.get('screenShare.reveal', { field: 'search' })
  const shown = await events('value.revealed')
  expect(shown.map(({ words }) => words)).toEqual([
    'Hidden value shown: search text.',
    'Hidden value shown: applicant ID.'
  ])
  expect(shown.map(({ applicantId }) => applicantId)).toEqual([undefined, 'CANARY-1'])
})

test('a copy in the mode is recorded as such, and the end of the console clears the clipboard', async () => {
  await workspace.get('screenShare.switch', { on: true })
  await workspace.get('app.copy', { text: 'CANARY-2' })
  expect((await events('text.copied'))[0]?.words).toBe(
    'Text of 8 characters copied to the clipboard in screen-share mode.'
  )
  await workspace.get('settings.change', { screenShareAtStart: true })
  await workspace.close()
  expect(held).toBe('')
  workspace = await startTestConsole(workspace, 'tester', host)
  expect((await workspace.get('app.state')).screenShare.on).toBe(true)
  expect((await events('screen-share.switched'))[0]?.words).toBe(
    'Screen-share mode switched on at the start, by the setting.'
  )
})
