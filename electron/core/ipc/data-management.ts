/** Handlers of data management: backups, recovery, retention, erasure, exports and evidence. */
import type { HandlersOf } from '#contract/ipc/channel.ts'
import type { dataManagementChannels } from '#contract/data-management/channels.ts'
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import { fail, ok } from '#contract/failures/result.ts'
import { copyDocuments } from '#core/documents/copy-backup.ts'
import { readApplicantData } from '#core/exports/applicant-data.ts'
import { readLetter } from '#core/exports/letter.ts'
import { withHistory, type HandlerParts } from './parts.ts'

type All = HandlersOf<typeof dataManagementChannels>
/** The handlers of some groups of channels. */
type Group<Name extends string> = Pick<All, Extract<keyof All, `${Name}.${string}`>>

/** Backups, and restoring one. */
function backupHandlers(parts: HandlerParts): Group<'backups'> {
  const { host, backups, auditTrail, stateChanged } = parts
  return {
    'backups.list': () => backups.list(),
    'backups.create': () => backups.make(),
    'backups.check': async ({ id }) => {
      const checked = await backups.check(id)
      if (checked.ok)
        await auditTrail.note({
          kind: 'evidence.verified',
          plain: { what: 'backup', verified: checked.value.state === 'whole' }
        })
      return checked
    },
    'backups.since': ({ id }) => backups.since(id),
    'backups.documents': async () => {
      const path = await host.chooseSavePath('Copy documents to a folder', 'veridesk-documents', [])
      if (path === undefined) return ok(null)
      const copied = await withHistory(parts, (store) => copyDocuments(host.dataFolder, path, store))
      if (copied.ok)
        await auditTrail.note({
          kind: 'export.made',
          plain: { what: 'documents', format: 'sealed', rows: copied.value.copied }
        })
      return copied
    },
    'backups.restore': async ({ id }) => {
      const restored = await backups.restore(id)
      if (restored.ok)
        await auditTrail.note({
          kind: 'setting.changed',
          plain: { action: 'history.restored', backup: id }
        })
      stateChanged()
      return restored
    }
  }
}

/** The recovery key; events say that it was used, never what it is. */
function recoveryHandlers({ recoveries, auditTrail, stateChanged }: HandlerParts): Group<'recovery'> {
  return {
    'recovery.state': () => recoveries.state(),
    'recovery.create': async () => {
      const made = await recoveries.create()
      // Records that a key was created, never the key itself.
      if (made.ok) {
        await auditTrail.note({ kind: 'setting.changed', plain: { action: 'recovery-key.created' } })
        const key = made.value.escrowedFor
        if (key !== undefined)
          await auditTrail.note({ kind: 'setting.changed', plain: { action: 'recovery-key.sealed', key } })
      }
      return made
    },
    'recovery.confirm': async ({ createdAt }) => {
      const confirmed = await recoveries.confirm(createdAt)
      stateChanged()
      if (confirmed.ok)
        await auditTrail.note({
          kind: 'setting.changed',
          plain: { action: 'recovery-key.confirmed' }
        })
      return confirmed
    },
    'recovery.open': async ({ key }) => {
      const opened = await recoveries.open(key)
      if (
        !opened.ok &&
        opened.failure.code === 'recovery-key-wrong' &&
        opened.failure.details?.reason === 'other-history'
      )
        await auditTrail.note({
          kind: 'setting.changed',
          plain: { action: 'recovery-key.refused' }
        })
      if (opened.ok && opened.value.state === 'ready')
        await auditTrail.note({
          kind: 'setting.changed',
          plain: { action: 'recovery-key.used' }
        })
      stateChanged()
      return opened
    }
  }
}

