/** What is shown of a pack of version 1. */
import { isUnnamed } from '#wire/audit-words.ts'
import { namesInvolved } from './names.ts'
import type { Entry, PackView } from '../view.ts'
import { erasedOf } from './meaning.ts'
import { flatFields, packDigest, type Pack, type PackBodyText, type PackEvent } from './pack.ts'

/** Label and value of everything that an entry shows; null if withheld or erased. */
export function entriesOf(entry: PackEvent | PackBodyText): Entry[] {
  const plain = 'plain' in entry && entry.plain !== null ? flatFields(entry.plain) : []
  const payload = entry.payload ? flatFields(entry.payload.text) : []
  const open = [...plain, ...payload].map(([label, value]) => ({ label, value }))
  const fields = entry.fields.map(({ name, value }) => ({ label: name.replace(/^plain\./, ''), value }))
  const gone =
    entry.commitment !== null && !entry.payload && entry.fields.every(({ name }) => name.startsWith('plain.'))
  // Version 0.1 did not record it; in a redacted pack it may be withheld instead, and then has a field.
  const unnamed =
    'plain' in entry &&
    entry.plain !== null &&
    isUnnamed(entry.kind, JSON.parse(entry.plain) as Readonly<Record<string, unknown>>)
  return [
    ...open,
    ...fields,
    ...(unnamed ? [{ label: 'operator', value: 'not recorded' }] : []),
    ...(gone ? [{ label: 'sealed data', value: null }] : [])
  ]
}

export function viewOf(pack: Pack): PackView {
  const { about, bodies, events, made, profile, records, tree } = pack.content
  return {
    version: 1,
    about,
    profile,
    records,
    madeAt: made.at,
    madeBy: made.by,
    console: made.console,
    key: pack.signature.key,
    digest: packDigest(pack),
    tree,
    names: namesInvolved(pack),
    erased: erasedOf(pack),
    countersignatures: pack.countersignatures.map(({ agrees, at, by, key, note }) => ({ agrees, at, by, key, note })),
    events: events.map((event) => {
      const { seq, at, kind, record, hash, previous, path, commitment } = event
      const body = kind === 'record.ended' ? bodies.find((each) => each.record === record) : undefined
      return {
        seq,
        at,
        kind,
        record,
        hash,
        previous,
        steps: path.length,
        commitment,
        entries: entriesOf(event),
        response: body ? entriesOf(body) : []
      }
    })
  }
}
