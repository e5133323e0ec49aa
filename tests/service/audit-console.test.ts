/** The audit trail through the whole core: what is recorded, and what never is. */
import { createHash, createPublicKey, randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { credentials } from '#contract/connections/credentials.ts'
import { bytesFit } from '#wire/evidence/keys.ts'
import { verifyInclusion } from '#kit/hashing/merkle.ts'
import { startPracticeService } from '#practice/service.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'

let console: TestConsole
beforeEach(async () => {
  console = await startTestConsole()
})
afterEach(() => console.dispose())

const events = async (groups: readonly string[]) =>
  (await console.get('audit.page', { limit: 200, groups: [...groups] as never })).events
async function checked(applicant = 'PRACTICE-pass'): Promise<string> {
  const connection = await console.get('practice.start')
  const ending = await console.get('verification.run', {
    runId: randomUUID(),
    connectionId: connection.id,
    operation: 'get-applicant-details',
    input: { applicant_id: applicant },
    repeatAnyway: true
  })
  if (ending.kind !== 'recorded') throw new Error(ending.kind)
  return ending.record.id
}

test('each view of a record or an applicant is noted, and what is drawn again within one visit is the same view', async () => {
  const [one, other] = [await checked(), await checked()]
  for (const id of [one, one, other, one]) await console.get('history.record', { id })
  const [visit, later] = [randomUUID(), randomUUID()]
  for (let n = 0; n < 3; n += 1) {
    await Promise.all([
      console.get('applicants.show', { applicantId: 'PRACTICE-pass', visit }),
      console.get('applicants.timeline', { applicantId: 'PRACTICE-pass', limit: 10, visit })
    ])
  }
  await console.get('applicants.show', { applicantId: 'PRACTICE-pass', visit: later })
  const views = (await events(['views'])).filter(({ words }) => words.startsWith('Details')).reverse()
  expect(views.map(({ words, recordId }) => [words, recordId])).toEqual([
    ['Details of a record opened.', one],
    ['Details of a record opened.', one],
    ['Details of a record opened.', other],
    ['Details of a record opened.', one],
    ['Details of an applicant opened.', undefined],
    ['Details of an applicant opened.', undefined]
  ])
  expect(views.every(({ operator, applicantId }) => operator === 'tester' && applicantId === 'PRACTICE-pass')).toBe(
    true
  )
})

test('each list that shows whom the data is about is noted once a visit, and a search apart from it without its text', async () => {
  await checked()
  const visit = randomUUID()
  const history = (search?: string) =>
    console.get('history.page', { filter: search === undefined ? {} : { search }, limit: 10, visit })
  for (const search of [undefined, undefined, 'PRACTICE-p', 'PRACTICE-pa']) await history(search)
  await console.get('history.page', { filter: {}, limit: 10, before: 1, visit })
  await console.get('applicants.list', { limit: 10, visit })
  await console.get('applicants.list', { search: 'PRAC', limit: 10, visit })
  await console.get('queue.list', { limit: 10, visit })
  await console.get('queue.list', { limit: 0 })
  await console.get('catalogue.list', { limit: 10, visit })
  await console.get('catalogue.list', { applicantId: 'PRACTICE-pass', limit: 10, visit })
  await console.get('holds.list', { visit })
  await console.get('retention.plan')
  await console.get('erasure.preview', { applicantId: 'PRACTICE-pass' })
  const views = (await console.get('audit.page', { limit: 200, visit })).events
    .filter(({ group }) => group === 'views')
    .reverse()
  expect(views.map(({ words, applicantId }) => [words, applicantId])).toEqual([
    ['History opened.', undefined],
    ['History searched.', undefined],
    ['List of applicants opened.', undefined],
    ['List of applicants searched.', undefined],
    ['Queue opened.', undefined],
    ['Messages of an applicant opened.', 'PRACTICE-pass'],
    ['Legal holds opened.', undefined],
    ['Preview of deletions opened.', undefined],
    ['Preview of an erasure opened.', 'PRACTICE-pass'],
    ['Audit trail opened.', undefined]
  ])
  expect(views.every(({ operator }) => operator === 'tester')).toBe(true)
})

test('settings, connections and credentials are noted by name, and no secret with them', async () => {
  const secret = 'Kanari-7391-secret'
  await console.get('settings.change', {
    totalTimeout: 45,
    lastOperation: 'validate-passport',
    proxyUrl: `http://someone:${secret}@proxy.example:3128`
  })
  const draft = { name: 'Live', baseUrl: 'https://kyc.example.com', mode: 'live', colour: 'red', mark: 'LV' } as const
  const { connection } = await console.get('connections.save', draft)
  await console.ask('credentials.set', { connectionId: connection.id, credential: 'api-secret', value: secret })
  await console.get('connections.save', { ...draft, id: connection.id, name: 'Live two' })
  await console.get('connections.save', { ...draft, id: connection.id, name: 'Live two' })
  await console.ask('connections.remove', { id: connection.id })
  const words = (await events(['settings', 'connections'])).map((event) => event.words)
  expect(words).toContain('Setting totalTimeout changed from “30” to “45”.')
  expect(words.some((sentence) => sentence.includes('lastOperation'))).toBe(false)
  expect(words).toContain('Connection “Live” was added.')
  expect(words).toContain('x-api-secret of the connection “Live” was set.')
  expect(words.filter((sentence) => sentence.includes('“Live two” was changed'))).toEqual([
    'Connection “Live two” was changed (name).'
  ])
  expect(JSON.stringify(await console.get('audit.page', { limit: 200 }))).not.toContain(secret)
})

test('what Veridesk changes of the practice connection by itself is noted once', async () => {
  const noted = async () =>
    (await events(['connections']))
      .map((event) => event.words)
      .filter((words) => !words.endsWith('used for the first time.'))
      .reverse()
  await console.get('practice.start')
  await checked()
  const first = await noted()
  expect(first).toEqual([
    'Connection “Practice” was added.',
    ...credentials.map(({ header }) => `${header} of the connection “Practice” was set.`)
  ])
  await console.get('practice.start')
  expect(await noted()).toEqual(first)
  // The next session, at another address.
  const elsewhere = await startPracticeService()
  await console.close()
  await console.practice.close()
  console = await startTestConsole({ dataFolder: console.dataFolder, practice: elsewhere })
  if ((await console.get('app.state')).history.state !== 'ready') throw new Error('the history is not open')
  await checked()
  const { kept } = (await console.get('app.state')).history as { kept: string }
  if (kept === 'file') expect(await noted()).toEqual([...first, 'Connection “Practice” was changed (baseUrl).'])
  for (const value of Object.values(elsewhere.credentials))
    expect(JSON.stringify(await console.get('audit.page', { limit: 200 }))).not.toContain(value)
})

test('the audit trail begins with the start, verifies with progress, and proves one event by itself', async () => {
  await checked()
  expect((await events(['program'])).at(-1)?.words).toBe('Veridesk 0.0.0-test started.')
  const verdict = await console.get('audit.verify')
  expect(verdict).toMatchObject({ intact: true })
  expect(console.events.some((event) => event.kind === 'audit-progress' && event.verified === event.total)).toBe(true)
  const head = await console.get('audit.head')
  const [format, index, ...rest] = (await console.get('audit.prove', { seq: 2 })).split('\n')
  expect([format, index]).toEqual(['c2sp.org/tlog-proof@v1', 'index 1'])
  const path = rest.slice(0, rest.indexOf('')).map((node) => Buffer.from(node, 'base64'))
  const [origin = '', size, root, empty, line = ''] = rest.slice(rest.indexOf('') + 1)
  expect([size, root, empty]).toEqual([String(head.seq), Buffer.from(head.root, 'hex').toString('base64'), ''])
  const [dash, name, signed = ''] = line.split(' ')
  expect([dash, name]).toEqual(['—', origin])
  const { publicKey } = await console.get('evidence.publicKey')
  const raw = createPublicKey(publicKey).export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex')
  const [id, signature] = [Buffer.from(signed, 'base64').subarray(0, 4), Buffer.from(signed, 'base64').subarray(4)]
  const key = Buffer.concat([Buffer.from(`${origin}\n`), Buffer.of(1), Buffer.from(raw, 'hex')])
  expect(createHash('sha256').update(key).digest().subarray(0, 4)).toEqual(id)
  expect(bytesFit(raw, Buffer.from(`${[origin, size, root].join('\n')}\n`), signature)).toBe(true)
  const shown = (await console.get('audit.page', { limit: 200 })).events
  expect(origin).toBe(`veridesk/${shown.find(({ seq }) => seq === 1)?.hash.slice(0, 32)}`)
  const leaf = Buffer.from(shown.find(({ seq }) => seq === 2)?.hash ?? '', 'hex')
  expect(verifyInclusion(leaf, 1, head.seq, path, Buffer.from(head.root, 'hex'))).toBe(true)
  expect(await console.ask('audit.prove', { seq: 9999 })).toMatchObject({
    ok: false,
    failure: { code: 'event-missing' }
  })
})

test('a decision goes all the way: catalogue, page, decision, queue', async () => {
  await checked()
  const [message] = (await console.get('catalogue.list', { limit: 10, meanings: ['unreviewed'] })).messages
  expect(message?.operation).toBe('get-applicant-details')
  await console.get('catalogue.read', {
    readings: [{ id: message?.id ?? 0, means: 'good', note: 'as the provider says' }]
  })
  const { evidence } = await console.get('applicants.show', { applicantId: 'PRACTICE-pass' })
  expect((await console.get('queue.list', { limit: 10 })).items.map(({ kind }) => kind)).toEqual(['open'])
  const refused = await console.ask('decisions.make', {
    applicantId: 'PRACTICE-pass',
    decision: 'approve',
    reasons: ['documents-in-order'],
    note: ' ',
    evidence
  })
  expect(refused).toMatchObject({
    ok: false,
    failure: { code: 'decision-invalid', fields: { note: { code: 'note-needed' } } }
  })
  const decided = await console.get('decisions.make', {
    applicantId: 'PRACTICE-pass',
    decision: 'approve',
    reasons: ['documents-in-order'],
    note: 'fine',
    evidence
  })
  expect(decided).toMatchObject({
    state: 'approve',
    decision: { readings: [{ message: message?.id, version: 1, means: 'good' }] }
  })
  expect((await console.get('queue.list', { limit: 10 })).items).toEqual([])
  expect(console.events.some(({ kind }) => kind === 'evidence-changed')).toBe(true)
})
