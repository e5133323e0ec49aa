/** An event as a line: JSON, CEF, and the frame of syslog around either (RFC 5424, 5425). Pure. */
import type { ForwardedEvent } from '#contract/forwarding/fields.ts'
import type { SyslogMessage } from '#contract/forwarding/forwarding.ts'

/** What every line of a program says. */
export interface Sender {
  readonly hostname: string
  readonly version: string
}

/** Kinds that somebody should look at. */
const warnings: ReadonlySet<string> = new Set([
  'unlock.failed',
  'policies.refused',
  'finding.acknowledged',
  'forwarding.changed'
])

/** In ASCII, so that a line has the same bytes in every encoding and needs no mark of one. */
const ascii = (json: string): string =>
  json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The event as one line of JSON. */
export const jsonLine = ({ fields, hash, ...event }: ForwardedEvent): string =>
  // The event's own names come last but one, and never replace those of every event.
  ascii(JSON.stringify({ ...event, details: fields, hash }))

const headerText = (text: string): string => text.replace(/[\\|]/g, '\\$&').replace(/[\r\n]+/g, ' ')
const valueText = (value: string | number | boolean): string =>
  String(value)
    .replace(/[\\=]/g, '\\$&')
    .replace(/\r?\n|\r/g, '\\n')

/** Of an own key: CEF allows letters and digits. */
const ownKey = (name: string): string =>
  `Veridesk${name.charAt(0).toUpperCase()}${name.slice(1).replace(/[^a-z0-9]/gi, '')}`

/** The event in ArcSight's Common Event Format; keys of its own begin with `Veridesk`. */
export function cefLine(event: ForwardedEvent, { hostname, version }: Sender): string {
  const { source, number, time, type, operator, connection, record, fields, hash } = event
  const extension: [string, string | number | boolean][] = [
    ['externalId', number],
    ['rt', Date.parse(time)],
    ['dvchost', hostname],
    ['deviceExternalId', source],
    ['cat', type.replace(/\..*$/, '')],
    ...(operator === undefined ? [] : ([['suser', operator]] as [string, string][])),
    ...(connection === undefined ? [] : ([[ownKey('connection'), connection]] as [string, string][])),
    ...(record === undefined ? [] : ([[ownKey('record'), record]] as [string, number][])),
    ...Object.entries(fields).map(([name, value]): [string, string | number | boolean] => [ownKey(name), value]),
    [ownKey('hash'), hash]
  ]
  const head = ['CEF:0', 'Veridesk', 'Veridesk', version, type, type, warnings.has(type) ? '6' : '3']
  return `${head.map(headerText).join('|')}|${extension.map(([key, value]) => `${key}=${valueText(value)}`).join(' ')}`
}

/** Log audit, of RFC 5424's facilities; severities warning and informational. */
const facility = 13
const severity = (type: string): number => (warnings.has(type) ? 4 : 6)
/** The largest `sequenceId` that there is. */
const largestSequence = 2_147_483_647

const printable = (text: string, most: number): string => text.replace(/[^\u0021-\u007e]/g, '').slice(0, most) || '-'
const parameter = (text: string): string => text.replace(/["\\\]]/g, '\\$&')

/** A frame of syslog over TLS: its octets counted before it. */
export function syslogFrame(event: ForwardedEvent, message: SyslogMessage, sender: Sender): Buffer {
  const { number, time, type } = event
  const head = [
    `<${facility * 8 + severity(type)}>1`,
    time,
    printable(sender.hostname, 255),
    'Veridesk',
    '-',
    printable(type, 32),
    `[meta sequenceId="${((number - 1) % largestSequence) + 1}"][origin software="Veridesk" swVersion="${parameter(sender.version)}"]`
  ].join(' ')
  const line = Buffer.from(`${head} ${message === 'cef' ? cefLine(event, sender) : jsonLine(event)}`)
  return Buffer.concat([Buffer.from(`${line.length} `), line])
}
