/**
 * A data folder of version 0.1: tests/fixtures/data-folder-0.1, with its keychain entries and with what that version
 * read from it. It is never regenerated, because it represents what users have on their disks.
 */
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { credentialIds } from '#contract/connections/credentials.ts'
import { bodyDigest } from '#practice/ledger.ts'
import { verifyEvidence } from '../../electron/hosts/cli/evidence.ts'
import { accountIn, headAccount, keptFolder } from '../../scripts/prove/upgrade/kept-folders.ts'
import { loadVerifier } from './evidence-workspace.ts'
import { runCommand } from './support/cli.ts'
import type { TestConsole } from './support/console.ts'
import { readFolder, readAuditTrail } from './support/folder-readings.ts'
import { onCopy as onCopyOf, type CopyOfFolder } from './support/kept-folder.ts'

const kept = keptFolder('data-folder-0.1')
const fixture = kept.place
const packs = join(fixture, 'packs')

interface Expected {
  /** Fingerprint of the public key. */
  readonly signer: string
  readonly trail: Awaited<ReturnType<typeof readAuditTrail>>
  readonly readings: Awaited<ReturnType<typeof readFolder>>
  readonly erased: { readonly applicant: string }
  readonly backup: { readonly id: string; readonly records: number; readonly states: Readonly<Record<string, number>> }
  /** Digests of the requests that had reached the service. */
  readonly sent: readonly string[]
}
const read = <T>(name: string): T => JSON.parse(readFileSync(join(fixture, name), 'utf8')) as T
const expected = read<Expected>('expected.json')
const count = expected.readings.records.length
const { recoveryKey, entries } = kept.keychain

const onCopy = (work: (copy: CopyOfFolder) => Promise<void>): Promise<void> => onCopyOf(kept, work)

const connectionNamed = (name: string) => {
  const found = expected.readings.connections.find((each) => each.name === name)
  if (!found) throw new Error(`no connection ${name}`)
  return found
}
const batchNamed = (name: string) => {
  const found = expected.readings.batches.find((each) => each.name === name)
  if (!found) throw new Error(`no batch ${name}`)
  return found
}

/** Applicants without a decision about whom no verification says anything; later versions have a state for them. */
const withoutEvidence = (id: string): boolean =>
  ['APP-1000', 'APP-1008', 'APP-1009', 'APP-302', 'KILL-3', 'PRACTICE-silent'].includes(id) ||
  id.startsWith('PRACTICE-401')

/** Messages of technical failures are no longer listed; their interpretations remain. */
const isListed = ({ status }: { readonly status: number }): boolean => status < 500 && status !== 401

/** What version 0.1 read, with the intended differences. */
const readings: Expected['readings'] = {
  ...expected.readings,
  // The other failures were stored with their sentences; these are detected at start.
  records: expected.readings.records.map((each) =>
    each.failure === 'interrupted' ? { ...each, failureText: expect.stringMatching(/\S/) as string } : each
  ),
  applicants: expected.readings.applicants.map((each) =>
    withoutEvidence(each.id) ? { ...each, state: 'no-evidence' } : each
  ),
  messages: expected.readings.messages.filter(isListed),
  queue: expected.readings.queue.filter(({ kind, subject }) => kind !== 'open' || !withoutEvidence(subject))
}

async function intact(get: TestConsole['get']): Promise<void> {
  expect(await get('audit.verify')).toMatchObject({ intact: true })
}

/** Runs a batch to its end and returns it. */
async function runBatch({ get }: TestConsole, id: string) {
  await get('batches.start', { id })
  await expect.poll(async () => (await get('batches.show', { id })).state, { timeout: 30_000 }).not.toBe('running')
  return get('batches.show', { id })
}

