/** Policies in a console: each is enforced by core, for every host, and applies as a whole or not at all. */
import { randomInt, randomUUID } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync
} from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { credentialIds } from '#contract/connections/credentials.ts'
import type { ColumnProfile } from '#contract/batches/profiles.ts'
import type { ConnectionStatus } from '#contract/connections/connection.ts'
import type { ChannelName, RequestOf } from '#contract/ipc/ipc.ts'
import { policyNames, policyOf, type PolicyValues } from '#contract/settings/policies.ts'
import { openPolicies } from '#core/policies/policies.ts'
import { settingsOf } from '#core/policies/rules.ts'
import { openSettings } from '#core/settings/settings.ts'
import { fileReader } from '../../electron/hosts/node/policies/linux.ts'
import { batchOf, checked, liveConnection, readRows, standsAs } from './support/acts.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'
import { bent, seeded } from './support/random.ts'
import { counted, times } from './support/times.ts'

let folder: string
let console: TestConsole | undefined
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'veridesk-policies-'))
  mkdirSync(join(folder, 'etc'), { mode: 0o755 })
})
afterEach(async () => {
  await console?.dispose()
  console = undefined
  await rm(folder, { recursive: true, force: true })
})

const file = (): string => join(folder, 'etc', 'policies.json')
/** Written beside it and renamed over it, as administrators' tools do. */
function write(text: string, mode = 0o644): void {
  writeFileSync(`${file()}.new`, text, { mode })
  chmodSync(`${file()}.new`, mode)
  renameSync(`${file()}.new`, file())
}
const text = (policies: object, version = 1): string =>
  JSON.stringify({ format: 'veridesk-policies', version, policies })
const user = process.getuid?.() ?? 0
/** Reads a change at once: the wait until it is confirmed is not what these tests are about. */
const reader = (owners: readonly number[] = [user]) => ({ ...fileReader(file(), owners), confirmAfter: 1 })
async function start(owners?: readonly number[]): Promise<TestConsole> {
  const earlier = console
  await earlier?.close()
  return (console = await startTestConsole(earlier, 'tester', { policies: reader(owners) }))
}
async function refusal<Name extends ChannelName>(
  of: TestConsole,
  name: Name,
  input?: RequestOf<Name>
): Promise<string> {
  const answer = await of.ask(name, input)
  return answer.ok ? 'allowed' : answer.failure.code
}
const kinds = async (of: TestConsole): Promise<string[]> =>
  (await of.get('audit.page', { limit: 50 })).events
    .filter(({ kind }) => kind.startsWith('policies.'))
    .map(({ kind, words }) => `${kind}: ${words}`)
    .reverse()

