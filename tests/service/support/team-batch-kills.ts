/**
 * Kills (SIGKILL) of the processes that run a shared batch, and of PostgreSQL, at random moments; then every row is
 * compared with the service's own ledger.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bodyDigest, readLedger } from '#practice/ledger.ts'
import { startTeamDatabase, type TeamDatabase } from './postgres.ts'
import { startGate, type Gate } from './gate.ts'
import { must, openTeamGround, secretsFile } from './team-batch-ground.ts'
import { addressOf, installed, requestOf, valueOf, type Installation } from './team-installation.ts'

const runner = fileURLToPath(new URL('./team-batch-runner.ts', import.meta.url))
const practice = fileURLToPath(new URL('../../../practice/main.ts', import.meta.url))

export interface TeamKillOptions {
  /** Of runners and of PostgreSQL together. */
  readonly kills: number
  /** Every how many kills it is PostgreSQL; 0 for never. */
  readonly database: number
  readonly rows: number
  readonly installations: number
  readonly atOnce: number
  /** Longest time between two kills, milliseconds. */
  readonly within: number
  /** From 0 to 1. */
  random(): number
}

export interface TeamKillReport {
  readonly kills: number
  readonly databaseKills: number
  /** Of installations that were running the batch; the others were starting, or opening their history. */
  readonly runningKills: number
  readonly rows: number
  readonly answered: number
  /** Sent, or about to be, when somebody died; labelled as such. */
  readonly unknown: number
  readonly requests: number
  /** Rows that reached the service more than once. */
  readonly doubled: number
  /** Rows without an outcome and without a label, or with an answer that the service did not give. */
  readonly lost: number
  /** Rows that reached the service and say that they were not sent. */
  readonly unlabelled: number
  /** How many installations sent rows. */
  readonly senders: number
}

/**
 * Every call of these is an installation in a folder, with its keychain as a file.
 *
 * @param folders Receives each folder once it exists.
 */
export async function teamOf(
  database: TeamDatabase,
  count: number,
  folders: string[]
): Promise<readonly Installation[]> {
  const arrived = async (number: number): Promise<Installation> => {
    const one = await installed(database, `Installation ${number}`)
    folders.push(one.folder)
    return one
  }
  const founder = await arrived(1)
  valueOf(await founder.team.create({ name: founder.name, database: addressOf(database) }))
  const all = [founder]
  for (let number = 2; number <= count; number += 1) {
    const newcomer = await arrived(number)
    const invited = valueOf(await founder.team.invite())
    const request = await requestOf(newcomer, readFileSync(founder.file, 'utf8'), invited?.words ?? '')
    valueOf(await founder.team.admit({ ...request, role: 'reviewer' }))
    all.push(newcomer)
  }
  for (const one of all) {
    valueOf(await one.team.share({ kept: [] }))
    await one.team.close()
    writeFileSync(secretsFile(one.folder), JSON.stringify(Object.fromEntries(one.secrets.entries)))
  }
  return all
}

