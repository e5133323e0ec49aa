/** The window's own parts of batches: rows page by page, handing over dropped files, formatting figures. */
import { describe, expect, it } from 'vitest'
import type { MessageMeaning } from '#contract/applicants/applicants.ts'
import { rowStates, type RowState } from '#contract/batches/rows.ts'
import type { BatchCorrection, BatchRow, BatchSummary } from '#contract/batches/batches.ts'
import { ok } from '#contract/failures/result.ts'
import {
  cellAsExample,
  cellInShort,
  columnStart,
  inSight,
  leastWidth,
  lineSizes,
  rowColumns,
  shownColumns
} from '../../renderer/features/batches/batch-columns.ts'
import { batchRows } from '../../renderer/features/batches/batch-rows.ts'
import { messagesMeaning, percent, toSend } from '../../renderer/features/batches/batch-counts.ts'
import { base64Of } from '../../renderer/features/batches/batch-text.ts'
import {
  nameFrom,
  runsElsewhere,
  secondsInWords,
  progressSpoken,
  spoken,
  startWord,
  stateSentence
} from '../../renderer/features/batches/batch-words.ts'

const rowOf = (row: number): BatchRow => ({ row, state: 'answered', cells: [`id-${row}`], tries: 1 })
/** A core with these rows that counts the requests. */
function coreWith(numbers: () => readonly number[]) {
  const asked: number[] = []
  const ask = async (offset: number, limit: number) => {
    asked.push(offset)
    const found = numbers()
    return ok({ rows: found.slice(offset, offset + limit).map(rowOf), total: found.length })
  }
  return { ask, asked }
}
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5))

describe('rows of a batch', () => {
  const all = Array.from({ length: 100_000 }, (_, at) => at + 1)

  it('enters a file anywhere, with one question, though its lines have gaps', async () => {
    const { ask, asked } = coreWith(() => all.map((row) => 2 * row + 1))
    const list = batchRows(ask)
    list.want(99_900, 99_940)
    await settled()
    expect(list.at(99_930)?.row).toBe(199_863)
    expect(asked).toEqual([99_800])
  })

  it('ends where the rows end, and looks again when asked to', async () => {
    let waiting = all.slice(0, 500)
    const { ask } = coreWith(() => waiting)
    const list = batchRows(ask)
    list.want(400, 500)
    await settled()
    expect(list.total()).toBe(500)
    waiting = all.slice(100, 450)
    list.want(0, 50)
    await list.refresh()
    expect(list.at(0)?.row).toBe(101)
  })
})

