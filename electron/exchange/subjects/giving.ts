/** Gives keys to the database, wrapped for the current epoch. */
import { ok } from '#contract/failures/result.ts'
import { refusals } from '#team/database/schema.ts'
import { wrapSubjectKey } from '../keys/vault.ts'
import type { VaultKey } from '#team/thread/ports.ts'
import type { KeyTables } from '#team/subjects/database.ts'
import type { Answer } from './ports.ts'

export interface GivenKey {
  readonly tag: Buffer
  readonly key: Uint8Array
}

export interface Given {
  /** Tags (hex) of keys that the database says were erased, or are wrapped for a newer epoch. */
  readonly refused: ReadonlySet<string>
  /** It has keys of a newer epoch: this installation has to read the list of members again. */
  readonly outdated: boolean
}

/** Others may erase keys in between; a database that goes on refusing without showing why is not asked without end. */
const attempts = 3
const isRefusal = (sqlState: unknown): boolean => sqlState === refusals.erasedKey || sqlState === refusals.olderEpoch

/** Failures: the line's. Repeating it changes nothing. */
export async function giveKeys(
  tables: KeyTables,
  team: string,
  vault: VaultKey,
  keys: readonly GivenKey[]
): Answer<Given> {
  const refused = new Set<string>()
  let outdated = false
  for (let attempt = 1; ; attempt += 1) {
    const left = keys.filter(({ tag }) => !refused.has(tag.toString('hex')))
    if (left.length === 0) return ok({ refused, outdated })
    const stored = await tables.put(
      vault.number,
      left.map(({ tag, key }) => ({ tag, wrapped: wrapSubjectKey(key, { team, tag: tag.toString('hex') }, vault) }))
    )
    if (stored.ok) return ok({ refused, outdated })
    if (attempt === attempts || !isRefusal(stored.failure.details?.['sqlState'])) return stored
    const shown = await tables.rows(left.map(({ tag }) => tag))
    if (!shown.ok) return shown
    for (const { tag, epoch, wrapped } of shown.value) {
      if (wrapped !== null && epoch <= vault.number) continue
      refused.add(tag)
      outdated ||= wrapped !== null
    }
  }
}
