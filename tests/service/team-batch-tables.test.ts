/** The database's administrator changes the tables of a shared batch, and the log of signed events says otherwise: no row is paid for twice, and none is left out. */
import { describe, expect, test } from 'vitest'
import { hasPostgres } from './support/postgres.ts'
import { inBatchScene, type BatchScene, type Runner } from './support/team-batch-scene.ts'
import { times } from './support/times.ts'

const again = { repeats: times - 1, timeout: 180_000 }
const patient = { timeout: 90_000, interval: 100 }
const twice = ({ received }: BatchScene): readonly number[] =>
  received().flatMap((count, index) => (count > 1 ? [index + 1] : []))
/**
 * None was sent twice, and each that was not sent says so: a row that was about to be sent when its installation was paused is
 * sent by nobody. Everybody has the same results.
 */
async function isWhole(scene: BatchScene): Promise<void> {
  expect(twice(scene)).toEqual([])
  const wanted = scene.received().map((count) => (count === 1 ? 'sent' : 'not sent'))
  expect(wanted.filter((place) => place === 'not sent').length).toBeLessThan(10)
  // A row whose part was given up after its intent was stored is unknown: it waits for a person.
  const placeOf = (state: string, index: number): string =>
    state === 'answered'
      ? 'sent'
      : ['not-sent', 'unknown'].includes(state) && wanted[index] === 'not sent'
        ? 'not sent'
        : state
  for (const each of scene.runners)
    await expect
      .poll(async () => (await scene.results(each)).map(({ state }, index) => placeOf(state, index)), patient)
      .toEqual(wanted)
}
const codes = async (of: Runner): Promise<readonly string[]> =>
  [...new Set((await of.findings()).map(({ code }) => code))].sort()
const isSilent = async (of: Runner): Promise<boolean> => !(await of.findings()).some(({ holds }) => holds)

/** Everybody runs the batch until the service has so many of its rows, from each of them one at least, and pauses. */
async function inTheMiddle(scene: BatchScene, rows: number): Promise<void> {
  for (const each of scene.runners) await each.start()
  await expect
    .poll(
      async () => {
        if (scene.received().filter((count) => count > 0).length === scene.passed()) scene.allow(1)
        return (
          scene.passed() >= rows &&
          (await Promise.all(scene.runners.map((each) => each.sent()))).every((sent) => sent > 0)
        )
      },
      { timeout: 60_000, interval: 20 }
    )
    .toBe(true)
  const pausing = scene.runners.map((each) => each.pause())
  // What is on its way ends.
  scene.allow(1000)
  await Promise.all(pausing)
}

/** Everybody goes on until the batch is finished, starting again what had stopped. */
async function toTheEnd(runners: readonly Runner[]): Promise<void> {
  for (const each of runners)
    await expect
      .poll(async () => {
        if (!['running', 'finished'].includes(await each.state())) await each.start()
        return each.state()
      }, patient)
      .toBe('finished')
}

/** A function that does something else. Its rights stay. */
const replaced = (signature: string, returns: string, body: string, language: 'sql' | 'plpgsql' = 'sql'): string =>
  `CREATE OR REPLACE FUNCTION veridesk.${signature} RETURNS ${returns} LANGUAGE ${language} SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$ ${body} $$;`
/** Everybody gets the first part that is not done, whoever has it. */
const anyPart = replaced(
  'take_chunk(batch uuid, lease_seconds integer)',
  'TABLE (n integer, fence bigint)',
  'SELECT c.n, c.fence FROM veridesk.chunk c WHERE c.batch = take_chunk.batch AND NOT done ORDER BY c.n LIMIT 1'
)
const heldByAll = replaced('held_chunk(batch uuid, n integer, fence bigint)', 'void', '')
/** Of the rows of a table, each member is shown its own. */
const ownRows = (table: string): string =>
  `DROP POLICY members_read ON veridesk.${table}; CREATE POLICY members_read ON veridesk.${table} FOR SELECT TO vd_member USING (installation = (SELECT veridesk.my_installation()));`
