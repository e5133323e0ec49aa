/**
 * The chain's head in the keychain: files that were all truncated, rolled back or replaced together no longer contain
 * it. Written a few seconds after a change and at every close.
 */
import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { z } from 'zod'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { Clock } from '#kit/clock.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'

const anchorSchema = z.strictObject({
  seq: z.number().int().positive(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  at: z.number().int()
})
export type Anchor = z.output<typeof anchorSchema>

/** A user's data folders share one keychain, so each folder has its own anchor. */
export function anchorAccount(folder: string): string {
  return `history/anchor/${createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 16)}`
}

/**
 * The anchored head, or undefined if none was stored. Failures: the keychain's; `history-damaged` if it is
 * unreadable.
 */
export async function readAnchor(secrets: SecretStore, folder: string): Promise<Result<Anchor | undefined, Failure>> {
  const found = await secrets.get(anchorAccount(folder))
  if (!found.ok || found.value === undefined) return found as Result<undefined, Failure>
  let value: unknown
  try {
    value = JSON.parse(found.value)
  } catch {
    value = undefined
  }
  const anchor = anchorSchema.safeParse(value)
  return anchor.success ? ok(anchor.data) : failed('history-damaged', { reason: 'anchor', file: folder })
}

/** For files that a user put in place of others: the anchored head does not apply to them. */
export const forgetAnchor = (secrets: SecretStore, folder: string): Promise<Result<null, Failure>> =>
  secrets.remove(anchorAccount(folder))

export interface AnchorWriter {
  /** The anchor in the keychain. */
  current(): Anchor | undefined
  /** Reports a possible change. */
  touch(): void
  /** Writes the last head. */
  close(): Promise<void>
}

export interface AnchorParts {
  readonly secrets: SecretStore
  readonly folder: string
  readonly clock: Pick<Clock, 'now'>
  /** The last durable event; seq 0 if there is none. */
  head(): Promise<Result<{ readonly seq: number; readonly hash: string }, Failure>>
  readonly found: Anchor | undefined
  /** Milliseconds between two writes. */
  readonly every?: number
}

/** Updates the anchor as the chain grows. If the keychain refuses, the next change retries. */
export function createAnchorWriter({ secrets, folder, clock, head, found, every = 3000 }: AnchorParts): AnchorWriter {
  let anchor = found
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  const write = async (): Promise<void> => {
    const last = await head()
    if (!last.ok || last.value.seq === 0 || last.value.seq === anchor?.seq) return
    const next: Anchor = { ...last.value, at: clock.now() }
    if ((await secrets.set(anchorAccount(folder), JSON.stringify(next))).ok) anchor = next
  }
  const writeInTurn = (): Promise<void> => (writing = writing.then(write))

  return {
    current: () => anchor,
    touch() {
      timer ??= setTimeout(() => {
        timer = undefined
        void writeInTurn()
      }, every).unref()
    },
    async close() {
      clearTimeout(timer)
      timer = undefined
      await writeInTurn()
    }
  }
}
