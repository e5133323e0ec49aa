/** Exports of the audit trail given to the stand-alone verifier with a pack: anchors, with the daily time-stamps in them. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuditFilter } from '#contract/evidence/audit.ts'
import { failed } from '#contract/failures/failures.ts'
import { defaultSettings } from '#contract/settings/settings.ts'
import { createNetwork } from '#core/client/network.ts'
import { createHeadTimestamps } from '#core/evidence/head-timestamps.ts'
import { createOwnKeys } from '#core/evidence/own-keys.ts'
import { auditText } from '#core/exports/texts.ts'
import { createChosenFiles } from '#core/files/unfinished.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { createTimestamps } from '#core/timestamps/timestamps.ts'
import { systemClock } from '../../electron/hosts/node/ports.ts'
import {
  evidenceWorkspace,
  furnish,
  person,
  savedPack,
  verifier,
  type SavedPack,
  type Workspace
} from './evidence-workspace.ts'
import { secretsInMemory } from './history-fixtures.ts'
import { good, openssl, serveAuthority, type AuthorityServer, type Openssl } from './support/timestamp-authority.ts'

let folder: string
let authority: Openssl
let server: AuthorityServer
let workspace: Workspace
/** Exported before the pack was made, and after. */
let [before, after] = ['', '']
let pack: SavedPack
let ca: string
/** Milliseconds. */
let ahead = 0
/** Number of events that the authority dated. */
let dated: number
/** Asks for a time-stamp of the head, which a key in this keychain signs. */
let dating: (keychain: SecretStore) => Promise<void>

const pathOf = (name: string): string => join(folder, name)
async function exported({ store }: Workspace, filter: AuditFilter = {}): Promise<string> {
  const text = await auditText(store, filter, 'jsonl', { madeAt: '2026-01-01T00:00:00.000Z', consoleVersion: '1.2.3' })
  if (!text.ok) throw new Error(text.failure.code)
  let all = ''
  for await (const piece of text.value.pieces) all += piece
  return all
}
/** What `verify.mjs` says of the pack and an export. */
function verified(text: string, ...words: readonly string[]) {
  writeFileSync(pathOf('audit.jsonl'), text)
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [verifier, pack.path, '--compare', pathOf('audit.jsonl'), ...words],
    { encoding: 'utf8', env: {} }
  )
  return { status, said: stdout + stderr }
}
const trustsIt = (): string[] => ['--tsa-ca', ca]
/** With another hash of one event. */
const touched = (text: string, seq: number): string =>
  text
    .split('\n')
    .map((line) =>
      line.includes(`"seq":${seq},`) && !line.includes('"head"')
        ? line.replace(/"hash":"./, (start) => start.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')))
        : line
    )
    .join('\n')

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'veridesk-exports-'))
  authority = openssl()
  const root = authority.identity('Root')
  ca = join(authority.folder, `${root.name}.pem`)
  server = await serveAuthority(good(authority, authority.identity('Stamps', { issuer: root })))
  workspace = await evidenceWorkspace(folder, 'exporter')
  const { store } = workspace
  const id = await furnish(workspace)
  const settings = () => ({
    ...defaultSettings,
    timestampAuthority: { name: 'Test', url: server.url, certificates: authority.pem(root) }
  })
  const timestamps = createTimestamps({
    settings,
    sendingRefusal: () => undefined,
    network: createNetwork({ clock: systemClock, resolveSystemProxy: async () => 'DIRECT' }, settings),
    clock: systemClock
  })
  const note = async (draft: object): Promise<void> =>
    void (await store.audit.note({ ...draft, at: systemClock.now(), operator: 'exporter' } as never))
  const head = await store.audit.head()
  dated = head.ok ? head.value.seq : 0
  dating = (keychain) =>
    createHeadTimestamps({
      timestamps,
      keychain,
      clock: { now: () => systemClock.now() + ahead },
      store: async () => ({ ok: true, value: store }),
      auditTrail: { note }
    }).look()
  await dating(secretsInMemory())
  await store.applicants.note(person, 'After the time-stamp', { at: systemClock.now(), operator: 'exporter' })
  before = await exported(workspace)
  await store.applicants.note(person, 'Before the pack', { at: systemClock.now(), operator: 'exporter' })
  pack = await savedPack(workspace, folder, { kind: 'applicant', id: person })
  await furnish(workspace)
  after = await exported(workspace)
  expect(id).not.toBe('')
})
afterAll(async () => {
  await workspace.store.close()
  await server.close()
  authority.remove()
  rmSync(folder, { recursive: true, force: true })
})

test('a later export continues the pack’s audit trail, and its time-stamp dates the events before it', () => {
  const { status, said } = verified(after, ...trustsIt())
  expect(status, said).toBe(3)
  const { events } = pack.pack.content
  const existed = events.filter(({ seq }) => seq <= dated).length
  expect(existed).toBeGreaterThan(0)
  expect(existed).toBeLessThan(events.length)
  expect(said).toMatch(
    /The export of the audit trail, of \d+ events, is from the same audit trail: the larger one provably continues the smaller one/
  )
  expect(said).toMatch(
    new RegExp(
      `Time-stamp in the export, of events 1 to ${dated}: they existed at \\S+ \\(at the latest \\S+\\), according to O=Test, CN=Stamps, .*; ${existed} of the ${events.length} events of this pack are among them`
    )
  )
})

