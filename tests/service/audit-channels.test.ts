/**
 * Performs each action that a window can request, and checks that the audit trail has the required event with its
 * operator.
 */
import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, readFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AuditEvent } from '#contract/evidence/audit.ts'
import type { Channel } from '#contract/ipc/channel.ts'
import { channels, type ChannelName, type Channels, type RequestOf } from '#contract/ipc/ipc.ts'
import { auditKinds } from '#contract/evidence/event-sentences.ts'
import {
  answeredByFile,
  askedByFile,
  decideThere,
  evidenceWorkspace,
  furnish,
  type Workspace
} from './evidence-workspace.ts'
import { batchOf, batchThatRan, checked, lasts, readRows } from './support/acts.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'
import { card } from './support/document-files.ts'
import { serveDocuments, type DocumentServer } from './support/document-server.ts'
import { ownKeyring } from './support/keyring.ts'
import { hasPostgres } from './support/postgres.ts'
import { good, openssl, serveAuthority, type AuthorityServer, type Openssl } from './support/timestamp-authority.ts'
import { colleaguesBatch, ownBatch } from './support/team-batch-acts.ts'
import { forked } from './support/team-fork.ts'
import { teamActs } from './support/team-channel-acts.ts'
import { lostEvents } from './support/team-finding-acts.ts'
import { addressOf as teamAddress, valueOf } from './support/team-installation.ts'

/** The channels whose action leaves an event: each is performed below, or this file does not compile. */
type Leaving = {
  [Name in ChannelName]: Channels[Name]['leaves'] extends { readonly none: string } ? never : Name
}[ChannelName]
/** Prepares the action and returns its request. */
type Act<Name extends ChannelName> = () => Promise<RequestOf<Name>>

let console: TestConsole
/** For actions that do not change a console. */
let shared: TestConsole
let folder: string
let documents: DocumentServer
let colleague: Workspace
let colleaguesCase: string
let authority: Openssl | undefined
let authorityServer: AuthorityServer | undefined
let endKeyring: () => Promise<void>
beforeAll(async () => {
  endKeyring = await ownKeyring()
  folder = await mkdtemp(join(tmpdir(), 'veridesk-channels-'))
  shared = await startTestConsole(undefined, 'tester', { printPdf: async () => Buffer.from('%PDF') })
  documents = await serveDocuments()
  colleague = await evidenceWorkspace(folder, 'colleague')
  await furnish(colleague)
  await decideThere(colleague, 'colleague')
  colleaguesCase = await askedByFile(colleague, folder)
})
afterAll(async () => {
  await shared.dispose()
  await documents.close()
  await authorityServer?.close()
  await team.end()
  authority?.remove()
  await colleague.store.close()
  await endKeyring()
  await rm(folder, { recursive: true, force: true })
})
const bus = process.env['DBUS_SESSION_BUS_ADDRESS']
beforeEach(() => void (console = shared))
afterEach(async () => {
  if (console !== shared) await console.dispose()
  if (bus !== undefined) process.env['DBUS_SESSION_BUS_ADDRESS'] = bus
})

const applicantId = 'PRACTICE-pass'
const connection = async (): Promise<string> => (await console.get('practice.start')).id
const draft = { name: 'Other', baseUrl: 'https://kyc.example.com', mode: 'sandbox', colour: 'blue', mark: 'O' } as const
const credential = async () => ({ connectionId: await connection(), credential: 'api-key' as const })
const applicant = async () => {
  await checked(console)
  return { applicantId }
}
const decided = async () => {
  const { evidence } = await console.get('applicants.show', await applicant())
  return console.get('decisions.make', {
    applicantId,
    decision: 'approve',
    reasons: ['documents-in-order'],
    note: 'Seen.',
    evidence
  })
}
/** With a wording for the reason. */
const explained = async () => {
  const wording = 'Your documents are complete.'
  const { settings } = await console.get('app.state')
  await console.get('settings.change', {
    decisionReasons: settings.decisionReasons.map((each) =>
      each.code === 'documents-in-order' ? { ...each, wording } : each
    )
  })
  await decided()
}
const passport = async (url = 'https://files.example/p.jpg'): Promise<string> => {
  const ending = await console.get('verification.run', {
    runId: randomUUID(),
    connectionId: await connection(),
    operation: 'validate-passport',
    input: { id_url: url },
    repeatAnyway: true
  })
  if (ending.kind !== 'recorded') throw new Error(ending.kind)
  return ending.record.id
}
/** PEM of a certificate for the key of this console. */
const ownCertificate = async (): Promise<string> => {
  console.save = join(folder, `${randomUUID()}.csr`)
  await console.get('certificates.request', { name: 'Compliance' })
  authority ??= openssl()
  return authority.issued(await readFile(console.save, 'utf8'), authority.identity('Company'))
}
const erased = async () => ({ ...(await applicant()), confirmation: applicantId, reason: 'asked for' })

