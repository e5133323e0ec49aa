/** The messages of a batch's answers, its rows as they are searched, filtered and sorted, and the queue of a batch. */
import { createServer, type Server } from 'node:http'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BatchRow, BatchRowsQuery, BatchSummary } from '#contract/batches/batches.ts'
import type { Result } from '#contract/failures/result.ts'
import type { Failure } from '#contract/failures/failures.ts'
import { groundConnection, openGround, type Ground } from '../../scripts/batch-ground.ts'

let folder: string
let server: Server
let ground: Ground
let id: string
let batch: BatchSummary

const value = <T>(answer: Result<T, Failure>): T => {
  if (!answer.ok) throw new Error(answer.failure.code)
  return answer.value
}
/** By the beginning of the applicant's ID. */
const answers: Readonly<Record<string, readonly [status: number, body: string]>> = {
  A: [200, '{"message":"Validated."}'],
  B: [200, '{"message":"Inconclusive."}'],
  C: [500, '{"message":"Internal error"}'],
  D: [200, 'no JSON']
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'veridesk-batch-messages-'))
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => (body += String(part)))
    request.on('end', () => {
      const applicant = (JSON.parse(body) as { applicant_id: string }).applicant_id
      const [status, text] = answers[applicant[0] ?? 'A'] ?? answers['A']!
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ground = await openGround({
    folder: join(folder, 'history'),
    masterKey: '0123456789abcdef'.repeat(4),
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  const file = ['applicant_id,ref', 'A-1,9', 'B-1,10', 'A-2,', ',bad', 'C-1,8', 'A-1,9', 'D-1,7', 'B-2,11']
  const check = value(
    await ground.batches.checkText('rows.csv', file.join('\n'), { operations: ['get-applicant-details'] })
  )
  const order = { name: 'Messages', atOnce: 1, pace: 0, skipDuplicates: true, skipRecent: true }
  id = value(await ground.batches.create({ checkId: check.checkId, connectionId: groundConnection.id, ...order })).id
  value(await ground.batches.start(id))
  await ground.batches.ended(id)
  batch = value(await ground.batches.show(id))
})
afterAll(async () => {
  await ground.close()
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

const rowsOf = async (query: Partial<BatchRowsQuery>): Promise<readonly BatchRow[]> => {
  const page = value(await ground.batches.rows({ id, offset: 0, limit: 100, ...query }))
  expect(page.total).toBe(page.rows.length)
  return page.rows
}
const lines = async (query: Partial<BatchRowsQuery>): Promise<number[]> => (await rowsOf(query)).map(({ row }) => row)
const messages = async () => value(await ground.batches.messages(id)).messages
const numberOf = async (text: string): Promise<number> =>
  (await messages()).find(({ message }) => message === text)?.id ?? 0

describe('the messages of a batch', () => {
  it('are counted with the interpretation that each has, and add up to the answered rows', async () => {
    const found = await messages()
    expect(found.map(({ message, count, meaning }) => [message, count, meaning])).toEqual([
      ['Validated.', 2, 'unreviewed'],
      ['Inconclusive.', 2, 'unreviewed'],
      ['Internal error', 1, 'unreviewed']
    ])
    expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(batch.counts.answered)
    const told = { id: await numberOf('Inconclusive.'), means: 'unclear', note: '' } as const
    value(await ground.store.catalogue.read([told], { at: 1, operator: 'tester' }))
    expect((await messages()).map(({ meaning }) => meaning)).toEqual(['unreviewed', 'unclear', 'unreviewed'])
    const { rows } = value(await ground.batches.messages(id))
    expect(rows).toEqual({ good: 0, bad: 0, unclear: 2, unreviewed: 3 })
  })

  it('filter the rows, alone or by what they mean', async () => {
    expect(await lines({ messages: [await numberOf('Inconclusive.')] })).toEqual([3, 9])
    // The catalogue does not hold the message of an error of the service: its status stands for it.
    expect(await lines({ messages: [-500] })).toEqual([6])
    expect(await lines({ meanings: ['unclear'] })).toEqual([3, 9])
    expect(await lines({ meanings: ['unreviewed'] })).toEqual([2, 4, 6])
  })
})

describe('the rows of a batch', () => {
  it('have counts by state that add up to the rows of the file', async () => {
    expect(batch.counts).toMatchObject({ 'answered': 5, 'invalid-response': 1, 'invalid': 1, 'duplicate': 1 })
    expect(Object.values(batch.counts).reduce((sum, count) => sum + count, 0)).toBe(batch.rows)
    for (const state of ['answered', 'invalid-response', 'invalid', 'duplicate'] as const)
      expect(await rowsOf({ states: [state] })).toHaveLength(batch.counts[state])
  })

  it('say whose they are, and what was decided about them', async () => {
    const [first] = await rowsOf({})
    expect(first).toMatchObject({ row: 2, applicantId: 'A-1', decision: 'none', status: 200, message: 'Validated.' })
    expect((await rowsOf({ states: ['invalid'] }))[0]?.applicantId).toBeUndefined()
  })

  it('are found by a cell or a message', async () => {
    expect(await lines({ search: 'b-2' })).toEqual([9])
    expect(await lines({ search: 'inconclusive' })).toEqual([3, 9])
    expect(await lines({ search: 'nowhere' })).toEqual([])
  })

  it('are sorted by what they say, numbers as numbers, those that say nothing last', async () => {
    expect(await lines({ order: { by: 'line', reversed: true } })).toEqual([9, 8, 7, 6, 5, 4, 3, 2])
    expect(await lines({ states: ['answered'], order: { by: 'c1' } })).toEqual([6, 2, 3, 9, 4])
    expect(await lines({ states: ['answered'], order: { by: 'c1', reversed: true } })).toEqual([9, 3, 2, 6, 4])
    expect((await lines({ order: { by: 'status', reversed: true } }))[0]).toBe(6)
    expect(await lines({ states: ['answered'], order: { by: 'message' } })).toEqual([3, 9, 6, 2, 4])
  })

  it('are read a page at a time', async () => {
    const page = value(await ground.batches.rows({ id, offset: 1, limit: 2, order: { by: 'line', reversed: true } }))
    expect([page.rows.map(({ row }) => row), page.total]).toEqual([[8, 7], 8])
  })
})

describe('the queue', () => {
  it('has those of a batch, or those of some of its messages', async () => {
    const filtered = async (chosen?: number[]) => {
      const filter = { batch: id, ...(chosen && { messages: chosen }) }
      const { items, total } = value(await ground.store.queue.page({ filter, limit: 50 }, 1))
      return [total, items.flatMap((item) => (item.kind === 'unresolved' ? [] : [item.applicant.id])).sort()]
    }
    expect(await filtered([await numberOf('Inconclusive.')])).toEqual([2, ['B-1', 'B-2']])
    expect(await filtered()).toEqual([4, ['A-1', 'A-2', 'B-1', 'B-2']])
    const other = { batch: groundConnection.id }
    expect(value(await ground.store.queue.page({ filter: other, limit: 50 }, 1)).total).toBe(0)
  })
})
