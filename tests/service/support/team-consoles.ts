/** Two whole consoles in one team, each with a keyring of its own, at a real database. */
import { readFile } from 'node:fs/promises'
import type { TeamRole } from '#contract/team/team.ts'
import type { HostPorts } from '#core/ports/host.ts'
import { startTestConsole, type TestConsole } from './console.ts'
import { startKeyring, type Keyring } from './keyring.ts'
import type { TeamDatabase } from './postgres.ts'
import { addressOf } from './team-installation.ts'

export interface Member {
  readonly name: string
  readonly keyring: Keyring
  /** Replaced when it is started again. */
  console: TestConsole
  /** Closes it, and starts it again on the same files. */
  again(more?: Partial<HostPorts>): Promise<void>
  end(): Promise<void>
}

/** Core finds its keychain through the environment of the process that it starts: only one console can start at a time. */
async function inKeyring<T>({ env }: Keyring, work: () => Promise<T>): Promise<T> {
  const before = { ...process.env }
  Object.assign(process.env, env)
  try {
    return await work()
  } finally {
    for (const name of Object.keys(env)) {
      if (before[name] === undefined) delete process.env[name]
      else process.env[name] = before[name]
    }
  }
}

/** A console with a name; it is in no team yet. */
export async function member(name: string, more: Partial<HostPorts> = {}): Promise<Member> {
  const keyring = await startKeyring()
  const started = await inKeyring(keyring, () => startTestConsole(undefined, name, more))
  const one: Member = {
    name,
    keyring,
    console: started,
    async again(replaced = more) {
      const before = one.console
      await before.close()
      one.console = await inKeyring(keyring, () => startTestConsole(before, name, replaced))
    },
    async end() {
      await one.console.dispose()
      await keyring.end()
    }
  }
  return one
}

async function given({ console }: Member, { postgres }: TeamDatabase): Promise<void> {
  postgres.sql((await console.get('team.access')).sql, 'team')
}

export async function createTeam(founder: Member, database: TeamDatabase): Promise<void> {
  await given(founder, database)
  await founder.console.get('team.create', { name: founder.name, database: addressOf(database) })
}

/** The files and numbers that pass between two people. */
export async function admit(
  founder: Member,
  newcomer: Member,
  database: TeamDatabase,
  role: TeamRole = 'reviewer'
): Promise<void> {
  await given(newcomer, database)
  founder.console.save = founder.console.fileAt('invitation.json')
  newcomer.console.save = founder.console.fileAt('request.json')
  const invited = await founder.console.get('team.invite')
  const invitation = await readFile(invited?.path ?? '', 'utf8')
  const asked = await newcomer.console.get('team.join', {
    name: newcomer.name,
    invitation,
    words: invited?.words ?? ''
  })
  await founder.console.get('team.admit', {
    request: await readFile(asked?.path ?? '', 'utf8'),
    words: asked?.words ?? '',
    role
  })
}

/** What an installation knows about an applicant from its colleagues. */
export const colleaguesOf = async ({ console }: Member, applicantId: string) =>
  (await console.get('team.applicant', { applicantId, limit: 50 }))?.entries ?? []
