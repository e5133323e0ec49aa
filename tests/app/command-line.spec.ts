/** The command line on the window's data: each shows what the other did, and they never run at the same time. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { AuditVerdict } from '#contract/evidence/audit.ts'
import type { Backup, Exported, RetentionPlan } from '#contract/data-management/data-management.ts'
import { operationOf } from '#contract/verification/operations.ts'
import { exitCodes } from '../../electron/hosts/cli/exit.ts'
import { runCli, type CliRun } from './fixtures/cli.ts'
import { contentAt, replaced } from './fixtures/packs.ts'
import { ask, expect, inKeyring, test as base, usePractice } from './fixtures/workspace.ts'
import { recordOld } from './fixtures/history.ts'
import { repository } from './fixtures/runtime.ts'
import { ApplicantPage } from './pages/applicants.ts'
import { HistoryPage } from './pages/history.ts'
import { AuditPage, EvidencePage, DataManagementPage } from './pages/records.ts'
import { Shell } from './pages/shell.ts'
import { VerifyPage } from './pages/verify.ts'
import { choose } from './pages/fields.ts'

const test = base.extend<{ cli: (...words: readonly string[]) => Promise<CliRun> }>({
  cli: async ({ workspace, dataFolder, home }, use) => {
    const environment = workspace.keyring ? inKeyring(workspace.keyring) : {}
    await use((...words) => runCli({ dataFolder, home, environment }, words))
  }
})

const lookup = operationOf('get-applicant-details')
const closely = (text: string): string => text.replace(/\s+/g, '')
const linesOf = (path: string): Record<string, unknown>[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

test('the command line packs, exports, backs up and restores what was verified and decided in the window, and the window shows it', async ({
  workspace,
  dataFolder,
  home,
  cli
}) => {
  test.skip(!workspace.keyring, 'needs a keyring for tests')
  test.setTimeout(180_000)
  const first = await workspace.open()
  const connection = await usePractice(first, { backupHours: 0 })
  await ask(first, 'settings.change', { retentionDays: { [connection.id]: 90 } })
  await workspace.close()
  if (workspace.keyring)
    await recordOld(dataFolder, workspace.keyring, connection, [
      { operation: lookup.id, input: { applicant_id: 'OLD-1' }, daysAgo: 400, message: 'Applicant found' },
      { operation: lookup.id, input: { applicant_id: 'YOUNG-1' }, daysAgo: 20, message: 'Applicant found' }
    ])

  // In the window: a verification, and a decision on it.
  const page = await workspace.open()
  const verify = new VerifyPage(page)
  await verify.open(lookup.id)
  await verify.run(lookup.id, { applicant_id: 'APP-0042' })
  await expect(verify.record.status).toBeVisible()
  const applicant = new ApplicantPage(page)
  await applicant.open('APP-0042')
  await applicant.choose('Approve')
  await applicant.reason('Documents in order').check()
  await applicant.note.fill('Seen in the window.')
  await applicant.record.click()
  await expect(applicant.decided).toHaveText('Approved')
  await new EvidencePage(page).open()
  const fingerprint = closely(await new EvidencePage(page).fingerprint())
  await workspace.close()

  // The pack, and its verifiers.
  const pack = join(home, 'app-0042.veridesk-evidence')
  const packed = await cli('evidence', 'pack', 'applicant', 'APP-0042', '--to', pack)
  expect(packed).toMatchObject({ code: 0, error: '' })
  expect(packed.out).toContain(`${pack}\n1 record, `)
  expect(contentAt(pack)).toContain('Seen in the window.')
  const verified = await cli('evidence', 'verify', pack, '--key', fingerprint)
  expect(verified).toMatchObject({ code: 0, error: '' })
  expect(verified.out).toMatch(/^VERIFIED\.\n/)
  expect(verified.out).toContain(`Signed by key ${fingerprint}`)
  // The stand-alone verifier has plain Node and nothing of Veridesk: no environment, no data, no keychain.
  const standAlone = (path: string, key: string) =>
    spawnSync(process.execPath, [join(repository, 'out', 'verifier', 'verify.mjs'), path, key], {
      cwd: home,
      env: {},
      encoding: 'utf8'
    })
  const good = standAlone(pack, fingerprint)
  expect(`${good.status} ${good.stdout}${good.stderr}`).toMatch(/^0 /)
  expect(standAlone(pack, '0'.repeat(64)).status).toBe(1)
  const touched = join(home, 'touched.json')
  writeFileSync(touched, replaced(pack, 'Seen in the window.', 'Seen in the mirror.'))
  expect(standAlone(touched, fingerprint).status).toBe(1)
  const refused = await cli('evidence', 'verify', touched)
  expect(refused.code).toBe(exitCodes.refused.code)
  expect(refused.out).toMatch(/^REFUSED\.\n/)

  const auditTrail = await cli('audit', 'verify')
  expect(auditTrail).toMatchObject({ code: 0, error: '' })
  expect(auditTrail.out).toMatch(/^Audit trail intact: [\d,]+ events/)

  // Both exports, each with a head that is in the chain.
  const history = join(home, 'history.csv')
  const exported = await cli('export', 'history', '--to', history, '--json')
  expect(exported).toMatchObject({ code: 0, error: '' })
  expect(JSON.parse(exported.out)).toMatchObject({ path: history, rows: 3 } satisfies Partial<Exported>)
  for (const id of ['OLD-1', 'YOUNG-1', 'APP-0042']) expect(readFileSync(history, 'utf8')).toContain(id)
  const applicants = join(home, 'applicants.jsonl')
  expect(await cli('export', 'applicants', '--to', applicants, '--format', 'jsonl')).toMatchObject({
    code: 0,
    error: ''
  })
  expect(linesOf(applicants).at(-1)).toEqual({ end: true, rows: 3 })
  expect(linesOf(applicants).find((line) => JSON.stringify(line).includes('APP-0042'))).toMatchObject({
    checks: 1,
    state: 'approve'
  })

  const plan = await cli('retention', '--dry-run', '--json')
  expect(plan.code).toBe(0)
  expect(JSON.parse(plan.out)).toMatchObject({ subjects: 1, records: 1, lines: [{ applicantId: 'OLD-1' }] } satisfies {
    [Key in keyof RetentionPlan]?: unknown
  })
  const listed = await cli('retention', '--dry-run')
  expect(listed.out).toMatch(
    /1 record {2}OLD-1\nWould be erased: 1 record of 1 subject\. Held: nothing\. Nothing was erased\.\n$/
  )
  expect(await cli('retention')).toMatchObject({ code: exitCodes.usage.code, out: '' })

  // Back up, change, restore.
  const made = await cli('backup', '--json')
  expect(made).toMatchObject({ code: 0, error: '' })
  const backup = JSON.parse(made.out) as Backup
  expect(backup).toMatchObject({ state: 'whole', records: 3 })
  expect(await cli('verify', lookup.id, '--applicant-id', 'LATER-1', '--connection', connection.name)).toMatchObject({
    code: 0
  })
  expect((await cli('history', 'search', 'LATER-1', '--json')).out).toContain('LATER-1')
  expect((await cli('restore', backup.id, '--dry-run')).out).toMatch(/after the backup.*\nNothing was restored\.\n/s)
  const restored = await cli('restore', backup.id)
  expect(restored).toMatchObject({ code: 0, error: '' })
  expect(restored.out).toContain(`Restored ${backup.id}: the history is ready.`)
  const setAside = /kept in (.+)\.\n/.exec(restored.out)?.[1] ?? ''
  expect(existsSync(join(setAside, 'history.db'))).toBe(true)

  // In the window again.
  const again = await workspace.open()
  const shown = new HistoryPage(again)
  await shown.open()
  await expect(shown.total).toHaveText('3 records')
  await expect(shown.list).toContainText('APP-0042')
  await expect(shown.list).not.toContainText('LATER-1')
  const decided = new ApplicantPage(again)
  await decided.open('APP-0042')
  await expect(decided.decided).toHaveText('Approved')
  const audit = new AuditPage(again)
  await audit.open()
  await choose(audit.about, 'Exports and evidence')
  for (const words of [
    'Export (evidence, full) with 1 entry saved.',
    'Export (history, csv) with 3 entries saved.',
    'Export (applicants, jsonl) with 3 entries saved.'
  ])
    await expect(audit.list.getByRole('row').filter({ hasText: words })).toHaveCount(1)
  await choose(audit.about, 'Settings')
  await expect(audit.row(1)).toContainText(`The history was restored from the backup ${backup.id}.`)
  await choose(audit.about, 'All categories')
  await audit.verify.click()
  await expect(audit.result).toContainText('Audit trail intact')
  const dataManagement = new DataManagementPage(again)
  await dataManagement.open()
  await expect(dataManagement.backups).toHaveCount(1)
  await expect(dataManagement.backups).toContainText('3 records')
  await dataManagement.backups.getByRole('button', { name: /^Verify/ }).click()
  await expect(new Shell(again).message).toContainText('The backup is valid.')
  await workspace.close()

  const last = await cli('audit', 'verify', '--json')
  expect(last).toMatchObject({ code: 0, error: '' })
  expect(JSON.parse(last.out)).toMatchObject({ intact: true } satisfies Partial<AuditVerdict>)
  expect((await cli('backup', '--list')).out).toContain(backup.id)
})

test('while the window is open the command line changes nothing and says why; it can still verify a pack', async ({
  workspace,
  dataFolder,
  home,
  cli
}) => {
  test.setTimeout(90_000)
  const page = await workspace.open()
  const connection = await usePractice(page)
  await ask(page, 'verification.run', {
    runId: crypto.randomUUID(),
    connectionId: connection.id,
    operation: lookup.id,
    input: { applicant_id: 'APP-0042' }
  })
  const { backups } = await ask(page, 'backups.list')
  const before = await ask(page, 'audit.head')
  const to = join(home, 'never.json')
  const commands = [
    ['evidence', 'pack', 'applicant', 'APP-0042', '--to', to],
    ['audit', 'verify'],
    ['export', 'history', '--to', to],
    ['retention', '--dry-run'],
    ['backup'],
    ['restore', backups[0]?.id ?? '20260101T000000000Z-0000']
  ]
  for (const words of commands) {
    const refused = await cli(...words)
    expect(refused, words.join(' ')).toMatchObject({ code: exitCodes.unavailable.code, out: '' })
    expect(refused.error).toBe(
      `Veridesk is already running with the data in ${dataFolder}.\nNothing was sent or changed.\nClose it, or use another folder with --data DIR.\n`
    )
  }
  expect(existsSync(to)).toBe(false)
  expect((await readdir(dataFolder)).filter((name) => name.startsWith('history'))).toEqual(['history'])
  expect(await ask(page, 'audit.head')).toEqual(before)
  expect((await ask(page, 'backups.list')).backups).toEqual(backups)
  expect(await cli('evidence', 'verify', to)).toMatchObject({ code: exitCodes.failed.code })
  // The window was not affected.
  const history = new HistoryPage(page)
  await history.open()
  await expect(history.list).toContainText('APP-0042')
})
