/** The database's administrator changes the tables of a shared batch, and the log of signed events says otherwise: no row is paid for twice, and none is left out. */
import { describe, expect, test } from 'vitest'
import { hasPostgres } from './support/postgres.ts'
import { inBatchScene, type BatchScene, type Runner } from './support/team-batch-scene.ts'

const again = { timeout: 180_000 }
const patient = { timeout: 90_000, interval: 100 }
const once = (rows: number): readonly number[] => Array.from({ length: rows }, () => 1)
const twice = ({ received }: BatchScene): readonly number[] =>
  received().flatMap((count, index) => (count > 1 ? [index + 1] : []))
/**
 * None was sent twice, and each that was not sent says so: a row that was about to be sent when its installation was paused is
 * sent by nobody. Everybody has the same results.
 *
 * @param fewer Than so many were not sent: at most four are on their way at each of the two or three hand-overs.
 */
async function isWhole(scene: BatchScene, fewer = 10): Promise<void> {
  expect(twice(scene)).toEqual([])
  const wanted = scene.received().map((count) => (count === 1 ? 'answered' : 'not-sent'))
  expect(wanted.filter((state) => state === 'not-sent').length).toBeLessThan(fewer)
  for (const each of scene.runners)
    await expect.poll(async () => (await scene.results(each)).map(({ state }) => state), patient).toEqual(wanted)
}
const codes = async (of: Runner): Promise<readonly string[]> =>
  [...new Set((await of.findings()).map(({ code }) => code))].sort()
const isSilent = async (of: Runner): Promise<boolean> => !(await of.findings()).some(({ holds }) => holds)

/** Everybody runs the batch for a while, one after the other, until the service has so many of its rows, and hands over. */
async function inTheMiddle(scene: BatchScene, rows: number): Promise<void> {
  const part = Math.ceil(rows / scene.runners.length)
  for (const each of scene.runners) {
    await expect.poll(async () => (await each.start()).ok, patient).toBe(true)
    const before = scene.passed()
    scene.allow(part)
    await expect.poll(() => scene.passed() - before, patient).toBe(part)
    await each.pause()
  }
}

/** Waits until nobody runs it any more; what is on its way ends. */
const allStop = ({ runners, passWaiting }: BatchScene): Promise<void> =>
  expect
    .poll(async () => {
      passWaiting()
      return Promise.all(runners.map((each) => each.state()))
    }, patient)
    .not.toContain('running')