const linkRows = async (): Promise<string> =>
  (
    await console.get('batches.checkText', {
      name: 'links.csv',
      text: `id_url\n${documents.at(card)}\n`,
      reading: { operations: ['validate-passport'] }
    })
  ).checkId
const linksOrder = async (checkId: string) => ({ checkId, connectionId: await connection(), atOnce: 1, pace: 0 })

const proxySignIn = { proxy: 'http://proxy.example:8080', user: 'jane', password: 'a password' }

const team = teamActs(() => console, applicantId)

const acts: { readonly [Name in Leaving]: Act<Name> } = {
  'lock.now': async () => undefined,
  'lock.unlock': async () => {
    await console.get('lock.now')
    return {}
  },
  'lock.recover': async () => {
    const { key } = await console.get('recovery.create')
    await console.get('passphrase.change', { next: 'seven green kettles' })
    await console.get('lock.now')
    return { key, passphrase: 'nine yellow kettles' }
  },
  'passphrase.change': async () => ({ next: 'seven green kettles' }),
  'app.copy': async () => ({ text: applicantId }),
  'app.copied': async () => ({ text: applicantId }),
  'screenShare.switch': async () => ({ on: !(await console.get('app.state')).screenShare.on }),
  'screenShare.reveal': async () => ({ field: 'applicant', about: await applicant() }),
  'settings.change': async () => ({
    retentionDays: { [await connection()]: 90 },
    recipes: [{ name: 'Details', operations: ['get-applicant-details'], shared: true }]
  }),
  'settings.reset': async () => {
    await console.get('settings.change', { totalTimeout: 12 })
    await console.close()
    const path = join(console.dataFolder, 'settings.json')
    await writeFile(path, (await readFile(path, 'utf8')).slice(0, 20))
    console = await startTestConsole(console)
    return { file: 'settings' }
  },

  'connections.save': async () => draft,
  'connections.remove': async () => ({ id: await connection() }),
  'proxySignIns.set': async () => proxySignIn,
  'proxySignIns.clear': async () => {
    await console.get('proxySignIns.set', proxySignIn)
    return { proxy: proxySignIn.proxy }
  },
  'credentials.set': async () => ({ ...(await credential()), value: 'another' }),
  'credentials.clear': credential,
  'credentials.undoClear': async () => {
    const of = await credential()
    await console.get('credentials.clear', of)
    return of
  },
  'practice.start': async () => undefined,

  'check.run': async () => ({
    checkId: randomUUID(),
    connectionId: await connection(),
    operations: ['get-applicant-details'],
    values: { applicant: applicantId }
  }),
  'verification.run': async () => ({
    runId: randomUUID(),
    connectionId: await connection(),
    operation: 'get-applicant-details',
    input: { applicant_id: applicantId },
    // An earlier action of this list has sent the same.
    repeatAnyway: true
  }),
  'documents.open': async () => ({
    connectionId: await connection(),
    field: 'photo_url',
    url: documents.at(card),
    applicantId
  }),
  'documents.compare': async () => {
    const place = { recordId: await passport(documents.at(card)), field: 'id_url' }
    await console.get('documents.note', place)
    return place
  },
  'documents.note': async () => ({ recordId: await passport(documents.at(card)), field: 'id_url' }),
  'documents.keep': async () => ({ recordId: await passport(documents.at(card)), field: 'id_url' }),
  'documents.addFile': async () => {
    console.open = join(folder, 'card.jpg')
    await writeFile(console.open, card)
    return { recordId: await passport(), field: 'id_url' }
  },
  'documents.check': async () => ({
    connectionId: await connection(),
    operation: 'validate-kyc-photo',
    input: { photo_url: documents.at(card) }
  }),
  'history.page': async () => ({ filter: {}, limit: 10 }),
  'history.record': async () => ({ id: await checked(console) }),
  'history.resolve': async () => ({ id: await checked(console, 'PRACTICE-cut'), as: 'processed', note: 'asked' }),
  'history.openForSession': async () => {
    await checked(console)
    await console.close()
    // Without a keychain, so the history file does not open.
    process.env['DBUS_SESSION_BUS_ADDRESS'] = 'unix:path=/nonexistent'
    console = await startTestConsole(console)
    return undefined
  },
  'history.setAside': async () => undefined,

  'batches.saveInvalid': async () => ({ checkId: await readRows(console, ['A-1', '\u0007']) }),
  'batches.checkLinks': async () => linksOrder(await linkRows()),
  'batches.saveLinks': async () => {
    const checkId = await linkRows()
    await console.get('batches.checkLinks', await linksOrder(checkId))
    return { checkId }
  },
  'batches.create': async () => ({
    checkId: await readRows(console, ['A-1']),
    connectionId: await connection(),
    name: 'Rows',
    atOnce: 1,
    pace: 0,
    skipDuplicates: true,
    skipRecent: false
  }),
  'batches.rows': async () => ({ id: await batchOf(console, ['A-1']), offset: 0, limit: 10 }),
  'batches.start': async () => ({ id: await batchOf(console, ['A-1']) }),
  'batches.pause': async () => {
    const id = await batchOf(console, ['PRACTICE-slow-1', 'A-2'])
    await console.get('batches.start', { id })
    return { id }
  },
  'batches.cancel': async () => ({ id: await batchOf(console, ['A-1']) }),
  'batches.resolve': async () => ({ id: await batchThatRan(console, ['PRACTICE-cut']), as: 'sent' }),
  'batches.save': async () => ({ id: await batchOf(console, ['A-1']), file: 'results' }),
  'batches.again': async () => ({ id: await batchThatRan(console, ['PRACTICE-400']) }),

  'backups.create': async () => undefined,
  'backups.documents': async () => void (console.save = join(folder, randomUUID())),
  'documents.verify': async () => undefined,
  'documents.deleteOtherFiles': async () => {
    const part = join(console.dataFolder, 'documents', 'ab')
    await mkdir(part, { recursive: true })
    await writeFile(join(part, 'ab'.repeat(32)), 'of nobody')
    return { digest: (await console.get('documents.otherFiles')).digest }
  },
  'backups.check': async () => ({ id: (await console.get('backups.create')).id }),
  'backups.restore': async () => ({ id: (await console.get('backups.create')).id }),
  'recovery.create': async () => undefined,
  'recovery.confirm': async () => ({ createdAt: (await console.get('recovery.create')).createdAt }),
  'recovery.open': async () => ({ key: (await console.get('recovery.create')).key }),
  'retention.plan': async () => undefined,
  'retention.run': async () => {
    await checked(console)
    await console.get('settings.change', { retentionDays: { [await connection()]: 1 } })
    console.ahead = 3 * 24 * 3_600_000
    const { digest } = await console.get('retention.plan')
    return { digest, reason: 'the days are over' }
  },
  'holds.list': async () => ({}),
  'holds.place': async () => ({ ...(await applicant()), reason: 'a case' }),
  'holds.lift': async () => {
    await console.get('holds.place', { ...(await applicant()), reason: 'a case' })
    return { applicantId, reason: 'closed' }
  },
  'erasure.preview': applicant,
  'erasure.run': erased,
  'erasure.saveReceipt': async () => ({ id: (await console.get('erasure.run', await erased())).id }),
  'exports.readApplicantData': applicant,
  'exports.applicantData': async () => {
    const { applicantId: whose } = await applicant()
    const { digest } = await console.get('exports.readApplicantData', { applicantId: whose })
    return { applicantId: whose, digest }
  },
  'exports.readLetter': async () => {
    await explained()
    return { applicantId }
  },
  'exports.letter': async () => {
    await explained()
    const { digest } = await console.get('exports.readLetter', { applicantId })
    return { applicantId, digest }
  },
  'exports.audit': async () => ({ exportId: randomUUID(), filter: {}, format: 'jsonl' }),
  'exports.history': async () => ({ exportId: randomUUID(), filter: {}, format: 'csv' }),
  'exports.applicants': async () => ({ exportId: randomUUID(), format: 'jsonl' }),
  'exports.batches': async () => ({ exportId: randomUUID(), format: 'csv' }),
  'exports.catalogue': async () => ({ exportId: randomUUID(), filter: {}, format: 'csv' }),

  'certificates.import': async () => ({ pem: await ownCertificate() }),
  'keys.revoke': async () => ({ reason: 'replaced' }),
  'keys.replace': async () => ({ key: (await console.get('keys.list'))[0]!.fingerprint }),
  'certificates.remove': async () => void (await console.get('certificates.import', { pem: await ownCertificate() })),
  'evidence.create': async () => ({
    about: { kind: 'record', id: await checked(console) },
    profile: 'full',
    pdf: false
  }),
  'evidence.authority': async () => {
    console.save = join(folder, 'authority')
    return {
      applicantIds: [(await applicant()).applicantId],
      recipient: 'Authority',
      basis: 'Order',
      documents: false
    }
  },
  'evidence.check': async () => {
    console.open = colleaguesCase
    return undefined
  },
  'evidence.checkText': async () => ({ name: 'case.json', text: await readFile(colleaguesCase, 'utf8') }),
  'evidence.timestamp': async () => {
    authority ??= openssl()
    const root = authority.identity('Root')
    authorityServer = await serveAuthority(good(authority, authority.identity('Stamps', { issuer: root })))
    await console.get('settings.change', {
      timestampAuthority: { name: 'Test', url: authorityServer.url, certificates: authority.pem(root) }
    })
    await copyFile(colleaguesCase, (console.open = join(folder, 'dated.json')))
    return undefined
  },
  'cases.open': async () => {
    console.open = colleaguesCase
    return undefined
  },
  'cases.ask': async () => {
    await decided()
    console.save = join(folder, 'request.veridesk-case')
    return { applicantId, note: 'Please look', pdf: false }
  },
  'cases.answer': async () => {
    console.open = colleaguesCase
    const { caseId = '', verdict } = (await console.get('cases.open')) ?? {}
    console.save = join(folder, 'answer.veridesk-approval')
    return { caseId, signer: verdict?.signedBy ?? '', agrees: true, note: 'seen' }
  },
  'cases.import': async () => {
    await decided()
    console.save = join(folder, 'to-answer.veridesk-case')
    await console.get('cases.ask', { applicantId, note: '' })
    console.open = await answeredByFile(colleague, folder, console.save)
    return {}
  },

  'applicants.status': async () => ({ applicantIds: [(await applicant()).applicantId] }),
  'applicants.list': async () => ({ limit: 10 }),
  'applicants.matching': async () => ({}),
  'applicants.counts': async () => ({}),
  'applicants.show': applicant,
  'applicants.timeline': async () => ({ ...(await applicant()), limit: 10 }),
  'applicants.views': async () => ({ ...(await applicant()), limit: 10 }),
  'prints.note': async () => ({ what: 'record', recordId: await checked(console), rows: 1 }),
  'applicants.answers': applicant,
  'applicants.note': async () => ({ ...(await applicant()), text: 'A note.' }),
  'applicants.changeMany': async () => ({
    applicantIds: [(await applicant()).applicantId],
    add: ['bulk'],
    due: Date.UTC(2030, 2, 18),
    assignee: 'A. Colleague',
    relationship: { state: 'active', on: '2026-03-13' },
    risk: 'medium'
  }),
  'applicants.import': async () => {
    await applicant()
    return {
      text: `applicant_id,relationship,on,risk,document_expires\n${applicantId},ended,2026-03-15,low,2031-05-04\n`,
      dryRun: false
    }
  },
  'applicants.expiry': async () => ({ ...(await applicant()), document: 'Passport', expires: '2031-05-03' }),
  'applicants.review': async () => ({ ...(await applicant()), outcome: 'unchanged', note: 'Nothing new.' }),
  'applicants.challenge': async () => {
    await decided()
    return { applicantId, text: 'That is not my photo.' }
  },
  'applicants.rate': async () => ({ ...(await applicant()), risk: 'high', note: 'A politically exposed person.' }),
  'applicants.relate': async () => ({ ...(await applicant()), state: 'active', on: '2026-03-14', note: 'Signed.' }),
  'applicants.tag': async () => ({ ...(await applicant()), tags: ['priority'] }),
  'applicants.link': async () => ({ recordId: await passport(), ...(await applicant()) }),
  'applicants.unlink': async () => {
    const recordId = await passport()
    await console.get('applicants.link', { recordId, ...(await applicant()) })
    return { recordId }
  },
  'decisions.make': async () => {
    const { evidence } = await console.get('applicants.show', await applicant())
    return {
      applicantId,
      decision: 'decline',
      reasons: ['suspected-fraud'],
      note: 'fine',
      evidence,
      refusedOn: '2026-03-16'
    }
  },
  'decisions.prepare': async () => ({
    applicantIds: [(await applicant()).applicantId],
    decision: 'decline',
    share: 10
  }),
  'decisions.makeMany': async () => {
    const { evidence } = await console.get('applicants.show', await applicant())
    await console.get('settings.change', { sampleMinimumShare: 0 })
    return {
      set: { id: randomUUID(), seed: '0'.repeat(32), share: 0 },
      applicants: [{ applicantId, evidence }],
      decision: 'decline',
      reasons: ['reviewed-by-hand'],
      note: 'fine'
    }
  },
  'overview.report': async () => ({
    month: '2026-11',
    period: { edges: [0, 1], offsets: [{ from: 0, minutes: 0 }] },
    before: { from: 0, until: 0 },
    format: 'xlsx',
    names: true
  }),
  'overview.list': async () => {
    await applicant()
    return { of: { what: 'waiting' }, offset: 0, limit: 10 }
  },
  'queue.list': async () => ({ limit: 10 }),
  'queue.matching': async () => ({ filter: {} }),
  'queue.due': async () => ({ ...(await applicant()), due: Date.UTC(2030, 2, 18) }),
  'queue.assign': async () => ({ ...(await applicant()), assignee: 'A. Colleague' }),
  'catalogue.list': async () => ({ ...(await applicant()), limit: 10 }),
  'catalogue.newest': async () => ({ applicantIds: [(await applicant()).applicantId] }),
  'catalogue.read': async () => {
    await checked(console)
    const { messages } = await console.get('catalogue.list', { limit: 1 })
    return { readings: messages.map(({ id }) => ({ id, means: 'good', note: '' })) }
  },

  'audit.page': async () => ({ limit: 10 }),
  'audit.verify': async () => undefined,

  'team.access': async () => undefined,
  'team.create': async () => {
    const database = await team.emptyTeam()
    await team.withAccess()
    return { name: 'Tester', database: teamAddress(database) }
  },
  'team.invite': async () => void (await team.inTeam()),
  'team.join': async () => {
    const founder = await team.colleagueInTeam()
    const invitation = valueOf(await founder.team.invite())
    await team.withAccess()
    return { name: 'Tester', invitation: await readFile(founder.file, 'utf8'), words: invitation?.words ?? '' }
  },
  'team.recover': async () => {
    const founder = await team.installedInTeam()
    return { name: 'Tester', ...founder }
  },
  'team.admit': async () => ({ ...(await team.newcomersRequest()).request, role: 'analyst' }),
  'team.changeRole': async () => ({ installation: await team.admitted(), role: 'reviewer' }),
  'team.remove': async () => ({ installation: await team.admitted(), name: 'Newcomer' }),
  'team.changeRule': async () => {
    await team.withSecondSupervisor()
    return { twoPerson: true }
  },
  'team.confirm': () => team.waiting(),
  'team.withdraw': () => team.waiting(),
  'team.leave': async () => void (await team.withAccess()),
  'team.share': () => team.inTeamWith({ kept: [] }),
  'team.activity': () => team.inTeamWith({ limit: 10 }),
  'team.check': () => team.inTeamWith({ installation: 'ab'.repeat(16), seq: 1 }),
  'team.queue': () => team.inTeamWith({ limit: 10 }),
  'team.overview': () => team.inTeamWith({ from: 0, until: 1 }),
  'team.applicant': () => team.inTeamWith({ limit: 10, applicantId: 'APP-1' }),
  'team.approvals': () => team.inTeamWith({ limit: 10 }),
  'team.askApproval': async () => {
    await team.inTeam()
    const about = await applicant()
    await console.get('team.share', { kept: [] })
    const { evidence } = await console.get('applicants.show', about)
    const { decision } = await console.get('decisions.make', {
      applicantId,
      decision: 'approve',
      reasons: ['documents-in-order'],
      note: 'fine',
      evidence
    })
    await expect.poll(async () => (await console.get('team.exchange'))?.members.length, { timeout: 20_000 }).toBe(1)
    return { applicantId, decision: decision?.seq ?? 0, note: '', evidence: [] }
  },
  'team.answerApproval': async () => ({ applicantId, ...(await team.colleaguesAsk()), agrees: true, note: '' }),
  'team.saveProof': async () => {
    const { newcomer, request } = await team.newcomersRequest()
    await console.get('team.admit', { ...request, role: 'analyst' })
    await console.get('team.share', { kept: [] })
    const of = async () =>
      (await console.get('team.exchange'))?.members.find(({ installation }) => installation === newcomer.installation)
    const { exchanging: two } = await forked(newcomer, await team.server(), (seq) =>
      expect.poll(async () => (await of())?.events, { timeout: 30_000 }).toBe(seq)
    )
    await expect
      .poll(async () => (await of())?.findings.map(({ failure }) => failure.code), { timeout: 30_000 })
      .toContain('team-events-forked')
    await two.close()
    return { installation: newcomer.installation }
  },
  'team.acknowledgeFinding': async () => lostEvents(console, await team.inTeam()),
  'teamBatches.share': async () => {
    await team.inTeam()
    return ownBatch(console)
  },
  'teamBatches.takeOver': async () => colleaguesBatch(console, await team.emptyTeam())
}

