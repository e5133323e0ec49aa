/** A person's evidence workspace over a real history, and packs from it, for tests and for the long proof. */
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { EvidenceAbout, RedactionProfile } from '#contract/evidence/evidence.ts'
import { ok } from '#contract/failures/result.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { createCases, type Cases } from '#core/evidence/cases.ts'
import { createEvidence, type EvidencePacks } from '#core/evidence/evidence.ts'
import { checkPack } from '#core/evidence/pack/check.ts'
import type { OpenedPack } from '#core/evidence/pack/pack.ts'
import type { PackView } from '#core/evidence/pack/view.ts'
import { createNetwork } from '#core/client/network.ts'
import { createTimestamps } from '#core/timestamps/timestamps.ts'
import { defaultSettings } from '#contract/settings/settings.ts'
import { createChosenFiles } from '#core/files/unfinished.ts'
import { openHistory, type OpenHistory } from '#core/history/open.ts'
import { answer, clock, intentOf, lost, secretsInMemory } from './history-fixtures.ts'
import { launchWorkers } from './support/workers.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import type { HeldRule } from '#wire/history/applicants.ts'

export const verifier = resolve(import.meta.dirname, '..', '..', 'out', 'verifier', 'verify.mjs')

export interface Alone {
  verifyPack(
    text: string,
    key?: string
  ): Promise<{ verified: boolean; why?: string; signedBy?: string; withheld?: number }>
}
/** The stand-alone verifier, which needs neither console nor network. */
export const loadVerifier = async (): Promise<Alone> => (await import(verifier)) as Alone

export interface Workspace {
  readonly store: OpenHistory
  readonly evidence: EvidencePacks
  readonly cases: Cases
  readonly keychain: SecretStore
  /** The file that is chosen next. */
  open?: string
  /** Where the next file is saved. */
  save?: string
  /** The trust file that a policy names. */
  trust?: string
}

/** No authority is set. */
const noTimestamps = createTimestamps({
  settings: () => defaultSettings,
  sendingRefusal: () => undefined,
  clock,
  network: createNetwork({ clock, resolveSystemProxy: async () => 'DIRECT' }, () => defaultSettings)
})

/**
 * Throws if the history does not open, since nothing could be proved.
 *
 * @param resources Folder of the files that are shipped with the application.
 * @param printPdf Prints a page; absent where nothing can print.
 */
export async function evidenceWorkspace(
  folder: string,
  operator: string,
  resources = resolve(verifier, '..', '..', '..'),
  printPdf?: (html: string) => Promise<Uint8Array>
): Promise<Workspace> {
  mkdirSync(folder, { recursive: true })
  const secrets = secretsInMemory()
  const opened = await openHistory({
    folder: join(folder, operator),
    secrets,
    launch: launchWorkers,
    clock,
    kept: 'session'
  })
  if (!opened.ok) throw new Error(sentencesOf(opened.failure).what)
  const made: Partial<Workspace> = { store: opened.value.store }
  const parts = {
    keychain: secrets,
    clock,
    consoleVersion: '1.2.3',
    operator,
    resources,
    store: async () => ({ ok: true as const, value: opened.value.store }),
    auditTrail: { note: async () => undefined },
    chooseFile: async () => made.open,
    chooseSavePath: async () => made.save,
    trustFile: () => ok(made.trust),
    files: createChosenFiles(mkdtempSync(join(folder, 'own-'))),
    timestamps: noTimestamps,
    certificates: { of: async () => [] },
    onRemoval: () => undefined,
    ...(printPdf && { printPdf })
  }
  return Object.assign(made, {
    keychain: secrets,
    evidence: createEvidence(parts),
    cases: createCases(parts)
  }) as Workspace
}

export const person = 'APP-EVIDENT-42'
export const message = 'Évident <script>alert(1)</script> accepted \u202e'

/** Records one ended verification; returns the ID of its record. */
export async function check({ store }: Workspace, ending = answer(message), applicant = person): Promise<string> {
  const begun = await store.begin(intentOf({ applicant }))
  if (!begun.ok) throw new Error(sentencesOf(begun.failure).what)
  await store.finish(begun.value.id, ending)
  return begun.value.id
}

/** A history with a person and others; returns the ID of one of the person's records. */
export async function furnish(workspace: Workspace): Promise<string> {
  for (let n = 0; n < 20; n += 1) await check(workspace, answer('Accepted'), `APP-${n}`)
  const recordId = await check(workspace)
  await check(workspace, lost)
  await workspace.store.applicants.note(person, 'Looked at by hand, secretly', {
    at: 1_760_000_001_000,
    operator: 'first.person'
  })
  for (let n = 0; n < 5; n += 1) await check(workspace, answer('Accepted'), `APP-LATER-${n}`)
  return recordId
}

export interface SavedPack {
  readonly path: string
  readonly text: string
  readonly pack: OpenedPack
  readonly view: PackView
}

/** A pack as stored on disk. */
export async function savedPack(
  workspace: Workspace,
  folder: string,
  about: EvidenceAbout,
  profile: RedactionProfile = 'full'
): Promise<SavedPack> {
  workspace.save = join(folder, `${about.kind}-${profile}.veridesk-evidence`)
  const made = await workspace.evidence.make({ about, profile, pdf: false })
  if (!made.ok) throw new Error(`${made.failure.code}: ${sentencesOf(made.failure).what}`)
  const text = readFileSync(workspace.save, 'utf8')
  const { pack, view } = checkPack(text)
  if (!pack || !view) throw new Error('the pack is not intact')
  return { path: workspace.save, text, pack, view }
}

/** Decides about the person who is recorded there. @returns The number of the decision's event. */
export async function decideThere(
  { store }: Workspace,
  operator: string,
  { applicantId = person, fourEyes }: { readonly applicantId?: string; readonly fourEyes?: HeldRule } = {}
): Promise<number> {
  const shown = await store.applicants.show(applicantId)
  if (!shown.ok) throw new Error(sentencesOf(shown.failure).what)
  const { evidence } = shown.value
  const draft = { applicantId, decision: 'approve' as const, reasons: [], note: '', evidence }
  const made = await store.applicants.decide(draft, { at: Date.now(), operator, ...(fourEyes && { fourEyes }) })
  if (!made.ok) throw new Error(sentencesOf(made.failure).what)
  return made.value.decision?.seq ?? 0
}

/** The file of a request for approval of the decision that stands. */
export async function askedByFile(workspace: Workspace, folder: string, applicantId = person): Promise<string> {
  workspace.save = join(folder, 'asked.veridesk-case')
  const asked = await workspace.evidence.ask({ applicantId, note: 'Please look', pdf: false })
  if (!asked.ok) throw new Error(sentencesOf(asked.failure).what)
  return workspace.save
}

/** The answer of another person to the request in a file, as a file. */
export async function answeredByFile(
  second: Workspace,
  folder: string,
  path: string,
  { agrees = true, note = 'Seen and agreed' }: { readonly agrees?: boolean; readonly note?: string } = {}
): Promise<string> {
  second.open = path
  const opened = await second.cases.open()
  if (!opened.ok || !opened.value) throw new Error('the case was not opened')
  second.save = join(folder, `answer-${randomUUID()}.veridesk-approval`)
  const signer = opened.value.verdict.signedBy ?? ''
  const done = await second.cases.answer({ caseId: opened.value.caseId, signer, agrees, note })
  if (!done.ok) throw new Error(sentencesOf(done.failure).what)
  return second.save
}