test('opens with everything that was in it, and verifies', { timeout: 60_000 }, async () => {
  await onCopy(async ({ start }) => {
    const { get, ask } = await start()
    expect((await get('app.state')).history).toMatchObject({
      state: 'ready',
      kept: 'file',
      recordsAtOpening: count,
      interrupted: 3
    })
    // First, because viewing is recorded.
    expect(await readAuditTrail(get, expected.trail.length)).toEqual(expected.trail)
    const turns = (await get('audit.page', { groups: ['batches'], limit: 200 })).events
    expect(turns.filter(({ unnamed }) => unnamed).map(({ words }) => words)).toContain('Batch started.')
    const found = await readFolder(get)
    for (const part of Object.keys(readings) as (keyof typeof readings)[])
      expect(found[part], part).toMatchObject(readings[part])
    const ever = { edges: [0, 3_000_000_000_000], offsets: [{ from: 0, minutes: 0 }] }
    const outcomes = Object.fromEntries(
      found.records.map(({ outcome }) => [outcome, found.records.filter((each) => each.outcome === outcome).length])
    )
    expect(await get('overview.show', ever)).toMatchObject({
      kind: 'counted',
      total: count,
      states: outcomes,
      batches: { count: expected.readings.batches.length }
    })
    for (const { id, interpretations } of expected.readings.messages.filter((each) => !isListed(each)))
      expect((await get('catalogue.readings', { id })).map(({ note }) => note)).toEqual(
        interpretations.map(({ note }) => note)
      )
    expect(await get('audit.verify')).toMatchObject({ intact: true, erased: 4 })
    expect((await get('evidence.publicKey')).fingerprint).toBe(expected.signer)

    const search = async (words: string) =>
      (await get('history.page', { filter: { search: words }, limit: 200 })).records.map(({ id }) => id)
    expect(await search('APP-1001')).toContain(readings.records[0]?.id)
    expect(await search(expected.erased.applicant)).toEqual([])
    expect(await ask('applicants.show', { applicantId: expected.erased.applicant })).toMatchObject({
      ok: false,
      failure: { code: 'applicant-missing' }
    })
  })
})

