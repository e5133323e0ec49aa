/** Changes of the content of a pack, by a signer who signs it again or computes every hash anew. */
import type { KeyObject } from 'node:crypto'
import {
  canonical,
  contentOf,
  erased,
  fileOf,
  fingerprintOf,
  isErased,
  packType,
  preAuthentication,
  rebuilt,
  valueDigest,
  withTree,
  type PackEvent,
  type Content,
  type Json,
  type PackBody,
  type OpenPart,
  type PackFile
} from './evidence-builder.ts'
import { genuinePacks, signer, type GenuineName } from './evidence-genuine.ts'
import { mixedOrderKey } from './support/mixed-order.ts'

export type Change = (content: Content, leaves: readonly string[]) => void
/** What the signer does after the change: signs again, or computes every hash anew as well. */
export type Level = 'signed' | 'rebuilt'
/** A forgery, and the sentence with which it must be refused. */
export type Row = readonly [level: Level, name: string, base: GenuineName, change: Change, why: RegExp]

export function remade(level: Level, base: GenuineName, change: Change, key: KeyObject = signer): PackFile {
  const { file, leaves } = genuinePacks[base]
  const content = contentOf(file)
  change(content, leaves)
  return fileOf(level === 'signed' ? content : rebuilt(content, leaves), key)
}

export const zeros = '0'.repeat(64)
export const salt = '5a'.repeat(16)

/** An event of a kind; throws if there is none, since nothing would be forged. */
export function eventOf(content: Content, kind: string, turn = 0): PackEvent {
  const found = content.events.filter((event) => event.kind === kind)[turn]
  if (!found) throw new Error(`no event ${kind}`)
  return found
}
export const last = (content: Content): PackEvent => content.events.at(-1)!
export const sealedOf = (event: PackEvent): OpenPart => {
  if (!event.sealed || isErased(event.sealed)) throw new Error('no sealed part')
  return event.sealed
}
export const bodyOf = (content: Content, turn = 0): PackBody & OpenPart => content.bodies[turn] as PackBody & OpenPart
export function put(part: OpenPart, name: string, value: Json): void {
  const found = part.shown.find(([, each]) => each === name)
  if (!found) throw new Error(`no value ${name}`)
  found[2] = value
}
export const valueOf = (part: OpenPart, name: string): Json => part.shown.find(([, each]) => each === name)?.[2] ?? null
export const take = (part: OpenPart, name: string): void =>
  void (part.shown = part.shown.filter(([, each]) => each !== name))
export const add = (part: OpenPart, name: string, value: Json): void => {
  part.shown = [...part.shown, [salt, name, value] as [string, string, Json]].sort(([, a], [, b]) => (a < b ? -1 : 1))
}
/** Withholds a value that is shown. */
export function withhold(part: OpenPart, name: string): void {
  const found = part.shown.find(([, each]) => each === name)
  if (!found) throw new Error(`no value ${name}`)
  take(part, name)
  part.withheld = [...part.withheld, valueDigest(found)].sort()
}
export const drop = (content: Content, which: (event: PackEvent) => boolean): void => {
  const before = content.events.length
  content.events = content.events.filter((event) => !which(event))
  if (content.events.length === before) throw new Error('nothing was dropped')
}
/** Adds events of the same audit trail, with what proves them. */
export function borrow(content: Content, leaves: readonly string[], events: readonly PackEvent[]): void {
  content.events = [...content.events, ...structuredClone(events)].sort((a, b) => a.seq - b.seq)
  Object.assign(content, withTree(content, leaves))
}
type StatedSeries = [kind: string, id: number | string, count: number, last: number]
export const statedSeries = (content: Content): StatedSeries[] =>
  valueOf(last(content).plain, 'series') as unknown as StatedSeries[]
export const seriesOf = (content: Content, kind: string): StatedSeries => {
  const found = statedSeries(content).find(([each]) => each === kind)
  if (!found) throw new Error(`no series ${kind}`)
  return found
}
/** Lets the remaining events of a person count as if no other had been recorded. */
export function countAnew(content: Content, subject: number): void {
  let [n, before] = [0, 0]
  for (const event of content.events)
    if (event.subject === subject && event.links.subject) {
      ;[n, event.links.subject] = [n + 1, [n + 1, before]]
      before = event.seq
    }
  Object.assign(seriesOf(content, 'subject'), { 2: n, 3: before })
}

/** Leaves nothing of what is sealed for a person, without an event that says so. */
export function eraseAll(content: Content, person: number): void {
  for (const event of content.events)
    if (event.sealed && !isErased(event.sealed) && event.subject === person) event.sealed = erased(event.sealed)
  const ends = content.events.filter(({ kind, subject }) => kind === 'record.ended' && subject === person)
  content.bodies = content.bodies.map((body) =>
    isErased(body) || !ends.some(({ record }) => record === body.record)
      ? body
      : { ...erased(body), record: body.record, version: 1 }
  )
}

/** Links that name no record: then nothing is linked, so nothing of a record is shown or stated. */
export const linksOfNothing: readonly Row[] = (['link.made', 'link.removed'] as const).map((kind): Row => [
  'rebuilt',
  `an event ${kind} that names no record`,
  'applicant',
  (content) => {
    const link = Object.assign(eventOf(content, 'link.made'), { record: null, kind })
    if (kind === 'link.removed') link.sealed = null
    drop(content, ({ record, kind: each }) => record === 4 && each.startsWith('record.'))
    content.bodies = content.bodies.filter(({ record }) => record !== 4)
    put(
      last(content).plain,
      'series',
      statedSeries(content).filter(([each, id]) => each !== 'record' || id !== 4)
    )
  },
  /^Event \d+ names no record/
])

/**
 * The pack signed with a key that has a part of order 2. `fits`: whether its signatures are also valid by the equation
 * without the cofactor.
 */
export function mixedOrderPack(fits: boolean): PackFile {
  const { key, sign } = mixedOrderKey()
  const { file } = genuinePacks['record']
  const content = contentOf(file)
  content.signer = { certificates: [], key }
  const payload = Buffer.from(canonical(content))
  const sig = Buffer.from(sign(preAuthentication(packType, payload), fits), 'hex').toString('base64')
  return {
    ...file,
    envelope: {
      payload: payload.toString('base64'),
      payloadType: packType,
      signatures: [{ keyid: fingerprintOf(key), sig }]
    }
  }
}
