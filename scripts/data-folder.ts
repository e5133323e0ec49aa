/**
 * Makes tests/fixtures/data-folder-VERSION: a data folder with this version's schema as people have it on their disks. It has
 * the files as they are when the program is killed, the entries of the keychain, and what this version reads from them.
 *
 *   node scripts/run.mjs scripts/data-folder.ts [--again]
 *
 * VERSION is the product's, such as 0.2. All data and secrets are made up. `--again` replaces the folder of a version that is not
 * released yet, after a change of the schema; the one of a released version is never made again. It needs a keyring and PostgreSQL.
 */
import { randomUUID } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import keytar from 'keytar'
import { fillWithExamples } from '#core/sample/fill.ts'
import { systemClock } from '../electron/hosts/node/ports.ts'
import { startTestConsole, type TestConsole } from '../tests/service/support/console.ts'
import { readAuditTrail, readFolder, readTeam } from '../tests/service/support/folder-readings.ts'
import { startTeamDatabase, type TeamDatabase } from '../tests/service/support/postgres.ts'
import { exchanging } from '../tests/service/support/team-exchange.ts'
import { addressOf, installed, requestOf } from '../tests/service/support/team-installation.ts'
import { besideKeyring } from './prove/console-workspace.ts'
import { inProofFolder } from './prove/proof-folder.ts'
import { accountIn, fixtures, headAccount, packageVersion, presentName } from './prove/upgrade/kept-folders.ts'

const place = join(fixtures, presentName)
const erased = 'SAMPLE-0012'
const operator = 'first.person'
const version = { version: packageVersion }

/** Waits until a console's answer is as it must be. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await setTimeout(50)
}

const batchEnded = ({ get }: TestConsole, id: string): Promise<void> =>
  until(async () => (await get('batches.show', { id })).state === 'finished')

/** Creates a batch of these applicants, as a draft. */
async function createBatch(
  { get }: TestConsole,
  connectionId: string,
  name: string,
  ids: readonly string[]
): Promise<string> {
  const { checkId } = await get('batches.checkText', {
    name: `${name}.csv`,
    text: ['applicant_id', ...ids, ''].join('\n'),
    reading: { operation: 'get-applicant-details' }
  })
  return (
    await get('batches.create', {
      checkId,
      connectionId,
      name,
      atOnce: 1,
      pace: 0,
      skipDuplicates: true,
      skipRecent: false
    })
  ).id
}

/** What people do before the kill. Returns the recovery key. */
async function work(console: TestConsole): Promise<string> {
  const { get } = console
  await fillWithExamples({
    handle: console.veridesk.handle,
    clock: systemClock,
    batchEnded: (id) => batchEnded(console, id),
    signal: new AbortController().signal,
    progress: ({ failure }) => {
      if (failure) throw new Error(failure.code)
    }
  })
  const recovery = await get('recovery.create')
  await get('recovery.confirm', { createdAt: recovery.createdAt })
  await get('holds.place', { applicantId: 'SAMPLE-0014', reason: 'A complaint is being examined.' })
  await get('backups.create')
  await get('erasure.run', { applicantId: erased, confirmation: erased, reason: 'Asked to be forgotten.' })
  await get('settings.change', { retentionDays: { '*': 1825 }, spendGuardMinutes: 720 })
  // Creates the signing key.
  await get('evidence.publicKey')
  return recovery.key
}

/** Founds a team with a colleague, who shares a verification. */
async function joinTeam(console: TestConsole, database: TeamDatabase, temporary: string): Promise<void> {
  const { get } = console
  database.postgres.sql((await get('team.access')).sql, 'team')
  await get('team.create', { name: 'Anna Weber', database: addressOf(database) })
  console.save = join(temporary, 'invitation.json')
  const invited = await get('team.invite')
  const ben = await installed(database, 'Ben Okoro')
  const request = await requestOf(ben, readFileSync(console.save, 'utf8'), invited?.number ?? '')
  await get('team.admit', { ...request, role: 'reviewer' })
  await get('team.share', { kept: [] })
  const exchange = await exchanging(ben)
  await exchange.check('SAMPLE-0001', 'Document accepted')
  await exchange.settle()
  await until(async () => (await get('team.activity', { limit: 10 })).entries.length > 0)
  await exchange.close()
  rmSync(ben.folder, { recursive: true, force: true })
}

