/** Damages packs of format 1 in every way, and counts which verifier accepts one. */
import { createHash } from 'node:crypto'
import { checkPack } from '#core/evidence/check.ts'
import { canonical } from '#kit/hashing/canonical-json.ts'
import { seeded, type Random } from '../../scripts/prove/random.ts'

type Verify = (text: string) => Promise<{ readonly verified: boolean }>
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

interface Place {
  /** The way to it. */
  readonly path: readonly (string | number)[]
  replace(mutate: (old: Json) => Json | undefined): void
}

/** Every position in a JSON value. */
export function places(
  value: Json,
  put: (next: Json | undefined) => void,
  found: Place[] = [],
  path: Place['path'] = []
): Place[] {
  found.push({ path, replace: (mutate) => put(mutate(value)) })
  if (Array.isArray(value))
    value.forEach((each, index) =>
      places(each, (next) => (next === undefined ? value.splice(index, 1) : (value[index] = next)), found, [
        ...path,
        index
      ])
    )
  else if (typeof value === 'object' && value !== null)
    for (const key of Object.keys(value))
      places(
        value[key]!,
        (next) => {
          if (next === undefined) delete value[key]
          else value[key] = next
        },
        found,
        [...path, key]
      )
  return found
}

export const another = (old: Json, randomInt: Random): Json | undefined => {
  if (typeof old === 'number') return old + [1, -1, 1000][randomInt(3)]!
  if (typeof old === 'boolean') return !old
  if (old === null) return ['x', 0, false, ''][randomInt(4)]
  if (typeof old === 'string') {
    const at = randomInt(Math.max(1, old.length))
    const sign = /^[0-9a-f]+$/.test(old) ? '0123456789abcdef'[randomInt(16)]! : String.fromCharCode(32 + randomInt(90))
    const changed = old.slice(0, at) + sign + old.slice(at + 1)
    return changed === old ? `${old}x` : changed
  }
  if (Array.isArray(old)) return randomInt(2) ? [...old].reverse() : old.slice(1)
  return randomInt(2) ? undefined : { ...old, added: 1 }
}

/** A text in which a bit differs, or a range is missing or added. */
export function damaged(text: string, randomInt: Random): string {
  const kind = randomInt(3)
  if (kind === 0) {
    const bytes = Buffer.from(text)
    bytes[randomInt(bytes.length)]! ^= 1 << randomInt(7)
    return bytes.toString('utf8')
  }
  const at = randomInt(text.length)
  if (kind === 1) return text.slice(0, at) + text.slice(at + 1 + randomInt(40))
  return text.slice(0, at) + text.slice(randomInt(text.length)).slice(0, 1 + randomInt(20)) + text.slice(at)
}

/** One damaged text that differs from the original: a byte, a range, a value, a key, or two packs mixed. */
function mutant(text: string, other: string, randomInt: Random): string {
  for (;;) {
    const kind = randomInt(6)
    let changed = text
    if (kind < 3) changed = damaged(text, randomInt)
    else if (kind === 5) {
      const [mine, theirs] = [JSON.parse(text) as Record<string, Json>, JSON.parse(other) as Record<string, Json>]
      const key = ['content', 'signature'][randomInt(2)]!
      const inner = mine['content'] as Record<string, Json>
      const part = Object.keys(inner)[randomInt(Object.keys(inner).length)]!
      if (randomInt(2)) mine[key] = theirs[key]!
      else inner[part] = (theirs['content'] as Record<string, Json>)[part]!
      changed = `${canonical(mine)}\n`
    } else {
      const json = JSON.parse(text) as Json
      const all = places(json, () => undefined)
      all[randomInt(all.length)]!.replace((old) => another(old, randomInt))
      try {
        changed = `${canonical(json)}\n`
      } catch {
        continue
      }
    }
    if (changed !== text && changed !== other && !isOnlyWithoutCountersignature(text, changed)) return changed
  }
}

/** A pack without one of its countersignatures is still genuine, not a forgery. */
function isOnlyWithoutCountersignature(text: string, changed: string): boolean {
  try {
    const strip = (pack: string): string => canonical({ ...(JSON.parse(pack) as object), countersignatures: [] })
    const kept = (pack: string): string[] =>
      (JSON.parse(pack) as { countersignatures: object[] }).countersignatures.map(canonical)
    return strip(text) === strip(changed) && kept(changed).every((each) => kept(text).includes(each))
  } catch {
    return false
  }
}

export interface MutantRun {
  readonly tried: number
  /** SHA-256 of each text that a verifier accepted, and its number: there must be none. */
  readonly accepted: readonly string[]
}

/** Damaged packs, deterministic for a seed. */
export function* mutants(packs: readonly string[], count: number, seed: number): Generator<string> {
  const random = seeded(seed)
  for (let n = 0; n < count; n += 1) yield mutant(packs[n % packs.length]!, packs[(n + 1) % packs.length]!, random)
}

/** Tests damaged packs with the console's verifier and the stand-alone one. */
export async function refuseMutants(
  packs: readonly string[],
  count: number,
  verify: Verify,
  told: (done: number) => void = () => undefined,
  seed = 1
): Promise<MutantRun> {
  const accepted: string[] = []
  let tried = 0
  for (const text of mutants(packs, count, seed)) {
    const name = `turn ${tried}, ${createHash('sha256').update(text).digest('hex')}`
    if (checkPack(text).verified) accepted.push(`console: ${name}`)
    if ((await verify(text)).verified) accepted.push(`alone: ${name}`)
    told((tried += 1))
  }
  return { tried, accepted }
}
