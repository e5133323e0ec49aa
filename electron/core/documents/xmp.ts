/**
 * Reads a few properties of an XMP packet (ISO 16684-1), which image editors write beside EXIF or instead of it. The
 * packet is XML, but it is not parsed as XML: the properties are looked up by their names, so there are no entities to
 * resolve and nothing that nests. Every search is bounded.
 */
import type { XmpFacts } from '#contract/documents/documents.ts'

/** Packets of editors have some kilobytes; longer ones are read up to here. */
const maxPacket = 256 * 1024
/** Longer texts are cut: nobody reads them. */
const maxText = 200
/** Steps of an image's history that are looked at. */
const maxSteps = 100

const basic = 'http://ns.adobe.com/xap/1.0/'
const photoshop = 'http://ns.adobe.com/photoshop/1.0/'
const step = 'http://ns.adobe.com/xap/1.0/sType/ResourceEvent#'

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
/** A value as text. Entities that a packet defines itself stay as they are written. */
const decoded = (value: string): string =>
  value.replace(/&(amp|lt|gt|quot|apos);/g, (_whole, name: string) => entities[name] ?? '')

/** The prefix that a packet uses for a namespace. */
function prefixOf(packet: string, namespace: string): string | undefined {
  for (const quote of ['"', "'"]) {
    const at = packet.indexOf(`=${quote}${namespace}${quote}`)
    const name =
      at < 0 ? undefined : /xmlns:([A-Za-z_][\w.-]{0,30})\s{0,10}$/.exec(packet.slice(Math.max(0, at - 60), at))?.[1]
    if (name !== undefined) return name
  }
  return undefined
}

/** The values of a property in order, written as an attribute or as an element. */
function* valuesOf(packet: string, name: string): Generator<string> {
  for (
    let at = packet.indexOf(name), looked = 0;
    at >= 0 && looked < maxSteps * 4;
    at = packet.indexOf(name, at + name.length), looked += 1
  ) {
    const before = packet[at - 1] ?? ''
    const rest = packet.slice(at + name.length, at + name.length + maxText * 4)
    const value =
      before === '<'
        ? /^\s{0,10}>([^<]*)/.exec(rest)?.[1]
        : /\s/.test(before)
          ? /^\s{0,10}=\s{0,10}(?:"([^"<]*)"|'([^'<]*)')/
              .exec(rest)
              ?.slice(1)
              .find((each) => each !== undefined)
          : undefined
    const text = value === undefined ? '' : decoded(value).trim().slice(0, maxText)
    if (text !== '') yield text
  }
}

/** The facts of an XMP packet; without any property that Veridesk knows it counts as read, and is empty. */
export function readXmp(bytes: Buffer): XmpFacts {
  const packet = bytes.toString('utf8', 0, maxPacket)
  const first = (namespace: string, property: string): string | undefined => {
    const prefix = prefixOf(packet, namespace)
    return prefix === undefined ? undefined : (valuesOf(packet, `${prefix}:${property}`).next().value ?? undefined)
  }
  const steps = prefixOf(packet, step)
  const agents = steps === undefined ? [] : [...valuesOf(packet, `${steps}:softwareAgent`)].slice(0, maxSteps)
  const software = first(basic, 'CreatorTool')
  const created = first(basic, 'CreateDate') ?? first(photoshop, 'DateCreated')
  const changed = first(basic, 'ModifyDate')
  return {
    state: 'read',
    agents: [...new Set(agents)],
    ...(software !== undefined && { software }),
    ...(created !== undefined && { created }),
    ...(changed !== undefined && { changed })
  }
}

export interface XmpTime {
  /** Unix milliseconds, as if the date were in UTC if it has no time zone. */
  readonly at: number
  readonly zoned: boolean
}

/** A date of XMP (ISO 8601); undefined if it has no time of day, since it then says too little to compare. */
export function xmpTime(text: string | undefined): XmpTime | undefined {
  const found = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?$/.exec(text ?? '')
  if (!found) return undefined
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number
  ]
  if (year === 0) return undefined
  const zone = found[7]
  const minutes =
    zone === undefined || zone === 'Z'
      ? 0
      : (zone.startsWith('-') ? -1 : 1) * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4)))
  return { at: Date.UTC(year, month - 1, day, hour, minute, second) - minutes * 60_000, zoned: zone !== undefined }
}