/** Begins a verification and a batch whose service is silent, so that the copy has both of them in progress. */
async function begin(console: TestConsole): Promise<{ end(): Promise<void> }> {
  const { get } = console
  const { id: connectionId } = await get('practice.start')
  await createBatch(console, connectionId, 'Draft', ['SAMPLE-0101', 'SAMPLE-0102'])
  const interrupted = await createBatch(console, connectionId, 'Interrupted', [
    'SAMPLE-0103',
    'PRACTICE-silent',
    'SAMPLE-0104'
  ])
  const runId = randomUUID()
  const running = get('verification.run', {
    runId,
    connectionId,
    operation: 'get-applicant-details',
    input: { applicant_id: 'PRACTICE-silent' },
    repeatAnyway: true
  })
  await get('batches.start', { id: interrupted })
  await until(async () => {
    const { counts } = await get('batches.show', { id: interrupted })
    return (
      counts.answered === 1 &&
      counts.open === 1 &&
      (await get('history.counts', { filter: { states: ['open'] } })).total > 1
    )
  })
  return {
    async end() {
      await get('verification.cancel', { runId })
      await running
    }
  }
}

async function make(): Promise<void> {
  await besideKeyring((keychain) =>
    inProofFolder(async (temporary) => {
      const life = await startTestConsole(undefined, operator, version)
      const recoveryKey = await work(life)
      const database = await startTeamDatabase()
      await joinTeam(life, database, temporary)
      const inProgress = await begin(life)
      const { events } = await life.get('audit.page', { limit: 1 })
      // Its README stays.
      rmSync(join(place, 'folder'), { recursive: true, force: true })
      mkdirSync(place, { recursive: true })
      cpSync(life.dataFolder, join(place, 'folder'), { recursive: true })
      const entries: Record<string, string> = {}
      for (const { account, password } of await keytar.findCredentials('Veridesk'))
        entries[account === accountIn(life.dataFolder, headAccount) ? headAccount : account] = password
      await inProgress.end()
      await life.dispose()
      await database.end()
      rmSync(join(place, 'folder', 'logs'), { recursive: true, force: true })

      // Its next start, on a copy.
      const dataFolder = join(temporary, 'data')
      cpSync(join(place, 'folder'), dataFolder, { recursive: true })
      await keychain.set(accountIn(dataFolder, headAccount), entries[headAccount] ?? '')
      const next = await startTestConsole({ dataFolder, practice: life.practice }, operator, version)
      const { history } = await next.get('app.state')
      if (history.state !== 'ready' || history.interrupted < 2)
        throw new Error(`the copy does not open as it must: ${JSON.stringify(history)}`)
      // Without what a start adds: its time is another one at each start.
      const auditTrail = await readAuditTrail(next.get, events[0]?.seq ?? 0)
      const { fingerprint } = await next.get('evidence.publicKey')
      const readings = await readFolder(next.get)
      const team = await readTeam(next.get)
      await next.close()
      const sorted = Object.fromEntries(Object.entries(entries).sort(([one], [other]) => (one < other ? -1 : 1)))
      writeFileSync(join(place, 'keychain.json'), `${JSON.stringify({ recoveryKey, entries: sorted }, undefined, 2)}\n`)
      writeFileSync(
        join(place, 'expected.json'),
        `${JSON.stringify({ signer: fingerprint, erased: { applicant: erased }, auditTrail, readings, team })}\n`
      )
    })
  )
}

if (existsSync(place) && !process.argv.includes('--again')) {
  console.error(`${presentName} exists. If version ${packageVersion} is not released yet, --again replaces it.`)
  process.exitCode = 1
} else await make()
