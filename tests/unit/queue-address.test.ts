/** The work queue's filter and order in the address. */
import { describe, expect, it } from 'vitest'
import { queueFilterSchema, queueViewsSchema } from '#contract/applicants/queue.ts'
import {
  openItemOf,
  orderNamed,
  queueAddress,
  queueFilterOf,
  queueOrderOf,
  queuedOf
} from '../../renderer/features/queue/queue-address.ts'

describe('the address of the queue', () => {
  it('restores filter and order as they were', () => {
    const filter = {
      search: 'blurred',
      kinds: ['open', 'unresolved'],
      due: ['overdue', 'none'],
      operations: ['validate-passport'],
      tags: ['a,b', 'c'],
      assignees: ['', 'B. Mensah'],
      from: 5,
      until: 7
    } as const
    const order = { by: 'check', reversed: true } as const
    const query = queueAddress(queueFilterSchema.parse(filter), order)
    expect(queueFilterOf(query as never)).toEqual(filter)
    expect(queueOrderOf(query as never)).toEqual(order)
    expect(queueAddress({}, orderNamed(undefined))).toEqual({})
  })

  it('ignores what it does not know', () => {
    const query = {
      state: ['open', 'nonsense'],
      due: 'tomorrow',
      operation: 'delete-everything',
      tag: ['', 'x'.repeat(61)],
      from: '-1',
      until: 'noon',
      sort: '-colour',
      open: 'x:1',
      q: null
    }
    expect(queueFilterOf(query)).toEqual({ kinds: ['open'] })
    expect(queueOrderOf(query)).toEqual({ by: 'due' })
    expect(openItemOf(query)).toBeUndefined()
  })

  it('names the open item by its ID, which may contain anything', () => {
    expect(openItemOf({ open: 'a:r:1' })).toBe('a:r:1')
    expect(queuedOf('a:r:1')).toEqual({ applicantId: 'r:1' })
    expect(queuedOf('r:0199c82c-c000-7ef7-b442-cb6b9417b5b9')).toEqual({
      recordId: '0199c82c-c000-7ef7-b442-cb6b9417b5b9'
    })
  })
})

describe('a saved view of the queue', () => {
  it('has a unique name and no search text, which may name a person', () => {
    const view = (name: string, filter: object = { tags: ['renewal'] }) => ({ name, filter })
    expect(queueViewsSchema.safeParse([view('a'), view('b')]).success).toBe(true)
    expect(queueViewsSchema.safeParse([view('a'), view('a ')]).success).toBe(false)
    expect(queueViewsSchema.safeParse([view('a', { search: 'APP-77' })]).success).toBe(false)
  })
})
