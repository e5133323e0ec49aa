/** The monthly report: one model of what it says, as a page that is printed to PDF and as the sheets of a workbook. */
import type { ConnectionMode, ConnectionPrice } from '#contract/connections/connection.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { OverviewFigures } from '#contract/history/overview.ts'
import type { DecisionFigures } from '#contract/overview/decisions.ts'
import { reportWords as words, type MonthCounts, type ReportOrder } from '#contract/overview/report.ts'
import { escaped } from '#core/evidence/page.ts'
import type { ExportText } from './rows.ts'
import { writeWorkbook, type SheetToWrite, type WorkbookValue } from '#kit/workbook/write.ts'
import type { HistoryStore } from '#wire/history/store.ts'

export interface ReportFacts {
  readonly operator: string
  readonly version: string
  readonly now: number
  /** When the team's database was last compared with what is here; absent without a team. */
  readonly colleaguesAt?: number
  readonly connections: readonly {
    readonly id: string
    readonly name: string
    readonly mode: ConnectionMode
    readonly price: ConnectionPrice | undefined
  }[]
}
interface Figures {
  readonly decisions: DecisionFigures
  readonly service: OverviewFigures
  readonly counts: MonthCounts
}
/** A number beside its text: a workbook has the number. */
interface Line {
  readonly label: string
  readonly text: string
  readonly value?: number
}
interface Section {
  readonly title: string
  readonly lines: readonly Line[]
}