/** These destroy the console, or need a new one. */
const alone: ReadonlySet<ChannelName> = new Set<ChannelName>([
  ...Object.keys(channels).filter((name): name is ChannelName => name.startsWith('team')),
  'lock.unlock',
  'lock.recover',
  'passphrase.change',
  'settings.reset',
  'evidence.timestamp',
  'practice.start',
  'history.openForSession',
  'history.setAside',
  'backups.restore',
  'recovery.open',
  'retention.run',
  'erasure.run',
  'erasure.saveReceipt'
])
/** These need a history on file, or one that does not open: a keychain. */
const withKeychain: ReadonlySet<ChannelName> = new Set<ChannelName>([
  'lock.recover',
  'passphrase.change',
  'settings.reset',
  'history.openForSession',
  'backups.create',
  'backups.check',
  'backups.restore',
  'recovery.create',
  'recovery.confirm',
  'recovery.open'
])

const visit = randomUUID()
/** Events after a number; reading them is one view, recorded before the first number is taken. */
const eventsAfter = async (seq: number): Promise<AuditEvent[]> =>
  (await console.get('audit.page', { limit: 200, visit })).events.filter((event) => event.seq > seq)
const lastEvent = async (): Promise<number> => (await eventsAfter(0))[0]?.seq ?? 0

