/** A resolved outcome is printed with its resolution, and no longer says that the provider may have processed it. */
import { expect, test } from 'vitest'
import { failure } from '#contract/failures/failures.ts'
import type { RecordDetail } from '#contract/history/records.ts'
import { groundConnection } from '../../scripts/batch-ground.ts'
import { madeUpContext } from '../../scripts/seed-data.ts'
import { recordText } from '../../electron/hosts/cli/print.ts'

const { id, name, baseUrl, mode, colour, mark } = groundConnection
const record: RecordDetail = {
  ...madeUpContext({ path: '/' }),
  id: '01a',
  seq: 1,
  operation: 'get-applicant-details',
  connection: { id, name, origin: baseUrl, mode, colour, mark },
  state: 'unknown',
  startedAt: 0,
  took: 1,
  status: undefined,
  message: undefined,
  input: { applicant_id: 'A-1' },
  resolved: undefined,
  batchId: undefined,
  rerunOf: undefined,
  failure: failure('connection-lost', { reason: 'closed' }),
  fullMessage: undefined,
  reply: undefined
}

test('a printed record', () => {
  expect(recordText(record)).toContain('The provider may have processed the request.')
  const resolved = recordText({
    ...record,
    resolved: { as: 'not-processed', note: '', at: 1, operator: 'first.person' }
  })
  expect(resolved).not.toContain('may have processed')
  expect(resolved).toMatch(/Resolved +It was not processed, by first.person/)
  expect(resolved).toContain('The connection was lost')
})
