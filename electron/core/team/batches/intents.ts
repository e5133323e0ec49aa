/** Intents of rows, asked for together: while the database stores some, others gather. */
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import { isPassing } from '#team/log/schedule.ts'
import type { Attempt, BatchPort } from '#team/thread/batch-ports.ts'

/** True: the row may be sent; false: somebody else, or an earlier process, has its intent; `ended`: not now. */
export type Intended = boolean | 'ended'

interface IntentParts {
  readonly id: string
  readonly port: Pick<BatchPort, 'intend'>
  attempt(): string
  rest(milliseconds: number): Promise<void>
  stop(why: Failure): void
}

type Asked = Result<readonly boolean[] | 'ended', Failure>
interface Gathered extends Attempt {
  readonly fence: number
  readonly finish: (answer: Asked, index: number) => void
}

/** Rows in one statement. */
const most = 500
const retryPause = 500

export function createIntents({ id, port, attempt, rest, stop }: IntentParts) {
  let gathered: Gathered[] = []
  let isSending = false
  /** By row, of this run: a row that was not sent is sent later under the same one. */
  const attempts = new Map<number, string>()
  const granted = new Set<number>()

  async function send(): Promise<void> {
    isSending = true
    // Those that are asked for in one turn go together.
    await Promise.resolve()
    for (let [first] = gathered; first; [first] = gathered) {
      const { fence } = first
      const now = gathered.filter((each) => each.fence === fence).slice(0, most)
      gathered = gathered.filter((each) => !now.includes(each))
      const answer = await port.intend(
        id,
        fence,
        now.map(({ row, attempt: mine }) => ({ row, attempt: mine }))
      )
      now.forEach(({ finish }, index) => finish(answer, index))
    }
    isSending = false
  }

  const ask = (fence: number, row: number): Promise<Result<Intended, Failure>> =>
    new Promise((resolve) => {
      const mine = attempts.get(row) ?? attempt()
      attempts.set(row, mine)
      gathered.push({
        fence,
        row,
        attempt: mine,
        finish: (answer, index) =>
          resolve(
            answer.ok ? { ok: true, value: answer.value === 'ended' ? 'ended' : answer.value[index] === true } : answer
          )
      })
      if (!isSending) void send()
    })

  return {
    /** After an answer that was lost, the same attempt is repeated: if its intent was stored, it counts once. */
    async of(fence: number, row: number, mayGoOn: () => boolean): Promise<Intended> {
      if (granted.has(row)) return true
      while (mayGoOn()) {
        const answer = await ask(fence, row)
        if (answer.ok) {
          if (answer.value === true) granted.add(row)
          else if (answer.value === false) attempts.delete(row)
          return answer.value
        }
        if (!isPassing(answer.failure)) {
          stop(answer.failure)
          return 'ended'
        }
        await rest(retryPause)
      }
      return 'ended'
    },
    /** Whether a row may have an intent of this run. */
    has: (row: number): boolean => attempts.has(row),
    /** It has its outcome. */
    forget(row: number): void {
      attempts.delete(row)
      granted.delete(row)
    }
  }
}
