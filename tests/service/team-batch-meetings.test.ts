/** A shared batch is taken over while a history is restored or an applicant erased: no row is sent twice, none is lost, and none of an erased applicant is sent. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CredentialId } from '#contract/connections/credentials.ts'
import { bodyDigest } from '#practice/ledger.ts'
import { readRows } from './support/acts.ts'
import { hasPostgres, startTeamDatabase, type TeamDatabase } from './support/postgres.ts'
import { inBatchScene, type BatchScene, type Runner } from './support/team-batch-scene.ts'
import { must } from './support/team-batch-ground.ts'
import { admit, createTeam, member, type Member } from './support/team-consoles.ts'

const patient = { timeout: 90_000, interval: 100 }

describe.skipIf(!hasPostgres)('taken over, and erased', { timeout: 180_000 }, () => {
  const applicant = (row: number): string => `TEAM-${row}`
  /** As a console does, at an installation that knows the applicant of the row. */
  async function erase({ ground: { store, team } }: Runner, row: number): Promise<void> {
    const { people } = must(await store.erasure.scope(applicant(row)))
    expect(people.length, `row ${row} is known`).toBeGreaterThan(0)
    const by = { at: Date.now(), operator: 'tester' }
    must(await store.erasure.erase({ ...by, reason: 'Requested', cause: 'request', subjects: people }))
    must(await team.eraseApplicants([applicant(row)]))
  }
  /** An installation has recorded for the team that an applicant of another one, by number, is erased. */
  const isWithdrawn = async ({ ground: { store } }: Runner, of: Runner, number: number): Promise<boolean> =>
    must(await store.exchange.read({ after: 0, events: 1000, bytes: 10_000_000, kept: [] })).events.some(
      ({ kind, plain }) =>
        kind === 'team.withdrawn' &&
        (JSON.parse(plain) as { subjects: Record<string, number[]> }).subjects[of.installation]?.includes(number)
    )
  /** Rows that are on their way from an installation. */
  const openAt = async ({ id }: BatchScene, { ground: { store } }: Runner): Promise<readonly number[]> =>
    must(await store.batches.results(id, { after: 0, limit: 500, records: true })).rows.flatMap(({ row, record }) =>
      record?.state === 'open' ? [row] : []
    )

  test('while a row waits or is open: nobody who takes over sends it', async () => {
    await inBatchScene({ rows: 24, installations: 2 }, async (scene) => {
      const [anna, ben] = scene.runners as [Runner, Runner]
      expect(await anna.start()).toMatchObject({ ok: true })
      scene.allow(4)
      await expect.poll(() => scene.passed(), patient).toBe(4)
      // It waits for whoever takes over.
      await erase(anna, 20)
      await anna.pause()
      await anna.isReceivedBy(ben)

      await expect.poll(async () => (await ben.start()).ok, patient).toBe(true)
      const before = scene.passed()
      scene.allow(4)
      await expect.poll(() => scene.passed() - before, patient).toBe(4)
      await expect.poll(async () => (await openAt(scene, ben)).length, patient).toBeGreaterThanOrEqual(2)
      const [open = 0] = await openAt(scene, ben)
      // One is on its way or about to be, and one waits at the runner: those who shared them erase them.
      for (const row of [open, 21]) await erase(anna, row)
      await anna.isReceivedBy(ben)
      // The runner erases one that waits, too.
      const [number = 0] = must(await anna.ground.store.erasure.scope(applicant(22))).people
      await erase(ben, 22)
      await expect.poll(() => isWithdrawn(ben, anna, number), patient).toBe(true)
      await ben.pause()
      await ben.isReceivedBy(anna)

      await expect.poll(async () => (await anna.start()).ok, patient).toBe(true)
      scene.allow(100)
      await expect.poll(() => anna.state(), patient).toBe('finished')
      const received = scene.received()
      expect([20, 21, 22].map((row) => received[row - 1])).toEqual([0, 0, 0])
      expect(received.filter((count) => count > 1)).toEqual([])
      // A row that was about to leave when its runner paused says so.
      const missing = received.flatMap((count, index) =>
        count === 0 && ![open, 20, 21, 22].includes(index + 1) ? [index] : []
      )
      expect(missing.length).toBeLessThanOrEqual(4)
      const results = await scene.results(anna)
      expect(missing.map((index) => results[index]?.state)).toEqual(missing.map(() => 'not-sent'))
    })
  })
})