const number = new Intl.NumberFormat('en')
const share = (part: number, of: number): string => (of === 0 ? '–' : `${((part / of) * 100).toFixed(1)} %`)
const minutes = (ms: number): string => {
  const all = Math.round(ms / 60_000)
  const [days, hours, rest] = [Math.floor(all / 1440), Math.floor((all % 1440) / 60), all % 60]
  return days > 0
    ? `${days} d ${hours} h`
    : hours > 0
      ? `${hours} h ${String(rest).padStart(2, '0')} min`
      : `${rest} min`
}
const seconds = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`)

type Answer<T> = Promise<Result<T, Failure>>

/** The figures of the month, once they are counted. */
async function read(
  store: Pick<HistoryStore, 'overview'>,
  { period, before }: ReportOrder,
  now: number
): Answer<Figures> {
  const [from, until] = [period.edges[0] ?? 0, period.edges.at(-1) ?? 0]
  for (;;) {
    const decisions = await store.overview.decisions({ period, before }, now)
    if (!decisions.ok) return decisions
    if (decisions.value.kind === 'counting') continue
    const [service, counts] = await Promise.all([store.overview.show(period), store.overview.month(from, until)])
    if (!service.ok) return service
    if (!counts.ok) return counts
    // The decisions need every record, so these are counted too.
    if (service.value.kind === 'counted')
      return ok({ decisions: decisions.value, service: service.value, counts: counts.value })
  }
}

/** What was sent, by currency: connections without a price are named as not counted. */
function costLine({ connections }: OverviewFigures, facts: ReportFacts): Line[] {
  const sums = new Map<string, number>()
  let without = 0
  for (const { id, count, states } of connections) {
    const sent = count - (states['not-sent'] ?? 0)
    const price = facts.connections.find((each) => each.id === id)?.price
    if (price) sums.set(price.currency, (sums.get(price.currency) ?? 0) + price.amount * sent)
    else if (sent > 0) without += 1
  }
  if (sums.size === 0) return []
  const money = [...sums].map(([currency, amount]) =>
    new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount)
  )
  const rest = without === 0 ? '' : `; ${without} without a price not counted`
  return [{ label: words.cost, text: `${money.join(', ')} at the prices set now${rest}` }]
}

function sections({ decisions, service, counts }: Figures, facts: ReportFacts, names: boolean): Section[] {
  const { samples, overturned = 0, decided } = decisions
  const sent = service.total - (service.states['not-sent'] ?? 0)
  const answered = service.states.answered ?? 0
  const unknown = service.states.unknown ?? 0
  const { times } = service
  const plain = (label: string, value: number, more = ''): Line => ({
    label,
    value,
    text: `${number.format(value)}${more}`
  })
  return [
    {
      title: words.quality,
      lines: [
        {
          label: words.samples,
          value: samples.reviewed,
          text: `${number.format(samples.sets)} ${samples.sets === 1 ? 'set' : 'sets'}, ${number.format(samples.reviewed)} of ${number.format(samples.applicants)} applicants reviewed (${share(samples.reviewed, samples.applicants)})`
        },
        plain(words.overturned, overturned, ` (${share(overturned, decided)})`),
        plain(
          words.fourEyes,
          counts.approved,
          ` approved by a second person, for ${number.format(decided)} decisions (${share(counts.approved, decided)})`
        ),
        plain(
          words.reviews,
          counts.done,
          ` done, ${number.format(counts.onTime)} of ${number.format(counts.scheduled)} scheduled ones on time (${share(counts.onTime, counts.scheduled)})`
        )
      ]
    },
    {
      title: words.provider,
      lines: [
        plain(words.verifications, sent, ` sent, ${number.format(answered)} answered (${share(answered, sent)})`),
        plain(words.unknown, unknown, `, of which ${number.format(service.unresolved)} not resolved`),
        {
          label: words.responseTime,
          text: times ? `median ${seconds(times.median)}, 95 % within ${seconds(times.p95)}` : '–'
        },
        plain(words.newMessages, counts.newMessages, `, of which ${number.format(counts.unreviewed)} unreviewed`),
        ...costLine(service, facts)
      ]
    },
    {
      title: words.dataManagement,
      lines: [
        plain(words.erasures, counts.erasures),
        plain(words.holds, counts.holds, ' now'),
        {
          label: words.auditTrail,
          value: counts.head.seq,
          text: `${number.format(counts.head.seq)} events, head ${counts.head.hash.slice(0, 16).toUpperCase()} …`
        }
      ]
    },
    {
      title: words.byMessage,
      lines: decisions.messages.map(({ id, message, decided: made, approved, overturned: changed = 0 }) => ({
        label: message ?? (id === 0 ? words.noMessage : `#${id}`),
        value: made,
        text: `${number.format(made)} decided, ${share(approved, made)} approved, ${number.format(changed)} overturned`
      }))
    },
    {
      title: words.byConnection,
      lines: decisions.connections
        .filter(({ decided: made }) => made > 0)
        .map(({ name, mode, decided: made, approved }) => ({
          label: mode === 'live' ? `${name} (LIVE)` : name,
          value: made,
          text: `${number.format(made)} decided, ${share(approved, made)} approved`
        }))
    },
    ...(names && decisions.reviewers
      ? [
          {
            title: words.byReviewer,
            // Neither times nor shares of a person.
            lines: decisions.reviewers
              .filter(({ decided: made }) => made > 0)
              .map(({ name, decided: made }) => plain(name || words.nobody, made, ' decided'))
          }
        ]
      : [])
  ]
}

function tiles({ decisions }: Figures): Line[] {
  const { decided, before, decisions: by, times } = decisions
  const last = decisions.bars.findLast(({ backlog }) => backlog)?.backlog
  const change =
    before === 0 ? '' : `${decided >= before ? '+' : '−'}${Math.abs(Math.round(((decided - before) / before) * 100))} %`
  return [
    { label: words.decided, value: decided, text: change },
    { label: words.approved, value: by.approve, text: share(by.approve, decided) },
    { label: words.declined, value: by.decline, text: share(by.decline, decided) },
    { label: words.escalated, value: by.escalate, text: share(by.escalate, decided) },
    { label: words.timeToDecision, text: times ? `90 % within ${minutes(times.p90)}` : '' },
    { label: words.openAtTheEnd, value: last?.total ?? 0, text: `${number.format(last?.overdue ?? 0)} overdue` }
  ]
}

