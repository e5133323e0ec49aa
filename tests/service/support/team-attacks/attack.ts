/** One attack by a database's administrator: what is done, what must be noticed, and how both are looked at. */
import { valueOf } from '../team-installation.ts'
import { clock } from '../../history-fixtures.ts'
import type { TeamDatabase } from '../postgres.ts'
import type { Exchanging } from '../team-exchange.ts'
import { codeOf, inScene, listRefusal, type Scene } from './scene.ts'

export const attackNames = [
  'drop',
  'reorder',
  'roll back',
  'fork',
  'swap a key',
  'resurrect an erased key',
  'replay a list of members',
  'forge a member',
  'truncate',
  'delay',
  'answer falsely',
  'read'
] as const

export interface Attack {
  readonly of: (typeof attackNames)[number]
  /** What the administrator does, as a sentence without its subject. */
  readonly does: string
  /** Codes that installations must report afterwards, and without the attack must not. None: it must be without effect. */
  readonly noticed: readonly string[]
  /** Why it is without effect. */
  readonly because?: string
  /** What happens before, with nothing wrong. Throws if a check of `gained` could not fail. */
  readonly prepare?: (scene: Scene) => Promise<void>
  readonly attack: (scene: Scene) => unknown
  /** What the installations do afterwards and report; by default, what `reported` does. */
  readonly look?: (scene: Scene) => Promise<readonly string[]>
  /** What the attack has gained, besides what is looked at after every attack. There must be nothing. */
  readonly gained?: (scene: Scene) => readonly string[] | Promise<readonly string[]>
}

const minutes = 60_000

/** Three times, everybody reads the list of members and exchanges; keys that were missing are asked for after a while. */
export async function reported({ anna, ben, carla }: Scene): Promise<readonly string[]> {
  const said = new Set<string>()
  for (const later of [0, 2 * minutes, 4 * minutes])
    for (const who of [ben, carla, anna]) for (const code of await reportedBy(who, later)) said.add(code)
  return [...said]
}

/** What one installation reports: why the list or the round was refused, and its findings. */
export async function reportedBy(who: Exchanging, later = 0): Promise<readonly string[]> {
  const refused = await listRefusal(who)
  if (refused !== undefined) return [refused]
  const done = await who.round(0, clock.now() + later)
  const ended = done.ok ? (done.value.unshared ? [codeOf(done.value.unshared)] : []) : [codeOf(done.failure)]
  return [...ended, ...who.received.findings.all().map(({ failure }) => codeOf(failure))]
}

/** What somebody has accepted that its author did not write: a hash covers everything before it. */
export async function falseEvents({
  anna,
  ben,
  carla,
  hasTwoPasts
}: Pick<Scene, 'anna' | 'ben' | 'carla' | 'hasTwoPasts'>): Promise<readonly string[]> {
  const gained: string[] = []
  const everybody = [anna, ben, carla]
  for (const who of everybody)
    for (const of of everybody.filter((each) => each !== who && !(each === anna && hasTwoPasts))) {
      const { seq, hash } = who.received.head(of.one.installation)
      const { before } = valueOf(await of.store.exchange.read({ after: seq, events: 0, bytes: 0, kept: [] }))
      if (seq > 0 && before !== hash.toString('hex'))
        gained.push(`${who.one.name} has accepted an event that ${of.one.name} did not write`)
    }
  const members = new Set(everybody.map(({ one }) => one.installation))
  for (const who of everybody)
    if (who.received.heads().some(({ id, seq }) => seq > 0 && !members.has(id)))
      gained.push(`${who.one.name} has accepted events of somebody who is no member`)
  return gained
}

export interface Tried {
  readonly attack: Attack
  /** The codes that were reported, of those that must be. */
  readonly noticed: readonly string[]
  readonly faults: readonly string[]
}

/** Does one attack in a team of its own, and the same without it: a report that is always there would show nothing. */
export async function tryAttack(database: TeamDatabase, attack: Attack): Promise<Tried> {
  const { noticed: wanted } = attack
  const said = async (
    attacked: boolean
  ): Promise<{ readonly codes: readonly string[]; readonly gained: readonly string[] }> =>
    inScene(database, async (scene) => {
      await attack.prepare?.(scene)
      if (attacked) await attack.attack(scene)
      const codes = await (attack.look ?? reported)(scene)
      return { codes, gained: [...(await falseEvents(scene)), ...((await attack.gained?.(scene)) ?? [])] }
    })
  const name = `${attack.of}: ${attack.does}`
  const control = wanted.length > 0 ? await said(false) : undefined
  const { codes, gained } = await said(true)
  const missing = wanted.filter((code) => !codes.includes(code))
  return {
    attack,
    noticed: wanted.filter((code) => codes.includes(code)),
    faults: [
      ...missing.map((code) => `${name}: ${code} was not reported, but ${codes.join(', ') || 'nothing'}`),
      ...gained.map((each) => `${name}: ${each}`),
      ...wanted
        .filter((code) => control?.codes.includes(code))
        .map((code) => `${name}: ${code} is reported without the attack, too`)
    ]
  }
}
