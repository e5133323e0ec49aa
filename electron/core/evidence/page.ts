/** The readable page of a pack, from which the PDF is printed. Every value is escaped; nothing in it runs or loads. */
import { visible } from '#contract/text/hidden-text.ts'
import { isOperationId, operationOf } from '#contract/verification/operations.ts'
import { redactionProfiles } from '#contract/evidence/evidence.ts'
import { groupOf } from '#contract/evidence/event-sentences.ts'
import { fingerprintOf } from '#wire/evidence/keys.ts'
import type { EventView, PackView } from './pack/view.ts'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;'
}
/** Text escaped for markup; characters that hide or reorder text are made visible. */
export const escaped = (text: string): string => visible(text).replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)

/** A time in UTC, to the second. @param at Unix milliseconds. */
export const time = (at: number): string =>
  `${new Date(at)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z/, '')} UTC`
/** A row of a table. @param value Markup. */
export const row = (label: string, value: string): string => `<tr><th>${escaped(label)}</th><td>${value}</td></tr>`
const mono = (text: string): string => `<code>${escaped(text)}</code>`

/** Maximum length of a value on the page; the file contains all of it. */
const maxLength = 4000
/** A value as the page shows it, cut if it is long. @param whole Where all of it is. */
export const shown = (value: string, whole: string): string =>
  value.length > maxLength ? `${value.slice(0, maxLength)} … (${value.length} characters, complete in ${whole})` : value

/** The title of an event. */
export function titleOf(event: EventView): string {
  const operation = event.entries.find(({ label }) => label === 'operation')?.value
  const named = operation && isOperationId(operation) ? `${operationOf(operation).title}: ` : ''
  return `${named}${event.kind.replaceAll('.', ' ')}`
}

const valueCell = (value: string | null): string =>
  value === null
    ? '<em>withheld; its digest is in the file</em>'
    : `<span class="value">${escaped(shown(value, 'the pack'))}</span>`

function eventSection(event: EventView): string {
  const rows = [...event.entries, ...event.response].map(({ label, value }) => row(label, valueCell(value)))
  return `<section>
<h3>${escaped(titleOf(event))}</h3>
<p class="meta">${time(event.at)} · event ${event.seq} · ${escaped(groupOf(event.kind))}${event.record === null ? '' : ` · record ${event.record}`}</p>
<table>${rows.join('')}</table>
<p class="proof">hash ${mono(event.hash)}<br>previous ${mono(event.previous)}<br>inclusion proof of ${event.steps} steps to the Merkle root</p>
</section>`
}

const style = `@page { size: A4; margin: 18mm 16mm }
body { font: 10pt/1.45 "DejaVu Sans", "Segoe UI", Arial, sans-serif; color: #111 }
h1 { font-size: 17pt; margin: 0 0 4mm } h2 { font-size: 13pt; margin: 8mm 0 2mm } h3 { font-size: 11pt; margin: 0 }
section { break-inside: avoid-page; border-top: 0.3mm solid #888; padding: 3mm 0 }
table { border-collapse: collapse; width: 100% } th { text-align: left; vertical-align: top; width: 42mm; font-weight: 600; padding: 0.6mm 3mm 0.6mm 0 }
td { vertical-align: top; padding: 0.6mm 0; overflow-wrap: anywhere } .value { white-space: pre-wrap; unicode-bidi: isolate }
code { font: 8pt "DejaVu Sans Mono", Consolas, monospace; overflow-wrap: anywhere } .meta, .proof { color: #444; font-size: 8.5pt; margin: 1mm 0 }`

/** A page to print, under its title. @param body Markup. */
export const pageOf = (title: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title><style>${style}</style></head><body>
<h1>${escaped(title)}</h1>
${body}
</body></html>
`

/** The page of a pack: it names the state of the audit trail and the key, and the pack's signed content names its PDF. */
export function packPage(pack: PackView): string {
  const { about, console, key, madeAt, madeBy, records, tree } = pack
  const profile = redactionProfiles.find(({ id }) => id === pack.profile)
  const facts = [
    row('About', escaped(`${about.kind} ${about.id ?? '(withheld)'}`)),
    row('Records', String(records)),
    row('Created', `${time(madeAt)}, Veridesk ${escaped(console)}${madeBy === null ? '' : `, by ${escaped(madeBy)}`}`),
    row('Disclosure', escaped(`${profile?.label ?? ''}. ${profile?.meaning ?? ''}`)),
    row('Signed by', `Ed25519 key ${mono(fingerprintOf(key))}`),
    row('Audit trail', `${tree.size} events`),
    row('Merkle root', mono(tree.root))
  ]
  return pageOf(
    'Evidence',
    `<p>This page is a readable copy. The proof is the evidence file, which verify.html or “node verify.mjs FILE” verifies offline and without Veridesk.
Messages are the service’s exact words. Decisions and notes were written by people.</p>
<table>${facts.join('')}</table>
<h2>Events</h2>
${pack.events.map(eventSection).join('\n')}`
  )
}
