/** What actions in a team need first: a database, colleagues, and what they ask for. */
import { readFile, rm } from 'node:fs/promises'
import { expect } from 'vitest'
import { schemaSql } from '#team/database/schema.ts'
import type { TestConsole } from './console.ts'
import { startTeamDatabase, type TeamDatabase } from './postgres.ts'
import { exchanging } from './team-exchange.ts'
import { addressOf as teamAddress, installed, requestOf, valueOf, type Installation } from './team-installation.ts'

/** @param console The one that the actions are performed in. @param applicantId Of the request for approval. */
export function teamActs(console: () => TestConsole, applicantId: string) {
  /** A database of one server, with an empty team. */
  let server: Promise<TeamDatabase> | undefined
  const folders: string[] = []
  async function arrived(database: TeamDatabase, name: string): Promise<Installation> {
    const one = await installed(database, name)
    folders.push(one.folder)
    return one
  }
  async function emptyTeam(): Promise<TeamDatabase> {
    const database = await (server ??= startTeamDatabase())
    database.postgres.sql('DROP SCHEMA veridesk CASCADE', 'team')
    database.postgres.sql(schemaSql, 'team')
    return database
  }
  const withAccess = async (): Promise<void> =>
    void (await (server ??= startTeamDatabase())).postgres.sql((await console().get('team.access')).sql, 'team')
  async function inTeam(): Promise<TeamDatabase> {
    const database = await emptyTeam()
    await withAccess()
    await console().get('team.create', { name: 'Tester', database: teamAddress(database) })
    return database
  }
  async function inTeamWith<T>(input: T): Promise<T> {
    await inTeam()
    return input
  }
  async function colleagueInTeam(): Promise<Installation> {
    const database = await emptyTeam()
    const founder = await arrived(database, 'Founder')
    valueOf(await founder.team.create({ name: 'Founder', database: teamAddress(database) }))
    return founder
  }
  /** A team of somebody else, to which this console has access only. */
  async function installedInTeam() {
    const database = await emptyTeam()
    const founder = await arrived(database, 'Founder')
    const { words, recoveryKey = '' } = valueOf(
      await founder.team.create({ name: 'Founder', database: teamAddress(database) })
    )
    await withAccess()
    return { database: teamAddress(database), words, recoveryKey }
  }
  async function newcomersRequest() {
    const database = await inTeam()
    const { path = '', words = '' } = (await console().get('team.invite')) ?? {}
    const newcomer = await arrived(database, 'Newcomer')
    return { newcomer, request: await requestOf(newcomer, await readFile(path, 'utf8'), words) }
  }
  async function admitted(): Promise<string> {
    const { newcomer, request } = await newcomersRequest()
    await console().get('team.admit', { ...request, role: 'analyst' })
    return newcomer.installation
  }

  async function withSecondSupervisor(): Promise<Installation> {
    const { newcomer, request } = await newcomersRequest()
    await console().get('team.admit', { ...request, role: 'supervisor' })
    return newcomer
  }
  /** Switching two-person admission off, which a colleague has signed. */
  async function waiting(): Promise<{ readonly entry: string }> {
    const colleague = await withSecondSupervisor()
    await console().get('team.changeRule', { twoPerson: true })
    const { waiting: entries } = valueOf(await colleague.team.changeRule({ twoPerson: false }))
    return { entry: entries[0]?.entry ?? '' }
  }

  /** A request for approval of a colleague that has arrived here. */
  async function colleaguesAsk(): Promise<{ readonly installation: string; readonly seq: number }> {
    const { newcomer, request } = await newcomersRequest()
    await console().get('team.admit', { ...request, role: 'analyst' })
    await console().get('team.share', { kept: [] })
    const { check, store, settle, close, parts } = await exchanging(newcomer)
    await check(applicantId)
    const by = { at: 1_790_000_000_000, operator: 'newcomer' }
    const { evidence } = valueOf(await store.applicants.show(applicantId))
    const { decision } = valueOf(
      await store.applicants.decide({ applicantId, decision: 'approve', reasons: [], note: '', evidence }, by)
    )
    const { installation } = newcomer
    const { seq } = valueOf(
      await store.approvals.ask(
        {
          applicantId,
          decision: decision?.seq ?? 0,
          installation,
          scope: parts.team,
          evidence: [],
          note: ''
        },
        by
      )
    )
    await settle()
    await expect
      .poll(async () => (await console().get('team.approvals', { limit: 1, applicantId }))?.approvals.length, {
        timeout: 30_000
      })
      .toBe(1)
    await close()
    return { installation, seq }
  }
  return {
    emptyTeam,
    withAccess,
    inTeam,
    inTeamWith,
    colleagueInTeam,
    installedInTeam,
    newcomersRequest,
    admitted,
    withSecondSupervisor,
    waiting,
    colleaguesAsk,
    server: () => (server ??= startTeamDatabase()),
    async end() {
      await (await server)?.end()
      for (const folder of folders) await rm(folder, { recursive: true, force: true })
    }
  }
}