describe('an action that leaves an event', () => {
  test.for(Object.keys(acts) as Leaving[])('%s leaves it under its operator’s name', async (name, { skip }) => {
    if (alone.has(name)) console = await startTestConsole()
    console.save = join(folder, `${randomUUID()}.json`)
    skip(
      withKeychain.has(name) && !(await lasts(console)),
      'no keychain here, so nothing outlives the session; the runner provides one'
    )
    skip(name.startsWith('team') && name !== 'team.access' && !hasPostgres, 'no PostgreSQL here')
    const input = await (acts[name] as Act<Leaving>)()
    const before =
      name === 'lock.unlock' ||
      name === 'lock.recover' ||
      name === 'history.setAside' ||
      name === 'backups.restore' ||
      name === 'history.openForSession'
        ? 0
        : await lastEvent()
    const answer = await console.ask(name, input)
    if (!answer.ok) throw new Error(`${name}: ${answer.failure.code}`)
    // Until then nothing is answered.
    if (name === 'lock.now') await console.get('lock.unlock', {})
    for (const kind of channels[name].leaves)
      await expect
        .poll(
          async () =>
            (await eventsAfter(before)).filter((event) => event.kind === kind && event.operator === 'tester').length,
          { timeout: 5000 }
        )
        .toBeGreaterThan(0)
  })
})

test('each channel names an event that has words, or the reason why there is none', () => {
  for (const [name, { leaves }] of Object.entries<Channel>(channels)) {
    if ('none' in leaves) expect(leaves.none, name).toMatch(/^[A-Z].{15,}\.$/)
    else for (const kind of leaves) expect(auditKinds, name).toHaveProperty([kind])
  }
})
