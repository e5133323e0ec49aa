/** What is shown of a pack of version 2. */
import { isUnnamed } from '#wire/audit-words.ts'
import type { ShownValue } from '#kit/hashing/values.ts'
import { entriesOf as oldEntries } from '../format-1/view.ts'
import type { Entry, PackView } from '../view.ts'
import type { Checkpoint } from './checkpoint.ts'
import { erasedParts } from './events.ts'
import { makerOf, namesInvolved } from './names.ts'
import {
  isErased,
  type ContentBody,
  type ContentEvent,
  type OpenedPack,
  type SealedPart,
  type ValuesEvent
} from './pack.ts'
import { isNewBody, isNewEvent, isOldBody, partsOf } from './reading.ts'

const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
const entryOf = ([, label, value]: ShownValue): Entry => ({ label, value: written(value) })

function partEntries(part: SealedPart): Entry[] {
  if (isErased(part)) return [{ label: 'sealed data', value: null }]
  const { shown, withheld } = part
  return [
    ...shown.map(entryOf),
    ...(withheld.length > 0
      ? [{ label: `${withheld.length} ${withheld.length === 1 ? 'value' : 'values'}`, value: null }]
      : [])
  ]
}

function eventEntries(event: ContentEvent): Entry[] {
  if (!isNewEvent(event)) return oldEntries(event)
  const plain = Object.fromEntries(event.plain.shown.map(([, name, value]) => [name, value]))
  const unnamed = event.plain.withheld.length === 0 && isUnnamed(event.kind, plain)
  return [...partsOf(event).flatMap(partEntries), ...(unnamed ? [{ label: 'operator', value: 'not recorded' }] : [])]
}

const bodyEntries = (body: ContentBody): Entry[] =>
  isOldBody(body) ? oldEntries(body) : isNewBody(body) ? partEntries(body) : []

/** @param made The event that records the pack. */
export function viewOf(
  { content, countersignatures, digest }: Omit<OpenedPack, 'file' | 'version'>,
  made: ValuesEvent,
  { root, size }: Checkpoint
): PackView {
  const bodies = new Map(content.bodies.map((body) => [body.record, body]))
  return {
    version: 2,
    about: content.about,
    profile: content.profile,
    records: content.events.filter(({ kind }) => kind === 'record.begun').length,
    madeAt: made.at,
    madeBy: makerOf(made),
    console: content.console,
    key: content.signer.key,
    digest,
    tree: { root, size },
    countersignatures,
    names: namesInvolved(content, made),
    erased: erasedParts(content),
    events: content.events.map((event) => {
      const { seq, at, kind, record, hash, previous, path } = event
      const body = kind === 'record.ended' && record !== null ? bodies.get(record) : undefined
      return {
        seq,
        at,
        kind,
        record,
        hash,
        previous,
        steps: path.length,
        commitment: null,
        entries: eventEntries(event),
        response: body ? bodyEntries(body) : []
      }
    })
  }
}