describe('a locked setting', () => {
  test('has the value of the policy, cannot be changed, and leaves the user’s own value alone', async () => {
    let own = await start()
    await own.get('settings.change', { connectTimeout: 7, theme: 'dark' })
    write(text({ OrganisationName: 'Example Bank', ConnectTimeout: 20, RetentionDays: 365, LockMinutes: 5 }))
    own = await start()
    const state = await own.get('app.state')
    expect(state.settings).toMatchObject({
      connectTimeout: 20,
      theme: 'dark',
      retentionDays: { '*': 365 },
      lockMinutes: 5
    })
    expect(state.managed).toMatchObject({
      organisation: 'Example Bank',
      locked: { connectTimeout: file(), retentionDays: file() }
    })

    const refused = await own.ask('settings.change', { connectTimeout: 8, theme: 'light' })
    expect(await refusal(own, 'settings.change', { lockMinutes: 0 })).toBe('setting-managed')
    expect(refused).toMatchObject({
      ok: false,
      failure: {
        code: 'setting-managed',
        details: { names: 'Connection timeout', organisation: 'Example Bank', place: file() }
      }
    })
    // Nothing of the patch applies; what repeats the value in force is no change.
    expect((await own.get('settings.change', { connectTimeout: 20, density: 'compact' })).settings).toMatchObject({
      connectTimeout: 20,
      theme: 'dark',
      density: 'compact'
    })
    expect(JSON.parse(readFileSync(join(own.dataFolder, 'settings.json'), 'utf8'))).toMatchObject({
      data: { connectTimeout: 7, theme: 'dark', density: 'compact' }
    })

    // A column profile is nobody's but the user's: it is saved, used and removed beside locked settings.
    const { checkId } = await own.get('batches.checkText', {
      name: 'rows.csv',
      text: 'Nr;Person\n1;A-1\n',
      reading: { operations: ['get-applicant-details'] }
    })
    const profile: ColumnProfile = {
      name: 'Branch',
      operations: ['get-applicant-details'],
      headings: ['Nr', 'Person'],
      mapping: { applicant_id: 'Person' }
    }
    const both = { columnProfiles: [profile], connectTimeout: 9 }
    expect(await refusal(own, 'settings.change', both)).toBe('setting-managed')
    expect((await own.get('app.state')).settings.columnProfiles).toEqual([])
    await own.get('settings.change', { columnProfiles: [profile] })
    expect(await own.get('batches.useProfile', { checkId, name: 'Branch' })).toMatchObject({
      good: 1,
      profile: 'Branch'
    })
    expect((await own.get('settings.change', { columnProfiles: [] })).settings.columnProfiles).toEqual([])

    unlinkSync(file())
    await expect.poll(async () => (await own.get('app.state')).settings.connectTimeout).toBe(7)
    expect((await own.get('app.state')).managed).toBeUndefined()
    expect((await own.get('settings.change', { connectTimeout: 8 })).settings.connectTimeout).toBe(8)
    expect(await kinds(own)).toEqual([
      expect.stringMatching(/^policies.changed: .*ConnectTimeout from nothing to “20”/),
      expect.stringMatching(/^policies.changed: .*ConnectTimeout from “20” to nothing/)
    ])
  })
})

