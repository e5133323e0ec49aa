/**
 * One host's day, run by itself in a network of its own: every socket that any of its processes connects or sends from, as the kernel
 * is asked, and every packet that leaves. Prints its row and its faults.
 */
import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { operations } from '#contract/verification/operations.ts'
import type { PracticeService } from '#practice/service.ts'
import { savesInto } from '../../../tests/app/fixtures/files.ts'
import { startHost, type HostName } from '../../../tests/app/fixtures/hosts.ts'
import { outside, packetsOut } from '../../../tests/app/fixtures/own-network.ts'
import { electronRuntime } from '../../../tests/app/fixtures/runtime.ts'
import { ask, useService } from '../../../tests/app/fixtures/workspace.ts'
import { identity, pem } from '../../../tests/service/evidence-authorities.ts'
import { hasPostgres, startTeamDatabase, type TeamDatabase } from '../../../tests/service/support/postgres.ts'
import { fileOf, newSigner, noticeAt } from '../../../tests/service/support/release-notices.ts'
import { addressOf } from '../../../tests/service/support/team-installation.ts'
import { serveFeed } from '../../../tests/service/support/update-feed.ts'
import type { UpdateFeed } from '#contract/updates/updates.ts'
import { goTo } from '../../../tests/app/pages/go.ts'
import { LockPage } from '../../../tests/app/pages/lock.ts'
import { inPlace } from '../../bench/window/place.ts'
import { contactsIn, type Contact } from './contacts.ts'

/**
 * Chromium asks the kernel for a route to this address, to learn whether the computer has IPv6: it connects a UDP socket
 * and sends nothing.
 */
const probe = { to: '2001:4860:4860::8888', port: 443 }

const views = [
  '/overview',
  '/history',
  '/applicants',
  '/queue',
  '/catalogue',
  '/audit',
  '/batches',
  '/batches/new',
  '/administration/connections',
  '/administration/data-management',
  '/evidence',
  '/administration/settings',
  '/administration/team',
  '/diagnosis',
  '/about',
  ...operations.map(({ id }) => `/verify/${id}`)
]

/** A team on a real database, from its foundation. */
async function team(page: Page, database: TeamDatabase): Promise<void> {
  database.postgres.sql((await ask(page, 'team.access')).sql, 'team')
  await ask(page, 'team.create', { name: 'Anna Weber', database: addressOf(database) })
  await ask(page, 'team.invite')
  await ask(page, 'team.exchange')
}

interface Around {
  readonly service: PracticeService
  /** The address of the time-stamp authority. */
  readonly authority: string
  readonly feed: UpdateFeed
  readonly database: TeamDatabase | undefined
}

/** Verifications, a batch, decisions, files of every kind, the diagnosis, the lock and every view. */
async function work(page: Page, { service, authority, feed, database }: Around, rounds: number): Promise<void> {
  const { id: connectionId } = await useService(page, service)
  if (database) await team(page, database)
  await ask(page, 'diagnosis.run', { diagnosisId: crypto.randomUUID(), id: connectionId })
  await ask(page, 'connections.reach', { id: connectionId })
  await ask(page, 'settings.change', {
    timestampAuthority: { name: 'Authority', url: authority, certificates: pem(identity('Authority')) }
  })
  await ask(page, 'settings.change', { updateFeed: feed })
  await ask(page, 'updates.check')
  for (let round = 0; round < rounds; round += 1)
    for (const { id: operation, fields } of operations) {
      const input = Object.fromEntries(
        fields.map(({ name, kind }) => [name, kind === 'url' ? 'https://files.example.com/id.jpg' : `APP-${round}`])
      )
      await ask(page, 'verification.run', {
        runId: crypto.randomUUID(),
        connectionId,
        operation,
        input,
        repeatAnyway: true
      }).catch(() => undefined)
    }
  // Addresses that documents must not be fetched from.
  for (const url of ['http://127.0.0.1:9/x.jpg', 'http://169.254.169.254/latest', 'http://10.0.0.1/x.jpg'])
    await ask(page, 'documents.open', { connectionId, field: 'photo_url', url, applicantId: 'APP-0' }).catch(
      () => undefined
    )
  const { checkId } = await ask(page, 'batches.checkText', {
    name: 'rows.csv',
    text: ['applicant_id', ...Array.from({ length: 40 }, (_, at) => `ROW-${at}`)].join('\n'),
    reading: { operations: ['get-applicant-details'] }
  })
  const batch = await ask(page, 'batches.create', {
    checkId,
    connectionId,
    name: 'Day',
    atOnce: 4,
    pace: 0,
    skipDuplicates: true,
    skipRecent: false
  })
  await ask(page, 'batches.start', { id: batch.id })
  for (
    let tries = 0;
    tries < 600 && (await ask(page, 'batches.show', { id: batch.id })).state === 'running';
    tries += 1
  )
    await page.waitForTimeout(100)
  for (const format of ['csv', 'jsonl'] as const)
    await ask(page, 'exports.history', { exportId: crypto.randomUUID(), filter: {}, format })
  await ask(page, 'evidence.create', { about: { kind: 'applicant', id: 'APP-0' }, profile: 'full', pdf: true }).catch(
    () => undefined
  )
  await ask(page, 'backups.create').catch(() => undefined)
  await ask(page, 'audit.verify')
  for (const on of [true, false]) await ask(page, 'screenShare.switch', { on })
  // A locked window loads anew, and once more when it is unlocked.
  const lock = new LockPage(page)
  await ask(page, 'lock.now').catch(() => undefined)
  await lock.unlock.click()
  await lock.root.waitFor({ state: 'detached' })
  await page.getByRole('main').waitFor()
  if (database) await ask(page, 'team.exchange')
  for (const view of views) {
    await goTo(page, view)
    await page.waitForTimeout(200)
  }
}