/** One after the other goes on until the batch is finished, starting again what had stopped. */
async function toTheEnd(scene: BatchScene, runners: readonly Runner[] = scene.runners): Promise<void> {
  scene.allow(1000)
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
/** Everybody runs every batch. */
const allRun =
  replaced(
    'take_batch(batch uuid, lease_seconds integer)',
    'TABLE (fence bigint, installation bytea, since timestamptz)',
    'SELECT 1::bigint, veridesk.my_installation(), clock_timestamp()'
  ) +
  replaced('runs(batch uuid, fence bigint)', 'void', '') +
  replaced('renew_batch(batch uuid, fence bigint, lease_seconds integer)', 'void', '')
const intend = 'intend(batch uuid, fence bigint, row_nos bigint[], attempts uuid[])'
/** Of the rows of a table, each member is shown its own. */
const ownRows = (table: string): string =>
  `DROP POLICY members_read ON veridesk.${table}; CREATE POLICY members_read ON veridesk.${table} FOR SELECT TO vd_member USING (installation = (SELECT veridesk.my_installation()));`
/** Each member has intents of its own, and sees no others. */
const ownIntents = `ALTER TABLE veridesk.intent DROP CONSTRAINT intent_pkey; CREATE UNIQUE INDEX ON veridesk.intent (batch, row_no, installation); ${ownRows('intent')}
  ${replaced(
    intend,
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
      await toTheEnd(scene, [ben, anna])
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
        // Whoever goes on without a member knows what that member had recorded: what it never received, it would send again.
        await cleo.isReceivedBy(ben)
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
        await toTheEnd(scene, [ben, anna])
        await cleo.open()
        await toTheEnd(scene, [cleo])
        await isWhole(scene, 13)
      })
    }
  )

  test('tables reset: no row is sent again, and it is a finding', again, async () => {
    await inBatchScene({ rows: 60, installations: 2, atOnce: 4 }, async (scene) => {
      const [anna, ben] = scene.runners as [Runner, Runner]
      const reset = (): string => scene.sql('DELETE FROM veridesk.intent; DELETE FROM veridesk.runner')
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
      await expect.poll(async () => (await ben.start()).ok, patient).toBe(true)
      scene.allow(10)
      await expect.poll(() => scene.received().filter((count) => count > 0).length, patient).toBeGreaterThan(30)
      reset()
      await allStop(scene)
      expect(twice(scene)).toEqual([])
      for (const { installation } of scene.runners) await scene.acknowledge(anna, installation, 'team-intents-lost')
      scene.allow(1000)
      await toTheEnd(scene, [ben, anna])
      await isWhole(scene)
    })
  })

  test('handed over by the database: whoever runs the batch goes on, and leaves out no row', again, async () => {
    await inBatchScene({ rows: 60, installations: 2, atOnce: 4 }, async (scene) => {
      const [anna, ben] = scene.runners as [Runner, Runner]
      await anna.start()
      scene.allow(10)
      await expect.poll(() => scene.passed(), patient).toBe(10)
      scene.sql('UPDATE veridesk.runner SET until = NULL')
      scene.allow(1000)
      await toTheEnd(scene, [anna, ben])
      expect(scene.received()).toEqual(once(60))
      await isWhole(scene)
    })
  })

  test('given to another one by the database: the first stops, and says who runs it', again, async () => {
    await inBatchScene({ rows: 60, installations: 2, atOnce: 4 }, async (scene) => {
      const [anna, ben] = scene.runners as [Runner, Runner]
      await anna.start()
      scene.allow(10)
      await expect.poll(() => scene.passed(), patient).toBe(10)
      scene.sql(`UPDATE veridesk.runner SET installation = '\\x${ben.installation}'`)
      await expect.poll(async () => (await ben.start()).ok, patient).toBe(true)
      scene.allow(1000)
      await expect.poll(() => anna.state(), patient).toBe('stopped')
      expect(await anna.ground.batches.show(scene.id)).toMatchObject({ value: { reason: { code: 'team-batch-runs' } } })
      await toTheEnd(scene, [ben, anna])
      await isWhole(scene)
    })
  })

  test(
    'functions replaced: whoever is told that every row may be sent notices, and none is sent twice',
    again,
    async () => {
      await inBatchScene({ rows: 60, installations: 2, atOnce: 4 }, async (scene) => {
        scene.sql(allRun + replaced(intend, 'boolean[]', 'SELECT array_agg(true) FROM unnest(row_nos)'))
        scene.allow(1000)
        await Promise.all(scene.runners.map((each) => each.start()))
        await allStop(scene)
        for (const each of scene.runners) {
          // Whoever was replaced by the other one has not come so far.
          await each.start()
          await allStop(scene)
          expect(await codes(each)).toContain('team-intents-lost')
        }
        expect(twice(scene)).toEqual([])
      })
    }
  )

  test(
    'each member shown its own intents alone, and told that it runs the batch: the claims decide',
    again,
    async () => {
      await inBatchScene({ rows: 60, installations: 2, atOnce: 4 }, async (scene) => {
        scene.sql(ownIntents + allRun)
        scene.allow(1000)
        const [anna, ben] = scene.runners as [Runner, Runner]
        await Promise.all(scene.runners.map((each) => each.start()))
        await expect
          .poll(async () => {
            const states = await Promise.all(scene.runners.map((each) => each.state()))
            // If one had begun before the other took over, that one misses its intents, and a person has to look.
            if (!states.includes('running') && !states.includes('finished')) {
              for (const { code, of, holds } of await ben.findings())
                if (holds && code === 'team-intents-lost') await scene.acknowledge(anna, of, code)
              await ben.start()
            }
            return states
          }, patient)
          .toContain('finished')
        await isWhole(scene)
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
        await toTheEnd(scene, [ben])
        await ben.close()
        scene.restore()
        await anna.open()
        await toTheEnd(scene, [anna])
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
