/** Performs each action that leaves no event by the list, and checks that it leaves none: the list is then right about it. */
import type { BatchReading } from '#contract/batches/batches.ts'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuditEvent } from '#contract/evidence/audit.ts'
import type { Channel } from '#contract/ipc/channel.ts'
import { channels, type ChannelName } from '#contract/ipc/ipc.ts'
import { batchOf, checked, readRows } from './support/acts.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'
import { card } from './support/document-files.ts'
import { serveDocuments, type DocumentServer } from './support/document-server.ts'
import { ownKeyring } from './support/keyring.ts'
import { fileOf, newSigner, noticeAt } from './support/release-notices.ts'
import { serveFeed, type FeedServer } from './support/update-feed.ts'
import {
  good,
  openssl,
  serveAuthority,
  type AuthorityServer,
  type Identity,
  type Openssl
} from './support/timestamp-authority.ts'

let console: TestConsole
let folder: string
let documents: DocumentServer
let authority: Openssl
let root: Identity
let server: AuthorityServer
const signer = newSigner()
let feed: FeedServer
let endKeyring: () => Promise<void>
beforeAll(async () => {
  endKeyring = await ownKeyring()
  folder = await mkdtemp(join(tmpdir(), 'veridesk-channels-without-'))
  documents = await serveDocuments()
  authority = openssl()
  root = authority.identity('Root')
  feed = await serveFeed(fileOf(noticeAt(Date.now()), signer))
  server = await serveAuthority(good(authority, authority.identity('Stamps', { issuer: root })))
  console = await startTestConsole()
})
afterAll(async () => {
  await console.dispose()
  await server.close()
  await feed.close()
  authority.remove()
  await documents.close()
  await endKeyring()
  await rm(folder, { recursive: true, force: true })
})

const visit = randomUUID()
/** Events after a number; reading them is one view, recorded before the first number is taken. */
const eventsAfter = async (seq: number): Promise<AuditEvent[]> =>
  (await console.get('audit.page', { limit: 200, visit })).events.filter((event) => event.seq > seq)

/** These start and end a second program; tests/service/sample-folder.test.ts performs them. */
const ofAnotherProgram: readonly ChannelName[] = ['sample.open', 'sample.close']