test(
  'goes on: the batches are finished with no row sent twice, checks, decisions and a backup are made',
  { timeout: 120_000 },
  async () => {
    await onCopy(async ({ dataFolder, practice, start }) => {
      // The service has a new address now. After editing it in the file, the credentials for the former one are not
      // sent there.
      const file = join(dataFolder, 'connections.json')
      const { id, name, baseUrl, mode, colour, mark } = connectionNamed('Sandbox')
      const moved = readFileSync(file, 'utf8').replace(
        `"name": "Sandbox",\n        "baseUrl": "${baseUrl}"`,
        `"name": "Sandbox",\n        "baseUrl": "${practice.baseUrl}"`
      )
      expect(moved).toContain(practice.baseUrl)
      writeFileSync(file, moved)
      const before = await start()
      const request = {
        runId: randomUUID(),
        connectionId: id,
        operation: 'get-applicant-details',
        input: { applicant_id: 'APP-NEW' }
      } as const
      expect(await before.ask('verification.run', request)).toMatchObject({
        ok: false,
        failure: { code: 'credentials-for-another' }
      })
      expect(practice.ledger()).toEqual([])
      await before.close()
      writeFileSync(file, readFileSync(join(fixture, 'folder', 'connections.json')))

      const workspace = await start()
      const { get } = workspace
      expect(await get('connections.save', { id, name, baseUrl: practice.baseUrl, mode, colour, mark })).toMatchObject({
        credentialsCleared: true
      })
      for (const credential of credentialIds)
        await get('credentials.set', { connectionId: id, credential, value: practice.credentials[credential] })
      const paused = batchNamed('Paused')
      expect(await runBatch(workspace, paused.id)).toMatchObject({
        state: 'finished',
        counts: { answered: 40, waiting: 0, open: 0, unknown: 0 }
      })
      // The user resolves its two unknown rows: one had reached the service, the other had not.
      const interrupted = batchNamed('Interrupted')
      await get('batches.resolve', { id: interrupted.id, rows: [3], as: 'sent' })
      await get('batches.resolve', { id: interrupted.id, rows: [4], as: 'again' })
      expect(await runBatch(workspace, interrupted.id)).toMatchObject({
        state: 'finished',
        counts: { answered: 4, unknown: 1 },
        unresolved: 0
      })
      const draft = batchNamed('Draft')
      expect(await runBatch(workspace, draft.id)).toMatchObject({ state: 'finished', counts: { answered: 2 } })

      const ending = await get('verification.run', request)
      if (ending.kind !== 'recorded') throw new Error(ending.kind)
      expect(ending.record).toMatchObject({
        state: 'answered',
        seq: count + 25 + 2 + 2 + 1,
        credentialFingerprint: readings.records[0]?.fingerprint
      })
      // Each once, and none that the service had received from version 0.1.
      const rows = [...paused.rows, ...interrupted.rows, ...draft.rows].filter(
        ({ state, row }) => state === 'waiting' || (state === 'unknown' && row === 4)
      )
      const reached = practice.ledger().map(({ digest }) => digest)
      const digests = [...rows.map(({ cells }) => cells[0]), 'APP-NEW'].map((applicant) =>
        bodyDigest(JSON.stringify({ applicant_id: applicant }))
      )
      expect([...reached].sort()).toEqual([...digests].sort())
      expect(reached.filter((digest) => expected.sent.includes(digest))).toEqual([])

      // Equal to an earlier request, which is recognised by its digest.
      const last = readings.records.findLast(
        (each) => each.operation === request.operation && each.request['applicant_id'] === 'APP-1001'
      )
      const repeated = await get('verification.run', {
        ...request,
        runId: randomUUID(),
        input: { applicant_id: 'APP-1001' },
        repeatAnyway: true
      })
      expect(repeated).toMatchObject({
        kind: 'recorded',
        record: { state: 'answered', previous: { id: last?.id, body: last?.response } }
      })
      const { evidence } = await get('applicants.show', { applicantId: 'APP-1004' })
      const decided = await get('decisions.make', {
        applicantId: 'APP-1004',
        decision: 'decline',
        reasons: ['sanctions-hit'],
        note: 'Looked at anew.',
        evidence
      })
      expect(decided).toMatchObject({ state: 'decline', decision: { reasons: ['sanctions-hit'], operator: 'tester' } })
      await get('applicants.note', { applicantId: 'APP-1001', text: 'Goes on.' })
      expect(await get('backups.create')).toMatchObject({ state: 'whole', records: count + 31 })
      expect(await get('backups.list')).toMatchObject({
        backups: [{ records: count + 31 }, { id: expected.backup.id, state: 'whole' }]
      })
      await intact(get)
      await workspace.close()
      const again = await start()
      expect((await again.get('app.state')).history).toMatchObject({
        state: 'ready',
        recordsAtOpening: count + 31,
        interrupted: 0
      })
      await intact(again.get)
    })
  }
)

test('gives back its backup', { timeout: 60_000 }, async () => {
  await onCopy(async ({ start }) => {
    const { get } = await start()
    expect(await get('backups.check', { id: expected.backup.id })).toMatchObject({ state: 'whole' })
    const { setAside, history } = await get('backups.restore', { id: expected.backup.id })
    expect(history).toMatchObject({ state: 'ready', recordsAtOpening: expected.backup.records })
    expect(readdirSync(setAside ?? '')).toEqual(expect.arrayContaining(['history.db', 'subjects.db', 'search.db']))
    const { records } = await get('history.page', { filter: {}, limit: 200 })
    expect(records.map(({ id }) => id).reverse()).toEqual(
      readings.records.slice(0, expected.backup.records).map(({ id }) => id)
    )
    // The backup is older than the erasure, which rewrote it.
    expect(await get('history.counts', { filter: { search: expected.erased.applicant } })).toMatchObject({ total: 0 })
    // The audit trail that contains it was set aside; the list of erasures beside the history still has it.
    expect(await get('erasure.receipts')).toMatchObject(
      readings.receipts.map(({ id, records }) => ({ id, records, replaced: true }))
    )
    await intact(get)
  })
})