/** Retention, holds and erasure. */
function erasureHandlers({ retention, auditTrail }: HandlerParts): Group<'retention' | 'holds' | 'erasure'> {
  return {
    'retention.plan': () => retention.plan(),
    'retention.run': (seen) => retention.run(seen),
    'holds.list': () => retention.holds(),
    'holds.place': ({ applicantId, reason, ...limits }) => retention.hold(applicantId, true, reason, limits),
    'holds.lift': ({ applicantId, reason }) => retention.hold(applicantId, false, reason),
    'erasure.preview': ({ applicantId }) => retention.preview(applicantId),
    'erasure.run': ({ applicantId, confirmation, reason }) => retention.erase(applicantId, confirmation, reason),
    'erasure.receipts': () => retention.receipts(),
    'erasure.saveReceipt': async ({ id }) => {
      const saved = await retention.saveReceipt(id)
      if (saved.ok && saved.value)
        await auditTrail.note({ kind: 'export.made', plain: { what: 'receipt', format: 'json', rows: 1 } })
      return saved
    }
  }
}

/** A letter tells what the whole team decided: not while the decision of a colleague stands. */
async function colleagueFault(parts: HandlerParts, applicantId: string): Promise<Failure | undefined> {
  if (!parts.inTeam()) return undefined
  const standing = await (await parts.team()).superseded(applicantId)
  if (!standing.ok) return standing.failure
  return standing.value.length > 0 ? failure('letter-not-saved', { reason: 'colleague' }) : undefined
}

/** Exports. */
function exportHandlers(parts: HandlerParts): Group<'exports'> {
  const { exports, evidence, keptCopy: copy, settings } = parts
  return {
    'exports.history': (order) => exports.history(order),
    'exports.applicants': (order) => exports.applicants(order),
    'exports.batches': (order) => exports.batches(order),
    'exports.catalogue': (order) => exports.catalogue(order),
    'exports.audit': (order) => exports.audit(order),
    'exports.readApplicantData': ({ applicantId }) =>
      withHistory(parts, (store) => readApplicantData(store, applicantId, { copy })),
    'exports.applicantData': (order) => exports.applicantData(order, { copy, signingKey: evidence.signingKey }),
    'exports.readLetter': async ({ applicantId }) => {
      const replaced = await colleagueFault(parts, applicantId)
      return replaced
        ? fail(replaced)
        : withHistory(parts, (store) => readLetter(store, applicantId, settings.current()))
    },
    'exports.letter': async (order) => {
      const replaced = await colleagueFault(parts, order.applicantId)
      return replaced ? fail(replaced) : exports.letter(order, settings.current())
    },
    'exports.stop': async ({ exportId }) => ({ ok: true, value: exports.stop(exportId) })
  }
}

/** Whether colleagues answer a request about a decision: there are roles in a team, and they must know what became of it. */
async function isForColleagues(parts: HandlerParts, applicantId: string): Promise<boolean> {
  if (!parts.inTeam()) return false
  const shown = await withHistory(parts, ({ applicants }) => applicants.show(applicantId))
  const decision = shown.ok ? shown.value.decision?.seq : undefined
  return decision !== undefined && (await parts.team()).approvals.reaches({ applicantId, decision })
}

/** Evidence packs, and approval by file. */
function packHandlers(parts: HandlerParts): Group<'evidence' | 'cases'> {
  const { evidence, cases, authority } = parts
  return {
    'evidence.create': (order) => evidence.make(order, order.documents ? parts.keptCopy : undefined),
    'evidence.authority': (order) => authority(order, parts.keptCopy),
    'evidence.documents': (about) => withHistory(parts, ({ documents }) => documents.amount(about)),
    'evidence.check': () => evidence.check(),
    'evidence.checkText': ({ name, text }) => evidence.checkText(name, text),
    'evidence.publicKey': () => evidence.publicKey(),
    'evidence.savePublicKey': () => evidence.savePublicKey(),
    'evidence.saveVerifier': ({ form }) => evidence.saveVerifier(form),
    'cases.open': () => cases.open(),
    'cases.ask': async (order) =>
      (await isForColleagues(parts, order.applicantId))
        ? failed('case-not-asked', { reason: 'in-team' })
        : evidence.ask(order),
    'cases.answer': (order) => cases.answer(order),
    'cases.import': ({ text }) => cases.import(text)
  }
}

export const dataManagementHandlers = (parts: HandlerParts): All => ({
  ...backupHandlers(parts),
  ...recoveryHandlers(parts),
  ...erasureHandlers(parts),
  ...exportHandlers(parts),
  ...packHandlers(parts)
})
