/** The questions about keys of subjects that are asked of the team's database. */
import { ok, type Result } from '#contract/failures/result.ts'
import type { Failure } from '#contract/failures/failures.ts'
import type { TeamLine } from '../transport/line.ts'
import { askingRows, bytesOf, type ShownRow } from '../transport/rows.ts'

type Answer<T> = Promise<Result<T, Failure>>

/** A row as the database shows it. */
export interface ShownKey {
  /** Hex. */
  readonly tag: string
  /** Of the vault key that wraps it. */
  readonly epoch: number
  /** Null once erased. */
  readonly wrapped: Buffer | null
}

export interface WrappedKey {
  readonly tag: Buffer
  readonly wrapped: Buffer
}

export interface KeyTables {
  /** Of some tags, those of which the database has no key. */
  missing(tags: readonly Buffer[]): Answer<readonly string[]>
  /** The rows of some tags; those that the database does not have are missing. */
  rows(tags: readonly Buffer[]): Answer<readonly ShownKey[]>
  /**
   * Stores keys that were wrapped for an epoch, all or none. Repeating it changes nothing. Refused if one of them was
   * erased, or is wrapped for a newer epoch.
   */
  put(epoch: number, keys: readonly WrappedKey[]): Answer<null>
  /** Erases keys, also such as are not there yet. */
  erase(tags: readonly Buffer[]): Answer<null>
}

function keyOf({ tag, vault_epoch: epoch, wrapped }: ShownRow): ShownKey | undefined {
  const id = bytesOf(tag, 32)
  const key = wrapped === null ? null : bytesOf(wrapped)
  return id && key !== undefined && typeof epoch === 'number' && Number.isInteger(epoch) && epoch >= 0
    ? { tag: id.toString('hex'), epoch, wrapped: key }
    : undefined
}

/** Of any form: nothing of it is used. */
const anything = (): true => true
/** Two members who lock the same rows in one order wait for each other; in two orders, neither could go on. */
const inOrder = (a: Buffer, b: Buffer): number => a.compare(b)

/** @param host Names the database in failures. */
export function keyTables(line: Pick<TeamLine, 'query'>, host: string): KeyTables {
  const rows = askingRows(line, host)
  return {
    rows: (tags) =>
      rows(
        keyOf,
        tags.length,
        'SELECT tag, vault_epoch, wrapped FROM veridesk.subject_key WHERE tag = ANY ($1::bytea[])',
        [tags]
      ),
    missing: (tags) =>
      rows(
        ({ tag }) => bytesOf(tag, 32)?.toString('hex'),
        tags.length,
        `SELECT tag FROM unnest($1::bytea[]) AS given (tag) WHERE NOT EXISTS (SELECT
          FROM veridesk.subject_key k WHERE k.tag = given.tag AND k.wrapped IS NOT NULL)`,
        [tags]
      ),
    async put(epoch, keys) {
      const sorted = [...keys].sort((a, b) => inOrder(a.tag, b.tag))
      const stored = await rows(
        anything,
        keys.length,
        'SELECT veridesk.put_key(tag, $1, wrapped) FROM unnest($2::bytea[], $3::bytea[]) AS given (tag, wrapped)',
        [epoch, sorted.map(({ tag }) => tag), sorted.map(({ wrapped }) => wrapped)]
      )
      return stored.ok ? ok(null) : stored
    },
    async erase(tags) {
      const erased = await rows(
        anything,
        tags.length,
        'SELECT veridesk.erase_key(tag) FROM unnest($1::bytea[]) AS given (tag)',
        [[...tags].sort(inOrder)]
      )
      return erased.ok ? ok(null) : erased
    }
  }
}
