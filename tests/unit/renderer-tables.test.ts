/** Tables: which columns fit, their order, the selection of rows, and rows as text for the clipboard. */
import { describe, expect, it } from 'vitest'
import { maxSelectedRows } from '#contract/data-management/data-management.ts'
import { tablesSchema } from '#contract/history/tables.ts'
import type { RecordDetail } from '#contract/history/records.ts'
import { comparedFacts } from '../../renderer/features/record/compared-records.ts'
import { tabSeparated } from '../../renderer/kit/copied-table.ts'
import { columnWidths } from '../../renderer/kit/column-widths.ts'
import { useSelection } from '../../renderer/kit/selection.ts'
import {
  fitting,
  inOrder,
  leastTableWidth,
  moved,
  movedTo,
  sortedBy,
  tracks,
  widthsOf,
  type ColumnChoice,
  type TableColumn
} from '../../renderer/kit/table-columns.ts'
import { makeFormats } from '../../renderer/kit/formats.ts'
import { datedTexts } from '../../renderer/kit/longest-texts.ts'

const columns: readonly TableColumn[] = [
  { name: 'time', label: 'Time', width: 140, narrow: 80, sort: 'descending' },
  { name: 'subject', label: 'Subject', width: 100, text: 'id' },
  { name: 'message', label: 'Message', width: 120, text: 'message', gives: 1 },
  { name: 'duration', label: 'Duration', width: 60, gives: 2 }
]
const none: ColumnChoice = { order: [], shown: {}, widths: {} }
const names = (list: readonly TableColumn[]): string[] => list.map(({ name }) => name)

describe('columns', () => {
  it('are left out by their number as the table gets narrower, and the important ones stay', () => {
    const at = (width: number, choice = none): string[] => names(fitting(columns, choice, width, false))
    expect(at(1200)).toEqual(['time', 'subject', 'message', 'duration'])
    // Narrow: 80 + 100 + 120 + 60, three gaps of 8 and a padding of 20.
    expect(at(404)).toEqual(['time', 'subject', 'message', 'duration'])
    expect(at(403)).toEqual(['time', 'subject', 'message'])
    expect(at(300)).toEqual(['time', 'subject'])
    expect(at(10)).toEqual(['time', 'subject'])
  })

  it('are shown where they do not fit if the user chose them, and left out if the user hid them', () => {
    const choice = { ...none, shown: { duration: true, time: false } }
    const shown = fitting(columns, choice, 200, false)
    expect(names(shown)).toEqual(['subject', 'duration'])
    expect(leastTableWidth(shown, choice, 100, false)).toBe(100 + 60 + 8 + 20)
    expect(tracks([210, 60], true)).toBe('24px 210px 60px')
  })

  const needed = new Map([
    ['time', [130, 120]],
    ['subject', [170, 90, 90]],
    ['message', [300, 20]],
    ['duration', [70, 40]]
  ])
  it('are left out before an ID of 24 characters is cut', () => {
    const at = (width: number): string[] => names(fitting(columns, none, width, false, needed))
    // 80 + 170 + 120 + 60, and 44 beside them.
    expect(at(474)).toEqual(['time', 'subject', 'message', 'duration'])
    expect(at(473)).toEqual(['time', 'subject', 'message'])
    expect(at(300)).toEqual(['time', 'subject'])
  })

  it('fill the table, and one that the user sized keeps its width', () => {
    const widths = (available: number, choice = none) => widthsOf(columns, choice, available, false, needed)
    // Nothing is cut: 140 for the time, as the table has it, and the rest goes to the widest texts.
    expect(widths(1000)).toEqual([140, 170, 1000 - 68 - 140 - 170 - 70, 70])
    expect(widths(1000, { ...none, widths: { subject: 50, message: 90 } })).toEqual([140, 50, 90, 70])
    // Too narrow: it scrolls sideways at the least widths.
    expect(widths(300)).toEqual([80, 100, 120, 60])
  })

  it('keep the order of the user, with new columns where the table has them', () => {
    expect(names(inOrder(columns, ['duration', 'gone', 'time']))).toEqual(['duration', 'subject', 'message', 'time'])
    const hidden = columns.filter(({ name }) => name !== 'subject')
    expect(moved(columns, hidden, 'message', -1)).toEqual(['message', 'time', 'subject', 'duration'])
    expect(moved(columns, hidden, 'duration', 1)).toBeUndefined()
    expect(movedTo(columns, 'time', 'message', true)).toEqual(['subject', 'message', 'time', 'duration'])
    expect(movedTo(columns, 'duration', 'time', false)).toEqual(['duration', 'time', 'subject', 'message'])
  })

  it('are sorted in their own direction first, then the other way round', () => {
    const [time, subject] = columns
    expect(sortedBy(time!, { by: 'duration', descending: false })).toEqual({ by: 'time', descending: true })
    expect(sortedBy(time!, { by: 'time', descending: true })).toEqual({ by: 'time', descending: false })
    expect(sortedBy(subject!, { by: 'time', descending: true })).toBeUndefined()
  })

  it('are kept in the settings within limits', () => {
    expect(
      tablesSchema.safeParse({ history: { order: ['time'], shown: { took: false }, widths: { time: 200 } } }).success
    ).toBe(true)
    for (const wrong of [
      { elsewhere: {} },
      { history: { widths: { time: 3 } } },
      { history: { order: ['x'.repeat(41)] } }
    ])
      expect(tablesSchema.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false)
  })
})

