/** A batch that a team shares, in the window: shared, started, and one of a colleague taken over. */
import { startPracticeService } from '#practice/service.ts'
import { readTeam } from '#core/team/installation/saved.ts'
import { valueOf } from '../service/support/team-installation.ts'
import { inspect } from './fixtures/axe.ts'
import { test } from './fixtures/team.ts'
import { ask, expect, useService } from './fixtures/workspace.ts'
import { goTo } from './pages/go.ts'
import { TeamPage } from './pages/team.ts'

const text = (prefix: string): string =>
  ['applicant_id', ...[1, 2, 3, 4].map((number) => `${prefix}-${number}`), ''].join('\n')

test('a batch is shared with the team, and a colleague’s is taken over', async ({ workspace, team: scene }) => {
  const service = await startPracticeService()
  try {
    const page = await workspace.open()
    const connection = await useService(page, service)
    const exchange = await scene.exchange(await scene.found(page))
    await ask(page, 'team.share', { kept: [] })

    const { checkId } = await ask(page, 'batches.checkText', {
      name: 'rows.csv',
      text: text('OWN'),
      reading: { operations: ['get-applicant-details'] }
    })
    const { id } = await ask(page, 'batches.create', {
      checkId,
      connectionId: connection.id,
      name: 'Own rows',
      atOnce: 2,
      pace: 0,
      skipDuplicates: true,
      skipRecent: true
    })
    await goTo(page, `/batches/${id}`, 'Own rows')
    await page.getByRole('button', { name: 'Share with the team' }).click()
    const progress = page.getByRole('status', { name: 'Progress in the team' })
    await expect(progress).toContainText('nobody has started it yet')
    await inspect(page, 'a shared batch')
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await expect(progress).toContainText('Finished', { timeout: 30_000 })
    await expect(progress).toContainText('Anna Weber: 4 rows')

    // Ben shares one.
    const { store, one } = exchange
    const draft = {
      name: 'Ben’s rows',
      fileName: 'ben.csv',
      sha256: '0'.repeat(64),
      operations: ['get-applicant-details'],
      atOnce: 2,
      pace: 0,
      createdAt: Date.now(),
      operator: 'ben',
      consoleVersion: '0.0.0'
    } as const
    const made = valueOf(
      await store.batches.create({
        ...draft,
        connection: {
          id: one.installation,
          name: 'Ben’s',
          origin: service.baseUrl,
          mode: 'sandbox',
          colour: 'blue',
          mark: 'B'
        },
        layout: { columns: ['applicant_id'], delimiter: ',', mapping: { applicant_id: 0 }, applicantColumn: -1 }
      })
    )
    valueOf(
      await store.batches.add(
        made.id,
        [1, 2, 3].map((row) => ({ row, state: 'waiting', cells: [`BEN-${row}`], applicantId: `BEN-${row}` }))
      )
    )
    valueOf(await store.batches.seal(made.id))
    const by = { at: Date.now(), operator: 'ben' }
    const last = valueOf(await store.sharedBatches.last(made.id))
    valueOf(await store.sharedBatches.give(made.id, 0, 10, by))
    valueOf(
      await store.sharedBatches.share(
        made.id,
        { rows: 3, team: valueOf(readTeam(one.folder))?.team ?? '', sharer: one.installation },
        by,
        last
      )
    )
    await exchange.settle()

    const team = new TeamPage(page)
    await team.open()
    const list = team.main.getByRole('list', { name: 'Batches of the team, newest first' })
    await expect(list.getByRole('listitem').filter({ hasText: 'Ben’s rows' })).toContainText('Shared by Ben Okoro', {
      timeout: 30_000
    })
    await inspect(page, 'batches of the team')
    await list.getByRole('button', { name: 'Take over' }).click()
    await expect(page.getByRole('heading', { name: 'Ben’s rows' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Start', exact: true })).toBeEnabled()
    // Ben runs it, and then his sign of life is too old.
    scene.database.postgres.sql(
      `INSERT INTO veridesk.runner (batch, fence, installation, until) VALUES ('${made.id}', 1, '\\x${one.installation}', clock_timestamp() + interval '1 hour')`,
      'team'
    )
    const elsewhere = page.getByRole('button', { name: 'Ben Okoro runs it' })
    await expect(elsewhere).toBeDisabled()
    await expect(page.getByRole('status', { name: 'Progress in the team' })).toContainText(
      'Ben Okoro has been running it since'
    )
    await inspect(page, 'a batch that a colleague runs')
    scene.database.postgres.sql('UPDATE veridesk.runner SET until = clock_timestamp()', 'team')
    await expect(elsewhere).toHaveCount(0)
    await page.getByRole('button', { name: 'Take over from Ben Okoro' }).click()
    await expect(page.getByRole('status', { name: 'Progress in the team' })).toContainText('Finished', {
      timeout: 30_000
    })
    expect(service.ledger()).toHaveLength(7)
  } finally {
    await service.close()
  }
})
