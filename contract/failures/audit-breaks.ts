/**
 * Breaks of the audit trail found by verification: the kind of each and its sentence, by code. All details are
 * numbers.
 */

/**
 * How a chain breaks. `gap`: an event is missing; `hash`: it or its position was changed; `tail`: the anchored end is
 * missing; `anchor`: the file is not the anchored one; `payload`, `body`: sealed data does not match the chain's
 * commitment; `projection`: a list contradicts the events.
 */
type BreakKind = 'gap' | 'hash' | 'tail' | 'anchor' | 'payload' | 'body' | 'projection'

interface BreakDeclaration {
  readonly why: BreakKind
  readonly what: string
}

export const auditBreakTable = {
  'event-before-first': { why: 'gap', what: 'There is an event before the first one.' },
  'event-missing': { why: 'gap', what: 'Event {event} is missing.' },
  'events-missing': { why: 'gap', what: 'Events {first} to {last} are missing.' },
  'event-changed': { why: 'hash', what: 'Event {event} was changed, or is not where it was written.' },
  'event-replaced': { why: 'anchor', what: 'Event {event} is not the one whose hash was anchored: the events up to it were replaced.' },
  'end-missing': { why: 'tail', what: 'Event {event} is the last; {missing} or more that were written after it are missing.' },
  'all-missing': { why: 'tail', what: 'All events are missing.' },
  'keys-older': { why: 'projection', what: 'The file of keys is an older one: it knows {known} subjects, and event {event} belongs to number {subject}.' },
  'key-missing': { why: 'payload', what: 'The key of subject {subject} is missing, and no erasure destroyed it: what event {event} seals can no longer be read.' },
  'key-restored': { why: 'projection', what: 'The key that event {event} destroyed exists again (subject {subject}).' },
  'sealed-added': { why: 'payload', what: 'The sealed part of event {event} was added.' },
  'sealed-removed': { why: 'payload', what: 'The sealed part of event {event} was removed.' },
  'sealed-changed': { why: 'payload', what: 'The sealed part of event {event} is not what the chain committed to.' },
  'body-changed': { why: 'body', what: 'The response of record {record} is not what event {event} committed to.' },
  'event-unreadable': { why: 'projection', what: 'The content of event {event} cannot be read.' },
  'connection-differs': { why: 'projection', what: 'Connection {connection} does not match event {event}.' },
  'record-missing': { why: 'projection', what: 'Record {record} of event {event} is missing from the list.' },
  'record-of-another': { why: 'projection', what: 'Record {record} in the list belongs to another subject than event {event}.' },
  'record-changed': { why: 'projection', what: 'Record {record} in the list does not match event {event}.' },
  'record-outcome': { why: 'projection', what: 'Record {record} in the list has another outcome than event {event}.' },
  'record-resolution': { why: 'projection', what: 'Record {record} in the list has another resolution than event {event}.' },
  'record-unconfirmed': { why: 'projection', what: 'Record {record} in the list refers to event {event}, which does not mention it.' },
  'record-extra': { why: 'projection', what: 'The list contains a record (number {record}) that no event mentions.' },
  'decision-differs': { why: 'projection', what: 'The applicant’s decision is not the one of event {event}.' }
} as const satisfies Readonly<Record<string, BreakDeclaration>>