test.each(['history', 'backup alone'])(
  'opens by its recovery key with the keychain lost: %s',
  { timeout: 60_000 },
  async (left) => {
    await onCopy(async ({ dataFolder, keychain, start }) => {
      for (const account of Object.keys(entries))
        if (account.startsWith('history/')) await keychain.remove(accountIn(dataFolder, account))
      if (left === 'backup alone') rmSync(join(dataFolder, 'history'), { recursive: true })
      const { get } = await start()
      if (left === 'history')
        expect((await get('app.state')).history).toMatchObject({
          state: 'failed',
          failure: { code: 'history-key-missing' }
        })
      expect(await get('recovery.open', { key: recoveryKey })).toMatchObject({ state: 'ready' })
      if (left === 'backup alone') await get('backups.restore', { id: expected.backup.id })
      const { records } = await get('history.page', { filter: {}, limit: 200 })
      expect(records).toHaveLength(left === 'history' ? count : expected.backup.records)
      const account = Object.keys(entries).find((each) => each.startsWith('history/master-key')) ?? ''
      expect(await keychain.get(account)).toEqual({ ok: true, value: entries[account] })
      await intact(get)
    })
  }
)

test('is refused with a changed byte, and where the keychain knows of another head', { timeout: 60_000 }, async () => {
  const damaged = { state: 'failed', failure: { code: 'history-damaged' } }
  await onCopy(async ({ dataFolder, start }) => {
    const file = join(dataFolder, 'history', 'history.db')
    const bytes = readFileSync(file)
    bytes[bytes.length >> 1]! ^= 1
    writeFileSync(file, bytes)
    const { get } = await start()
    expect((await get('app.state')).history).toMatchObject(damaged)
  })
  await onCopy(async ({ dataFolder, keychain, start }) => {
    const { seq, at } = JSON.parse(entries[headAccount] ?? '') as { readonly seq: number; readonly at: number }
    await keychain.set(accountIn(dataFolder, headAccount), JSON.stringify({ seq, hash: '0'.repeat(64), at }))
    const { get } = await start()
    expect((await get('app.state')).history).toMatchObject(damaged)
  })
})

test('its packs verify, and a changed one does not', async () => {
  const { verifyPack } = await loadVerifier()
  const names = readdirSync(packs)
  expect(names).toHaveLength(4)
  for (const name of names) {
    expect(await verifyEvidence([join(packs, name)], { key: expected.signer }), name).toMatchObject({
      exit: 'done',
      out: expect.stringMatching(/^VERIFIED\./)
    })
    const text = readFileSync(join(packs, name), 'utf8')
    expect(await verifyPack(text, expected.signer), name).toMatchObject({ verified: true, signedBy: expected.signer })
    const changed = text.replace('"made":{"at":1', '"made":{"at":2')
    expect(changed).not.toBe(text)
    expect(await verifyPack(changed, expected.signer), name).toMatchObject({ verified: false })
  }
})

test('the command line reads and verifies it', { timeout: 60_000 }, async () => {
  await onCopy(async ({ dataFolder }) => {
    const found = await runCommand(['history', 'search', 'APP-1001', '--json'], { data: dataFolder })
    expect(found).toMatchObject({
      code: 0,
      out: expect.stringContaining(readings.records[0]?.id ?? 'a record'),
      error: ''
    })
    expect(await runCommand(['audit', 'verify'], { data: dataFolder })).toMatchObject({ code: 0 })
    expect(await runCommand(['batch', 'list'], { data: dataFolder })).toMatchObject({
      code: 0,
      out: expect.stringContaining(batchNamed('Paused').id)
    })
  })
})