describe('allowed base URLs', () => {
  test('refuse to save, test and use another address, also for a connection that was there before', async () => {
    let own = await start()
    const connectionId = await liveConnection(own)
    const batch = await batchOf(own, ['ROW-1', 'ROW-2'], connectionId)
    const before = own.practice.ledger().length
    write(text({ AllowedBaseUrls: ['https://kyc.example.com'] }))
    own = await start()

    const draft = {
      name: 'Elsewhere',
      baseUrl: 'https://other.example.com',
      mode: 'sandbox',
      colour: 'blue',
      mark: 'EL'
    } as const
    expect(await refusal(own, 'connections.save', draft)).toBe('address-not-allowed')
    expect(await refusal(own, 'connections.save', { ...draft, id: connectionId })).toBe('address-not-allowed')
    expect(await refusal(own, 'connections.reach', { baseUrl: own.practice.baseUrl })).toBe('address-not-allowed')
    expect(await refusal(own, 'connections.reach', { id: connectionId })).toBe('address-not-allowed')
    expect(await refusal(own, 'diagnosis.run', { diagnosisId: randomUUID(), baseUrl: own.practice.baseUrl })).toBe(
      'address-not-allowed'
    )
    const run = {
      runId: randomUUID(),
      connectionId,
      operation: 'get-applicant-details',
      input: { applicant_id: 'A-1' }
    } as const
    expect(await refusal(own, 'verification.run', run)).toBe('address-not-allowed')
    const checkId = await readRows(own, ['ROW-3'])
    expect(await refusal(own, 'batches.create', { checkId, connectionId, name: 'Rows' })).toBe('address-not-allowed')
    if ((await own.ask('batches.show', { id: batch })).ok)
      expect(await refusal(own, 'batches.start', { id: batch, confirmation: 'Real' })).toBe('address-not-allowed')
    expect(own.practice.ledger().length).toBe(before)
    // An allowed one can be saved, and the practice service is always there.
    expect(await refusal(own, 'connections.save', { ...draft, baseUrl: 'https://kyc.example.com/' })).toBe('allowed')
    await checked(own)
  })

  test('stop a batch that is running, with its rows waiting and nothing more sent', async () => {
    const own = await start()
    const connectionId = await liveConnection(own)
    const ids = Array.from({ length: 200 }, (_, row) => `ROW-${row}`)
    const id = await batchOf(own, ids, connectionId)
    await own.get('batches.start', { id, confirmation: 'Real' })
    await expect.poll(() => own.practice.ledger().length).toBeGreaterThan(2)
    write(text({ AllowedBaseUrls: [] }))
    await standsAs(own, id, 'stopped')
    const { counts, reason } = await own.get('batches.show', { id })
    expect(reason).toMatchObject({ code: 'address-not-allowed' })
    expect([counts['not-sent'], counts.unknown, counts.waiting + counts.answered]).toEqual([0, 0, ids.length])
    expect(counts.answered).toBe(own.practice.ledger().length)
  })

  test('stand beside ready-made connections, which take credentials and nothing else', async () => {
    write(
      text({ AllowedBaseUrls: [], Connections: [{ name: 'Bank KYC', baseUrl: 'http://127.0.0.1:9', mode: 'sandbox' }] })
    )
    let own = await start()
    write(
      text({ AllowedBaseUrls: [], Connections: [{ name: 'Bank KYC', baseUrl: own.practice.baseUrl, mode: 'sandbox' }] })
    )
    await expect.poll(async () => (await own.get('connections.list'))[0]?.baseUrl).toBe(own.practice.baseUrl)
    const [found] = await own.get('connections.list')
    expect(found).toMatchObject({
      name: 'Bank KYC',
      managed: true,
      mark: 'BA',
      mode: 'sandbox',
      documents: { privateAddresses: false }
    })
    const { id = '', baseUrl = '', mode = 'sandbox', colour = 'blue', mark = '' } = found ?? {}
    expect(await refusal(own, 'connections.save', { id, name: 'Mine', baseUrl, mode, colour, mark })).toBe(
      'connection-managed'
    )
    expect(await refusal(own, 'connections.save', { name: 'bank kyc', baseUrl, mode, colour, mark })).toBe(
      'connection-name-taken'
    )
    expect(await refusal(own, 'connections.remove', { id })).toBe('connection-managed')
    for (const credential of credentialIds)
      await own.get('credentials.set', { connectionId: id, credential, value: own.practice.credentials[credential] })
    const run = () =>
      own.get('verification.run', {
        runId: randomUUID(),
        connectionId: id,
        operation: 'get-applicant-details',
        input: { applicant_id: 'PRACTICE-pass' },
        repeatAnyway: true
      })
    expect(await run()).toMatchObject({
      kind: 'recorded',
      record: { state: 'answered', connection: { name: 'Bank KYC' } }
    })
    // It is not the user's: nothing of it is in the file, and it goes with the policy.
    expect(
      existsSync(join(own.dataFolder, 'connections.json'))
        ? readFileSync(join(own.dataFolder, 'connections.json'), 'utf8')
        : ''
    ).not.toContain('Bank KYC')
    unlinkSync(file())
    await expect.poll(async () => own.get('connections.list')).toEqual([])
    own = await start()
    expect(
      await refusal(own, 'verification.run', {
        runId: randomUUID(),
        connectionId: id,
        operation: 'get-applicant-details',
        input: { applicant_id: 'A-1' }
      })
    ).toBe('connection-missing')
  })
})

