/**
 * Whether a pack shows every event of the series that it states. Each event has its place in its series in its hash,
 * so none can be left out.
 */
import { z } from 'zod'
import type { EvidenceFinding } from '#contract/evidence/evidence.ts'
import { canonical } from '#kit/hashing/canonical-json.ts'
import { demand, finding } from '../refusal.ts'
import type { Content, ContentEvent, Series, SeriesKind } from './pack.ts'
import { isBatchKind, isLinkedKind, isRecordKind, plainOf } from './reading.ts'

const seriesSchema = z.array(
  z.union([
    z.tuple([z.enum(['subject', 'record']), z.int().positive(), z.int().positive(), z.int().positive()]),
    z.tuple([z.literal('batch'), z.string(), z.int().positive(), z.int().positive()])
  ])
) as unknown as z.ZodType<readonly Series[]>

/** The series that the pack's own event states; undefined if they are not stated in the required form. */
export function statedSeries(made: ContentEvent): readonly Series[] | undefined {
  const read = seriesSchema.safeParse(plainOf(made, 'series'))
  return read.success ? read.data : undefined
}

/** Numbers of the records that are linked to the applicant: those of `link.made` without a later `link.removed`. */
export function linkedRecords(events: readonly ContentEvent[]): Set<number> {
  const records = new Set<number>()
  for (const { kind, record } of events) {
    if (record === null) continue
    if (kind === 'link.made') records.add(record)
    else if (kind === 'link.removed') records.delete(record)
  }
  return records
}

/** The batches of the records that are shown, by number. */
const batchesOf = (events: readonly ContentEvent[]): Map<number | null, unknown> =>
  new Map(
    events.filter(({ kind }) => kind === 'record.begun').map((event) => [event.record, plainOf(event, 'batchId')])
  )

/** The events of a series that are shown. */
function membersOf(events: readonly ContentEvent[], kind: SeriesKind, id: number | string): ContentEvent[] {
  if (kind === 'subject') return events.filter((event) => event.subject === id && isLinkedKind(event.kind))
  if (kind === 'record') return events.filter((event) => event.record === id && isRecordKind(event.kind))
  const batches = batchesOf(events)
  return events.filter((event) =>
    isRecordKind(event.kind)
      ? batches.get(event.record) === id
      : (isBatchKind(event.kind) || (event.kind === 'pack.made' && plainOf(event, 'about') === 'batch')) &&
        plainOf(event, 'id') === id
  )
}

const nameOf = (kind: SeriesKind, id: number | string): string => `${kind === 'subject' ? 'person' : kind} ${id}`

/** Refuses a series with a gap, naming how many events are missing and where. */
function checkSeries(events: readonly ContentEvent[], [kind, id, count, last]: Series): EvidenceFinding {
  const series = nameOf(kind, id)
  let [n, before] = [0, 0]
  for (const event of membersOf(events, kind, id)) {
    const { seq } = event
    const [place, previous] = event.links[kind] ?? [0, 0]
    demand(place > n, 'series-contradicts', { event: seq, series })
    demand(place === n + 1, 'series-gap', { series, missing: place - n - 1, first: before, last: seq })
    demand(previous === before, 'series-contradicts', { event: seq, series })
    ;[n, before] = [n + 1, seq]
  }
  demand(n >= count, 'series-end-missing', { series, missing: count - n, first: before })
  demand(n === count && before === last, 'series-contradicts', { event: last, series })
  return finding('series-complete', { count, series, last })
}

/**
 * Of two events of a kind that is counted in the whole audit trail, the later one has the larger place, and names the
 * earlier one exactly if that is the one before it.
 */
function checkCounted(events: readonly ContentEvent[]): void {
  const last = new Map<string, { readonly n: number; readonly seq: number }>()
  for (const { kind, links, seq } of events) {
    if (!links.all) continue
    const [place, previous] = links.all
    const { n, seq: before } = last.get(kind) ?? { n: 0, seq: 0 }
    const follows = place === n + 1 ? previous === before : place > n && previous > before
    demand(follows, 'series-contradicts', { event: seq, series: `all ${kind}` })
    last.set(kind, { n: place, seq })
  }
}

/** The series that a pack about something must contain, in order. */
function required({ about: { kind }, events }: Content, made: ContentEvent): (readonly [SeriesKind, unknown])[] {
  if (kind === 'record') return [['record', made.record]]
  if (kind === 'batch') return [['batch', plainOf(made, 'id')]]
  const linked = [...linkedRecords(events)].sort((a, b) => a - b)
  return [['subject', made.subject], ...linked.map((record) => ['record', record] as const)]
}

/** Checks that the pack states the series that it must, and contains all of their events. */
export function checkCompleteness(content: Content, made: ContentEvent): EvidenceFinding[] {
  const stated = statedSeries(made)
  demand(stated !== undefined, 'value-missing', { event: made.seq, name: 'series' })
  const names = stated.map(([kind, id]) => [kind, id])
  demand(canonical(names) === canonical(required(content, made)), 'series-other', { event: made.seq })
  const { kind } = content.about
  const [first] = stated
  // The pack itself ends the series of its person or batch.
  if (kind !== 'record' && first) {
    const own = made.links[kind === 'batch' ? 'batch' : 'subject']
    demand(first[2] === own?.[0] && first[3] === made.seq, 'series-contradicts', {
      event: made.seq,
      series: nameOf(first[0], first[1])
    })
  }
  checkCounted(content.events)
  return stated.map((each) => checkSeries(content.events, each))
}
