/** Kills a console at each moment of a step of its lock: the next start must open with the old passphrase or the new one. */
import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startTestConsole, type TestConsole } from '../../tests/service/support/console.ts'
import type { Measured, SectionRun } from '../figures/section.ts'
import { besideKeyring, checkOf } from '../../tests/service/support/console-workspace.ts'
import type { LockStep } from './lock-victim.ts'

const victim = fileURLToPath(new URL('./lock-victim.ts', import.meta.url))
const [first, second] = ['seven green kettles', 'nine yellow kettles']

/** The passphrase before and after; undefined for none. */
const steps: Readonly<Record<LockStep, readonly [before: string | undefined, after: string | undefined]>> = {
  set: [undefined, first],
  change: [first, second],
  remove: [first, undefined],
  lock: [first, first],
  recover: [first, second]
}
const words: Readonly<Record<LockStep, string>> = {
  set: 'a passphrase is set',
  change: 'the passphrase is changed',
  remove: 'the passphrase is removed',
  lock: 'the console locks',
  recover: 'the recovery key sets another passphrase'
}

interface Scene {
  readonly dataFolder: string
  readonly record: string
  readonly recoveryKey: string
}

/** Runs the step until its n-th moment; the name of the moment, or undefined if it has fewer. */
async function kill({ dataFolder, recoveryKey }: Scene, step: LockStep, at: number): Promise<string | undefined> {
  const [before] = steps[step]
  const args = [victim, dataFolder, step, String(at), ...(before === undefined ? [] : [before, recoveryKey])]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.on('data', (piece) => (text += String(piece)))
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
    child.once('close', (...ending) => resolve(ending))
  )
  if (signal === 'SIGKILL') return text.trim().split('\n').at(-1) ?? ''
  if (code !== 0) throw new Error(`the step ended with ${code ?? signal}`)
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

/** What is wrong at the start that follows a kill; the folder is as before the step again. */
async function faultsAfter(
  scene: Scene,
  step: LockStep,
  before: string | undefined
): Promise<{ readonly by: string; readonly faults: string[] }> {
  const console = await startTestConsole(scene as unknown as TestConsole)
  try {
    const by = await opening(console)
    const [old, next] = steps[step].map((each) => each ?? 'none')
    const faults = by === old || by === next ? [] : [`it opens with ${by}`]
    if (by === 'neither') throw new Error(`${words[step]}: neither passphrase opens the history`)
    const record = await console.ask('history.record', { id: scene.record })
    if (!record.ok) faults.push('its record is missing')
    if (!(await console.get('drafts.read')).text?.startsWith('{"a":')) faults.push('its drafts are missing')
    if (step === 'lock' || step === 'recover') {
      const verdict = await console.ask('audit.verify')
      if (!verdict.ok || !verdict.value.intact) faults.push('its audit trail does not verify')
    }
    const current = by === 'none' ? undefined : by
    if (current !== before)
      await console.get('passphrase.change', { ...(current !== undefined && { current }), next: before ?? null })
    return { by, faults }
  } finally {
    await console.close()
    await console.practice.close()
  }
}

/** Kills each step at each of its moments. Errors: a history that opens with neither passphrase, and anything lost. */
export function proveLock({ progress }: SectionRun): Promise<Measured> {
  return besideKeyring(async () => {
    const dataFolder = mkdtempSync(join(tmpdir(), 'veridesk-lock-proof-'))
    const start = await startTestConsole({ dataFolder } as unknown as TestConsole)
    const record = await checkOf(start, (await start.get('practice.start')).id, 'APP-1')
    await start.get('drafts.keep', { round: (await start.get('drafts.read')).round, text: '{"a":1}' })
    const { key: recoveryKey } = await start.get('recovery.create')
    await start.close()
    await start.practice.close()
    const scene: Scene = { dataFolder, record, recoveryKey }
    const faults: string[] = []
    const rows: (string | number)[][] = []
    for (const step of Object.keys(steps) as LockStep[]) {
      const [before] = steps[step]
      await faultsAfter(scene, step, before)
      let [kills, old, wrong] = [0, 0, 0]
      for (let at = 1; ; at += 1) {
        const moment = await kill(scene, step, at)
        const found = await faultsAfter(scene, step, before)
        if (moment !== undefined) {
          kills += 1
          if (found.by === (before ?? 'none')) old += 1
        }
        if (found.faults.length > 0) wrong += 1
        faults.push(...found.faults.map((fault) => `killed while ${words[step]}, at ${moment ?? 'its end'}: ${fault}`))
        if (moment === undefined) break
      }
      if (kills === 0) faults.push(`${words[step]}: no moment was found`)
      rows.push([words[step], kills, old, kills - old, wrong])
      progress(words[step])
    }
    await start.dispose()
    return {
      table: { columns: ['killed while', 'kills', 'opened as before', 'opened as after', 'wrong results'], rows },
      faults
    }
  })
}
