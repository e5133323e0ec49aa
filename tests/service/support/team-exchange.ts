/** An installation that exchanges events: its history on disk, what it received, and a line to a real database. */
import { join } from 'node:path'
import { validSigningKey } from '#core/evidence/own-keys.ts'
import { keyOfSigner } from '#wire/evidence/keys.ts'
import { openHistory } from '#core/history/open.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import { readSecrets, readTeam } from '#core/team/installation/saved.ts'
import { withKeys, withRoster } from '#core/team/installation/session.ts'
import { contentKeysIn, membersIn } from '#exchange/log/from-roster.ts'
import type { OwnHistory } from '#team/thread/ports.ts'
import { openReceived, teamFolder } from '#team/log/received-schema.ts'
import { Received } from '#exchange/log/received.ts'
import { stateHash } from '#exchange/log/receive.ts'
import { exchangeOnce, type Round, type RoundParts } from '#exchange/log/round.ts'
import { teamTables } from '#team/log/database.ts'
import { roleOf } from '#team/database/member-role.ts'
import { openLine, type TeamLine } from '#team/transport/line.ts'
import type { Clock } from '#kit/clock.ts'
import { answer, clock as systemClock, intentOf, testKey } from '../history-fixtures.ts'
import type { Installation } from './team-installation.ts'
import { valueOf } from './team-installation.ts'
import { launchWorkers } from './workers.ts'

export interface Exchanging {
  readonly one: Installation
  readonly store: HistoryStore
  readonly received: Received
  /** For `startExchange`: everything but the line. */
  readonly parts: Omit<RoundParts, 'tables'>
  /** Reads the list of members anew; call after it has changed. */
  refresh(): Promise<void>
  openLine(): ReturnType<typeof openLine>
  /** One round, with a line of its own. `waiting`: how long others' events have waited for an anchor. `now`: its time, if it is another. */
  round(waiting?: number, now?: number): ReturnType<typeof exchangeOnce>
  /** Rounds until nothing moves. Throws after so many; 100 if absent. */
  settle(rounds?: number): Promise<Round>
  /** Of everything that it has. */
  hash(): Promise<string>
  check(applicant: string, message?: string): Promise<string>
  close(): Promise<void>
}

/** Opens an installation that is a member. Its history is a real one, in its own worker. @param clock Its own, which may be wrong. */
export async function exchanging(one: Installation, clock: Clock = systemClock): Promise<Exchanging> {
  const opened = valueOf(
    await openHistory({
      folder: join(one.folder, 'history'),
      secrets: one.secrets,
      launch: launchWorkers,
      clock,
      kept: 'file'
    })
  )
  const received = new Received(valueOf(openReceived(teamFolder(one.folder), testKey)))
  const { store } = opened
  const session = { dataFolder: one.folder, keychain: one.secrets, clock }
  const signingKey = valueOf(await validSigningKey(one.secrets, clock.now()))
  const history: OwnHistory = {
    read: (task) => store.exchange.read({ ...task, kept: [] }),
    subjects: (numbers) => store.exchange.subjects(numbers),
    claims: (after) => store.exchange.claims({ after, kept: [] }),
    withdraw: (subjects) =>
      store.audit.note({ kind: 'team.withdrawn', operator: 'tester', at: clock.now(), plain: { subjects } }),
    acknowledge: (erasures) =>
      store.audit.note({ kind: 'team.acknowledged', operator: 'tester', at: clock.now(), plain: { erasures } }),
    anchor: (heads) =>
      store.audit.note({ kind: 'team.anchored', operator: 'tester', at: clock.now(), plain: { heads } })
  }
  const { installation } = one
  const team = valueOf(readTeam(one.folder))?.team ?? ''
  const parts = {
    store: received,
    history,
    signingKey,
    publicKey: keyOfSigner(signingKey),
    installation,
    team,
    isSharing: true
  } as unknown as Omit<RoundParts, 'tables'> & Record<string, unknown>
  const refresh = async (): Promise<void> => {
    const read = valueOf(await withRoster(session, async ({ roster }) => ({ ok: true, value: roster })))
    Object.assign(parts, { members: membersIn(read) })
    if (!read.members.has(installation)) return
    const known = valueOf(await withKeys(session, async ({ roster, keys }) => ({ ok: true, value: { roster, keys } })))
    Object.assign(parts, { keys: valueOf(contentKeysIn(known.roster, known.keys)) })
  }
  await refresh()
  const lines: TeamLine[] = []
  const dial: Exchanging['openLine'] = async () => {
    const { database } = valueOf(readTeam(one.folder)) ?? {}
    const { password } = valueOf(await readSecrets(one.secrets, installation))
    const line = await openLine({
      host: database?.host ?? '',
      port: database?.port ?? 0,
      database: database?.database ?? '',
      user: roleOf(installation),
      password,
      trust: undefined
    })
    if (line.ok) lines.push(line.value)
    return line
  }
  const round: Exchanging['round'] = async (waiting = 0, now = clock.now()) => {
    const line = valueOf(await dial())
    const done = await exchangeOnce({ ...parts, tables: teamTables(line, '127.0.0.1') }, { now, waiting })
    await line.close()
    return done
  }
  return {
    one,
    store,
    received,
    parts,
    refresh,
    round,
    openLine: dial,
    async settle(rounds = 100) {
      for (let n = 0; n < rounds; n += 1) {
        const done = valueOf(await round())
        if (done.sent + done.received === 0 && !done.more) return done
      }
      throw new Error('it does not settle')
    },
    async hash() {
      const { last } = valueOf(await store.exchange.read({ after: 0, events: 0, bytes: 0, kept: [] }))
      return stateHash(team, [
        [installation, last],
        ...received.heads().map(({ id, seq, hash }) => [id, { seq, hash: hash.toString('hex') }] as const)
      ])
    },
    async check(applicant, message = 'Accepted') {
      const { id } = valueOf(await store.begin(intentOf({ applicant })))
      valueOf(await store.finish(id, answer(message)))
      return id
    },
    async close() {
      await Promise.all(lines.map((line) => line.close()))
      received.close()
      await store.close()
    }
  }
}