describe('the confirmation of live verifications', () => {
  test('is required by core, and cannot be turned off', async () => {
    write(text({ ConfirmLive: true }))
    const own = await start()
    const connectionId = await liveConnection(own)
    const run = (more: Partial<RequestOf<'verification.run'>>) =>
      own.get('verification.run', {
        runId: randomUUID(),
        connectionId,
        operation: 'get-applicant-details',
        input: { applicant_id: 'PRACTICE-pass' },
        ...more
      })
    expect(await run({})).toEqual({ kind: 'live-unconfirmed', connection: 'Real', repeatAnyway: false })
    // That it is repeated although it was answered is another question.
    expect(await run({ repeatAnyway: true })).toEqual({
      kind: 'live-unconfirmed',
      connection: 'Real',
      repeatAnyway: true
    })
    expect(await run({ confirmation: 'Another' })).toMatchObject({ kind: 'live-unconfirmed' })
    expect(own.practice.ledger()).toEqual([])
    expect((await own.get('history.counts', { filter: {} })).total).toBe(0)
    expect(await refusal(own, 'settings.change', { confirmLive: false })).toBe('setting-managed')
    expect(await run({ confirmation: 'Real' })).toMatchObject({ kind: 'recorded', record: { state: 'answered' } })
    // A sandbox needs none.
    await checked(own)
    expect(own.practice.ledger()).toHaveLength(2)
  })
})

describe('exports, the clipboard and batches', () => {
  test('are refused or limited at the router and for a host that names files', async () => {
    write(text({ ExportsAllowed: false, ClipboardAllowed: false, BatchConcurrencyMax: 2, BatchRateLimitMax: 6000 }))
    const own = await start()
    await checked(own)
    own.save = join(folder, 'export.csv')
    const exportId = randomUUID()
    expect(await refusal(own, 'exports.history', { exportId, filter: {}, format: 'csv' })).toBe('exports-off')
    expect(await refusal(own, 'exports.audit', { exportId, filter: {}, format: 'csv' })).toBe('exports-off')
    expect(await refusal(own, 'exports.applicantData', { applicantId: 'A-1', digest: '0'.repeat(64) })).toBe(
      'exports-off'
    )
    expect(await refusal(own, 'prints.note', { what: 'queue', rows: 1 })).toBe('exports-off')
    expect(await refusal(own, 'app.copy', { text: 'A-1' })).toBe('clipboard-off')
    expect(await refusal(own, 'app.copied', { text: 'A-1' })).toBe('clipboard-off')

    const checkId = await readRows(own, ['ROW-1', 'ROW-2'])
    const connectionId = (await own.get('practice.start')).id
    const batch = await own.get('batches.create', { checkId, connectionId, name: 'Rows', atOnce: 16, pace: 0 })
    expect(batch).toMatchObject({ atOnce: 2, pace: 6000 })
    expect(await refusal(own, 'batches.save', { id: batch.id, file: 'results' })).toBe('exports-off')
    const batches = await own.veridesk.batches()
    expect(await batches.saveTo(batch.id, 'results', join(folder, 'results.csv'))).toMatchObject({
      ok: false,
      failure: { code: 'exports-off' }
    })
    expect(await batches.saveInvalidTo(checkId, join(folder, 'invalid.csv'))).toMatchObject({
      ok: false,
      failure: { code: 'exports-off' }
    })
    expect(['export.csv', 'results.csv', 'invalid.csv'].filter((name) => existsSync(join(folder, name)))).toEqual([])
    expect(await refusal(own, 'backups.create')).toBe('allowed')
  })
})