/** Each member has intents of its own, and sees no others. */
const ownIntents = `ALTER TABLE veridesk.intent DROP CONSTRAINT intent_pkey; CREATE UNIQUE INDEX ON veridesk.intent (batch, row_no, installation); ${ownRows('intent')}
  ${replaced(
    'intend(batch uuid, n integer, fence bigint, row_nos bigint[], attempts uuid[])',
    'boolean[]',
    `
  BEGIN
    INSERT INTO veridesk.intent SELECT intend.batch, row_no, veridesk.my_installation(), intend.fence, attempt FROM unnest(row_nos, attempts) AS g (row_no, attempt) ON CONFLICT DO NOTHING;
    RETURN ARRAY(SELECT true FROM unnest(row_nos));
  END`,
    'plpgsql'
  )}`

describe.skipIf(!hasPostgres)('coordination tables that say something else than the log', () => {
  test('restore, acknowledge, resume: each row is sent once', again, async () => {
    await inBatchScene({ rows: 60, installations: 2, atOnce: 4 }, async (scene) => {
      const [anna, ben] = scene.runners as [Runner, Runner]
      scene.backUp()
      await inTheMiddle(scene, 24)
      scene.restore()
      await expect.poll(() => codes(anna), patient).toContain('team-events-rolled-back')
      for (const { installation } of scene.runners)
        await scene.acknowledge(anna, installation, 'team-events-rolled-back')
      await toTheEnd([ben, anna])
      await isWhole(scene)
    })
  })

  test(
    'restore, while a member is away: its rows wait, neither sent nor unknown, until it has exchanged or a supervisor goes on without it',
    again,
    async () => {
      await inBatchScene({ rows: 40, installations: 3, atOnce: 4 }, async (scene) => {
        const [anna, ben, cleo] = scene.runners as [Runner, Runner, Runner]
        scene.backUp()
        await inTheMiddle(scene, 20)
        await ben.isReceivedBy(anna)
        await cleo.isReceivedBy(anna)
        for (const each of [ben, cleo]) await each.close()
        scene.restore()
        await expect.poll(() => codes(anna), patient).toContain('team-events-rolled-back')
        for (const { installation } of scene.runners)
          await scene.acknowledge(anna, installation, 'team-events-rolled-back')
        const awaited = async () =>
          (await anna.findings())
            .filter(({ code, holds }) => code === 'team-exchange-awaited' && holds)
            .map(({ of }) => of)
            .sort()
        expect(await awaited()).toEqual([ben.installation, cleo.installation].sort())
        const before = scene.received()
        expect(await anna.start()).toMatchObject({
          failure: { code: 'team-batch-frozen', cause: { code: 'team-exchange-awaited' } }
        })
        expect(
          (await scene.results(anna)).map(({ state }, index) =>
            before[index] ? state === 'answered' : ['shared', 'not-sent'].includes(state)
          )
        ).toEqual(before.map(() => true))
        await ben.open()
        await expect.poll(awaited, patient).toEqual([cleo.installation])
        await scene.acknowledge(anna, cleo.installation, 'team-exchange-awaited')
        await expect.poll(() => isSilent(ben), patient).toBe(true)
        await toTheEnd([ben, anna])
        await cleo.open()
        await toTheEnd([cleo])
        await isWhole(scene)
      })
    }
  )

  test('tables reset: no row is sent again, and it is a finding', again, async () => {
    await inBatchScene({ rows: 60, installations: 2, atOnce: 4 }, async (scene) => {
      const [anna, ben] = scene.runners as [Runner, Runner]
      const reset = (): string =>
        scene.sql('DELETE FROM veridesk.intent; UPDATE veridesk.chunk SET done = false, owner = NULL')
      await inTheMiddle(scene, 24)
      await ben.isReceivedBy(anna)
      await anna.isReceivedBy(ben)
      reset()
      for (const each of [ben, anna])
        expect(await each.start()).toMatchObject({
          failure: { code: 'team-batch-frozen', cause: { code: 'team-intents-lost' } }
        })
      expect(await codes(anna)).toContain('team-intents-lost')
      for (const { installation } of scene.runners) await scene.acknowledge(anna, installation, 'team-intents-lost')
      // And once more, while it is running.
      for (const each of [ben, anna]) await expect.poll(async () => (await each.start()).ok, patient).toBe(true)
      await expect.poll(() => scene.received().filter((count) => count > 0).length, patient).toBeGreaterThan(30)
      reset()
      await expect
        .poll(async () => Promise.all(scene.runners.map((each) => each.state())), patient)
        .not.toContain('running')
      expect(twice(scene)).toEqual([])
      for (const { installation } of scene.runners) await scene.acknowledge(anna, installation, 'team-intents-lost')
      await toTheEnd([ben, anna])
      await isWhole(scene)
    })
  })

  test('marked as done: rows without an outcome are sent all the same', again, async () => {
    await inBatchScene({ rows: 60, installations: 2, atOnce: 4 }, async (scene) => {
      for (const each of scene.runners) await each.start()
      scene.allow(10)
      await expect.poll(() => scene.passed(), patient).toBe(10)
      scene.sql('UPDATE veridesk.chunk SET done = true WHERE owner IS NULL')
      scene.allow(1000)
      await toTheEnd(scene.runners)
      await isWhole(scene)
    })
  })

  test(
    'functions replaced: whoever is told that every row may be sent notices, and none is sent twice',
    again,
    async () => {
      await inBatchScene({ rows: 60, installations: 2, atOnce: 4 }, async (scene) => {
        scene.sql(
          anyPart +
            heldByAll +
            replaced(
              'intend(batch uuid, n integer, fence bigint, row_nos bigint[], attempts uuid[])',
              'boolean[]',
              'SELECT array_agg(true) FROM unnest(row_nos)'
            )
        )
        for (const each of scene.runners) await each.start()
        scene.allow(1000)
        await expect
          .poll(async () => Promise.all(scene.runners.map((each) => each.state())), patient)
          .not.toContain('running')
        expect(twice(scene)).toEqual([])
        for (const each of scene.runners) expect(await codes(each)).toContain('team-intents-lost')
      })
    }
  )

  test(
    'each member shown its own intents alone, and every part leased to everybody: the signed claims decide',
    again,
    async () => {
      await inBatchScene({ rows: 60, installations: 2, atOnce: 4 }, async (scene) => {
        scene.sql(ownIntents + anyPart + heldByAll)
        for (const each of scene.runners) await each.start()
        scene.allow(1000)
        // If both claim every part at one moment, both give it back.
        await expect.poll(() => scene.received().filter((count) => count > 0).length, patient).toBeGreaterThan(0)
        await Promise.all(scene.runners.map((each) => each.pause()))
        expect(twice(scene)).toEqual([])
      })
    }
  )

  test(
    'a loss that nobody who is there can see: what was sent twice is a finding once they meet, and in the results',
    again,
    async () => {
      await inBatchScene({ rows: 12, installations: 2 }, async (scene) => {
        const [anna, ben] = scene.runners as [Runner, Runner]
        await anna.close()
        scene.backUp()
        await ben.start()
        scene.allow(1000)
        await toTheEnd([ben])
        await ben.close()
        scene.restore()
        await anna.open()
        await toTheEnd([anna])
        expect(twice(scene)).toHaveLength(12)
        await ben.open()
        for (const each of [anna, ben]) {
          await expect
            .poll(
              async () =>
                (await each.findings()).filter(({ code, holds }) => code === 'team-row-sent-twice' && holds).length,
              patient
            )
            .toBe(1)
          await expect
            .poll(
              async () =>
                (await scene.results(each)).flatMap(({ warning }, index) =>
                  warning?.startsWith('Sent twice: by Installation') ? [index + 1] : []
                ),
              patient
            )
            .toEqual(twice(scene))
        }
      })
    }
  )
})
