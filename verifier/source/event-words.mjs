/** The events of a verified pack in words. */
import { harmless, visible } from './bytes.mjs'
import { isErased, plainValue } from './events.mjs'

const agreement = (of) => ({ true: 'agrees', false: 'does not agree' })[of('agrees')] ?? of('agrees')

/** Titles of events by kind; `of` returns a value as text. Other kinds are shown by name. */
const titles = {
  'connection.noted': () => 'Connection used for the first time',
  'record.begun': (of) => `Verification started: ${of('operation')}`,
  'record.ended': (of) => `Verification ended: ${of('outcome')}`,
  'record.resolved': (of) => `Unknown outcome resolved: ${of('as')}`,
  'document.kept': (of) =>
    `${{ before: 'Copy of a document kept before the request', beside: 'Copy of a document kept for the batch, after the request', later: 'Copy of a document kept after the request', file: 'File added as a copy of a document' }[of('when')] ?? 'Copy of a document kept'}: ${of('field')}`,
  'document.missed': (of) => `No copy of a document: ${of('field')}, ${of('reason')}`,
  'batch.made': (of) => `Batch created: ${of('operation')}`,
  'batch.changed': (of) => `Batch changed: ${of('to')}`,
  'checklist.noted': () => 'Checklist answered for the first time',
  'subject.erased': (of) => `Personal data erased: ${of('cause')}`,
  'decision.made': (of) =>
    of('requires') === '1' ? `Decision, proposed to a second person: ${of('decision')}` : `Decision: ${of('decision')}`,
  'note.made': () => 'Note',
  'tags.changed': () => 'Tags changed',
  'due.changed': () => 'Due date changed',
  'expiry.noted': () => 'Expiry of a document noted',
  'review.recorded': (of) => `Review: ${of('outcome')}`,
  'challenge.recorded': () => 'Challenge of the decision',
  'risk.rated': (of) => `Risk class: ${of('class')}`,
  'relationship.changed': (of) => `Relationship: ${of('state')}, ${of('on')}`,
  'link.made': () => 'Record linked to the applicant',
  'link.removed': () => 'Link between record and applicant removed',
  'approval.asked': () => 'Approval of the decision asked for',
  'approval.answered': (of) => `Request for approval of a colleague answered: ${agreement(of)}`,
  'approval.received': (of) =>
    `Answer of a colleague to a request for approval received: ${agreement(of)}${of('void') === 'true' ? ', void' : ''}`,
  'batch.resolved': () => 'Rows of the batch resolved after a restore',
  'pack.made': (of) => `Evidence pack created: ${of('profile')}`
}

const written = (value) => (typeof value === 'string' ? value : JSON.stringify(value))
/** The label of a value: `input.id_url` is what was sent, `consoleVersion` is “Console version”. */
function labelOf(name) {
  if (name === 'focus') return 'Shown in a focused window before, in seconds, as the window says'
  if (name.startsWith('input.')) return `Sent: ${name.slice('input.'.length)}`
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return words.replace(/^./u, (first) => first.toUpperCase())
}

/** Everything that an event or response shows: label, and value (null if withheld). */
function entriesOf(entry) {
  const parts = Object.hasOwn(entry, 'seq') ? [entry.plain, ...(entry.sealed ? [entry.sealed] : [])] : [entry]
  const withheld = parts.reduce((sum, part) => sum + (isErased(part) ? 0 : part.withheld.length), 0)
  return [
    ...parts.flatMap((part) =>
      isErased(part)
        ? [{ label: 'Sealed part', value: null }]
        : part.shown.map(([, name, value]) => ({ label: labelOf(name), value: written(value) }))
    ),
    ...(withheld > 0 ? [{ label: `Withheld values (${withheld})`, value: null }] : [])
  ]
}

/**
 * The events of a verified pack as text, one after the other, for reading and printing. Texts are as recorded, with
 * characters that hide or reorder text shown by their code point; display them as text, never as markup.
 */
export function* eventsInWords(
  {
    pack: {
      content: { bodies, events }
    }
  },
  from = 0,
  to = events.length
) {
  const replies = new Map(bodies.map((body) => [body.record, body]))
  for (const event of events.slice(from, to)) {
    const { at, kind, record, seq, subject } = event
    const of = (name) => {
      const value = plainValue(event, name)
      return value === undefined || value === null ? '(withheld)' : written(value)
    }
    const reply = kind === 'record.ended' ? replies.get(record) : undefined
    const entries = [
      ...entriesOf(event),
      ...(reply ? entriesOf(reply).map((entry) => ({ ...entry, label: `Response: ${entry.label.toLowerCase()}` })) : [])
    ]
    yield {
      title: harmless(Object.hasOwn(titles, kind) ? titles[kind](of) : kind),
      time: new Date(at).toISOString(),
      about: [
        `event ${seq}`,
        ...(subject === null ? [] : [`person ${subject}`]),
        ...(record === null ? [] : [`record ${record}`])
      ].join(', '),
      entries: entries.map(({ label, value }) => ({
        label: harmless(label),
        value: value === null ? null : visible(value)
      }))
    }
  }
}

/** An event in lines for a terminal: no line of recorded text can look like one of the verifier. */
export function eventLines({ title, time, about, entries }) {
  const shown = entries.flatMap(({ label, value }) =>
    value === null
      ? [`  ${label}: (not shown)`]
      : value.split('\n').map((line, index) => (index === 0 ? `  ${label}: ${line}` : `    | ${line}`))
  )
  return ['', `${time}  ${title}`, `  ${about}.`, ...shown]
}