/** A program that stands in for another one and runs it under strace. */
function traced(program: string, folder: string): { readonly script: string; readonly output: string } {
  const [script, output] = [join(folder, `traced-${randomBytes(4).toString('hex')}.sh`), join(folder, 'trace.txt')]
  writeFileSync(
    script,
    `#!/bin/sh\nexec strace -f -qq --seccomp-bpf -e trace=connect,sendto,sendmsg,sendmmsg -e signal=none -yy -s 0 -o '${output}' '${program}' "$@"\n`
  )
  chmodSync(script, 0o755)
  return { script, output }
}

const listening = (server: Server): Promise<number> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)))

/** How much of a day. */
export interface AskedDay {
  readonly host: HostName
  readonly rounds: number
  /** Seconds in which nobody works: a browser looks for updates and the like then. */
  readonly idle: number
}

export interface Day {
  readonly row: readonly (string | number)[]
  readonly faults: readonly string[]
}

const datagramOut = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = createSocket('udp4')
    socket.send('x', 9, outside.address, (error) => {
      socket.close()
      if (error) reject(error)
      else resolve()
    })
  })

/** One host, from its start to its end. */
const inHost = ({ host, rounds, idle }: AskedDay): Promise<Day> =>
  inPlace({}, async ({ place, service }) => {
    let asked = 0
    const authority = createServer((_request, response) => {
      asked += 1
      response.writeHead(503).end()
    })
    const authorityPort = await listening(authority)
    const signer = newSigner()
    const feed = await serveFeed(fileOf(noticeAt(Date.now()), signer))
    const feedPort = Number(new URL(feed.url).port)
    const database = hasPostgres ? await startTeamDatabase() : undefined
    const runtime = electronRuntime()
    const program = host === 'preview' ? process.execPath : 'missing' in runtime ? '' : runtime.executablePath
    const { script, output } = traced(program, place.home)
    const atFirst = packetsOut()
    mkdirSync(join(place.home, 'Downloads'))
    const session = await startHost(host, { ...place, executable: script })
    await savesInto(session, join(place.home, 'Downloads'))
    const named: UpdateFeed = { url: feed.url, channel: 'stable', publicKeys: [signer.publicLine] }
    await work(
      session.page,
      { service, authority: `http://127.0.0.1:${authorityPort}/tsa`, feed: named, database },
      rounds
    )
    await session.page.waitForTimeout(idle * 1000)
    await session.close()
    authority.close()
    await feed.close()
    await database?.end()
    const packets = packetsOut() - atFirst
    const servicePort = Number(new URL(service.baseUrl).port)
    const contacts = contactsIn(readFileSync(output, 'utf8')).filter(
      ({ to, port, sends, protocol }) => !(protocol === 'UDP' && !sends && to === probe.to && port === probe.port)
    )
    const isThere = ({ to }: Contact): boolean => to === '127.0.0.1' || to === '::ffff:127.0.0.1'
    const toService = contacts.filter((each) => isThere(each) && each.port === servicePort)
    const toAuthority = contacts.filter((each) => isThere(each) && each.port === authorityPort)
    const toDatabase = contacts.filter((each) => isThere(each) && each.port === database?.postgres.port)
    const toFeed = contacts.filter((each) => isThere(each) && each.port === feedPort)
    const others = contacts.filter(
      (each) => ![toService, toAuthority, toDatabase, toFeed].some((known) => known.includes(each))
    )
    const label = host === 'electron' ? 'Electron' : 'preview'
    const faults = others.map(({ to, port, protocol }) => `${label}: ${to}, port ${port}, ${protocol}`)
    if (packets > 0) faults.push(`${label}: ${packets} packets left the computer`)
    // Otherwise the count would see nothing, and prove nothing.
    await datagramOut()
    if (packetsOut() - atFirst - packets !== 1) faults.push(`${label}: one packet that left on purpose was not counted`)
    // And neither would the trace.
    if (toService.length === 0 || service.ledger().length === 0)
      faults.push(
        `${label}: the trace shows no connection to the service, which received ${service.ledger().length} requests`
      )
    if (database && toDatabase.length === 0)
      faults.push(`${label}: the trace shows no connection to the team’s database`)
    // Once by a person; the schedule finds nothing due on the same day.
    if (feed.asked.length !== 1 || toFeed.length !== 1)
      faults.push(
        `${label}: ${toFeed.length} connections and ${feed.asked.length} requests to the update feed, which was asked once`
      )
    return {
      row: [
        label,
        service.ledger().length,
        toService.length,
        toAuthority.length,
        asked,
        toFeed.length,
        feed.asked.length,
        database ? toDatabase.length : 'not run',
        others.length,
        packets
      ],
      faults: [...new Set(faults)]
    }
  })

process.stdout.write(`\n${JSON.stringify(await inHost(JSON.parse(process.argv[2] ?? '') as AskedDay))}\n`)
process.exit(0)
