/** The audit trail under damage: each kind must be found by verifying the audit trail, or by opening the history. */
import { isDeepStrictEqual } from 'node:util'
import { seeded } from './random.ts'
import { damages } from './trail-damage.ts'
import { walkScene, type Scene } from './trail-scene.ts'

export interface DamageReport {
  readonly tried: number
  readonly found: number
  /** Kinds of damage that were not found or were found in another place, with the seed's iteration. */
  readonly missed: readonly string[]
}

/** Applies damage this many times, undoing it each time, and counts what the verification finds. */
export function proveTrail(scene: Scene, times: number): DamageReport {
  const random = seeded(1)
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
  }
  return { tried: times, found: times - missed.length, missed }
}
