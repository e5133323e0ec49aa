/**
 * Breaks of the audit trail found by verification: the kind of each and its sentence, by code. All details are
 * numbers.
 */

/**
 * How a chain breaks. `gap`: an event is missing; `hash`: it or its position was changed; `tail`: the anchored end is
 * missing; `anchor`: the file is not the anchored one; `payload`, `body`: sealed values are not those
 * whose digest the chain covers; `projection`: a list contradicts the events.
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
  'event-changed': { why: 'hash', what: 'Event {event} was changed or moved.' },
  'event-replaced': {
    why: 'anchor',
    what: 'The hash of event {event} does not match the anchor: the events up to it were replaced.'
  },
  'end-missing': { why: 'tail', what: 'Event {event} is the last one; {missing} or more later events are missing.' },
  'all-missing': { why: 'tail', what: 'All events are missing.' },
  'keys-older': {
    why: 'projection',
    what: 'The key file is an older copy: it contains {known} subjects, but event {event} belongs to subject {subject}.'
  },
  'key-missing': {
    why: 'payload',
    what: 'The key of subject {subject} is missing, but no erasure destroyed it: the sealed part of event {event} can no longer be read.'
  },
  'key-restored': { why: 'projection', what: 'The key that event {event} destroyed exists again (subject {subject}).' },
  'sealed-added': { why: 'payload', what: 'The sealed part of event {event} was added.' },
  'sealed-removed': { why: 'payload', what: 'The sealed part of event {event} was removed.' },
  'sealed-changed': {
    why: 'payload',
    what: 'The values of the sealed part of event {event} are not those of their digest.'
  },
  'body-changed': {
    why: 'body',
    what: 'The values of the response of record {record} are not those of their digest in event {event}.'
  },
  'event-unreadable': { why: 'projection', what: 'The content of event {event} cannot be read.' },
  'connection-differs': { why: 'projection', what: 'Connection {connection} does not match event {event}.' },
  'record-missing': { why: 'projection', what: 'Record {record} of event {event} is missing from the list.' },
  'record-of-another': {
    why: 'projection',
    what: 'Record {record} in the list belongs to another subject than event {event}.'
  },
  'record-changed': { why: 'projection', what: 'Record {record} in the list does not match event {event}.' },
  'record-outcome': { why: 'projection', what: 'Record {record} in the list has another outcome than event {event}.' },
  'record-resolution': {
    why: 'projection',
    what: 'Record {record} in the list has another resolution than event {event}.'
  },
  'record-unconfirmed': {
    why: 'projection',
    what: 'Record {record} in the list refers to event {event}, which does not mention it.'
  },
  'record-extra': { why: 'projection', what: 'The list contains a record (number {record}) that no event mentions.' },
  'series-differs': { why: 'projection', what: 'The list of series of events does not match event {event}.' },
  'decision-differs': { why: 'projection', what: 'The applicant’s decision is not the one of event {event}.' }
} as const satisfies Readonly<Record<string, BreakDeclaration>>