/** Throws if the batch cannot run at all, since nothing could be proved. */
export async function teamKillRounds(options: TeamKillOptions): Promise<TeamKillReport> {
  const { kills, rows, atOnce, random } = options
  // Each kill may leave as many rows unknown as are in progress. What is left keeps the batch from ending before the last kill.
  const perKill = Math.floor(rows / kills) - atOnce - 1
  if (perKill < 1) throw new Error('too few rows for so many kills')
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-team-kills-'))
  const folders = [folder]
  const ledger = join(folder, 'ledger.jsonl')
  const service = spawn(process.execPath, [practice, '--port', '0', '--latency', '2-20', '--ledger', ledger], {
    stdio: ['ignore', 'pipe', 'ignore']
  })
  const database = await startTeamDatabase()
  const running = new Map<number, ChildProcess>()
  let gate: Gate | undefined
  try {
    gate = await startGate(await addressSaid(service))
    const { baseUrl, allow, passed } = gate
    const team = await teamOf(database, options.installations, folders)
    const errors: string[] = []
    let over = 0
    const begun = new Set<number>()
    /** Those that run the batch now. */
    const started = new Set<number>()
    const start = (index: number): void => {
      const args = [runner, team[index]?.folder ?? '', baseUrl, String(atOnce), ...(index === 0 ? [String(rows)] : [])]
      const child = spawn(process.execPath, args, {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') }
      })
      running.set(index, child)
      let said = ''
      child.stdout?.on('data', (part: Buffer) => {
        said = part.toString().trimEnd()
        if (said.includes('"running"')) begun.add(index)
        if (said.includes('"started"')) started.add(index)
        if (said.includes('"ended"')) started.delete(index)
      })
      child.stderr?.on('data', (part: Buffer) => errors.push(part.toString()))
      child.once('exit', (code, signal) => {
        if (running.get(index) !== child) return
        running.delete(index)
        started.delete(index)
        if (signal === 'SIGKILL') return
        if (code === 0) over += 1
        else errors.push(`after ${killed} kills installation ${index + 1} ended with ${code}: ${said}`)
      })
    }
    let [killed, databaseKills, runningKills] = [0, 0, 0]
    team.forEach((_, index) => start(index))
    // Kills before anybody runs would prove little.
    while (begun.size < team.length && errors.length === 0) await new Promise((resolve) => setTimeout(resolve, 50))
    allow(perKill)
    while (killed < kills && errors.length === 0) {
      // Three of four while the batch runs and rows have been sent since the last kill; the others at any moment, such as during recovery.
      const [isAny, before] = [random() < 0.25, passed()]
      while (!isAny && (started.size === 0 || passed() === before) && errors.length === 0)
        await new Promise((resolve) => setTimeout(resolve, 20))
      await new Promise((resolve) => setTimeout(resolve, options.within * random()))
      if (errors.length > 0) break
      killed += 1
      if (options.database > 0 && killed % options.database === 0) {
        await database.postgres.kill()
        databaseKills += 1
        await database.postgres.start()
        allow(perKill)
      } else {
        const victims = [...(isAny ? running.keys() : started)]
        const index = victims[Math.floor(random() * victims.length)]
        const child = index === undefined ? undefined : running.get(index)
        if (index === undefined || !child) break
        if (started.has(index)) runningKills += 1
        const gone = new Promise((resolve) => child.once('exit', resolve))
        child.kill('SIGKILL')
        await gone
        started.delete(index)
        allow(perKill)
        // One that starts again goes on at once; one that stays away is replaced by somebody else.
        if (random() < 0.3 && over === 0)
          while (started.size === 0 && over === 0 && errors.length === 0)
            await new Promise((resolve) => setTimeout(resolve, 100))
        start(index)
      }
    }
    allow(rows)
    while (over < team.length && errors.length === 0) await new Promise((resolve) => setTimeout(resolve, 100))
    if (errors.length > 0) throw new Error(`the batch did not run: ${errors.join('').slice(0, 4000)}`)
    const report = await compare(team[0]?.folder ?? '', baseUrl, ledger, rows)
    return { kills: killed, databaseKills, runningKills, ...report }
  } finally {
    for (const child of running.values()) child.kill('SIGKILL')
    gate?.close()
    service.kill('SIGKILL')
    await database.end()
    for (const each of folders) rmSync(each, { recursive: true, force: true })
  }
}

export const addressSaid = (service: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ''
    service.stdout?.on('data', (part: Buffer) => {
      text += part.toString()
      const found = /Practice service at (http:\S+)/.exec(text)?.[1]
      if (found) resolve(found)
    })
    service.once('exit', () => reject(new Error('the practice service did not start')))
  })

async function compare(
  folder: string,
  baseUrl: string,
  ledger: string,
  rows: number
): Promise<Omit<TeamKillReport, 'kills' | 'databaseKills' | 'runningKills'>> {
  const reached = new Map<string, number>()
  for (const { digest } of readLedger(ledger)) reached.set(digest, (reached.get(digest) ?? 0) + 1)
  const ground = await openTeamGround(folder, baseUrl)
  try {
    const batch = must(await ground.batches.list({ limit: 1 }))[0]
    if (!batch) throw new Error('there is no batch')
    await received(ground)
    const draft = must(await ground.store.batches.draft(batch.id))
    const { source } = must(await ground.team.batches.results({ batch, draft }, ground.store.batches))
    const { shares } = must(await ground.team.batches.progress(batch.id))
    let [answered, unknown, lost, unlabelled, seen] = [0, 0, 0, 0, 1]
    for (let after = 0, more = true; more;) {
      const page = must(await source.results(batch.id, { after, limit: 500, records: true }))
      for (const { row, state, cells } of page.rows) {
        if (row !== seen + 1) lost += 1
        seen = row
        const times = reached.get(bodyDigest(JSON.stringify({ applicant_id: cells[0] }))) ?? 0
        if (state === 'answered') answered += 1
        else if (state === 'unknown') unknown += 1
        else if (times > 0) unlabelled += 1
        else if (state !== 'not-sent') lost += 1
        if (state === 'answered' && times === 0) lost += 1
      }
      after = page.rows.at(-1)?.row ?? after
      more = page.more
    }
    return {
      // The first row is the line after the headings.
      rows: seen - 1,
      answered,
      unknown,
      lost: lost + Math.abs(rows + 1 - seen),
      unlabelled,
      senders: shares.filter((share) => share.rows > 0).length,
      requests: [...reached.values()].reduce((sum, times) => sum + times, 0),
      doubled: [...reached.values()].filter((times) => times > 1).length
    }
  } finally {
    await ground.close()
  }
}

/** Waits until everything that others shared has arrived. */
export async function received({ team }: Awaited<ReturnType<typeof openTeamGround>>): Promise<void> {
  for (;;) {
    const exchange = must(await team.exchange())
    if (exchange?.at !== undefined && exchange.state === 'connected' && exchange.toReceive === 0) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