describe('columns of a batch', () => {
  const layout = (count: number) => ({
    columns: Array.from({ length: count }, (_, at) => `c${at}`),
    mapping: { applicant_id: 3, document_url: 1 },
    applicantColumn: -1
  })

  it('stand with what is sent first, the others after, in the order of the file', () => {
    const { sent, kept } = shownColumns(layout(5), ['validate-applicant-id-document'])
    expect(sent).toEqual([
      { at: 1, heading: 'c1', as: 'Sent as Document URL', field: 'Document URL' },
      { at: 3, heading: 'c3', as: 'Sent as Applicant ID', field: 'Applicant ID' }
    ])
    expect(kept.map(({ at }) => at)).toEqual([0, 2, 4])
    const passport = shownColumns({ columns: ['who', 'link'], mapping: { id_url: 1 }, applicantColumn: 0 }, [
      'validate-passport'
    ])
    expect(passport.sent.map(({ as }) => as)).toEqual(['Applicant, in Veridesk only', 'Sent as Passport URL'])
  })

  it('show whose row it is and what came of it first', () => {
    expect(rowColumns(layout(5), ['validate-applicant-id-document']).map(({ label }) => label)).toEqual([
      'c3',
      'State',
      'Message',
      'Interpretation',
      'HTTP',
      'Decision',
      'c1',
      'c0',
      'c2',
      'c4',
      'Attempts'
    ])
    const [sent, kept] = rowColumns(layout(5), ['validate-applicant-id-document']).slice(6)
    expect([sent?.note, sent?.hint, kept?.note, kept?.hint]).toEqual([
      'Sent as Document URL',
      'c1: Sent as Document URL',
      undefined,
      'c0: Not sent'
    ])
  })

  it('are drawn where they are in sight, however many there are and however wide, each at its place', () => {
    const columns = rowColumns(layout(1000), ['validate-applicant-id-document'])
    // The user has made some of them wider.
    const widths = columns.map(({ width }, place) => (place % 7 === 3 ? 260 : width))
    const width = leastWidth(widths, 100_000)
    for (const left of [0, 5000, width / 2, width - 900]) {
      const drawn = inSight(columns, widths, left)
      expect(drawn.length).toBeLessThan(40)
      for (const { column, place } of drawn) expect(columns[place]).toBe(column)
      const seen = columns.filter(
        (_, place) =>
          columnStart(widths, place) < left + 1200 && columnStart(widths, place) + (widths[place] ?? 0) > left
      )
      expect(drawn.map(({ column }) => column)).toEqual(expect.arrayContaining(seen))
    }
    expect(inSight(columns, widths, width - 900).at(-1)?.column.name).toBe('tries')
    expect(inSight(columns, widths, 0)[0]?.column.name).toBe('applicant')
  })

  it('tell links apart by what differs', () => {
    expect(cellInShort('https://files.example.com/a/1.jpg?X-Amz-Signature=REMOVED#x')).toBe('files.example.com/a/1.jpg')
    expect(cellInShort('what? #1')).toBe('what? #1')
  })

  it('is an example of its column: a link by its host and its end, nothing cut at its start', () => {
    expect(cellAsExample('https://files.example.com/a/b/1.jpg?X-Amz-Signature=REMOVED')).toBe(
      'files.example.com/…/1.jpg'
    )
    expect(cellAsExample('https://files.example.com/1.jpg')).toBe('files.example.com/1.jpg')
    expect(cellAsExample('AT/2026/\u20667')).toBe('AT/2026/⟨U+2066⟩7')
  })

  it('leaves the space that is there to the sentence about a faulty one', () => {
    const columns = [
      { at: 0, heading: 'id', as: 'Applicant ID' },
      { at: 1, heading: 'note' }
    ]
    const corrected = { row: 2, column: 0, value: 'APP-1' }
    const widthsOf = (
      wide: number,
      invalid: number,
      corrections: readonly BatchCorrection[] = []
    ): readonly number[] => {
      const { left, right, widths, least } = lineSizes(columns, wide, {
        invalid,
        reading: { corrections: [...corrections] }
      })
      return [left, ...widths, right, least]
    }
    // Too little for anything but the least widths; some for the sentence; the rest for what is sent.
    expect(widthsOf(600, 1)).toEqual([64, 150, 116, 270, 600])
    expect(widthsOf(1200, 1)).toEqual([64, 590, 116, 430, 810])
    expect(widthsOf(1200, 0)).toEqual([64, 750, 116, 270, 650])
    expect(widthsOf(1200, 0, [corrected]), 'and stays after the last correction').toEqual(widthsOf(1200, 1))
    expect(widthsOf(400, 1)).toEqual([64, 150, 116, 232, 562])
  })
})

it('messages say which rows are shown, by interpretation too', () => {
  const one = { operations: ['validate-passport' as const] }
  const several = { operations: ['validate-passport' as const, 'validate-kyc-photo' as const] }
  const message = (id: number, meaning: MessageMeaning) => ({ id, meaning, message: String(id), count: 1 })
  const answers = {
    messages: [message(1, 'good'), message(2, 'unclear'), message(3, 'unclear'), message(-502, 'unreviewed')]
  }
  expect(messagesMeaning(one, answers, [], []), 'all rows').toEqual([])
  expect(messagesMeaning(one, answers, [3, -502], [])).toEqual([3, -502])
  expect(messagesMeaning(one, answers, [], ['unclear', 'unreviewed'])).toEqual([2, 3, -502])
  expect(messagesMeaning(one, answers, [1, 3], ['unclear'])).toEqual([3])
  expect(messagesMeaning(one, answers, [1], ['unclear']), 'no row').toBeUndefined()
  expect(
    messagesMeaning(one, { messages: Array.from({ length: 501 }, (_, id) => message(id, 'bad')) }, [], ['bad'])
  ).toBeUndefined()
  expect(messagesMeaning(several, answers, [3], [])).toEqual([3])
  expect(messagesMeaning(several, answers, [], ['unclear'])).toBeUndefined()
})

describe('a dropped file', () => {
  it.each([0, 1, 2, 3, 24_576, 24_577, 100_000])('is handed to core byte for byte: %i', async (length) => {
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 7) % 256)
    expect(Buffer.from(await base64Of(new Blob([bytes])), 'base64').equals(bytes)).toBe(true)
  })
})