/** Dates as the window divides them. */
function dates({ period: { edges, offsets } }: ReportOrder) {
  const offsetAt = (at: number): number => (offsets.findLast(({ from }) => from <= at) ?? offsets[0])?.minutes ?? 0
  const local = (at: number): Date => new Date(at + offsetAt(at) * 60_000)
  const text = (at: number, options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat('en', { timeZone: 'UTC', ...options }).format(local(at))
  const [from, until] = [edges[0] ?? 0, (edges.at(-1) ?? 0) - 1]
  const ahead = offsetAt(until)
  const hours = `${Math.floor(Math.abs(ahead) / 60)}${ahead % 60 === 0 ? '' : `:${String(Math.abs(ahead) % 60).padStart(2, '0')}`}`
  return {
    iso: (at: number): string => local(at).toISOString().slice(0, 10),
    month: text(from, { month: 'long', year: 'numeric' }),
    span: `${text(from, { month: 'short', day: 'numeric' })} to ${text(until, { month: 'short', day: 'numeric', year: 'numeric' })}, UTC${ahead === 0 ? '' : ahead > 0 ? `+${hours}` : `−${hours}`}`,
    day: (at: number): string => text(at, { month: 'short', day: 'numeric', year: 'numeric' })
  }
}

/** Whose decisions are counted. */
const countsOf = ({ colleaguesAt }: ReportFacts): string =>
  colleaguesAt === undefined
    ? words.foot
    : words.footTeam(`${new Date(colleaguesAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`)

const style = `@page { size: A4; margin: 16mm 14mm }
body { font: 10pt/1.4 "Inter", "DejaVu Sans", "Segoe UI", Arial, sans-serif; color: #14181d; margin: 0; -webkit-print-color-adjust: exact }
header { border-bottom: 0.6mm solid #14181d; padding-bottom: 2mm; display: flex; align-items: end; justify-content: space-between }
h1 { font-size: 15pt; margin: 0 } header p { margin: 0; color: #5d6671; font-size: 9pt } header b { font-size: 11pt }
h2 { font-size: 10pt; margin: 5mm 0 0; padding-bottom: 1mm; border-bottom: 0.25mm solid #c9d0d7 }
.tiles { display: flex; border: 0.25mm solid #e0e4e8; border-radius: 2mm; margin-top: 4mm }
.tiles div { flex: 1; padding: 2.5mm; border-left: 0.25mm solid #e0e4e8; font-size: 8.5pt; color: #454d57 } .tiles div:first-child { border-left: 0 }
.tiles strong { display: block; font-size: 14pt; color: #14181d; white-space: nowrap }
.bars { display: flex; align-items: end; gap: 1mm; height: 26mm; border-bottom: 0.25mm solid #848d98; margin-top: 2mm }
.bars i { flex: 1; display: flex; flex-direction: column; justify-content: end; height: 100% } .bars b { display: block }
.approve { background: #1d6b3c } .decline { background: repeating-linear-gradient(45deg, #a8201a 0 0.7mm, #fff 0.7mm 1.2mm) } .escalate { background: #c98a1c }
.legend { color: #454d57; font-size: 8.5pt; margin: 1mm 0 0 } .legend b { display: inline-block; width: 2.4mm; height: 2.4mm; margin: 0 1mm 0 3mm }
section { break-inside: avoid-page } table { border-collapse: collapse; width: 100% }
th { text-align: left; font-weight: 400; color: #454d57; width: 68mm } th, td { padding: 1.2mm 0; border-bottom: 0.25mm solid #e0e4e8; vertical-align: top; overflow-wrap: anywhere }
footer { margin-top: 8mm; color: #5d6671; font-size: 8.5pt }`

function page(order: ReportOrder, figures: Figures, facts: ReportFacts): string {
  const at = dates(order)
  const { bars, times } = figures.decisions
  const most = Math.max(1, ...bars.map(({ decisions: { approve, decline, escalate } }) => approve + decline + escalate))
  const used = facts.connections.filter(({ id }) => figures.service.connections.some((each) => each.id === id))
  const of = used.map(({ name, mode }) => (mode === 'live' ? `${name} (LIVE)` : name)).join(', ')
  const columns = bars.map(({ decisions }) => {
    const parts = (['escalate', 'decline', 'approve'] as const).map(
      (each) => `<b class="${each}" style="height:${((decisions[each] / most) * 100).toFixed(2)}%"></b>`
    )
    return `<i>${parts.join('')}</i>`
  })
  const shown = tiles(figures).map(({ label, value, text }) => {
    const main = value === undefined ? (times ? minutes(times.median) : '–') : number.format(value)
    return `<div>${escaped(label)}<strong>${escaped(main)}</strong>${escaped(text)}</div>`
  })
  const parts = sections(figures, facts, order.names).map(({ title, lines }) => {
    const rows = lines.map(({ label, text }) => `<tr><th>${escaped(label)}</th><td>${escaped(text)}</td></tr>`)
    return lines.length === 0 ? '' : `<section><h2>${escaped(title)}</h2><table>${rows.join('')}</table></section>`
  })
  const legend = (['approve', 'decline', 'escalate'] as const).map(
    (each, index) => `<b class="${each}"></b>${escaped([words.approved, words.declined, words.escalated][index] ?? '')}`
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(`${words.title}, ${at.month}`)}</title><style>${style}</style></head><body>
<header><div><h1>${escaped(`${words.title}, ${at.month}`)}</h1><p>${escaped([of, `${at.span}. Created ${at.day(facts.now)} by ${facts.operator}.`].filter(Boolean).join('. '))}</p></div><b>Veridesk</b></header>
<div class="tiles">${shown.join('')}</div>
<section><h2>${escaped(words.decisionsPerDay)}</h2><div class="bars">${columns.join('')}</div><p class="legend">${legend.join('')}</p></section>
${parts.join('\n')}
<footer>${escaped(`${countsOf(facts)} ${words.footWords}`)}</footer></body></html>`
}

async function* chunk(
  rows: readonly (readonly WorkbookValue[])[]
): AsyncGenerator<readonly (readonly WorkbookValue[])[]> {
  yield rows
}

function sheets(order: ReportOrder, figures: Figures, facts: ReportFacts): SheetToWrite[] {
  const at = dates(order)
  const { times } = figures.decisions
  const lines = (all: readonly Line[]): WorkbookValue[][] =>
    all.map(({ label, value, text }) => [label, value ?? '', text])
  const main = tiles(figures).map((line) =>
    line.value === undefined && times ? { ...line, text: `median ${minutes(times.median)}, ${line.text}` } : line
  )
  const about: WorkbookValue[][] = [
    [words.title, '', at.month],
    ['Period', '', at.span],
    ['Created (UTC)', '', new Date(facts.now)],
    ['Created by', '', facts.operator],
    ['Veridesk', '', facts.version],
    [words.counts, '', countsOf(facts)]
  ]
  return [
    { name: 'Report', headings: ['Figure', 'Number', 'In words'], rows: chunk([...about, ...lines(main)]) },
    {
      name: 'Days',
      headings: ['Day', words.approved, words.declined, words.escalated, 'Waiting', 'Overdue'],
      rows: chunk(
        figures.decisions.bars.map(({ from, decisions: { approve, decline, escalate }, backlog }) => [
          at.iso(from),
          approve,
          decline,
          escalate,
          backlog?.total ?? '',
          backlog?.overdue ?? ''
        ])
      )
    },
    ...sections(figures, facts, order.names).map(({ title, lines: each }) => ({
      name: title,
      headings: [title, 'Number', 'In words'],
      rows: chunk(lines(each))
    }))
  ]
}

/** Failures: those of the store, and `pdf-not-written` if the host cannot print. */
export async function reportText(
  store: Pick<HistoryStore, 'overview'>,
  order: ReportOrder,
  facts: ReportFacts,
  printPdf: ((html: string) => Promise<Uint8Array>) | undefined
): Answer<ExportText> {
  const figures = await read(store, order, facts.now)
  if (!figures.ok) return figures
  const { head } = figures.value.counts
  if (order.format === 'xlsx') {
    const { pieces, cut } = writeWorkbook(sheets(order, figures.value, facts))
    return ok({ head, pieces, cut, rows: () => figures.value.decisions.decided })
  }
  if (!printPdf) return failed('pdf-not-written', { reason: 'cannot-print' })
  try {
    const bytes = await printPdf(page(order, figures.value, facts))
    async function* whole(): AsyncGenerator<Uint8Array> {
      yield bytes
    }
    return ok({ head, pieces: whole(), rows: () => figures.value.decisions.decided })
  } catch (error) {
    return failed('pdf-not-written', { reason: 'error', error: error instanceof Error ? error.name : 'unknown error' })
  }
}
