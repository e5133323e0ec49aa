/** Responses that are not valid UTF-8: their bytes are kept from the wire to the evidence pack, unless they contain a secret. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkPack } from '#core/evidence/pack/check.ts'
import { shownValue } from '#core/evidence/pack/pack.ts'
import { sendVerification } from '#core/client/send.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import type { RecordEnding } from '#contract/history/records.ts'
import { answer } from './history-fixtures.ts'
import { canaries, leaks, orderTo, rawService } from './support/client-order.ts'
import { check, evidenceWorkspace, loadVerifier, savedPack, type Workspace } from './evidence-workspace.ts'

let folder: string
let workspace: Workspace

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'veridesk-bytes-'))
  workspace = await evidenceWorkspace(folder, 'first.person')
})
afterAll(async () => {
  await workspace.store.close()
  rmSync(folder, { recursive: true, force: true })
})

async function answered(body: Buffer, headers = '', length = body.length): Promise<RecordEnding> {
  const service = await rawService((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${headers}content-length: ${length}\r\n\r\n`)
    socket.end(body)
  })
  return sendVerification(await orderTo(service.origin))
}
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')

test('the bytes are kept with the record and proved by its pack', async () => {
  const body = latin1('{"message":"Prüfung bestanden: Müller"}')
  const ending = await answered(body)
  expect(ending).toMatchObject({
    outcome: 'invalid-response',
    failure: { code: 'reply-not-json' },
    reply: { body: '{"message":"Pr\ufffdfung bestanden: M\ufffdller"}' }
  })
  const id = await check(workspace, ending, 'APP-BYTES')
  const shown = await workspace.store.record(id)
  if (!shown.ok) throw new Error(sentencesOf(shown.failure).what)
  expect(Buffer.from(shown.value.reply?.raw ?? '', 'base64').equals(body)).toBe(true)
  const { text, pack } = await savedPack(workspace, folder, { kind: 'record', id })
  expect(checkPack(text)).toMatchObject({ verified: true })
  const [response] = pack.content.bodies
  expect(Buffer.from(String(response && shownValue(response, 'raw')), 'base64').equals(body)).toBe(true)
})

test('valid UTF-8 is kept as text alone, and cut bytes are not kept', async () => {
  expect((await answered(Buffer.from('{"message":"Prüfung"}'))).reply).not.toHaveProperty('raw')
  expect((await answered(latin1('{"message":"Prüfung"}'), '', 100)).reply).not.toHaveProperty('raw')
  expect((await answered(latin1('{"message":"Prüfung"}'), 'content-encoding: zstd\r\n')).reply).not.toHaveProperty(
    'raw'
  )
})

test('an unpaired surrogate is U+FFFD in everything that is recorded, and in a pack', async () => {
  const { store } = workspace
  const applicantId = 'APP-\ud83d'
  const id = await check(workspace, answer('Accepted \udc00'), applicantId)
  // A message that is cut in a list, in the middle of a pair.
  await check(workspace, answer(`${'x'.repeat(299)}\u{1f600}`), applicantId)
  const noted = await store.applicants.note(applicantId, 'Seen \ud83d twice', {
    at: 1_760_000_001_000,
    operator: '\ud83d'
  })
  expect(noted.ok).toBe(true)
  const shown = JSON.stringify(await store.record(id))
  expect(shown).toContain('Accepted \ufffd')
  expect(shown).toContain('APP-\ufffd')
  // The body itself has the escape as its text.
  const unpaired = /(?<!\\)(?:\\\\)*\\ud[89a-f]/
  expect(shown).not.toMatch(unpaired)
  const { text, pack } = await savedPack(workspace, folder, { kind: 'applicant', id: applicantId })
  const content = Buffer.from(pack.file.envelope.payload, 'base64').toString('utf8')
  expect(content).toContain('Seen \ufffd twice')
  expect(content).not.toMatch(unpaired)
  expect(await (await loadVerifier()).verifyPack(text)).toMatchObject({ verified: true })
})

test('bytes with a secret are not kept, whatever form it is in', async () => {
  const secret = canaries['api-key']
  for (const form of [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('hex'),
    Buffer.from(secret).toString('base64')
  ]) {
    const ending = await answered(latin1(`{"message":"für ${form}"}`))
    expect(ending.reply?.body).toContain('f\ufffdr')
    expect(ending.reply).not.toHaveProperty('raw')
    expect(leaks(ending)).toEqual([])
  }
})
