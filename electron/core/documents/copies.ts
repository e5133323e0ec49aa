/** Keeps copies of the documents behind the links of verifications: of one before it is sent, and of rows of batches before or beside it. */
import type { Connection } from '#contract/connections/connection.ts'
import type { MissedCopy, SeenDocument } from '#contract/documents/documents.ts'
import { failed, type Failure, type FailureCode } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { operationOf, type OperationId } from '#contract/verification/operations.ts'
import type { VerificationInput } from '#contract/verification/verification.ts'
import type { CopiedDocuments, CopyKeys, CopySpeed, KeptSealed, RowCopies } from '#wire/history/copies.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import type { Documents } from './documents.ts'
import type { Admit } from './fetch.ts'
import type { Vault } from './vault.ts'

/** What a verification is copied for. */
export interface CopyOrder {
  readonly connection: Pick<Connection, 'id' | 'copies'>
  readonly operation: OperationId
  readonly input: VerificationInput
  readonly applicantId: string | undefined
  /** Of a row of a batch: its key seals them, and what an earlier attempt has is not fetched again. */
  readonly row?: { readonly batchId: string; readonly row: number }
  readonly stop: AbortSignal
}

/** Sealed copies whose record has not begun. Either `finish` or `drop` follows. */
export interface TakenCopies {
  readonly copies?: CopiedDocuments
  /** What was seen behind the links, as a check of them says it; absent for nothing. */
  readonly seen?: Readonly<Record<string, SeenDocument>>
  readonly missed: readonly MissedCopy[]
  /** The record has begun. */
  finish(): Promise<void>
  /** It has not. */
  drop(): Promise<void>
}

/** One document of a row. */
export interface CopyOfRow {
  readonly connectionId: string
  readonly field: string
  readonly url: string
  readonly keys: CopyKeys
  /** What the row has from an earlier attempt: kept again, unless its file is missing or damaged. */
  readonly earlier?: KeptSealed | undefined
  readonly stop: AbortSignal
}

/** A sealed copy whose event is not written yet. Either `finish` or `drop` follows. */
export interface OneCopy extends KeptSealed, CopySpeed {
  /** Unix milliseconds. */
  readonly at: number
  finish(): Promise<void>
  drop(): Promise<void>
}

export interface Copies {
  /** `nothingTaken` where copies are off or the operation has no link. Failures: those of the history. */
  take(
    order: CopyOrder,
    history: { readonly documents: Pick<HistoryStore['documents'], 'keys' | 'ofRow'> }
  ): Promise<Result<TakenCopies, Failure>>
  /** At most four at a time and 40 MiB, with those of `take` for rows. Failures: those of `Documents.take` and of `Vault.put`. */
  one(copy: CopyOfRow): Promise<Result<OneCopy, Failure>>
  /** Bytes that copies may still take. */
  freeBytes(): Promise<number>
}

const nothing = async (): Promise<void> => undefined
export const nothingTaken: TakenCopies = { missed: [], finish: nothing, drop: nothing }

export interface CopyParts {
  readonly documents: Pick<Documents, 'take'>
  readonly vault: Pick<Vault, 'put' | 'finish' | 'drop' | 'open' | 'freeBytes'>
  /** Whether what is written now is still there after a restart. */
  readonly lasting: () => boolean
  readonly now: () => number
}

/** Whether a failure says something about the document, not about this computer or the connection: another document may be copied. */
export const isOfDocument = ({ code }: Pick<Failure, 'code'>): boolean =>
  code.startsWith('document-') && code !== 'document-copy-failed'

/** What a record says about why there is no copy: space that has to stay free is a full disk for it. */
export const missedBecause = ({ code, details }: Failure): FailureCode =>
  code === 'document-copy-failed' && details?.['reason'] === 'space' ? 'disk-full' : code

/** Documents of rows that are copied at a time, and bytes of them in memory. */
export const copiesAtOnce = 4
const most = { places: copiesAtOnce, bytes: 40 * 1024 * 1024 }

/** Lends an amount; who asks for more than is left waits, in order. */
function createLender(left: number): { take(amount: number): Promise<void>; give(amount: number): void } {
  const line: { readonly amount: number; readonly go: () => void }[] = []
  const serve = (): void => {
    for (let next = line[0]; next && next.amount <= left; next = line[0]) {
      left -= next.amount
      line.shift()
      next.go()
    }
  }
  return {
    take: (amount) =>
      new Promise((go) => {
        line.push({ amount, go })
        serve()
      }),
    give(amount) {
      left += amount
      serve()
    }
  }
}

