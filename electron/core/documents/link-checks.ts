/**
 * Checks links before a paid verification. Each check is one guarded GET, as for the viewer; nothing of a document is
 * kept but its digest, in memory, for the record that follows.
 */
import { createHash } from 'node:crypto'
import { isMissing, smallDocumentSide, type DocumentFacts, type SeenDocument } from '#contract/documents/documents.ts'
import type { Failure, LinkFinding } from '#contract/failures/failures.ts'
import { standsOut, type LinkCheck, type LinkCheckOrder, type SameFile } from '#contract/links/checks.ts'
import { linkState, type LinkState } from '#contract/links/terms.ts'
import { linkFacts } from '#contract/links/links.ts'
import { applicantFieldOf, operationOf, type OperationId } from '#contract/verification/operations.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { VerificationInput } from '#contract/verification/verification.ts'
import type { AuditTrail } from '#core/audit/audit-trail.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import type { Clock } from '#kit/clock.ts'
import type { Documents } from './documents.ts'

export interface LinkChecks {
  /** Checks the links of a form that are filled in. Never fails as a whole unless the connection is missing. */
  form(order: LinkCheckOrder): Promise<Result<readonly LinkCheck[], Failure>>
  /** What checks of the last hour saw behind the links of an input, by field; undefined if nothing. */
  seen(
    connectionId: string,
    operation: OperationId,
    input: VerificationInput
  ): Readonly<Record<string, SeenDocument>> | undefined
  /** Drops what was seen. */
  forget(): void
}

export interface LinkCheckParts {
  readonly clock: Clock
  readonly documents: Pick<Documents, 'read'>
  readonly history: () => Promise<Result<HistoryStore, Failure>>
  readonly auditTrail: Pick<AuditTrail, 'note'>
}

/** Milliseconds after which what a check saw no longer counts for a record that follows. */
const lasting = 3_600_000
const maxSeen = 1000

const findingOf: Readonly<Partial<Record<LinkState, LinkFinding>>> = {
  'expired': { code: 'expired' },
  'soon': { code: 'expires-soon' },
  'not-yet': { code: 'not-valid-yet' },
  'damaged': { code: 'times-damaged' }
}

/** What a link and the document behind it say. `needed`: milliseconds for which the link must stay valid. */
export function findingsOfLink(
  url: string,
  facts: Pick<DocumentFacts, 'width' | 'height' | 'findings'> | undefined,
  now: number,
  needed?: number
): LinkFinding[] {
  const ofLink = findingOf[linkState(linkFacts(url, now), now, needed)]
  const { width, height } = facts ?? {}
  const isSmall = width !== undefined && height !== undefined && Math.max(width, height) < smallDocumentSide
  return [
    ...(ofLink ? [ofLink] : []),
    ...(facts?.findings.filter(isMissing) ?? []),
    ...(isSmall ? [{ code: 'small', details: { width, height, limit: smallDocumentSide } } as const] : [])
  ]
}

export function createLinkChecks({ clock, documents, history, auditTrail }: LinkCheckParts): LinkChecks {
  const kept = new Map<string, SeenDocument>()
  /** Counts how often it was dropped: a check that began before keeps nothing. */
  let generation = 0
  /** The link may contain a signature, which must not stay in memory. */
  const keyOf = (connectionId: string, url: string): string =>
    createHash('sha256').update(`${connectionId}\n${url}`).digest('hex')

  function keep(connectionId: string, url: string, seen: SeenDocument): void {
    const key = keyOf(connectionId, url)
    kept.delete(key)
    kept.set(key, seen)
    const [oldest] = kept.keys()
    if (kept.size > maxSeen && oldest !== undefined) kept.delete(oldest)
  }

  async function sameFiles(
    connectionId: string,
    checks: readonly LinkCheck[]
  ): Promise<readonly (readonly SameFile[])[]> {
    const files = checks.map(({ document }) => document?.sha256 ?? '')
    const store = files.every((file) => file === '') ? undefined : await history()
    const found = store?.ok ? await store.value.documents.seen(connectionId, files) : undefined
    // Without a history there is nothing to compare with, and the check is still of use.
    return found?.ok ? found.value : []
  }

  async function checkLink(connectionId: string, field: string, url: string): Promise<LinkCheck> {
    const mine = generation
    const facts = await documents.read({ connectionId, field, url })
    const now = clock.now()
    if (!facts.ok) return { field, failure: facts.failure, findings: findingsOfLink(url, undefined, now) }
    const { type, bytes, sha256, width, height } = facts.value
    const seen = { type, bytes, sha256, at: now }
    if (mine === generation) keep(connectionId, url, seen)
    return {
      field,
      document: { ...seen, ...(width !== undefined && height !== undefined && { width, height }) },
      findings: findingsOfLink(url, facts.value, now)
    }
  }

  return {
    async form({ connectionId, operation, input, applicantId: ofPage }) {
      const fields = operationOf(operation).fields.filter(
        ({ kind, name }) => kind === 'url' && (input[name] ?? '') !== ''
      )
      const applicantField = applicantFieldOf(operation)
      const applicantId = (applicantField === undefined ? ofPage : input[applicantField]) || undefined
      const links = await Promise.all(fields.map(({ name }) => checkLink(connectionId, name, input[name] ?? '')))
      const missing = links.find(({ failure }) => failure?.code === 'connection-missing')?.failure
      if (missing) return { ok: false, failure: missing }
      const same = await sameFiles(connectionId, links)
      const checks = links.map((check, index): LinkCheck => {
        const records = same[index] ?? []
        const other =
          applicantId === undefined
            ? undefined
            : records.find((record) => record.applicantId !== undefined && record.applicantId !== applicantId)
        const twin = links.findIndex(
          ({ document }, at) => at !== index && document !== undefined && document.sha256 === check.document?.sha256
        )
        const sameFile = other ?? records[0]
        return {
          ...check,
          ...(sameFile && { sameFile }),
          findings: [
            ...check.findings,
            ...(other ? [{ code: 'other-applicant' } as const] : []),
            ...(twin < 0 ? [] : [{ code: 'same-file', details: { name: fields[twin]?.label ?? '' } } as const])
          ]
        }
      })
      await auditTrail.note({
        kind: 'links.checked',
        plain: { of: 'form', operations: [operation], links: checks.length, findings: checks.filter(standsOut).length },
        ...(applicantId !== undefined && { about: { applicantId } })
      })
      return ok(checks)
    },
    seen(connectionId, operation, input) {
      const now = clock.now()
      const found = operationOf(operation).fields.flatMap(({ kind, name }) => {
        const seen = kind === 'url' ? kept.get(keyOf(connectionId, input[name] ?? '')) : undefined
        return seen && Math.abs(now - seen.at) <= lasting ? [[name, seen] as const] : []
      })
      return found.length > 0 ? Object.fromEntries(found) : undefined
    },
    forget() {
      generation += 1
      kept.clear()
    }
  }
}
