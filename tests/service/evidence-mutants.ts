/**
 * Packs, each changed in one random way: as a file, and by a signer who signs the changed content again or
 * computes every hash anew. What nobody can refuse is known beforehand, by the sentence of the format that says so.
 */
import { seeded, type Random } from './support/random.ts'
import {
  canonical,
  contentOf,
  fileOf,
  fileText,
  rebuilt,
  valuesOf,
  type Content,
  type PackFile
} from './evidence-builder.ts'
import type { claims } from './evidence-claims.ts'
import { genuinePacks, signer, type Genuine } from './evidence-genuine.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

interface Place {
  /** The way to it. */
  readonly path: readonly (string | number)[]
  replace(mutate: (old: Json) => Json | undefined): void
}

/** Every position in a JSON value. */
function places(
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

const another = (old: Json, randomInt: Random): Json | undefined => {
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
function damaged(text: string, randomInt: Random): string {
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

export const levels = ['bytes', 'structure', 'signed again', 'every hash computed anew'] as const
export type MutantLevel = (typeof levels)[number]
export interface Mutant {
  readonly text: string
  readonly level: MutantLevel
  /** What was changed. */
  readonly place: string
  /** Which sentence of the format lets it be accepted; absent if it must be refused. */
  readonly claim?: keyof typeof claims
}
type Path = readonly (string | number)[]

/** What may have been changed in the file without its signer. */
function claimOfFile(before: string, after: string): Mutant['claim'] {
  try {
    const [own, other] = [JSON.parse(before) as PackFile, JSON.parse(after) as PackFile]
    const without = (file: PackFile): string => canonical({ ...file, timestamps: [] })
    if (without(own) !== without(other)) return undefined
    return canonical(own.timestamps) === canonical(other.timestamps) ? undefined : 'token'
  } catch {
    return undefined
  }
}

/** What the responses prove, whatever is shown of them. */
const proved = ({ bodies }: Content): string =>
  canonical(bodies.map((body) => ({ record: body.record, values: valuesOf(body) })))

/** Whether the responses are the same ones, of which more or less is shown. */
function areSameResponses(before: Content, after: Content): boolean {
  try {
    return proved(before) === proved(after)
  } catch {
    return false
  }
}

/** What a signer may have changed without computing hashes anew. */
function claimOfContent(content: Content, path: Path, after: Content): Mutant['claim'] {
  const [part, , member] = path
  if (part === 'console' || part === 'attachments') return 'record'
  if (part === 'signer') return 'key'
  if (part === 'consistency') return 'another-audit-trail'
  if (part === 'bodies' && areSameResponses(content, after)) return 'withheld'
  const others = ({ events }: Content): string => canonical(events.filter(({ kind }) => kind !== 'connection.noted'))
  if (part === 'events' && member === undefined && Array.isArray(after.events) && others(content) === others(after))
    return 'listed'
  return undefined
}

/** What a signer may have changed who computes every hash anew. */
function claimOfLie(content: Content, path: Path, after: Content, other: Content): Mutant['claim'] {
  const found = claimOfContent(content, path, after)
  if (found) return found
  const [part, index, member, ...rest] = path
  // Events of another genuine pack in the place of its own: with new hashes, an audit trail that could have been recorded.
  if (
    part === 'events' &&
    member === undefined &&
    Array.isArray(after.events) &&
    (after.events.length === content.events.length || canonical(after.events) === canonical(other.events))
  )
    return 'record'
  if (part === 'events' && typeof index === 'number') {
    if (member === 'at') return 'time'
    if (member === 'plain' || member === 'sealed') return 'record'
    const kind = content.events[index]?.kind ?? ''
    if (member === 'kind') return 'record'
    // Only the series that the pack must contain are compared.
    if (member === 'links' && rest.length > 0 && !isListed(content, index, String(rest[0]))) return 'listed'
    if (['connection.noted', 'subject.erased'].includes(kind) && ['subject', 'record', 'seq'].includes(String(member)))
      return 'listed'
    // The event that records the pack is in no series of a record.
    if (member === 'seq' && content.about.kind === 'record' && index === content.events.length - 1)
      return 'another-audit-trail'
    if (member === 'subject' && !isListed(content, index, 'subject')) return 'record'
    if (member === 'record' && !kind.startsWith('record.')) return 'record'
  }
  return undefined
}

/** Whether the pack must contain the series of an event completely. */
function isListed(content: Content, index: number, kind: string): boolean {
  const event = content.events[index]
  const made = content.events.at(-1)
  const stated = made
    ? (made.plain.shown.find(([, name]) => name === 'series')?.[2] as unknown as readonly (readonly [
        string,
        number | string
      ])[])
    : []
  if (kind === 'batch') return stated.some(([each]) => each === 'batch')
  return stated.some(([each, id]) => each === kind && id === event?.[kind as 'subject' | 'record'])
}

/** A part of another pack in the place of its own. */
function exchange(content: Content, other: Content, random: Random): Path {
  const names = Object.keys(content) as (keyof Content)[]
  const name = names[random(names.length)]!
  if ((name === 'events' || name === 'bodies') && random(2)) {
    const [from, into] = [other[name], content[name]]
    if (from.length === 0) return [name]
    const index = random(into.length + 1)
    ;(into as unknown[])[index] = structuredClone(from[random(from.length)])
    return [name, index]
  }
  Object.assign(content, { [name]: structuredClone(other[name]) })
  return [name]
}

/** Changes content in one place; returns the way to it. */
function change(content: Content, other: Content, random: Random): Path {
  if (random(8) === 0) return exchange(content, other, random)
  const all = places(content as unknown as Json, () => undefined)
  const { path, replace } = all[1 + random(all.length - 1)]!
  replace((old) => another(old, random))
  return path
}

function mutantOf(base: Genuine, other: Genuine, level: MutantLevel, random: Random): Mutant | undefined {
  const text = fileText(base.file)
  const described = (changed: string, place: string, claim: Mutant['claim']): Mutant | undefined =>
    changed === text ? undefined : { text: changed, level, place, ...(claim && { claim }) }
  if (level === 'bytes') {
    const changed = damaged(text, random)
    return described(changed, 'the file', claimOfFile(text, changed))
  }
  const content = contentOf(base.file)
  if (level === 'structure') {
    const file = structuredClone(base.file)
    let path: Path
    if (random(2)) {
      path = change(content, contentOf(other.file), random)
      file.envelope.payload = Buffer.from(canonical(content)).toString('base64')
    } else {
      const all = places(file as unknown as Json, () => undefined)
      const { replace, path: way } = all[1 + random(all.length - 1)]!
      replace((old) => another(old, random))
      path = way
    }
    const changed = fileText(file)
    return described(changed, path.join('.'), claimOfFile(text, changed))
  }
  const before = structuredClone(content)
  const otherContent = contentOf(other.file)
  const path = change(content, otherContent, random)
  const lies = level === 'every hash computed anew'
  const claim = lies ? claimOfLie(before, path, content, otherContent) : claimOfContent(before, path, content)
  try {
    const made = fileOf(lies ? rebuilt(content, base.leaves) : content, signer)
    const changed = fileText({
      ...made,
      timestamps: base.file.timestamps
    })
    return described(changed, path.join('.'), claim)
  } catch {
    // Without the structure of a pack no hash can be computed.
    return undefined
  }
}

/** Changed packs, deterministic for a seed, evenly of each level. */
export function* mutants(count: number, seed: number): Generator<Mutant> {
  const random = seeded(seed)
  const bases: readonly Genuine[] = Object.entries(genuinePacks).flatMap(([name, pack]) =>
    name === 'foreign' ? [] : [pack]
  )
  for (let n = 0; n < count; n += 1)
    for (;;) {
      const found = mutantOf(
        bases[random(bases.length)]!,
        bases[random(bases.length)]!,
        levels[n % levels.length]!,
        random
      )
      if (!found) continue
      yield found
      break
    }
}
