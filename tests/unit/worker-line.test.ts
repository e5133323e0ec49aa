/** A line to a worker: one end can call what the other offers, and nothing else compiles. */
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { afterEach, describe, expect, it } from 'vitest'
import type { ApplicantStore } from '#wire/history/applicants.ts'
import type { HistoryWorker } from '#wire/history/thread.ts'
import type { reading, writing } from '#store/worker/serving.ts'
import { connect, extended, serve, type Connected, type Served } from '#wire/rpc.ts'

interface Shelf {
  size(): Promise<number>
  readonly books: {
    put(title: string, copies?: number): Promise<string>
    wait(ms: number): Promise<string>
  }
}

const served: Served<Shelf> = {
  size: () => 2,
  books: {
    put: (title, copies = 1) => `${title} ${copies}`,
    wait: (ms) => new Promise((resolve) => setTimeout(() => resolve(`after ${ms}`), ms))
  }
}

describe('a line', () => {
  const ports: MessagePort[] = []
  afterEach(() => ports.splice(0).forEach((port) => port.close()))
  const lined = (
    lost?: (reason: string) => unknown,
    now: Parameters<typeof serve<Shelf>>[0] = served,
    absent?: unknown
  ): Connected<Shelf> => {
    const { port1, port2 } = new MessageChannel()
    ports.push(port1, port2)
    serve<Shelf>(
      now,
      {
        post: (message) => port2.postMessage(message),
        onMessage: (listener) => void port2.on('message', listener)
      },
      absent
    )
    const line = {
      post: (message: unknown) => port1.postMessage(message),
      onMessage: (listener: (message: unknown) => void) => void port1.on('message', listener)
    }
    return connect<Shelf>(
      { ...line, onEnd: (listener) => void port1.on('close', () => listener('closed')), kill: () => port1.close() },
      lost
    )
  }

  it('carries the methods of an interface and of its groups, several at a time', async () => {
    const { api } = lined()
    expect(
      await Promise.all([api.books.wait(30), api.books.put('Atlas', 3), api.books.put('Index'), api.size()])
    ).toEqual(['after 30', 'Atlas 3', 'Index 1', 2])
  })

  it('is not a promise itself, so that it can be the value of one', async () => {
    const { api } = lined()
    expect(await (await Promise.resolve(api)).size()).toBe(2)
  })

  it('lets local methods override remote ones', async () => {
    const { api } = lined()
    const store: Shelf = extended(api, {
      books: extended(api.books, { put: async (title: string) => `here: ${title}` })
    })
    expect(await Promise.all([store.size(), store.books.put('Atlas'), store.books.wait(1)])).toEqual([
      2,
      'here: Atlas',
      'after 1'
    ])
  })

  it('runs the requested step before each call, and no others', async () => {
    const { api, noting } = lined()
    let calls = 0
    const noted = noting(() => (calls += 1))
    await api.size()
    const { books } = noted
    expect(calls).toBe(0)
    await Promise.all([books.put('Atlas'), noted.size()])
    expect(calls).toBe(2)
  })

  it('serves what is there while something is open, and answers otherwise', async () => {
    let open: Partial<Served<Shelf>> = {}
    const { api } = lined(undefined, () => open, 'closed')
    const answers = [await api.size()]
    open = served
    answers.push(await api.size())
    open = { size: served.size }
    expect([...answers, await api.books.put('Atlas')]).toEqual(['closed', 2, 'closed'])
  })

  it('calls nothing but functions that an object has of its own', async () => {
    class Inherited {
      readonly count = 2
      readonly size = (): number => this.count
      readonly books = Object.create(served.books) as Served<Shelf>['books']
      // A method of the class, not of the object.
      secret(): string {
        return 'secret'
      }
    }
    const { api } = lined(undefined, () => new Inherited(), 'no method')
    const called = (name: string): Promise<unknown> =>
      (name.split('.').reduce((of: unknown, part) => (of as Record<string, unknown>)[part], api) as typeof api.size)()
    expect(await api.size()).toBe(2)
    for (const name of ['secret', 'count', 'constructor', 'toString', 'books.put', 'size.call', '__proto__.secret'])
      expect(await called(name), name).toBe('no method')
  })

  it('answers every open call once the worker has ended', async () => {
    const { api, end } = lined((reason) => `lost: ${reason}`)
    const waiting = [api.books.wait(60_000), api.books.wait(60_000)]
    end()
    expect(await Promise.all([...waiting, api.size()])).toEqual(Array(3).fill('lost: it was asked to end'))
  })
})

describe('the types of both ends', () => {
  it('follow from one interface: what only one end knows does not compile', () => {
    const renamed = () => {
      const renamedBooks = { place: (title: string) => title, wait: served.books.wait }
      // @ts-expect-error The worker has renamed a method.
      const worker: Served<Shelf> = { size: () => 2, books: renamedBooks }
      // @ts-expect-error The worker lacks a method.
      const short: Served<Shelf> = { size: () => 2, books: { put: served.books.put } }
      // @ts-expect-error The worker takes something else.
      const other: Served<Shelf> = { ...served, books: { ...served.books, put: (copies: number) => `${copies}` } }
      // @ts-expect-error The worker answers something else.
      const wrong: Served<Shelf> = { ...served, size: () => 'two' }
      return [worker, short, other, wrong]
    }
    const called = (host: HistoryWorker) => [
      // @ts-expect-error The host calls a method that the history's worker does not have.
      host.applicants.remark('APP-1', 'text', { at: 0, operator: 'tester' }),
      // @ts-expect-error The host leaves out who made the note.
      host.applicants.note('APP-1', 'text')
    ]
    const stores = (applicants: Served<Omit<ApplicantStore, 'note'>>): Served<ApplicantStore> => {
      // @ts-expect-error The history's worker lacks a method of the store.
      return applicants
    }
    const kinds = (reads: ReturnType<typeof reading>, writes: ReturnType<typeof writing>) => {
      // @ts-expect-error A write is served as a read: it would not be committed with its group.
      const written: Served<Pick<ApplicantStore, 'note'>> = reads(({ applicants }) => applicants, 'note')
      // @ts-expect-error A read is served as a write.
      const shown: Served<Pick<ApplicantStore, 'show'>> = writes(({ applicants }) => applicants.read, 'show')
      // @ts-expect-error The object has no such method.
      return [written, shown, reads(({ applicants }) => applicants.read, 'shown')]
    }
    expect([renamed, called, stores, kinds]).toHaveLength(4)
  })
})
