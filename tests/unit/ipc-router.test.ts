import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { channelNames } from '#contract/ipc/channel-names.ts'
import { channels } from '#contract/ipc/ipc.ts'
import { createRouter, type Handlers } from '#core/ipc/router.ts'

/** A router whose handlers record their inputs. */
function noteTaking(value: unknown = null) {
  const reached: unknown[] = []
  const after: unknown[] = []
  const handlers = Object.fromEntries(
    channelNames.map((name) => [
      name,
      async (input: unknown) => {
        reached.push(input)
        return { ok: true, value }
      }
    ])
  ) as unknown as Handlers
  const router = createRouter(handlers, {
    viewed: async (...viewed) => void after.push(viewed),
    announce: ({ kind }) => after.push(kind),
    onBug: () => undefined
  })
  return { router, reached, after }
}

describe('the router', () => {
  test('knows exactly the named channels', async () => {
    const { router, reached } = noteTaking()
    for (const name of ['', 'history', '__proto__', 'constructor', 'toString', 7, null, undefined, {}, ['app.state']])
      expect(await router(name, undefined)).toMatchObject({ ok: false, failure: { code: 'request-refused' } })
    expect(reached).toEqual([])
    expect(await router('app.state', undefined)).toEqual({ ok: true, value: null })
  })

  test('refuses what is not plain data, what is too large, and forbidden keys', async () => {
    const { router, reached } = noteTaking()
    const cycle: Record<string, unknown> = {}
    cycle['self'] = cycle
    const getter = {
      get filter() {
        throw new Error('a getter ran')
      }
    }
    const own = JSON.parse('{"filter":{},"__proto__":{"polluted":true}}') as unknown
    for (const payload of [
      cycle,
      getter,
      own,
      10n,
      () => 1,
      Symbol('x'),
      { filter: { search: 'x'.repeat(50_000_000) } }
    ])
      expect(await router('history.counts', payload)).toMatchObject({ ok: false, failure: { code: 'request-refused' } })
    expect(reached).toEqual([])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  test('lets a text through that only looks like a forbidden key', async () => {
    const { router, reached } = noteTaking()
    await router('history.counts', { filter: { search: '"__proto__": x' } })
    expect(reached).toEqual([{ filter: { search: '"__proto__": x' } }])
  })

  test.each(channelNames)(
    '%s: whatever comes, nothing invalid reaches the handler and nothing is thrown',
    async (name) => {
      const { router, reached } = noteTaking()
      await fc.assert(
        fc.asyncProperty(
          fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
          async (payload) => {
            reached.length = 0
            const answer = await router(name, payload)
            expect(typeof answer.ok).toBe('boolean')
            for (const input of reached) expect(channels[name].input.safeParse(input).success).toBe(true)
          }
        ),
        { numRuns: 500 }
      )
    }
  )

  test('answers a handler’s bug with a failure, and reports it', async () => {
    const bugs: unknown[] = []
    const broken = {
      'app.state': async () => {
        throw new TypeError('with a secret in it')
      }
    } as unknown as Handlers
    const answer = await createRouter(broken, {
      viewed: async () => undefined,
      announce: () => undefined,
      onBug: (name, error) => bugs.push([name, error])
    })('app.state', undefined)
    expect(answer).toMatchObject({ ok: false, failure: { code: 'internal' } })
    expect(JSON.stringify(answer)).not.toContain('secret')
    expect(bugs).toHaveLength(1)
  })

  test('does once what a channel says: records the view of an answer, and announces a change', async () => {
    const { router, reached, after } = noteTaking([])
    const visit = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
    await router('applicants.show', { applicantId: 'APP-1', visit })
    await router('queue.list', { limit: 10, filter: { search: 'APP' } })
    await router('queue.list', { limit: 0 })
    await router('applicants.note', { applicantId: 'APP-1', text: 'Called' })
    await router('applicants.note', { applicantId: 'APP-1' })
    expect(after).toEqual([
      [{ what: 'applicant', about: { applicantId: 'APP-1' } }, visit],
      [{ what: 'queue', search: true }, undefined],
      'evidence-changed'
    ])
    expect(reached[0]).toEqual({ applicantId: 'APP-1' })
  })

  test('records no view and announces nothing if the action fails', async () => {
    const after: unknown[] = []
    const refusing = {
      'applicants.show': async () => ({ ok: false, failure: { code: 'applicant-missing' } }),
      'applicants.note': async () => ({ ok: false, failure: { code: 'applicant-missing' } })
    } as unknown as Handlers
    const router = createRouter(refusing, {
      viewed: async (view) => void after.push(view),
      announce: ({ kind }) => after.push(kind),
      onBug: (name) => after.push(name)
    })
    await router('applicants.show', { applicantId: 'APP-1' })
    await router('applicants.note', { applicantId: 'APP-1', text: 'Called' })
    expect(after).toEqual([])
  })

  test('a settings patch carries no defaults of what it leaves out', async () => {
    const { router, reached } = noteTaking()
    await router('settings.change', { theme: 'dark' })
    expect(reached).toEqual([{ theme: 'dark' }])
  })
})
