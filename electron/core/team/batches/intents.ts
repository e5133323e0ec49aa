/** Intents of rows, asked for together: while the database stores some, others gather. */
import type { Attempt } from '#team/thread/batch-ports.ts'
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import { isPassing } from '#team/log/schedule.ts'
import type { BatchPort } from '#team/thread/batch-ports.ts'
import type { Lease } from './rules.ts'

export interface IntendedChunk extends Omit<Lease, 'asked'> {
  asked: Lease['asked']
  /** Rows whose intent the database has from this lease. */
  readonly granted: Set<number>
}

/** True: the row may be sent; false: another installation, or an earlier lease, has its intent; `ended`: not now. */
export type Intended = boolean | 'ended'

interface IntentParts {
  readonly id: string
  readonly port: Pick<BatchPort, 'intend'>
  attempt(): string
  rest(milliseconds: number): Promise<void>
  stop(why: Failure): void
  mayGoOn(chunk: IntendedChunk): boolean
}

type Asked = Result<readonly boolean[] | 'ended', Failure>
interface Gathered extends Attempt {
  readonly finish: (answer: Asked, index: number) => void
}

/** Rows in one statement. */
const most = 500
const retryPause = 500

export function createIntents({ id, port, attempt, rest, stop, mayGoOn }: IntentParts) {
  const gathered = new Map<IntendedChunk, Gathered[]>()

  async function send(chunk: IntendedChunk): Promise<void> {
    for (let group = gathered.get(chunk) ?? []; group.length > 0; group = gathered.get(chunk) ?? []) {
      const now = group.splice(0, most)
      const answer = await port.intend(
        id,
        { n: chunk.n, fence: chunk.fence },
        now.map(({ row, attempt: mine }) => ({ row, attempt: mine }))
      )
      now.forEach(({ finish }, index) => finish(answer, index))
    }
    gathered.delete(chunk)
  }

  /** Together with the others of its chunk. */
  const ask = (chunk: IntendedChunk, given: Attempt): Promise<Result<Intended, Failure>> =>
    new Promise((resolve) => {
      const finish = (answer: Asked, index: number): void =>
        resolve(
          answer.ok ? { ok: true, value: answer.value === 'ended' ? 'ended' : answer.value[index] === true } : answer
        )
      const waiting = gathered.get(chunk)
      if (waiting) waiting.push({ ...given, finish })
      else {
        gathered.set(chunk, [{ ...given, finish }])
        void Promise.resolve().then(() => send(chunk))
      }
    })

  return {
    /** After an answer that was lost, the same attempt is repeated: if its intent was stored, it counts once. */
    async of(chunk: IntendedChunk, row: number): Promise<Intended> {
      if (chunk.granted.has(row)) return true
      const mine = { row, attempt: attempt() }
      while (mayGoOn(chunk)) {
        const answer = await ask(chunk, mine)
        if (answer.ok) {
          if (answer.value === true) chunk.granted.add(row)
          return answer.value
        }
        if (!isPassing(answer.failure)) {
          stop(answer.failure)
          return 'ended'
        }
        await rest(retryPause)
      }
      return 'ended'
    }
  }
}