describe('what policies turn off', () => {
  test('own connections are neither saved nor used, and work again without the policy', async () => {
    let own = await start()
    const connectionId = await liveConnection(own)
    const before = own.practice.ledger().length
    write(text({ OrganisationName: 'Example Bank', OwnConnectionsAllowed: false }))
    own = await start()
    const run = {
      runId: randomUUID(),
      connectionId,
      operation: 'get-applicant-details',
      input: { applicant_id: 'A-1' }
    } as const
    expect(await own.ask('verification.run', run)).toMatchObject({
      ok: false,
      failure: { code: 'own-connections-off', details: { organisation: 'Example Bank' } }
    })
    const draft = { name: 'Mine', baseUrl: 'https://a.example', mode: 'sandbox', colour: 'blue', mark: 'MI' } as const
    expect(await refusal(own, 'connections.save', draft)).toBe('own-connections-off')
    expect(await refusal(own, 'connections.save', { ...draft, id: connectionId })).toBe('own-connections-off')
    expect(await refusal(own, 'connections.reach', { baseUrl: own.practice.baseUrl })).toBe('own-connections-off')
    expect(own.practice.ledger().length).toBe(before)
    expect((await own.get('app.state')).managed?.closed).toEqual({ OwnConnectionsAllowed: file() })
    // The practice service is not theirs, and a ready-made connection is not, either.
    await checked(own)
    write(
      text({
        OwnConnectionsAllowed: false,
        Connections: [{ name: 'Bank KYC', baseUrl: own.practice.baseUrl, mode: 'sandbox' }]
      })
    )
    await expect.poll(async () => (await own.get('connections.list'))[0]?.managed).toBe(true)
    expect(await refusal(own, 'connections.reach', { id: (await own.get('connections.list'))[0]?.id ?? '' })).toBe(
      'allowed'
    )
    unlinkSync(file())
    await expect.poll(() => refusal(own, 'connections.reach', { id: connectionId })).toBe('allowed')
  })

  test('the practice service is neither started nor used, nor are sample data opened', async () => {
    const own = await start()
    const { id: connectionId } = await own.get('practice.start')
    const before = own.practice.ledger().length
    write(text({ PracticeAllowed: false }))
    await expect.poll(() => refusal(own, 'practice.start')).toBe('practice-off')
    expect(await refusal(own, 'sample.open')).toBe('practice-off')
    const run = {
      runId: randomUUID(),
      connectionId,
      operation: 'get-applicant-details',
      input: { applicant_id: 'A-1' }
    } as const
    expect(await refusal(own, 'verification.run', run)).toBe('practice-off')
    expect(own.practice.ledger().length).toBe(before)
  })

  test('documents come from no private address and open by themselves for nobody, while the user’s own rules stay', async () => {
    const own = await start()
    const id = await liveConnection(own)
    const rules = async (): Promise<unknown> =>
      (await own.get('connections.list')).find((each) => each.id === id)?.documents
    const { name, baseUrl, mode, colour, mark } = (await own.get('connections.list'))[0]!
    const all = { privateAddresses: true, openAutomatically: true }
    const draft = { id, name, baseUrl, mode, colour, mark }
    await own.get('connections.save', { ...draft, documents: all })
    const open = () =>
      refusal(own, 'documents.open', { connectionId: id, field: 'photo_url', url: 'http://127.0.0.1:9/photo.png' })
    expect(await open()).not.toBe('document-address-private')
    write(text({ PrivateAddressesAllowed: false, AutomaticOpeningAllowed: false }))
    await expect.poll(rules).toEqual({ privateAddresses: false, openAutomatically: false })
    expect(await open()).toBe('document-address-private')
    // What the window shows as off is saved with the rest, and must not become the user's own choice.
    await own.get('connections.save', { ...draft, documents: { privateAddresses: false, openAutomatically: false } })
    unlinkSync(file())
    await expect.poll(rules).toEqual(all)
  })

  test('copies of documents are required of every connection but that for practising, while the user’s own rule stays', async () => {
    const own = await start()
    const id = await liveConnection(own)
    await own.get('practice.start')
    const rules = async () =>
      Object.fromEntries((await own.get('connections.list')).map(({ name, copies = 'off' }) => [name, copies]))
    write(
      text({
        KeepDocuments: 'required',
        Connections: [{ name: 'Bank', baseUrl: 'http://127.0.0.1:9', mode: 'sandbox' }]
      })
    )
    await expect.poll(rules).toEqual({ Bank: 'required', Real: 'required', Practice: 'off' })
    // What the window shows is saved with the rest, and must not become the user's own choice; an older one saves none.
    const [{ name, baseUrl, mode, colour, mark }] = (await own.get('connections.list')).filter(
      (each) => each.id === id
    ) as [ConnectionStatus]
    const draft = { id, name, baseUrl, mode, colour, mark }
    await own.get('connections.save', { ...draft, copies: 'required' })
    await own.get('connections.save', draft)
    const run = {
      runId: randomUUID(),
      connectionId: id,
      operation: 'validate-passport',
      input: { id_url: 'http://127.0.0.1:9/passport.jpg' },
      confirmation: 'Real',
      withoutCopies: true
    } as const
    const sent = own.practice.ledger().length
    expect(await own.get('verification.run', run)).toMatchObject({ kind: 'not-copied', required: true })
    expect(own.practice.ledger()).toHaveLength(sent)
    write(
      text({
        KeepDocuments: 'possible',
        Connections: [{ name: 'Bank', baseUrl: 'http://127.0.0.1:9', mode: 'sandbox', keepDocuments: 'required' }]
      })
    )
    await expect.poll(rules).toEqual({ Bank: 'required', Real: 'possible', Practice: 'off' })
    unlinkSync(file())
    await expect.poll(rules).toEqual({ Real: 'off', Practice: 'off' })
    expect((await kinds(own)).filter((each) => each.includes('copies of documents required'))).not.toEqual([])
  })

  test('a team uses a database on an allowed server only, or none', async () => {
    const calls: string[] = []
    const server = createServer((socket) => {
      calls.push('connected')
      socket.destroy()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    try {
      write(text({ TeamDatabases: [`127.0.0.1:${port + 1}`] }))
      const own = await start()
      await own.get('team.access')
      const create = () =>
        refusal(own, 'team.create', { name: 'Anna', database: { host: '127.0.0.1', port, database: 'kyc' } })
      expect(await create()).toBe('team-server-not-allowed')
      write(text({ TeamDatabases: [] }))
      await expect.poll(create).toBe('team-off')
      expect(await refusal(own, 'team.access')).toBe('team-off')
      expect(calls).toEqual([])
      write(text({ TeamDatabases: ['127.0.0.1'] }))
      await expect.poll(async () => (await create()).replace(/^team-(?:off|server).*/, 'refused')).not.toBe('refused')
      expect(calls.length).toBeGreaterThan(0)
    } finally {
      server.close()
    }
  })

  test('notifications of every kind are set at once', async () => {
    write(text({ Notifications: false }))
    const own = await start()
    const { settings, managed } = await own.get('app.state')
    const kinds = ['notifyAssigned', 'notifyDue', 'notifyApproval', 'notifyBatch', 'notifyConnection'] as const
    expect(kinds.map((kind) => settings[kind])).toEqual(kinds.map(() => false))
    expect(Object.keys(managed?.locked ?? {}).sort()).toEqual([...kinds].sort())
    for (const kind of kinds) expect(await refusal(own, 'settings.change', { [kind]: true })).toBe('setting-managed')
  })
})

describe('what policies require', () => {
  test('nothing is sent before a passphrase is set and a recovery key is confirmed, and the passphrase stays', async () => {
    write(text({ OrganisationName: 'Example Bank', PassphraseRequired: true, RecoveryKeyRequired: true }))
    const own = await start()
    const { id: connectionId } = await own.get('practice.start')
    const run = () =>
      refusal(own, 'verification.run', {
        runId: randomUUID(),
        connectionId,
        operation: 'get-applicant-details',
        input: { applicant_id: 'PRACTICE-pass' }
      })
    const noticed = async () => (await own.get('app.state')).notices.map(({ code }) => code)
    expect(await run()).toBe('passphrase-required')
    expect(await noticed()).toEqual(['passphrase-required', 'recovery-key-required'])
    await own.get('passphrase.change', { next: 'four long words together' })
    expect(await run()).toBe('recovery-key-required')
    const { createdAt } = await own.get('recovery.create')
    expect(await run()).toBe('recovery-key-required')
    expect(own.practice.ledger()).toEqual([])
    await own.get('recovery.confirm', { createdAt })
    expect(await run()).toBe('allowed')
    expect(await noticed()).toEqual([])
    const removal = { current: 'four long words together', next: null }
    expect(await refusal(own, 'passphrase.change', removal)).toBe('passphrase-required')
    unlinkSync(file())
    await expect.poll(async () => (await own.get('app.state')).managed).toBeUndefined()
    expect(await refusal(own, 'passphrase.change', removal)).toBe('allowed')
  })
})

describe('policies that cannot be used', () => {
  const good = { ConnectTimeout: 20, ExportsAllowed: true }
  const spoiled: Readonly<Record<string, [string, () => void]>> = {
    'are damaged': ['not-json', () => write(text(good).slice(0, -9))],
    'are of a newer version': ['newer', () => write(text({ ConnectTimeout: 5 }, 2))],
    'have one invalid value': ['policy', () => write(text({ ConnectTimeout: 5, ProxyMode: 'sideways' }))],
    'are writable by everybody': ['writable', () => write(text({ ConnectTimeout: 5 }), 0o666)],
    'are a link': [
      'link',
      () => {
        writeFileSync(join(folder, 'elsewhere.json'), text({ ConnectTimeout: 5 }))
        rmSync(file(), { force: true })
        symlinkSync(join(folder, 'elsewhere.json'), file())
      }
    ],
    'are in a folder that everybody can change': [
      'folder',
      () => {
        write(text({ ConnectTimeout: 5 }))
        chmodSync(join(folder, 'etc'), 0o777)
      }
    ]
  }

  test.each(Object.entries(spoiled))(
    'because they %s are reported, and the last valid ones stay in force, also after a restart',
    async (_name, [reason, spoil]) => {
      write(text(good))
      let own = await start()
      spoil()
      await expect
        .poll(async () => (await own.get('app.state')).notices.map(({ code, details }) => [code, details?.['reason']]))
        .toEqual([['policies-unusable', reason]])
      expect((await own.get('app.state')).settings.connectTimeout).toBe(20)
      own = await start()
      expect((await own.get('app.state')).notices).toMatchObject([
        { code: 'policies-unusable', details: { reason, place: file() } }
      ])
      expect((await own.get('app.state')).settings.connectTimeout).toBe(20)
      expect(await refusal(own, 'settings.change', { connectTimeout: 5 })).toBe('setting-managed')
      await checked(own)
      expect((await kinds(own)).at(-1)).toBe(
        `policies.refused: Policies of the organisation in ${file()} not applied (${reason}).`
      )
      // Corrected while it runs: they apply, and the notice is gone.
      rmSync(file(), { force: true })
      chmodSync(join(folder, 'etc'), 0o755)
      write(text({ ConnectTimeout: 30 }))
      await expect.poll(async () => (await own.get('app.state')).settings.connectTimeout).toBe(30)
      expect((await own.get('app.state')).notices).toEqual([])
    }
  )

  test('and were never valid here block sending, exports and copies', async () => {
    let own = await start()
    const { id: connectionId } = await own.get('practice.start')
    write(text(good).slice(0, -9))
    own = await start()
    expect((await own.get('app.state')).notices).toMatchObject([
      { code: 'policies-block-sending', details: { reason: 'not-json' } }
    ])
    // All that a policy could turn off or require.
    const closable = policyNames.filter((name) => policyOf(name).closed !== undefined)
    expect(Object.keys((await own.get('app.state')).managed?.closed ?? {})).toEqual(closable)
    for (const closed of ['practice.start', 'sample.open', 'team.access'] as const)
      expect(await refusal(own, closed)).toBe('policies-block-sending')
    expect(await refusal(own, 'passphrase.change', { next: null })).toBe('policies-block-sending')
    expect(
      await refusal(own, 'verification.run', {
        runId: randomUUID(),
        connectionId,
        operation: 'get-applicant-details',
        input: { applicant_id: 'A-1' }
      })
    ).toBe('policies-block-sending')
    expect(await refusal(own, 'exports.history', { exportId: randomUUID(), filter: {}, format: 'csv' })).toBe(
      'policies-block-sending'
    )
    expect(await refusal(own, 'app.copy', { text: 'A-1' })).toBe('policies-block-sending')
    write(text({}))
    await expect.poll(() => refusal(own, 'app.copy', { text: 'A-1' })).toBe('allowed')
    await checked(own)
  })

  test('belong to another user', async () => {
    write(text(good))
    const own = await start([user + 1])
    expect((await own.get('app.state')).notices).toMatchObject([
      { code: 'policies-block-sending', details: { reason: 'folder' } }
    ])
  })
})

describe('a policy file of chance', () => {
  const random = seeded(randomInt(2 ** 31))
  const clock = { now: () => Date.UTC(2026, 0, 1) }
  /** Whose example is a valid value as it stands; that of the time-stamp authority has a shortened certificate. */
  const names = policyNames.filter((name) => name !== 'TimestampAuthority')
  const some = (): PolicyValues =>
    Object.fromEntries(names.filter(() => random(3) === 0).map((name) => [name, policyOf(name).example]))
  const whole = (): PolicyValues => ({ OrganisationName: 'Example Bank', ...some() })
  const refused = (bytes: string | Uint8Array): undefined => void writeFileSync(file(), bytes)
  const kept = (values: PolicyValues, mode = 0o644): PolicyValues => (write(text(values), mode), values)

  /** Writes a file of one kind; returns the policies that must apply, or undefined if all must be refused. */
  const writers: readonly (readonly [string, () => PolicyValues | undefined])[] = [
    ['is valid', () => kept(whole())],
    [
      'names policies of a later version as well',
      () => {
        const values = whole()
        write(text({ ...values, [`Later${random(100)}`]: true }))
        return values
      }
    ],
    [
      'is cut',
      () => {
        const all = text(some())
        return refused(all.slice(0, random(all.length)))
      }
    ],
    [
      'has a value of another type',
      () => refused(text({ ...some(), [names[random(names.length)]!]: { wrong: true } }))
    ],
    ['is of a newer version', () => refused(text(some(), 2 + random(9)))],
    ['is no JSON at all', () => refused(bent(Buffer.alloc(20 + random(200), 0x7b), random))],
    ['is writable by everyone', () => void kept(whole(), 0o666)],
    ['is writable by a group', () => void kept(whole(), 0o664)],
    [
      'is a symbolic link to a valid file',
      () => {
        writeFileSync(`${file()}.target`, text(some()))
        symlinkSync(`${file()}.target`, file())
        return undefined
      }
    ]
  ]

  test.for(writers)(
    'that %s applies as a whole and is locked, or is refused as a whole',
    async ([, make], { task }) => {
      for (let time = 0; time < 3 * times; time += 1) {
        rmSync(file(), { force: true })
        rmSync(`${file()}.target`, { force: true })
        const data = join(folder, `data-${time}`)
        mkdirSync(data)
        const wanted = make()
        const policies = await openPolicies({ reader: reader(), folder: data, clock })
        const settings = await openSettings({ folder: data, clock, policies })
        const expected = wanted ? settingsOf(wanted) : {}
        expect(policies.sendingRefusal() === undefined, 'it is in force').toBe(wanted !== undefined)
        expect(policies.settings()).toEqual(expected)
        for (const [name, value] of Object.entries(expected)) {
          expect(settings.current()).toHaveProperty([name], value)
          const changed = await settings.change({ [name]: typeof value === 'number' ? value + 1 : null })
          expect(changed, name).toMatchObject({ ok: false, failure: { code: 'setting-managed' } })
        }
        await policies.close()
        rmSync(data, { recursive: true })
        counted(task, { read: 1, [wanted ? 'applied and locked' : 'refused as a whole']: 1 })
      }
    }
  )
})

test('a folder of policies that is created or replaced while Veridesk runs is seen at once', async () => {
  rmSync(join(folder, 'etc'), { recursive: true })
  console = await start()
  const organisation = async () => (await console?.get('app.state'))?.managed?.organisation
  expect(await organisation()).toBeUndefined()
  for (const name of ['Example Bank', 'Another Bank']) {
    rmSync(join(folder, 'etc'), { recursive: true, force: true })
    mkdirSync(join(folder, 'etc'), { mode: 0o755 })
    write(text({ OrganisationName: name }))
    await vi.waitFor(async () => expect(await organisation()).toBe(name), 10_000)
  }
})