test('each action that leaves none by the list leaves none', async () => {
  console.save = join(folder, `${randomUUID()}.json`)
  const id = await checked(console)
  const batch = await batchOf(console, ['A-1', '\u0007'])
  const checkId = await readRows(console, ['A-1'])
  const backup = await console.get('backups.create')
  const reading: BatchReading = { operations: ['get-applicant-details'] }
  const connectionId = (await console.get('practice.start')).id
  const links = (
    await console.get('batches.checkText', {
      name: 'links.csv',
      text: `id_url\n${documents.at(card)}\n`,
      reading: { operations: ['validate-passport'] }
    })
  ).checkId
  await console.get('batches.checkLinks', { checkId: links, connectionId, atOnce: 1, pace: 0 })
  const receipt = await console.get('catalogue.list', { limit: 1 })
  await console.get('settings.change', {
    timestampAuthority: { name: 'Test', url: server.url, certificates: authority.pem(root) }
  })
  await console.get('settings.change', {
    updateFeed: { url: feed.url, channel: 'stable', publicKeys: [signer.publicLine] }
  })
  const profile = {
    name: 'IDs',
    operations: ['get-applicant-details'] as const,
    mapping: { applicant_id: 'applicant_id' }
  } as const
  await console.get('settings.change', { columnProfiles: [{ ...profile, headings: ['applicant_id'] }] })
  await writeFile(join(folder, 'rows.csv'), 'applicant_id\nA-1\n')
  await writeFile(join(folder, 'authorities.pem'), authority.pem(root))

  // The check of the links leaves its event when it ends.
  await expect
    .poll(async () => (await eventsAfter(0)).map(({ kind }) => kind), { timeout: 10_000 })
    .toContain('links.checked')
  const before = (await eventsAfter(0))[0]?.seq ?? 0
  const asked = new Set<ChannelName>()
  const get: TestConsole['get'] = (name, input) => {
    asked.add(name)
    return console.get(name, input)
  }
  await get('app.state')
  await get('keychain.tryAgain')
  await get('lock.ready')
  await get('lock.active')
  await get('drafts.keep', { round: (await get('drafts.read')).round, text: '{}' })
  await get('connections.list')
  await get('connections.reach', { id: connectionId })
  await get('proxySignIns.list')
  const diagnosisId = randomUUID()
  await get('diagnosis.run', { diagnosisId, id: connectionId })
  await get('diagnosis.stop', { diagnosisId })
  await get('diagnosis.save', { diagnosisId })
  await get('app.opening')
  await get('check.plan', { connectionId, operations: ['get-applicant-details'], values: { applicant: 'A-1' } })
  await get('check.show', { checkId: randomUUID() })
  await get('check.cancelRest', { checkId: randomUUID() })
  await get('verification.cancel', { runId: randomUUID() })
  await get('history.counts', { filter: { search: id } })
  await get('history.tryAgain')
  await get('overview.show', { period: { edges: [0, 1], offsets: [{ from: 0, minutes: 0 }] } })
  await get('overview.waiting')
  await get('overview.reviews', { from: 0, until: 1 })
  await get('overview.retention')
  await get('overview.decisions', {
    period: { edges: [0, 1], offsets: [{ from: 0, minutes: 0 }] },
    before: { from: 0, until: 0 }
  })
  await get('documents.stop', { opening: randomUUID() })
  await get('documents.condition')
  await get('documents.otherFiles')
  console.open = join(folder, 'rows.csv')
  await get('batches.choose', { reading })
  await get('batches.checkText', { name: 'rows.csv', text: 'applicant_id\nA-1\n', reading })
  await get('batches.recheck', { checkId, reading })
  await get('batches.useProfile', { checkId, name: 'IDs' })
  await get('batches.lines', { checkId, offset: 0, limit: 10 })
  await get('batches.nextInvalid', { checkId, after: -1 })
  await get('batches.recentDuplicates', { checkId, connectionId })
  await get('batches.copyNeed', { checkId, connectionId })
  await get('batches.linkRows', { checkId: links, limit: 10 })
  await get('batches.stopLinks', { checkId: links })
  await get('batches.checkDropped', { name: 'rows.csv', base64: btoa('applicant_id\nA-1\n'), reading })
  await get('batches.list', { limit: 10 })
  await get('batches.show', { id: batch })
  await get('batches.columns', { id: batch })
  await get('batches.againCounts', { id: batch })
  await get('batches.messages', { id: batch })
  await get('batches.reopen', { sha256: '0'.repeat(64), reading })
  await get('batches.yieldToUser')
  await get('batches.template', { operations: ['validate-passport'] })
  await get('backups.list')
  await get('backups.since', { id: backup.id })
  await get('recovery.state')
  await get('erasure.receipts')
  await get('exports.stop', { exportId: randomUUID() })
  await get('evidence.documents', { kind: 'applicant', id: 'APP-1' })
  await get('evidence.publicKey')
  await get('evidence.savePublicKey')
  await get('evidence.saveVerifier', { form: 'mjs' })
  await get('support.save')
  await get('certificates.show')
  await get('certificates.request', { name: 'Compliance' })
  const publicKey = (await get('keys.list'))[0]?.publicKey ?? ''
  const made = await get('trust.make', { draft: { organisation: 'Sample', keepers: [publicKey, 'ab'.repeat(32)] } })
  const text = await readFile(made?.path ?? '', 'utf8')
  await get('trust.sign', { text })
  await get('trust.inForce')
  console.open = made?.path
  await get('trust.choose')
  await get('trust.read', { text })
  console.open = join(folder, 'authorities.pem')
  await get('settings.chooseCaFile')
  await get('timestamps.chooseAuthorities')
  await get('timestamps.test')
  expect((await get('updates.check')).notice?.newer).toBe(true)
  await get('queue.list', { limit: 0 })
  await get('queue.waiting')
  await get('catalogue.list', { limit: 10 })
  await get('catalogue.waiting', { ids: receipt.messages.map(({ id: message }) => message) })
  await get('catalogue.of', { recordId: id })
  await get('catalogue.readings', { id: receipt.messages[0]?.id ?? 0 })
  await get('drops.identify', { name: 'rows.csv', head: Buffer.from('a,b\n1,2\n').toString('base64') })
  await get('team.state')
  await get('team.exchange')
  await get('teamBatches.list')
  await get('team.recipes')
  asked.add('teamBatches.progress')
  expect(await console.ask('teamBatches.progress', { id: randomUUID() })).toMatchObject({ ok: false })
  await get('team.claims', { applicantIds: [], recordIds: [] })
  await get('team.chooseFile', { kind: 'authorities' })
  asked.add('team.members')
  expect(await console.ask('team.members')).toMatchObject({ ok: false })
  await get('audit.head')
  await get('audit.prove', { seq: 1 })
  expect((await eventsAfter(before)).map(({ kind, words }) => [kind, words])).toEqual([])
  const nowhere = new Set<string>(ofAnotherProgram)
  const withNone = Object.entries<Channel>(channels).flatMap(([name, { leaves }]) => ('none' in leaves ? [name] : []))
  expect(withNone.filter((name) => !(asked as ReadonlySet<string>).has(name) && !nowhere.has(name))).toEqual([])
})