describe('widths of columns', () => {
  const id = { least: 70, texts: [80, 180], text: 'id' } as const
  const name = { least: 96, texts: [150], text: 'name' } as const
  const message = { least: 140, texts: [300, 120], text: 'message' } as const
  const tags = { least: 40, texts: [90, 80], text: 'other' } as const
  const state = { least: 20, texts: [100, 30], text: undefined } as const
  const all = [state, message, tags, name, id]

  it('go to IDs first, then to names and messages, then to what is cut in most rows', () => {
    const least = 20 + 140 + 40 + 96 + 70
    expect(columnWidths(all, least)).toEqual([20, 140, 40, 96, 70])
    expect(columnWidths(all, least + 60)).toEqual([20, 140, 40, 96, 130])
    expect(columnWidths(all, least + 110 + 50)).toEqual([20, 140, 40, 146, 180])
    expect(columnWidths(all, least + 110 + 54 + 160 + 10)).toEqual([30, 300, 40, 150, 180])
    // Both rows of the states are cut, and both of the tags: in the order of the columns.
    expect(columnWidths(all, least + 110 + 54 + 160 + 80 + 10)).toEqual([100, 300, 50, 150, 180])
    // Of two, the one that is cut in more rows.
    const once = { ...state, texts: [100, 20] }
    expect(columnWidths([once, tags], 20 + 40 + 10)).toEqual([20, 50])
  })

  it('go to addresses, which are longer than any ID, only after names and messages', () => {
    const subject = { least: 70, texts: [100, 320], text: 'id' } as const
    expect(columnWidths([subject, message], 70 + 140 + 50)).toEqual([100, 160])
    expect(columnWidths([subject, message], 100 + 300 + 20)).toEqual([120, 300])
  })

  it('leave nobody wider than the longest text while another one is cut', () => {
    const short = { least: 148, texts: [60], text: undefined } as const
    expect(columnWidths([short, id], 220)).toEqual([60, 160])
    // Nothing is cut any more: the least widths again, then the widest texts.
    expect(columnWidths([short, id], 260)).toEqual([80, 180])
    expect(columnWidths([short, id], 400)).toEqual([148, 252])
  })

  it('keep what the user set, and the least widths before anything was drawn', () => {
    expect(columnWidths([{ ...id, byHand: 50 }, message], 500)).toEqual([50, 450])
    expect(
      columnWidths(
        [
          { ...id, texts: [] },
          { ...message, texts: [] }
        ],
        300
      )
    ).toEqual([70, 230])
    expect(columnWidths([id, message], 100)).toEqual([70, 140])
  })
})

