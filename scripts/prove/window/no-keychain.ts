/**
 * A keychain that is absent, locked or hung: how soon the window opens, and what is on disk afterwards.
 * Not a test: it measures starts of whole processes; `tests/app/keychain.spec.ts` has the same keychains.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { credentialIds } from '#contract/connections/credentials.ts'
import type { KeychainState } from '#contract/app/app-state.ts'
import { startPracticeService } from '#practice/service.ts'
import { startHost, type HostName, type Place } from '../../../tests/app/fixtures/hosts.ts'
import { ask, inKeyring, noKeychain, useService } from '../../../tests/app/fixtures/workspace.ts'
import setup from '../../../tests/app/fixtures/setup.ts'
import { Shell } from '../../../tests/app/pages/shell.ts'
import { startKeyring, type Keyring } from '../../../tests/service/support/keyring.ts'
import { rowOf } from '../../figures/row.ts'
import type { Measured, SectionRun } from '../../figures/section.ts'
import { inProofFolder } from '../../../tests/service/support/proof-folder.ts'
import { searchFolders } from '../../../tests/service/support/secret-forms.ts'
import { hostsHere } from './electron-here.ts'

/** Milliseconds from the start of the process to a window that can be used. */
const aim = 2000

const kinds = ['absent', 'locked', 'hung'] as const satisfies readonly KeychainState[]
type Kind = (typeof kinds)[number]

/** Calls `work` with the environment of such a keychain. */
async function inKind<T>(
  kind: Kind | 'ready',
  work: (environment: Readonly<Record<string, string>>) => Promise<T>
): Promise<T> {
  if (kind === 'absent') return work(noKeychain)
  const keyring: Keyring = await startKeyring(kind === 'locked' ? 'locked' : 'unlocked')
  if (kind === 'hung') keyring.signal('SIGSTOP')
  try {
    return await work(inKeyring(keyring))
  } finally {
    if (kind === 'hung') keyring.signal('SIGCONT')
    await keyring.end()
  }
}

interface Opened {
  readonly took: number
  readonly hits: readonly string[]
  readonly files: number
}

/** One start, one verification with new credentials, and the end: by closing, or by a kill. */
async function open(host: HostName, kind: Kind | 'ready', place: Place, round: number): Promise<Opened> {
  const secrets = credentialIds.map((id) => `Canary+${id}/${randomBytes(18).toString('base64url')}=`)
  const credentials = Object.fromEntries(credentialIds.map((id, at) => [id, secrets[at] ?? ''])) as Record<
    (typeof credentialIds)[number],
    string
  >
  const practice = await startPracticeService({ credentials })
  try {
    const from = Date.now()
    const session = await startHost(host, place)
    await new Shell(session.page).heading.waitFor()
    // A call to the page, since a painted page may not be usable yet.
    const took = (await session.page.evaluate(() => performance.timeOrigin + performance.now())) - from
    for (let tries = 0; (await ask(session.page, 'app.state')).keychain !== kind; tries += 1) {
      if (tries > 200) throw new Error(`the keychain is not ${kind}`)
      await session.page.waitForTimeout(100)
    }
    const connection = await useService(session.page, practice, { name: `Round ${round}` })
    const ending = await ask(session.page, 'verification.run', {
      runId: crypto.randomUUID(),
      connectionId: connection.id,
      operation: 'get-applicant-details',
      input: { applicant_id: `APP-${round}` },
      repeatAnyway: true
    })
    if (ending.kind !== 'recorded' || ending.record.reply?.status !== 200)
      throw new Error('the verification with credentials of this session was not answered')
    if (round % 2 === 1) {
      session.process.kill('SIGKILL')
      await session.electron?.close().catch(() => undefined)
    } else await session.close()
    const { hits, files } = searchFolders([place.dataFolder, place.home], secrets)
    return { took, hits, files }
  } finally {
    await practice.close()
  }
}

/** The search must find a credential that is there. */
function control(folder: string): string[] {
  const secret = `Canary+control/${randomBytes(18).toString('base64url')}=`
  mkdirSync(folder)
  writeFileSync(join(folder, 'a'), `x${Buffer.from(`{"key":"${secret}"}`).toString('base64')}`)
  writeFileSync(join(folder, 'b'), encodeURIComponent(secret))
  return searchFolders([folder], [secret]).hits.length === 2
    ? []
    : ['the search does not find a credential that is there']
}

/** Starts consoles without a usable keychain. Errors: credentials on disk. */
export async function proveNoKeychain({ sized, progress }: SectionRun): Promise<Measured> {
  setup()
  const { hosts, notRun, versions } = hostsHere('starts of Electron')
  const faults: string[] = await inProofFolder((folder) => control(join(folder, 'control')))
  const counts: (string | number)[][] = []
  const rows = []
  for (const host of hosts) {
    let beside: number[] = []
    for (const kind of ['ready', ...kinds] as const) {
      const name = `${host === 'electron' ? 'Electron' : 'preview'}, keychain ${kind}`
      const times: number[] = []
      let [files, hits] = [0, 0]
      await inKind(kind, (environment) =>
        inProofFolder(async (folder) => {
          const place = { dataFolder: join(folder, 'data'), home: join(folder, 'home'), environment }
          mkdirSync(place.home)
          for (let round = 0; round < sized(10, 2); round += 1) {
            const opened = await open(host, kind, place, round)
            times.push(opened.took)
            if (kind === 'ready') continue
            files += opened.files
            hits += opened.hits.length
            faults.push(...opened.hits.map((hit) => `${name}: a credential is in ${hit.slice(folder.length)}`))
          }
        })
      )
      if (kind === 'ready') {
        beside = times
        continue
      }
      rows.push(
        rowOf({
          name: `${name}: start of the process to usable window`,
          unit: 'ms',
          samples: times,
          beside: { what: 'with an unlocked keychain', samples: beside },
          aims: { largest: aim }
        })
      )
      counts.push([name, times.length, files, hits])
      progress(name)
    }
  }
  return {
    rows,
    table: { columns: ['host and keychain', 'sessions', 'files searched', 'with a credential'], rows: counts },
    notRun,
    faults,
    versions
  }
}
