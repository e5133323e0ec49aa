/** One installation makes a batch, and one after the other runs it: whole consoles, with real workers, a real database and a real service. */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CredentialId } from '#contract/connections/credentials.ts'
import { bodyDigest } from '#practice/ledger.ts'
import { readRows } from './support/acts.ts'
import { card } from './support/document-files.ts'
import { serveDocuments } from './support/document-server.ts'
import { packedEvents } from './support/packs.ts'
import { hasPostgres, startTeamDatabase, type TeamDatabase } from './support/postgres.ts'
import { admit, colleaguesOf, createTeam, member, type Member } from './support/team-consoles.ts'

const patient = { timeout: 30_000 }
let database: TeamDatabase
let anna: Member
let ben: Member
let cleo: Member
const ids = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index + 1}`)
/** A connection of everybody to Anna's practice service. */
async function connectionTo({ console }: Member, { console: { practice } }: Member): Promise<string> {
  const { connection } = await console.get('connections.save', {
    name: 'Same service',
    baseUrl: practice.baseUrl,
    mode: 'sandbox',
    colour: 'blue',
    mark: 'S'
  })
  for (const [credential, value] of Object.entries(practice.credentials))
    await console.get('credentials.set', { connectionId: connection.id, credential: credential as CredentialId, value })
  return connection.id
}
const connections = new Map<string, string>()
const arrived = (one: Member, id: string) =>
  expect.poll(async () => (await one.console.get('teamBatches.list')).map((batch) => batch.id), patient).toContain(id)
async function runHere(one: Member, id: string): Promise<void> {
  await one.console.get('teamBatches.takeOver', { id, connectionId: connections.get(one.name) ?? '' })
  await one.console.get('batches.start', { id })
}
async function made(
  { console, name }: Member,
  rows: readonly string[],
  { skipRecent = false, pace = 0 } = {}
): Promise<string> {
  const order = {
    checkId: await readRows(console, rows),
    connectionId: connections.get(name) ?? '',
    name: 'Rows',
    atOnce: 4,
    pace,
    skipDuplicates: true,
    skipRecent
  }
  return (await console.get('batches.create', order)).id
}
async function saved(one: Member, id: string): Promise<string[][]> {
  one.console.save = one.console.fileAt('results.csv')
  await one.console.get('batches.save', { id, file: 'results' })
  return (await readFile(one.console.save, 'utf8'))
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(','))
}

describe.skipIf(!hasPostgres)('a batch that a team shares', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    database = await startTeamDatabase()
    anna = await member('Anna Weber')
    ben = await member('Ben Okoro')
    cleo = await member('Cleo Marsh')
    await createTeam(anna, database)
    await admit(anna, ben, database)
    await admit(anna, cleo, database)
    for (const one of [anna, ben, cleo]) {
      await one.console.get('team.share', { kept: [] })
      connections.set(one.name, await connectionTo(one, anna))
    }
  }, 120_000)
  afterAll(async () => {
    await Promise.all([anna?.end(), ben?.end(), cleo?.end()])
    await database?.end()
  })

  test('is run by one of three and taken over by another, each row once, and each has the results in the order of the file', async () => {
    const rows = ids('ROW', 60)
    // Four a second: it is still running when a colleague asks.
    const id = await made(anna, rows, { pace: 240 })
    expect(await anna.console.get('teamBatches.share', { id })).toMatchObject({
      shared: true,
      counts: { shared: 60, waiting: 0 }
    })
    await arrived(ben, id)
    await anna.console.get('batches.start', { id })
    await expect.poll(() => anna.console.practice.ledger().length, patient).toBeGreaterThan(5)
    const { installation } = (await anna.console.get('team.state')) ?? {}
    expect(await cleo.console.get('teamBatches.progress', { id })).toMatchObject({
      finished: false,
      runner: { installation, member: anna.name, own: false, isRunning: true }
    })
    expect(
      await ben.console.ask('teamBatches.takeOver', { id, connectionId: connections.get(ben.name) ?? '' })
    ).toMatchObject({ failure: { code: 'team-batch-runs', details: { member: anna.name, installation } } })
    await anna.console.get('batches.pause', { id })
    await expect.poll(async () => (await anna.console.get('batches.show', { id })).state, patient).toBe('paused')
    await runHere(ben, id)
    expect(await anna.console.ask('batches.start', { id })).toMatchObject({
      failure: { code: 'team-batch-runs', details: { member: ben.name } }
    })
    await expect.poll(async () => (await ben.console.get('batches.show', { id })).state, patient).toBe('finished')
    await expect
      .poll(async () => cleo.console.get('teamBatches.progress', { id }), patient)
      .toMatchObject({ finished: true })
    const progress = await cleo.console.get('teamBatches.progress', { id })
    expect(progress.runner).toMatchObject({ member: ben.name, isRunning: false })
    expect(progress.shares.map(({ member }) => member).sort()).toEqual([anna.name, ben.name])
    expect(progress.shares.reduce((sum, share) => sum + share.rows, 0)).toBe(60)
    const calls = anna.console.practice.ledger().map(({ digest }) => digest)
    const counts = rows.map(
      (applicant) => calls.filter((digest) => digest === bodyDigest(JSON.stringify({ applicant_id: applicant }))).length
    )
    expect(counts.filter((count) => count > 1)).toEqual([])
    // One may have been about to leave when the batch was paused.
    expect(counts.filter((count) => count === 0).length).toBeLessThanOrEqual(1)
    for (const one of [anna, ben, cleo])
      await expect
        .poll(async () => (await saved(one, id)).map(([cell, number, state]) => [cell, number, state]), patient)
        .toEqual(rows.map((cell, index) => [cell, String(index + 2), counts[index] === 1 ? 'Answered' : 'Not sent']))
    // A pack has the rows that its installation sent, and the two have each row once.
    const packs = [
      await packedEvents(anna.console, { kind: 'batch', id }),
      await packedEvents(ben.console, { kind: 'batch', id })
    ]
    for (const events of packs)
      expect(events.find(({ kind }) => kind === 'batch.made')?.plain).toMatchObject({ id, rows: 60 })
    const sent = packs.flat().flatMap(({ kind, plain }) => (kind === 'record.begun' ? [Number(plain['batchRow'])] : []))
    expect(sent.sort((a, b) => a - b)).toEqual(rows.map((_, index) => index + 2))
  })

  test('leaves out rows that a colleague has just sent', async () => {
    const input = { applicant_id: 'JUST-2' }
    const ending = await ben.console.get('verification.run', {
      runId: randomUUID(),
      connectionId: connections.get(ben.name) ?? '',
      operation: 'get-applicant-details',
      input,
      repeatAnyway: true
    })
    expect(ending.kind).toBe('recorded')
    await expect.poll(() => colleaguesOf(anna, 'JUST-2'), patient).toHaveLength(1)
    const id = await made(anna, ids('JUST', 3), { skipRecent: true })
    expect((await anna.console.get('batches.show', { id })).counts).toMatchObject({
      'recently-answered': 1,
      'waiting': 2
    })
  })

  test('asks again for a row whose turn comes: one that was answered meanwhile ends as not sent, with the reason', async () => {
    const id = await made(anna, ids('LATER', 3), { skipRecent: true })
    await anna.console.get('teamBatches.share', { id })
    const input = { applicant_id: 'LATER-2' }
    await anna.console.get('verification.run', {
      runId: randomUUID(),
      connectionId: connections.get(anna.name) ?? '',
      operation: 'get-applicant-details',
      input
    })
    const before = anna.console.practice.ledger().length
    await anna.console.get('batches.start', { id })
    await expect.poll(async () => (await anna.console.get('batches.show', { id })).state, patient).toBe('finished')
    expect((await anna.console.get('batches.show', { id })).counts).toMatchObject({
      'answered': 2,
      'not-sent': 1,
      'shared': 0
    })
    expect(anna.console.practice.ledger().length - before).toBe(2)
    expect((await saved(anna, id)).find(([cell]) => cell === 'LATER-2')?.join()).toContain(
      'the same request was recently answered'
    )
    expect(await cleo.console.get('teamBatches.progress', { id })).toMatchObject({
      shares: [{ member: anna.name, rows: 3 }]
    })
  })

  test('is refused where the team would not see its results, or over another service', async () => {
    const id = await made(anna, ids('KEPT', 2))
    await anna.console.get('team.share', { kept: [connections.get(anna.name) ?? ''] })
    expect(await anna.console.ask('teamBatches.share', { id })).toMatchObject({
      failure: { code: 'team-batch-unusable', details: { reason: 'kept' } }
    })
    await anna.console.get('team.share', { kept: [] })
    await anna.console.get('teamBatches.share', { id })
    expect(await anna.console.ask('teamBatches.share', { id })).toMatchObject({
      failure: { details: { reason: 'shared' } }
    })
    await arrived(ben, id)
    const other = (
      await ben.console.get('connections.save', {
        name: 'Other',
        baseUrl: ben.console.practice.baseUrl,
        mode: 'sandbox',
        colour: 'blue',
        mark: 'O'
      })
    ).connection.id
    expect(await ben.console.ask('teamBatches.takeOver', { id, connectionId: other })).toMatchObject({
      failure: { details: { reason: 'connection' } }
    })
    expect(await ben.console.ask('teamBatches.takeOver', { id: randomUUID(), connectionId: other })).toMatchObject({
      failure: { code: 'team-batch-missing' }
    })
  })

  test('sends no row of an applicant whom a colleague erased, also where the batch was made', async () => {
    const rows = ['GONE-1', 'GONE-2', 'GONE-3']
    const input = { applicant_id: 'GONE-2' }
    await ben.console.get('verification.run', {
      runId: randomUUID(),
      connectionId: connections.get(ben.name) ?? '',
      operation: 'get-applicant-details',
      input,
      repeatAnyway: true
    })
    await expect.poll(() => colleaguesOf(anna, 'GONE-2'), patient).toHaveLength(1)
    const id = await made(anna, rows)
    await anna.console.get('teamBatches.share', { id })
    await arrived(ben, id)
    await ben.console.get('erasure.run', { applicantId: 'GONE-2', confirmation: 'GONE-2', reason: 'asked for' })
    await expect.poll(() => colleaguesOf(anna, 'GONE-2'), patient).toEqual([])
    const before = anna.console.practice.ledger().length
    await anna.console.get('batches.start', { id })
    await expect.poll(async () => (await anna.console.get('batches.show', { id })).state, patient).toBe('finished')
    expect((await anna.console.get('batches.show', { id })).counts).toMatchObject({
      answered: 2,
      cancelled: 1,
      shared: 0
    })
    const sent = anna.console.practice
      .ledger()
      .slice(before)
      .map(({ digest }) => digest)
    expect(sent.sort()).toEqual(
      ['GONE-1', 'GONE-3'].map((applicant) => bodyDigest(JSON.stringify({ applicant_id: applicant }))).sort()
    )
  })

  test('has the copies of its documents where its rows were sent, and nothing to copy elsewhere', async () => {
    const documents = await serveDocuments()
    const one = {
      name: 'Same service',
      baseUrl: anna.console.practice.baseUrl,
      mode: 'sandbox',
      colour: 'blue'
    } as const
    const copying = (copies: 'possible' | 'off') =>
      Promise.all(
        [anna, ben].map(({ console, name }) =>
          console.get('connections.save', {
            ...{ ...one, mark: 'S', id: connections.get(name) ?? '', copies },
            documents: { privateAddresses: true, openAutomatically: false }
          })
        )
      )
    const kept = async ({ console }: Member) => {
      await (await console.veridesk.batches()).copied()
      const { events } = await console.get('audit.page', { limit: 100 })
      return events.filter(({ kind }) => kind === 'document.kept').length
    }
    try {
      await copying('possible')
      const links = Array.from({ length: 3 }, () => documents.at(card))
      const { checkId } = await anna.console.get('batches.checkText', {
        name: 'documents.csv',
        text: ['applicant_id,document_url', ...links.map((url, at) => `COPY-${at},${url}`)].join('\n'),
        reading: { operations: ['validate-applicant-id-document'] }
      })
      const order = { name: 'Documents', atOnce: 2, pace: 0, skipDuplicates: true, skipRecent: false }
      const connectionId = connections.get(anna.name) ?? ''
      const { id } = await anna.console.get('batches.create', { checkId, connectionId, ...order })
      await anna.console.get('teamBatches.share', { id })
      await arrived(ben, id)
      await runHere(ben, id)
      await expect.poll(async () => (await ben.console.get('batches.show', { id })).state, patient).toBe('finished')
      expect(await kept(ben)).toBe(3)
      await expect
        .poll(async () => (await anna.console.get('teamBatches.progress', { id })).finished, patient)
        .toBe(true)
      const elsewhere = await anna.console.veridesk.batches()
      elsewhere.copyOn()
      expect(await kept(anna)).toBe(0)
      expect(documents.asked).toHaveLength(3)
    } finally {
      await copying('off')
      await documents.close()
    }
  })

  // The last one: what a database lost stays a finding.
  test('is on hold once the database has lost events, until a supervisor has dealt with it', async () => {
    const id = await made(anna, ids('HOLD', 6))
    await anna.console.get('teamBatches.share', { id })
    await arrived(ben, id)
    await ben.console.get('teamBatches.takeOver', { id, connectionId: connections.get(ben.name) ?? '' })
    const { installation } = (await ben.console.get('team.state')) ?? { installation: '' }
    const his = `installation = '\\x${installation}'`
    database.postgres.sql(
      `UPDATE veridesk.head h SET seq = seq - 1, hash = (SELECT hash FROM veridesk.event e WHERE e.installation = h.installation AND e.seq = h.seq - 1) WHERE ${his};
      DELETE FROM veridesk.event WHERE ${his} AND seq > (SELECT seq FROM veridesk.head WHERE ${his})`,
      'team'
    )
    const calls = anna.console.practice.ledger().length
    expect(await ben.console.ask('batches.start', { id })).toMatchObject({
      failure: { code: 'team-batch-frozen', cause: { code: 'team-events-rolled-back' } }
    })
    expect(anna.console.practice.ledger()).toHaveLength(calls)
    const order = {
      installation,
      finding: 'team-events-rolled-back',
      reason: 'A standby took over, and no row was sent'
    } as const
    expect(await ben.console.ask('team.acknowledgeFinding', order)).toMatchObject({
      failure: { code: 'team-change-refused', details: { reason: 'right' } }
    })
    expect(
      await anna.console.ask('team.acknowledgeFinding', { ...order, installation: 'ab'.repeat(16) })
    ).toMatchObject({ failure: { details: { reason: 'absent' } } })
    // Anna’s installation need not have found it, too.
    await anna.console.get('team.acknowledgeFinding', order)
    const own = async () => (await ben.console.get('team.exchange'))?.members.find((each) => each.own)?.findings
    await expect
      .poll(own, patient)
      .toMatchObject([
        { failure: { code: order.finding }, holds: false, acknowledged: { member: 'Anna Weber', reason: order.reason } }
      ])
    // Everybody has to exchange once since.
    await expect.poll(async () => (await ben.console.ask('batches.start', { id })).ok, patient).toBe(true)
    await expect.poll(async () => (await ben.console.get('batches.show', { id })).state, patient).toBe('finished')
    expect(anna.console.practice.ledger()).toHaveLength(calls + 6)
  })
})
