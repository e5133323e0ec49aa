/** The audit trail under damage: each kind must be found by verifying the audit trail, or by opening the history. */
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Measured, SectionRun } from '../figures/section.ts'
import { opened, testKey } from '../../tests/service/history-fixtures.ts'
import { seeded } from './random.ts'
import { inProofFolder } from './proof-folder.ts'
import { damages } from './trail-damage.ts'
import { proveRollbacks } from './trail-rollback.ts'
import { furnished, openScene, walkScene, type Scene } from './trail-scene.ts'

export interface DamageReport {
  readonly tried: number
  readonly found: number
  /** Kinds of damage that were not found or were found in another place, with the seed's iteration. */
  readonly missed: readonly string[]
}

/** Applies damage this many times, undoing it each time, and counts what the verification finds. */
export function proveTrail(
  scene: Scene,
  times: number,
  seed = 1,
  onProgress: (done: number) => void = () => undefined
): DamageReport {
  const random = seeded(seed)
  const kinds = Object.entries(damages)
  const missed: string[] = []
  for (let turn = 0; turn < times; turn += 1) {
    const [name, damage] = kinds[turn % kinds.length] ?? ['', () => undefined]
    for (const db of [scene.history, scene.subjects]) db.exec('BEGIN')
    try {
      const trace = damage(scene, random)
      const step = walkScene(scene)
      if (!isDeepStrictEqual(step, walkScene(scene, 0)))
        missed.push(`${name} (turn ${turn}) was found otherwise in short stretches`)
      if (step.kind === 'whole') missed.push(`${name} (turn ${turn}) went unseen`)
      else if (trace !== undefined && step.broken.at !== trace)
        missed.push(`${name} (turn ${turn}) at ${trace} was found at ${step.broken.at}: ${step.broken.code}`)
    } finally {
      for (const db of [scene.history, scene.subjects]) db.exec('ROLLBACK')
    }
    onProgress(turn + 1)
  }
  return { tried: times, found: times - missed.length, missed }
}

/** Earlier moments whose files are restored, in four combinations each. */
const moments = 100

/** Damages the files 10,000 times, then restores whole files. Errors: damage that was not found, or found elsewhere. */
export const proveAuditTrail = ({ sized, progress }: SectionRun): Promise<Measured> =>
  inProofFolder(async (folder) => {
    const damaged = join(folder, 'damaged')
    const engine = opened(damaged)
    furnished(engine)
    engine.close()
    const scene = openScene(damaged, testKey)
    const report = proveTrail(
      scene,
      sized(10_000),
      1,
      (done) => void (done % 1000 === 0 && progress(`${done} changes`))
    )
    const { size } = scene
    scene.history.close()
    scene.subjects.close()
    const rollbacks = proveRollbacks(join(folder, 'rollbacks'), sized(moments, 2))
    return {
      notes: [`The history holds ${size} events. Kinds of change: ${Object.keys(damages).join('; ')}.`],
      table: {
        columns: ['damage', 'times', 'found', 'missed or misplaced'],
        rows: [
          ['changes in the files', report.tried, report.found, report.missed.length],
          ['files put back', rollbacks.tried, rollbacks.tried - rollbacks.missed.length, rollbacks.missed.length]
        ]
      },
      faults: [...report.missed, ...rollbacks.missed]
    }
  })
