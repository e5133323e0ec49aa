/** Keeps copies of the documents behind the links of a verification, before it is sent. */
import type { Connection } from '#contract/connections/connection.ts'
import type { MissedCopy, SeenDocument } from '#contract/documents/documents.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { operationOf, type OperationId } from '#contract/verification/operations.ts'
import type { VerificationInput } from '#contract/verification/verification.ts'
import type { CopiedDocuments } from '#wire/history/copies.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import type { Documents } from './documents.ts'
import type { Vault } from './vault.ts'

/** What a verification is copied for. */
export interface CopyOrder {
  readonly connection: Pick<Connection, 'id' | 'copies'>
  readonly operation: OperationId
  readonly input: VerificationInput
  readonly applicantId: string | undefined
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

export interface Copies {
  /** `nothingTaken` where copies are off or the operation has no link. Failures: those of the history. */
  take(order: CopyOrder, history: HistoryStore): Promise<Result<TakenCopies, Failure>>
}

export const nothingTaken: TakenCopies = { missed: [], finish: async () => undefined, drop: async () => undefined }

export interface CopyParts {
  readonly documents: Pick<Documents, 'take'>
  readonly vault: Pick<Vault, 'put' | 'finish' | 'drop'>
  /** Whether what is written now is still there after a restart. */
  readonly lasting: () => boolean
  readonly now: () => number
}

export function createCopies({ documents, vault, lasting, now }: CopyParts): Copies {
  return {
    async take({ connection, operation, input, applicantId, stop }, history) {
      if ((connection.copies ?? 'off') === 'off') return ok(nothingTaken)
      const fields = operationOf(operation).fields.flatMap(({ kind, name }) => {
        const url = kind === 'url' ? (input[name] ?? '') : ''
        return url === '' ? [] : [{ field: name, url }]
      })
      if (fields.length === 0) return ok(nothingTaken)
      const keys = await history.documents.keys(applicantId)
      if (!keys.ok) return keys
      const found = await Promise.all(
        fields.map(async ({ field, url }) => ({
          field,
          copy: lasting()
            ? await documents.take(
                { connectionId: connection.id, field, url },
                async (document, { type, bytes, sha256 }) => {
                  const at = now()
                  const name = await vault.put(document, sha256, keys.value)
                  return name.ok ? ok({ name: name.value, type, bytes, sha256, at }) : name
                },
                stop
              )
            : failed('document-copy-failed', { reason: 'session' })
        }))
      )
      const taken = found.flatMap(({ field, copy }) => (copy.ok ? [{ field, ...copy.value }] : []))
      const missed = found.flatMap(({ field, copy }) => (copy.ok ? [] : [{ field, failure: copy.failure }]))
      const names = taken.map(({ name }) => name)
      return ok({
        copies: {
          under: keys.value.under,
          kept: taken.map(({ field, name, type, bytes, sha256 }) => ({ field, name, type, bytes, sha256 })),
          missed: missed.map(({ field, failure: { code } }) => ({ field, reason: code }))
        },
        ...(taken.length > 0 && {
          seen: Object.fromEntries(
            taken.map(({ field, type, bytes, sha256, at }) => [field, { type, bytes, sha256, at }])
          )
        }),
        missed,
        finish: () => vault.finish(names),
        drop: () => vault.drop(names)
      })
    }
  }
}