/** Admits a few documents at a time. Each takes its memory at once, so that none holds a part that others wait for. */
function createGate() {
  const [places, memory] = [createLender(most.places), createLender(most.bytes)]
  return async <T>(work: (admit: Admit) => Promise<T>): Promise<T> => {
    await places.take(1)
    let [held, isOver] = [0, false]
    try {
      return await work(async (bytes) => {
        await memory.take(bytes)
        // It was ended while it waited.
        if (isOver) memory.give(bytes)
        else held += bytes
      })
    } finally {
      isOver = true
      memory.give(held)
      places.give(1)
    }
  }
}

export function createCopies({ documents, vault, lasting, now }: CopyParts): Copies {
  const gate = createGate()

  async function fetched(
    { connectionId, field, url, keys, stop }: CopyOfRow,
    admit?: Admit
  ): Promise<Result<OneCopy, Failure>> {
    if (!lasting()) return failed('document-copy-failed', { reason: 'session' })
    const began = performance.now()
    return documents.take(
      { connectionId, field, url },
      async (document, { type, bytes, sha256 }) => {
        const at = now()
        const name = await vault.put(document, sha256, keys)
        if (!name.ok) return name
        const names = [name.value]
        return ok({
          ...{ name: name.value, type, bytes, sha256, at, took: performance.now() - began },
          finish: () => vault.finish(names),
          drop: () => vault.drop(names)
        })
      },
      stop,
      admit
    )
  }

  async function one(copy: CopyOfRow): Promise<Result<OneCopy, Failure>> {
    const { earlier, keys } = copy
    // It has its event and its name: nothing of it is written.
    if (earlier && (await vault.open(earlier.name, keys)).ok)
      return ok({ ...earlier, at: now(), finish: nothing, drop: nothing })
    return gate((admit) => fetched(copy, admit))
  }

  /** The keys for a record that is about to begin; null if there is none to begin. */
  async function keysFor(
    { operation, applicantId, row }: CopyOrder,
    history: Parameters<Copies['take']>[1]
  ): Promise<Result<RowCopies | null, Failure>> {
    if (row) return history.documents.ofRow(row.batchId, row.row, operation)
    const keys = await history.documents.keys(applicantId)
    return keys.ok ? ok({ keys: keys.value, earlier: {} }) : keys
  }

  return {
    one,
    freeBytes: vault.freeBytes,
    async take(order, history) {
      const { connection, operation, input, row, stop } = order
      if ((connection.copies ?? 'off') === 'off') return ok(nothingTaken)
      const fields = linksOf(operation, input)
      if (fields.length === 0) return ok(nothingTaken)
      const found = await keysFor(order, history)
      if (!found.ok || !found.value) return found.ok ? ok(nothingTaken) : found
      const { keys, earlier } = found.value
      const all = await Promise.all(
        fields.map(async ({ field, url }) => {
          const copy = { connectionId: connection.id, field, url, keys, earlier: earlier[field], stop }
          return { field, copy: await (row ? one(copy) : fetched(copy)) }
        })
      )
      const taken = all.flatMap(({ field, copy }) => (copy.ok ? [{ field, ...copy.value }] : []))
      const missed = all.flatMap(({ field, copy }) => (copy.ok ? [] : [{ field, failure: copy.failure }]))
      return ok({
        copies: {
          under: keys.under,
          kept: taken.map(({ field, name, type, bytes, sha256, took }) => ({
            ...{ field, name, type, bytes, sha256 },
            ...(took !== undefined && { took })
          })),
          missed: missed.map(({ field, failure }) => ({ field, reason: missedBecause(failure) }))
        },
        ...(taken.length > 0 && {
          seen: Object.fromEntries(
            taken.map(({ field, type, bytes, sha256, at }) => [field, { type, bytes, sha256, at }])
          )
        }),
        missed,
        finish: async () => void (await Promise.all(taken.map(({ finish }) => finish()))),
        drop: async () => void (await Promise.all(taken.map(({ drop }) => drop())))
      })
    }
  }
}

/** The links of an input, by field. */
export const linksOf = (
  operation: OperationId,
  input: VerificationInput
): readonly { readonly field: string; readonly url: string }[] =>
  operationOf(operation).fields.flatMap(({ kind, name }) => {
    const url = kind === 'url' ? (input[name] ?? '') : ''
    return url === '' ? [] : [{ field: name, url }]
  })
