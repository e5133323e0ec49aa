/** Retention, legal holds and erasure, for the window and the command line. */
import { failed } from '#contract/failures/failures.ts'
import type {
  ErasurePreview,
  ErasureReceipt,
  HoldDraft,
  LegalHold,
  RetentionPlan
} from '#contract/data-management/data-management.ts'
import type { Settings } from '#contract/settings/settings.ts'
import { ok } from '#contract/failures/result.ts'
import type { TeamRetains } from '#contract/team/activity.ts'
import type { RetentionRules, RetentionStore } from '#wire/history/erasure.ts'
import { copiesOfKeys } from '#core/history/copy-folders.ts'
import { erase, resumeErasures } from './erasure.ts'
import { ask, type Answer, type ErasureParts } from './parts.ts'
import { allReceipts } from './receipts.ts'

export interface RetentionParts extends ErasureParts {
  readonly settings: () => Settings
  /** Of some applicants, those that a colleague retains by these rules, or by a legal hold; undefined without a team. */
  readonly retainedInTeam: () =>
    | ((
        applicantIds: readonly string[],
        rules: RetentionRules | undefined,
        now: number
      ) => Answer<readonly TeamRetains[]>)
    | undefined
  /** Prevents backups and erasures from running at the same time. */
  readonly exclusively: <T>(work: () => Promise<T>) => Promise<T>
  readonly chooseSavePath: (title: string, name: string, extensions: readonly string[]) => Promise<string | undefined>
}

export interface Retention {
  plan(): Answer<RetentionPlan>
  /** @param digest Of the plan that was confirmed. */
  run(seen: { readonly digest: string; readonly reason: string }): Answer<ErasureReceipt>
  holds(): Answer<readonly LegalHold[]>
  hold(
    applicantId: string,
    held: boolean,
    reason: string,
    limits?: Pick<HoldDraft, 'until' | 'reference'>
  ): Answer<readonly LegalHold[]>
  preview(applicantId: string): Answer<ErasurePreview>
  erase(applicantId: string, confirmation: string, reason: string): Answer<ErasureReceipt>
  receipts(): Answer<readonly ErasureReceipt[]>
  /** Resumes interrupted erasures, unless there is a hold by now. Never fails: repeated at each opening. */
  resume(): Promise<void>
  saveReceipt(id: string): Answer<{ readonly path: string } | null>
}

export function createRetention(parts: RetentionParts): Retention {
  const rules = (): RetentionRules => {
    const { retentionDays: days, retentionFrom, retentionYears: years } = parts.settings()
    return { days, ...(retentionFrom === 'relationship' && { years }) }
  }
  async function planNow(): ReturnType<RetentionStore['plan']> {
    const [by, now, inTeam] = [rules(), parts.clock.now(), parts.retainedInTeam()]
    const alone = await ask(parts, (store) => store.plan(by, now))
    if (!alone.ok || !inTeam || alone.value.subjects === 0) return alone
    const scope = await ask(parts, (store) => store.scopeOf(alone.value.going))
    const retained = scope.ok ? await inTeam(scope.value.applicants, by, now) : scope
    if (!retained.ok) return retained
    const colleagues = Object.fromEntries(retained.value.map(({ applicantId, member }) => [applicantId, member]))
    return retained.value.length === 0 ? alone : ask(parts, (store) => store.plan(by, now, colleagues))
  }
  /** The colleague whose legal hold protects one of these applicants. */
  async function heldInTeam(applicantIds: readonly string[]): Answer<string | undefined> {
    const found = (await parts.retainedInTeam()?.(applicantIds, undefined, parts.clock.now())) ?? ok([])
    return found.ok ? ok(found.value[0]?.member) : found
  }
  return {
    plan: async () => {
      const planned = await planNow()
      if (!planned.ok) return planned
      const { going: _going, ...plan } = planned.value
      return ok(plan)
    },
    run: ({ digest, reason }) =>
      parts.exclusively(async () => {
        const planned = await planNow()
        if (!planned.ok) return planned
        if (planned.value.digest !== digest || planned.value.subjects === 0) return failed('retention-changed')
        const scope = await ask(parts, (store) => store.scopeOf(planned.value.going))
        return scope.ok ? erase(parts, scope.value, 'retention', reason) : scope
      }),
    holds: () => ask(parts, (store) => store.holds()),
    hold: async (applicantId, held, reason, limits = {}) => {
      const set = await ask(parts, (store) =>
        store.hold(applicantId, held, { at: parts.clock.now(), operator: parts.operator, reason, ...limits })
      )
      parts.changed()
      return set
    },
    preview: async (applicantId) => {
      const scope = await ask(parts, (store) => store.scope(applicantId))
      if (!scope.ok) return scope
      const { records, linked, batchRows, oldest, newest, hold, subjects } = scope.value
      const heldBy = await heldInTeam(scope.value.applicants)
      if (!heldBy.ok) return heldBy
      const mentions = await ask(parts, (store) => store.mentions(applicantId, subjects))
      if (!mentions.ok) return mentions
      const store = await parts.store()
      const alike = store.ok ? await store.value.applicants.alike([applicantId]) : store
      if (!alike.ok) return alike
      const backups = (await copiesOfKeys(parts.dataFolder)).length
      const leftovers = await parts.files.left()
      return ok({
        applicantId,
        records,
        linked,
        batchRows,
        oldest,
        newest,
        backups,
        mentions: mentions.value,
        lookAlikes: alike.value[0] ?? [],
        leftovers,
        ...(hold && { hold }),
        ...(heldBy.value !== undefined && { heldBy: heldBy.value })
      })
    },
    erase: (applicantId, confirmation, reason) =>
      parts.exclusively(async () => {
        if (confirmation !== applicantId) return failed('erasure-unconfirmed')
        const scope = await ask(parts, (store) => store.scope(applicantId))
        if (!scope.ok) return scope
        const heldBy = await heldInTeam(scope.value.applicants)
        if (!heldBy.ok) return heldBy
        if (heldBy.value !== undefined) return failed('erasure-held-in-team', { colleague: heldBy.value })
        return erase(parts, scope.value, 'request', reason)
      }),
    receipts: () => allReceipts(parts),
    resume: () => parts.exclusively(() => resumeErasures(parts)),
    saveReceipt: async (id) => {
      const receipts = await allReceipts(parts)
      if (!receipts.ok) return receipts
      const receipt = receipts.value.find((one) => one.id === id)
      if (!receipt) return failed('record-missing')
      const path = await parts.chooseSavePath('Save erasure receipt', `erasure-${id}.json`, ['json'])
      if (path === undefined) return ok(null)
      const written = await parts.files.write(
        path,
        `${JSON.stringify({ format: 'veridesk-erasure-receipt', version: 1, ...receipt }, null, 2)}\n`
      )
      return written.ok ? ok({ path }) : written
    }
  }
}