describe('a batch in words', () => {
  const batchOf = (counts: Partial<Record<RowState, number>>, more: Partial<BatchSummary> = {}): BatchSummary => {
    const whole = Object.fromEntries(rowStates.map((state) => [state, counts[state] ?? 0])) as Record<RowState, number>
    return {
      id: 'b',
      name: 'Week 46',
      fileName: 'w46.csv',
      sha256: '',
      operations: ['get-applicant-details'],
      state: 'running',
      createdAt: 0,
      atOnce: 2,
      pace: 0,
      connection: { id: 'c', name: 'C', origin: '', mode: 'sandbox', colour: 'teal', mark: 'C' },
      rows: Object.values(whole).reduce((sum, count) => sum + count, 0),
      counts: whole,
      unresolved: counts.unknown ?? 0,
      ...more
    }
  }

  it('leaves out of its progress what never goes out, and is full only at the end', () => {
    const batch = batchOf({ 'answered': 998, 'open': 1, 'invalid': 50, 'duplicate': 3, 'recently-answered': 2 })
    expect(toSend(batch)).toBe(999)
    expect(percent(batch)).toBe(99)
    expect(percent(batchOf({ answered: 999, invalid: 1 }))).toBe(100)
    expect(percent(batchOf({ invalid: 4 }))).toBe(100)
    // Said at each tenth, and not in between or at the end.
    const at = (answered: number) => batchOf({ answered, waiting: 1000 - answered }, { state: 'running', rows: 1000 })
    expect(progressSpoken(at(199), at(200))).toContain('20 %. 200 of 1,000 rows done.')
    expect(progressSpoken(at(200), at(299))).toBe('')
    expect(progressSpoken(at(999), at(1000))).toBe('')
  })
  it('says what waits for a person', () => {
    expect(stateSentence(batchOf({ waiting: 1, unknown: 2 }, { state: 'paused' }))).toBe(
      '1 row waiting. You can resume at any time. 2 rows need resolution.'
    )
    expect(spoken(batchOf({ answered: 1200, unknown: 1 }, { state: 'finished' }))).toBe(
      'Batch Week 46: Finished. 1,201 rows done. 1 row needs resolution. Answered: 1,200 Unknown: 1'
    )
  })
  it('names times and batches', () => {
    expect([-1, 0.2, 0.6, 41.6, 125, 7500].map(secondsInWords)).toEqual([
      'Under 1 s',
      'Under 1 s',
      '1 s',
      '42 s',
      '2 min 05 s',
      '2 h 05 min'
    ])
    expect(nameFrom('november.csv', ['validate-passport'])).toBe('november')
    expect(nameFrom('.csv', ['validate-passport'])).toBe('Passport')
  })
})

describe('the button that runs a batch', () => {
  const runner = (own: boolean, isRunning: boolean) => ({
    installation: 'ab',
    member: own ? 'Anna Weber' : 'Ben Okoro',
    own,
    since: 1,
    isRunning
  })
  it.each([
    ['a draft', 'made', undefined, 'Start', 'Start on LIVE'],
    ['a paused one', 'paused', undefined, 'Resume', 'Resume on LIVE'],
    ['a shared one that ran here last', 'stopped', runner(true, false), 'Resume', 'Resume on LIVE'],
    ['one that the database still counts as run here', 'paused', runner(true, true), 'Resume', 'Resume on LIVE'],
    [
      'one that a colleague has left',
      'paused',
      runner(false, false),
      'Take over from Ben Okoro',
      'Take over from Ben Okoro on LIVE'
    ],
    ['one that only colleagues ran', 'made', runner(false, false), 'Take over from Ben Okoro', undefined],
    ['one that a colleague runs', 'paused', runner(false, true), 'Ben Okoro runs it', 'Ben Okoro runs it']
  ] as const)('of %s', (_name, state, last, word, live) => {
    expect(startWord(state, false, last)).toBe(word)
    if (live) expect(startWord(state, true, last)).toBe(live)
  })

  it('waits for a colleague who runs it, and for nobody else', () => {
    expect([undefined, runner(true, true), runner(false, false)].map(runsElsewhere)).toEqual([false, false, false])
    expect(runsElsewhere(runner(false, true))).toBe(true)
  })
})