describe('selected rows', () => {
  const rows = (total: number, loaded = total) => {
    const asked: [number, number][] = []
    let there = loaded
    const selection = useSelection<number>({
      total: () => total,
      at: (index) => (index < there ? index : undefined),
      keyOf: String,
      load: async (first, last) => {
        asked.push([first, last])
        there = Math.max(there, last + 1)
      }
    })
    return { selection, asked }
  }

  it('are single ones, a range from the last single one, and all that are loaded', async () => {
    const { selection, asked } = rows(100, 30)
    selection.toggle(4)
    selection.toggle(4)
    selection.toggle(9)
    expect([...selection.items.value.keys()]).toEqual(['9'])
    expect(await selection.extend(40)).toBe(true)
    expect(asked).toEqual([[9, 40]])
    expect(selection.size.value).toBe(32)
    selection.loaded()
    expect(selection.size.value).toBe(41)
    // Three rows came in above: the range begins at the same row.
    selection.clear()
    selection.toggle(5)
    selection.shift(3)
    await selection.extend(10)
    expect([...selection.items.value.keys()]).toEqual(['8', '9', '10'])
  })

  it('are the whole result without a list of it, until one row is taken out', () => {
    const { selection } = rows(1_000_000, 50)
    selection.everything()
    expect([selection.size.value, selection.items.value.size, selection.has('999999')]).toEqual([1_000_000, 0, true])
    selection.toggle(7)
    expect([selection.whole.value, selection.size.value, selection.has('7'), selection.has('8')]).toEqual([
      false,
      49,
      false,
      true
    ])
  })

  it('are no more as a range than core takes', async () => {
    const { selection } = rows(5000)
    selection.toggle(0)
    expect(await selection.extend(maxSelectedRows)).toBe(false)
    expect(selection.size.value).toBe(1)
    expect(await selection.extend(maxSelectedRows - 1)).toBe(true)
    expect(selection.size.value).toBe(maxSelectedRows)
  })
})

it('rows on the clipboard have no cell that runs in a spreadsheet or spreads over several', () => {
  expect(
    tabSeparated([
      ['Name', 'Note'],
      ['=1+1', 'two\tcells\nand lines'],
      ['-5', '@x']
    ])
  ).toBe("Name\tNote\r\n'=1+1\ttwo cells and lines\r\n'-5\t'@x")
})

it('two records are compared by their facts, those that differ first, with nothing left out', () => {
  const connection = {
    id: 'a',
    name: 'Sandbox',
    origin: 'https://kyc.example.com',
    mode: 'sandbox',
    colour: 'blue',
    mark: 'SB'
  } as const
  const record = (parts: Partial<RecordDetail>): RecordDetail =>
    ({
      id: 'x',
      seq: 1,
      operation: 'get-applicant-details',
      connection,
      state: 'answered',
      startedAt: 0,
      took: 100,
      status: 200,
      input: { applicant_id: 'APP-1' },
      fullMessage: 'Found',
      operator: 'amara',
      credentialFingerprint: 'f',
      consoleVersion: '1.0.0',
      path: '/',
      linksScrubbed: false,
      ...parts
    }) as RecordDetail
  const facts = comparedFacts(
    record({}),
    record({
      operation: 'validate-passport',
      input: { id_url: 'https://files.example.com/id.jpg' },
      status: 404,
      fullMessage: undefined
    })
  )
  const labels = facts.map(({ label }) => label)
  expect(facts.filter(({ differs }) => differs).map(({ label }) => label)).toEqual(
    labels.slice(0, facts.filter(({ differs }) => differs).length)
  )
  expect(facts.find(({ label }) => label === 'HTTP status')).toEqual({
    label: 'HTTP status',
    older: '200',
    newer: '404',
    differs: true
  })
  expect(facts.find(({ label }) => label === 'Message')).toEqual({
    label: 'Message',
    older: 'Found',
    newer: '',
    differs: true
  })
  expect(facts.find(({ label }) => label === 'Applicant ID')).toMatchObject({
    older: 'APP-1',
    newer: '',
    differs: true
  })
  expect(facts.find(({ label }) => label === 'Connection')).toMatchObject({
    older: 'Sandbox (sandbox)',
    newer: 'Sandbox (sandbox)',
    differs: false
  })
})

it('a column of times is wide enough for an hour of two digits in every time zone', () => {
  for (const timeZone of ['UTC', 'Pacific/Auckland', 'America/Los_Angeles', 'Asia/Kolkata']) {
    const texts = datedTexts('short-time', makeFormats({ locale: 'en-US', timeZone, iso: false }))
    expect(
      texts.map((text) => text.replace(/^.*, /, '').replace(/\s/g, ' ')),
      timeZone
    ).toEqual(Array.from({ length: 12 }, () => '10:58 PM'))
  }
})
