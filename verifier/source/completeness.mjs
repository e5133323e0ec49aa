/** Whether a pack shows every event of the series that it must contain: each event says which one of its series it is. */
import { canonical, must } from './canonical.mjs'
import { isBatchKind, isLinkedKind, ofEvent, plainValue, recordKinds } from './events.mjs'
import { isPositive, isText, listOf, oneOf, tupleOf } from './shape.mjs'

const isNumbered = tupleOf(oneOf('subject', 'record'), isPositive, isPositive, isPositive)
const isOfBatch = tupleOf(oneOf('batch'), isText, isPositive, isPositive)
const isSeries = listOf((each) => (Array.isArray(each) && each[0] === 'batch' ? isOfBatch(each) : isNumbered(each)))

const seriesName = (kind, id) => `${kind === 'subject' ? 'person' : kind} ${id}`
const countOf = (number, one = 'event') => `${number} ${one}${number === 1 ? '' : 's'}`

/** Numbers of the records that are linked to the applicant: an event `link.made` names them, and no later `link.removed`. */
export function linkedRecords(events) {
  const records = new Set()
  for (const { kind, record } of events) {
    if (kind === 'link.made') records.add(record)
    else if (kind === 'link.removed') records.delete(record)
  }
  return records
}

/** The events of a series that are shown, in order. */
function membersOfSeries(events, kind, id) {
  if (kind === 'subject') return events.filter((event) => event.subject === id && isLinkedKind(event.kind))
  if (kind === 'record') return events.filter((event) => event.record === id && recordKinds.includes(event.kind))
  const batches = new Map(
    events.filter((event) => event.kind === 'record.begun').map((event) => [event.record, plainValue(event, 'batchId')])
  )
  return events.filter((event) => {
    if (recordKinds.includes(event.kind)) return batches.get(event.record) === id
    return (
      (isBatchKind(event.kind) || (event.kind === 'pack.made' && plainValue(event, 'about') === 'batch')) &&
      plainValue(event, 'id') === id
    )
  })
}

/** Refuses a series with a gap; the sentence says how many events are missing, and between which. */
function checkSeries(events, [kind, id, count, last]) {
  const name = seriesName(kind, id)
  let [n, before] = [0, 0]
  for (const event of membersOfSeries(events, kind, id)) {
    const [place, previous] = event.links[kind] ?? [0, 0]
    const where = before === 0 ? `before ${ofEvent(event)}` : `between events ${before} and ${event.seq}`
    must(place <= n + 1, `Events of ${name} are missing: ${countOf(place - n - 1)} ${where}.`)
    must(place === n + 1 && previous === before, `${ofEvent(event)} contradicts the order of the events of ${name}.`)
    ;[n, before] = [n + 1, event.seq]
  }
  must(n >= count, `Events of ${name} are missing: ${countOf(count - n)} after event ${before}.`)
  must(n === count && before === last, `The events of ${name} are not those that the pack must contain.`)
}

/** All events of some kinds are a series of the audit trail: what a pack shows of it must fit together. */
function checkCounted(events) {
  const last = new Map()
  for (const event of events.filter(({ links }) => links.all !== undefined)) {
    const [place, previous] = event.links.all
    const [n, before] = last.get(event.kind) ?? [0, 0]
    must(
      place > n && (place === n + 1 ? previous === before : previous > before),
      `${ofEvent(event)} contradicts the order of the events of all ${event.kind}.`
    )
    last.set(event.kind, [place, event.seq])
  }
}

/** Checks that the pack states the series that it must, and contains all events of them; returns them. */
export function checkCompleteness({ about, events }, made) {
  const stated = plainValue(made, 'series')
  must(isSeries(stated) === undefined, `${ofEvent(made)} does not state what the pack contains completely.`)
  const linked = [...linkedRecords(events)].sort((a, b) => a - b)
  const required = {
    record: () => [['record', made.record]],
    batch: () => [['batch', plainValue(made, 'id')]],
    applicant: () => [['subject', made.subject], ...linked.map((record) => ['record', record])]
  }[about.kind]()
  must(
    canonical(stated.map(([kind, id]) => [kind, id])) === canonical(required),
    `${ofEvent(made)} does not state the series that the pack must contain, in their order.`
  )
  const [[kind, id, count, last]] = stated
  must(
    about.kind === 'record' || (count === made.links[kind][0] && last === made.seq),
    `It states another number of events of ${seriesName(kind, id)} than ${ofEvent(made)} has.`
  )
  checkCounted(events)
  for (const series of stated) checkSeries(events, series)
  return stated
}