describe.skipIf(!hasPostgres)('taken over, and restored', { timeout: 180_000 }, () => {
  let database: TeamDatabase
  let anna: Member
  let ben: Member
  let cleo: Member
  const connections = new Map<Member, string>()
  const rowsOf = (prefix: string): string[] => Array.from({ length: 16 }, (_, index) => `${prefix}-${index + 1}`)

  beforeAll(async () => {
    database = await startTeamDatabase()
    anna = await member('Anna Weber')
    ben = await member('Ben Okoro')
    cleo = await member('Cleo Marsh')
    await createTeam(anna, database)
    for (const one of [ben, cleo]) await admit(anna, one, database)
    const { practice } = anna.console
    for (const one of [anna, ben, cleo]) {
      await one.console.get('team.share', { kept: [] })
      const { connection } = await one.console.get('connections.save', {
        name: 'Same service',
        baseUrl: practice.baseUrl,
        mode: 'sandbox',
        colour: 'blue',
        mark: 'S'
      })
      for (const [credential, value] of Object.entries(practice.credentials))
        await one.console.get('credentials.set', {
          connectionId: connection.id,
          credential: credential as CredentialId,
          value
        })
      connections.set(one, connection.id)
    }
  }, 120_000)
  afterAll(async () => {
    await Promise.all([anna?.end(), ben?.end(), cleo?.end()])
    await database?.end()
  })

  const stateOf = async ({ console }: Member, id: string) => (await console.get('batches.show', { id })).state
  /** By row, how often the service received it. */
  function received(rows: readonly string[]): readonly number[] {
    const calls = anna.console.practice.ledger().map(({ digest }) => digest)
    return rows.map(
      (applicant) => calls.filter((digest) => digest === bodyDigest(JSON.stringify({ applicant_id: applicant }))).length
    )
  }
  const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0)
  /** Runs it until the service has so many more rows, and hands over. */
  async function runPart(one: Member, id: string, rows: readonly string[]): Promise<void> {
    const before = sum(received(rows))
    await one.console.get('teamBatches.takeOver', { id, connectionId: connections.get(one) ?? '' })
    await expect.poll(async () => (await one.console.ask('batches.start', { id })).ok, patient).toBe(true)
    await expect.poll(() => sum(received(rows)) - before, patient).toBeGreaterThanOrEqual(3)
    await one.console.get('batches.pause', { id })
    await expect.poll(() => stateOf(one, id), patient).toBe('paused')
  }
  /** Everything that was recorded here has reached the team. */
  const isShared = ({ console }: Member) =>
    expect.poll(async () => (await console.get('team.exchange'))?.toSend, patient).toBe(0)

  // Whoever went back has to join the team anew.
  test.each([
    ['who took it over', () => [ben, anna] as const],
    ['who shared it', () => [anna, cleo] as const]
  ])('%s goes back to a backup from before it ran rows: the other one finishes it', async (_name, both) => {
    const [restored, other] = both()
    const rows = rowsOf(restored.name.slice(0, 3))
    const { id } = await anna.console.get('batches.create', {
      checkId: await readRows(anna.console, rows),
      connectionId: connections.get(anna) ?? '',
      name: 'Rows',
      atOnce: 2,
      pace: 240,
      skipDuplicates: true,
      skipRecent: false
    })
    await anna.console.get('teamBatches.share', { id })
    const colleague = restored === anna ? other : restored
    await expect
      .poll(async () => (await colleague.console.get('teamBatches.list')).map((batch) => batch.id), patient)
      .toContain(id)
    if (restored !== anna)
      await restored.console.get('teamBatches.takeOver', { id, connectionId: connections.get(restored) ?? '' })
    await isShared(restored)
    const backup = await restored.console.get('backups.create')
    await runPart(restored, id, rows)
    await isShared(restored)
    await restored.console.get('backups.restore', { id: backup.id })
    // Whoever went back sends nothing of it by itself, nor by mistake.
    const before = received(rows)
    const held = await restored.console.ask('batches.start', { id })
    expect(held.ok).toBe(false)
    expect(received(rows)).toEqual(before)

    await other.console.get('teamBatches.takeOver', { id, connectionId: connections.get(other) ?? '' })
    await expect.poll(async () => (await other.console.ask('batches.start', { id })).ok, patient).toBe(true)
    await expect.poll(() => stateOf(other, id), patient).toBe('finished')
    const counts = received(rows)
    expect(counts.filter((count) => count > 1)).toEqual([])
    // One may have been about to leave when the run was paused.
    expect(counts.filter((count) => count === 0).length).toBeLessThanOrEqual(2)
    // Nor after a person has confirmed.
    await restored.console.ask('batches.start', { id, afterRestore: true })
    await expect.poll(() => stateOf(restored, id), patient).not.toBe('running')
    expect(received(rows)).toEqual(counts)
  })
})
