/** The monthly report, saved as a PDF and as a workbook, and read back. */
import { expect, test } from 'vitest'
import type { Decision } from '#contract/applicants/applicants.ts'
import type { ReportOrder } from '#contract/overview/report.ts'
import { reportText } from '#core/exports/report.ts'
import { openWorkbook } from '#kit/workbook/read.ts'
import type { Engine } from '#store/engine/engine.ts'
import { findBrowser } from '../../electron/hosts/node/chromium/browser.ts'
import { printPdf } from '../../electron/hosts/node/chromium/printer.ts'
import { readPdf } from '../app/fixtures/pdf.ts'
import { add, answer, connectionNamed, lost, opened } from './history-fixtures.ts'

const hour = 3_600_000
const day = 24 * hour
const from = Date.UTC(2025, 9, 1)
const until = Date.UTC(2025, 10, 1)
const production = { ...connectionNamed('Production'), mode: 'live' as const }
const order = (format: ReportOrder['format'], names: boolean): ReportOrder => ({
  month: '2025-10',
  period: {
    edges: Array.from({ length: 32 }, (_, index) => from + index * day),
    offsets: [{ from: 0, minutes: 0 }]
  },
  before: { from: Date.UTC(2025, 8, 1), until: from },
  format,
  names
})
const facts = {
  operator: 'Mira Rahn',
  version: '1.2.3',
  now: until + hour,
  connections: [
    { id: production.id, name: 'Production', mode: 'live' as const, price: { amount: 0.4, currency: 'EUR' } }
  ]
}

/** A PDF has its texts without spaces. */
const inOne = (text: string): string => text.replace(/\s+/g, '')

/** Twelve approvals and four declines in October, of which one was overturned, an escalation in September, and one unknown outcome. */
function scene(): Engine {
  const engine = opened()
  engine.columns.all()
  const decide = (applicantId: string, decision: Decision, at: number, operator: string): void => {
    const shown = engine.applicants.read.show(applicantId)
    if (!shown.ok) throw new Error(shown.failure.code)
    const draft = { applicantId, decision, reasons: [], note: '', evidence: shown.value.evidence }
    engine.commit([(writer) => engine.applicants.decide(writer, draft, { at, operator })])
  }
  for (let index = 0; index < 16; index += 1) {
    const [startedAt, applicant] = [from + index * day, `APP-${index}`]
    const ending = { ...answer(index < 12 ? 'Fine <b>' : 'Expired'), endedAt: startedAt + 200, took: 200 }
    add(engine, { applicant, startedAt, connection: production }, ending)
    const decision = index < 12 ? 'approve' : 'decline'
    decide(applicant, decision, startedAt + 2 * hour, index % 2 === 0 ? 'Mira Rahn' : 'Jonas Berg')
  }
  decide('APP-15', 'approve', from + 20 * day, 'Mira Rahn')
  add(engine, { applicant: 'EARLIER', startedAt: from - 5 * day, connection: production }, answer())
  decide('EARLIER', 'escalate', from - 4 * day, 'Mira Rahn')
  add(
    engine,
    { applicant: 'LOST', startedAt: from + 3 * day, connection: production },
    { ...lost, endedAt: from + 3 * day + 30_000 }
  )
  return engine
}

async function bytesOf(engine: Engine, asked: ReportOrder): Promise<Buffer> {
  const browser = findBrowser()
  if (!browser) throw new Error('no browser on this machine: nothing was proven')
  const overview = {
    decisions: async (query: Parameters<Engine['decisions']['figures']>[0], now: number) => ({
      ok: true as const,
      value: engine.decisions.figures(query, now, 1)
    }),
    colleagues: () => Promise.reject(new Error('not asked for')),
    decisionList: () => Promise.reject(new Error('not asked for')),
    waiting: () => Promise.reject(new Error('not asked for')),
    reviews: () => Promise.reject(new Error('not asked for')),
    show: async (period: ReportOrder['period']) => ({ ok: true as const, value: engine.overview.show(period) }),
    month: async (first: number, end: number) => ({
      ok: true as const,
      value: { ...engine.overview.month(first, end), holds: 0, head: engine.last }
    })
  }
  const made = await reportText({ overview }, asked, facts, (html) => printPdf(browser, html))
  if (!made.ok) throw new Error(made.failure.code)
  const pieces: Buffer[] = []
  for await (const piece of made.value.pieces) pieces.push(Buffer.from(piece))
  expect(made.value.rows()).toBe(17)
  return Buffer.concat(pieces)
}

test('a PDF has the figures, the quality and the provider of the month, and no name unless asked for', async () => {
  const engine = scene()
  const shown = readPdf(await bytesOf(engine, order('pdf', false))).text
  for (const said of [
    'Monthly report, October 2025',
    'Production (LIVE). Oct 1 to Oct 31, 2025, UTC. Created Nov 1, 2025 by Mira Rahn.',
    '+1600 %',
    '76.5 %',
    '2 h 00 min',
    '1 (5.9 %)',
    '17 sent, 16 answered (94.1 %)',
    '1, of which 1 not resolved',
    '€6.80 at the prices set now',
    '3, of which 3 unreviewed',
    'Fine <b>',
    '12 decided, 100.0 % approved, 0 overturned'
  ])
    expect(shown).toContain(inOne(said))
  expect(shown).not.toContain(inOne('Jonas Berg'))
  const named = readPdf(await bytesOf(engine, order('pdf', true))).text
  expect(named).toContain(inOne('Jonas Berg8 decided'))
  engine.close()
})

test('a workbook has the same figures as numbers, and a sheet with the days', async () => {
  const engine = scene()
  const opened = await openWorkbook(await bytesOf(engine, order('xlsx', true)))
  const sheet = async (index: number): Promise<string[][]> => {
    const rows: string[][] = []
    for await (const { cells } of opened.rows(index)) rows.push([...cells])
    return rows
  }
  const main = await sheet(0)
  expect(main.find(([label]) => label === 'Decided')).toEqual(['Decided', '17', '+1600 %'])
  expect(main.find(([label]) => label === 'Approved')?.[1]).toBe('13')
  expect(main.find(([label]) => label === 'Time to decision')?.[2]).toBe('median 2 h 00 min, 90 % within 2 h 00 min')
  const days = await sheet(1)
  expect(days).toHaveLength(32)
  expect(days[1]).toEqual(['2025-10-01', '1', '0', '0', '1', '0'])
  expect(days.slice(1).reduce((sum, [, approved]) => sum + Number(approved), 0)).toBe(13)
  const names = opened.sheets.map(({ name }) => name)
  expect(names).toEqual([
    'Report',
    'Days',
    'Quality',
    'Provider',
    'Data management',
    'By message',
    'By connection',
    'By reviewer'
  ])
  expect((await sheet(7)).slice(1)).toEqual([
    ['Jonas Berg', '8', '8 decided'],
    ['Mira Rahn', '9', '9 decided']
  ])
  engine.close()
})