test('an earlier export does not contradict the pack, and dates its events, too', () => {
  const { status, said } = verified(before, ...trustsIt())
  expect(status, said).toBe(3)
  expect(said).toMatch(
    /The export of the audit trail, of \d+ events, (is from the same audit trail|does not contradict this one)/
  )
  expect(said).toContain(`Time-stamp in the export, of events 1 to ${dated}: they existed at`)
})

test('a time-stamp is only believed with its authority', () => {
  expect(verified(after).said).toContain(
    `Time-stamp in the export, of events 1 to ${dated}: not checked, because you named no authority for it`
  )
  const other = authority.identity('Else')
  expect(verified(after, '--tsa-ca', join(authority.folder, `${other.name}.pem`)).said).toContain(
    `Time-stamp in the export, of events 1 to ${dated}: not checked, because the authority that you named does not vouch for it`
  )
  const row = after.split('\n').find((line) => line.includes('"token":"'))!
  const { timestamp } = JSON.parse(row) as { readonly timestamp: { readonly checkpoint: string } }
  const [origin = '', size = '', root = '', ...rest] = timestamp.checkpoint.split('\n')
  const lie = {
    ...(JSON.parse(row) as object),
    timestamp: { ...timestamp, checkpoint: [origin, String(Number(size) - 1), root, ...rest].join('\n') }
  }
  expect(verified(after.replace(row, JSON.stringify(lie)), ...trustsIt())).toMatchObject({
    status: 1,
    said: expect.stringMatching(/^REFUSED\. The time-stamp of event \d+ is about another audit trail/) as string
  })
})

test('an export with another event is a fork, whether the pack shows that event or not', () => {
  const shown = pack.pack.content.events.find(({ kind }) => kind === 'note.made')?.seq ?? 0
  expect(verified(touched(after, shown))).toMatchObject({
    status: 1,
    said: expect.stringContaining(
      `contradicts this pack about event ${shown}: the audit trail has been forked`
    ) as string
  })
  const seqs = new Set(pack.pack.content.events.flatMap(({ seq }) => [seq, seq - 1]))
  const hidden = Array.from({ length: dated }, (_, index) => index + 1).find((seq) => seq > 1 && !seqs.has(seq)) ?? 0
  expect(verified(touched(after, hidden))).toMatchObject({
    status: 1,
    said: expect.stringContaining(`contradicts this pack about events 1 to ${pack.view.tree.size}`) as string
  })
})

test('what is no whole export of this audit trail shows less, and says so', async () => {
  expect(verified(`${after.split('\n').slice(0, 5).join('\n')}\n`)).toMatchObject({
    status: 1,
    said: expect.stringContaining('was cut off') as string
  })
  const filtered = verified(await exported(workspace, { groups: ['program', 'applicants'] }), ...trustsIt())
  expect(filtered.said).toContain('whether one audit trail continues the other cannot be determined')
  expect(filtered.said).toContain('not checked, because the export does not contain all events')
  const stranger = await evidenceWorkspace(folder, 'stranger')
  await furnish(stranger)
  const other = verified(await exported(stranger), ...trustsIt())
  await stranger.store.close()
  expect(other).toMatchObject({
    status: 3,
    said: expect.stringContaining('from another key or another audit trail: the two cannot be compared') as string
  })
})

test('only exports in JSON lines contain time-stamps, not the window’s pages', async () => {
  const page = await workspace.store.audit.page({ limit: 200, kinds: ['head.timestamped'] })
  expect(page.ok && page.value.events).toMatchObject([{ kind: 'head.timestamped' }])
  expect(JSON.stringify(page)).not.toContain('token')
  expect(readFileSync(pack.path, 'utf8')).not.toContain('head.timestamped')
})

test('a revoked key signs no head', async () => {
  const count = async (): Promise<number> => {
    const page = await workspace.store.audit.page({ limit: 200, kinds: ['head.timestamped'] })
    return page.ok ? page.value.events.length : -1
  }
  const keychain = secretsInMemory()
  const keys = createOwnKeys({
    keychain,
    clock: systemClock,
    auditTrail: { note: async () => undefined },
    chooseSavePath: async () => pathOf('revocation.json'),
    files: createChosenFiles(mkdtempSync(join(folder, 'own-'))),
    timestamps: { isOn: () => false, take: async () => failed('timestamp-not-configured') }
  })
  expect(await keys.revoke({ reason: 'lost', since: 1, note: '' })).toMatchObject({ ok: true })
  const before = await count()
  ahead = 2 * 86_400_000
  await dating(keychain)
  expect(await count()).toBe(before)
  await dating(secretsInMemory())
  expect(await count()).toBe(before + 1)
})
