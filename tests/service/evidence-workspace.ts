/** A person's evidence workspace over a real history, and packs from it, for tests and for the long proof. */
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { EvidenceAbout, RedactionProfile } from '#contract/evidence/evidence.ts'
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
  /** The file that is chosen next. */
  open?: string
  /** Where the next file is saved. */
  save?: string
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
    files: createChosenFiles(mkdtempSync(join(folder, 'own-'))),
    timestamps: noTimestamps,
    certificates: { of: async () => [] },
    onRemoval: () => undefined,
    ...(printPdf && { printPdf })
  }
  return Object.assign(made, { evidence: createEvidence(parts), cases: createCases(parts) }) as Workspace
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
  profile: RedactionProfile = 'full',
  countersignatures = 0
): Promise<SavedPack> {
  workspace.save = join(folder, `${about.kind}-${profile}.veridesk-evidence`)
  const made = await workspace.evidence.make({ about, profile, pdf: false, countersignatures })
  if (!made.ok) throw new Error(`${made.failure.code}: ${sentencesOf(made.failure).what}`)
  const text = readFileSync(workspace.save, 'utf8')
  const { pack, view } = checkPack(text)
  if (!pack || !view) throw new Error('the pack is not intact')
  return { path: workspace.save, text, pack, view }
}

/** A pack that another person has countersigned with their own key; returns the resulting file. */
export async function countersignedPack(second: Workspace, folder: string, path: string): Promise<string> {
  second.open = path
  const opened = await second.cases.open()
  if (!opened.ok || !opened.value) throw new Error('the case was not opened')
  second.save = join(folder, 'countersigned.veridesk-approval')
  const done = await second.cases.countersign({
    caseId: opened.value.caseId,
    signer: opened.value.verdict.signedBy ?? '',
    agrees: true,
    note: 'Seen and agreed'
  })
  if (!done.ok) throw new Error(sentencesOf(done.failure).what)
  return second.save
}
