/** Kills a console at moments of a step of its lock: the next start must open with the old passphrase or the new one. */
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { startTestConsole, type TestConsole } from './support/console.ts'
import { besideKeyring, checkOf } from './support/console-workspace.ts'
import type { LockStep } from './support/lock-victim.ts'
import { counted, times } from './support/times.ts'

const victim = fileURLToPath(new URL('./support/lock-victim.ts', import.meta.url))
const [first, second] = ['seven green kettles', 'nine yellow kettles']

/** The passphrase before and after, undefined for none, and how many moments it has at least. */
interface Step {
  readonly step: LockStep
  readonly before?: string
  readonly after?: string
  readonly least: number
}
const steps: readonly Step[] = [
  { step: 'set', after: first, least: 8 },
  { step: 'change', before: first, after: second, least: 8 },
  { step: 'remove', before: first, least: 8 },
  { step: 'lock', before: first, after: first, least: 3 },
  { step: 'recover', before: first, after: second, least: 5 }
]

interface Scene {
  readonly dataFolder: string
  readonly record: string
  readonly recoveryKey: string
}

/** Runs the step until its n-th moment; the name of the moment, or undefined if it has fewer. */
async function kill(
  { dataFolder, recoveryKey }: Scene,
  step: LockStep,
  at: number,
  before?: string
): Promise<string | undefined> {
  const args = [victim, dataFolder, step, String(at), ...(before === undefined ? [] : [before, recoveryKey])]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.on('data', (piece) => (text += String(piece)))
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
    child.once('close', (...ending) => resolve(ending))
  )
  if (signal === 'SIGKILL') return text.trim().split('\n').at(-1) ?? ''
  expect([code, signal]).toEqual([0, null])
  return undefined
}

/** Opens the history at the next start; the passphrase that did, `none`, or `neither`. */
async function opening(console: TestConsole): Promise<string> {
  if (!(await console.get('app.state')).lock) return 'none'
  for (const each of [first, second]) {
    const unlocked = await console.ask('lock.unlock', { passphrase: each })
    // A console that was killed after the keychain had dropped the passphrase still starts locked, and any key opens it.
    if (unlocked.ok) return unlocked.value.passphrase ? each : 'none'
  }
  return 'neither'
}

/** What the next start finds and shows; then the folder has the passphrase `before` again. */
async function looked(
  scene: Scene,
  step: LockStep | undefined,
  before: string | undefined
): Promise<{ readonly by: string; readonly record: boolean; readonly draft: boolean; readonly intact: boolean }> {
  const console = await startTestConsole(scene as unknown as TestConsole)
  try {
    const by = await opening(console)
    const record = (await console.ask('history.record', { id: scene.record })).ok
    const draft = (await console.get('drafts.read')).text?.startsWith('{"a":') ?? false
    const intact = step !== 'lock' && step !== 'recover' ? true : (await console.get('audit.verify')).intact
    const current = by === 'none' ? undefined : by
    if (current !== before)
      await console.get('passphrase.change', { ...(current !== undefined && { current }), next: before ?? null })
    return { by, record, draft, intact }
  } finally {
    await console.close()
    await console.practice.close()
  }
}

it('a console killed at any moment of its lock opens again with all it had', { timeout: 1_800_000 }, ({ task }) =>
  besideKeyring(async () => {
    const dataFolder = mkdtempSync(join(tmpdir(), 'veridesk-lock-kills-'))
    const start = await startTestConsole({ dataFolder } as unknown as TestConsole)
    try {
      // Every moment of every step in a proof, one by chance otherwise.
      const chosen = times === 1 ? [steps[randomInt(steps.length)]!] : steps
      const record = await checkOf(start, (await start.get('practice.start')).id, 'APP-1')
      await start.get('drafts.keep', { round: (await start.get('drafts.read')).round, text: '{"a":1}' })
      const { key: recoveryKey } = await start.get('recovery.create')
      const [{ before: passphrase }] = chosen as [Step]
      if (passphrase !== undefined) await start.get('passphrase.change', { next: passphrase })
      await start.close()
      const scene: Scene = { dataFolder, record, recoveryKey }
      for (const { step, before, after, least } of chosen) {
        if (times > 1) await looked(scene, undefined, before)
        let at = times === 1 ? 1 + randomInt(least) : 1
        for (let again = true; again; at += 1) {
          const moment = await kill(scene, step, at, before)
          const said = `${step}, at ${moment ?? 'its end'} (${at})`
          const { by, ...kept } = await looked(scene, step, before)
          expect([before ?? 'none', after ?? 'none'], said).toContain(by)
          expect(kept, said).toEqual({ record: true, draft: true, intact: true })
          again = times > 1 && moment !== undefined
          if (moment === undefined) expect(at, said).toBeGreaterThan(least)
          else counted(task, { kills: 1, [by === (before ?? 'none') ? 'opened as before' : 'opened as after']: 1 })
        }
      }
    } finally {
      await start.dispose()
    }
  })
)
