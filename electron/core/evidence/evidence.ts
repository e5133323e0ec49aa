/** Evidence packs: creating, signing, saving with a readable PDF, and verifying. */
import { createHash, type KeyObject } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { EvidenceAbout, EvidenceKey, EvidenceMade, EvidenceVerdict, RedactionProfile } from '#contract/evidence.ts'
import { failed, failure, type Failure } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'
import type { AuditTrail } from '#core/audit/audit-trail.ts'
import { safeFileName } from '#core/files/names.ts'
import type { ChosenFiles } from '#core/files/unfinished.ts'
import { codeOf } from '#core/files/write.ts'
import type { Clock } from '#core/ports/clock.ts'
import type { HistoryStore } from '#core/history/api/store.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { checkPack, type CheckedPack } from './check.ts'
import { heldCountersignatures } from './countersigners.ts'
import { evidenceKey, fingerprintOf, keyOfSigner, signingKey } from './keys.ts'
import { erasedOf } from './format-1/meaning.ts'
import { packContent, packDigest, packText, signPack } from './format-1/pack.ts'
import { packPage } from './page.ts'

export interface EvidenceParts {
  readonly keychain: SecretStore
  readonly clock: Clock
  readonly consoleVersion: string
  /** Folder of the files shipped with the application. */
  readonly resources: string
  readonly operator: string
  readonly store: () => Result<HistoryStore, Failure>
  readonly auditTrail: Pick<AuditTrail, 'note'>
  readonly chooseFile: (title: string, extensions: readonly string[]) => Promise<string | undefined>
  readonly chooseSavePath: (title: string, name: string, extensions: readonly string[]) => Promise<string | undefined>
  /** Prints a page without scripts or network; absent if the host has no printer. */
  readonly printPdf?: (html: string) => Promise<Uint8Array>
  readonly files: Pick<ChosenFiles, 'write'>
  /** Registers a function that drops personal data from memory when such data is removed. */
  readonly onRemoval: (empty: () => void) => void
}

type Answer<T> = Promise<Result<T, Failure>>

export interface EvidencePacks {
  make(order: { readonly about: EvidenceAbout; readonly profile: RedactionProfile; readonly pdf: boolean }): Answer<EvidenceMade | null>
  check(): Answer<EvidenceVerdict | null>
  publicKey(): Answer<EvidenceKey>
  savePublicKey(): Answer<{ readonly path: string } | null>
  saveVerifier(form: 'html' | 'mjs'): Answer<{ readonly path: string } | null>
}

/** Extensions in file dialogs for packs; Electron uses the last part of `.veridesk-evidence.json`. */
export const packExtensions = ['json']
/** Maximum size of a file that is read as a pack, in bytes. */
const maxPackBytes = 256 * 1024 * 1024

/** Asks the user for a pack and reads it. Null if cancelled. */
export async function choosePack(
  choose: EvidenceParts['chooseFile'],
  title: string
): Promise<Result<{ readonly file: string; readonly path: string; readonly checked: CheckedPack } | null, Failure>> {
  const path = await choose(title, packExtensions)
  if (path === undefined) return ok(null)
  const file = basename(path)
  try {
    if ((await stat(path)).size > maxPackBytes) return failed('file-unreadable', { file, reason: 'too-large' })
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(path))
    return ok({ file, path, checked: checkPack(text) })
  } catch (error) {
    if (error instanceof TypeError) return ok({ file, path, checked: checkPack('') })
    return failed('file-unreadable', { file, errno: codeOf(error) })
  }
}

/** The result of a verified pack for the window. */
export function verdictOf(file: string, { verified, findings, pack, withheld }: CheckedPack, own: KeyObject | undefined): EvidenceVerdict {
  if (!pack || !verified) return { file, verified, findings, ownKey: false }
  const { about, made, profile, records } = pack.content
  return {
    file, verified, findings, profile, records, withheld,
    signedBy: fingerprintOf(pack.signature.key),
    ownKey: own !== undefined && keyOfSigner(own) === pack.signature.key,
    madeAt: made.at,
    madeBy: made.by,
    erased: erasedOf(pack),
    countersignatures: heldCountersignatures(pack),
    ...(about.id !== null && { about: about as EvidenceAbout })
  }
}

/** Saves a text to a path that the user chooses. */
export async function saveText(
  { chooseSavePath, files }: Pick<EvidenceParts, 'chooseSavePath' | 'files'>, title: string, name: string, extension: string, text: string
): Answer<{ readonly path: string } | null> {
  const path = await chooseSavePath(title, name, [extension])
  if (path === undefined) return ok(null)
  const written = await files.write(path, text)
  return written.ok ? ok({ path }) : written
}

/** A text file shipped with the application. Failure: `program-file-unreadable`. */
async function programText(resources: string, file: string): Answer<string> {
  try {
    return ok(await readFile(join(resources, file), 'utf8'))
  } catch (error) {
    return failed('program-file-unreadable', { file, errno: codeOf(error) })
  }
}


export function createEvidence(parts: EvidenceParts): EvidencePacks {
  /** Writes the PDF beside the pack; if that fails, the pack is kept. */
  async function printBeside(path: string, html: string): Promise<Pick<EvidenceMade, 'pdfPath' | 'pdfFault'>> {
    if (!parts.printPdf) return { pdfFault: failure('pdf-not-written', { reason: 'cannot-print' }) }
    const pdfPath = `${path.replace(/(\.veridesk-evidence)?\.json$/, '')}.pdf`
    try {
      const bytes = await parts.printPdf(html)
      const written = await parts.files.write(pdfPath, bytes)
      return written.ok ? { pdfPath } : { pdfFault: written.failure }
    } catch (error) {
      return { pdfFault: failure('pdf-not-written', { reason: 'error', error: error instanceof Error ? error.name : 'unknown error' }) }
    }
  }

  return {
    async make({ about, profile, pdf }) {
      const store = parts.store()
      if (!store.ok) return store
      const collected = await store.value.evidence.collect(about)
      if (!collected.ok) return collected
      const key = await signingKey(parts.keychain)
      if (!key.ok) return key
      const { operator, consoleVersion } = parts
      const content = packContent(collected.value, { about, profile, at: parts.clock.now(), operator, consoleVersion })
      const pack = signPack(content, key.value)
      const text = packText(pack)
      // Verifies the pack as its reader will, before saving it.
      const checked = checkPack(text)
      if (!checked.verified) throw new Error(`a pack does not verify: ${checked.findings.at(-1)?.detail}`)
      const name = about.kind === 'applicant' && profile === 'no-personal-data' ? 'applicant' : `${about.kind} ${about.id}`
      const path = await parts.chooseSavePath('Save evidence pack', safeFileName(`${name}.veridesk-evidence.json`), packExtensions)
      if (path === undefined) return ok(null)
      const written = await parts.files.write(path, text)
      if (!written.ok) return written
      const sha256 = createHash('sha256').update(text).digest('hex')
      const printed = pdf ? await printBeside(path, packPage(pack, sha256)) : {}
      const { head, records, events } = collected.value
      await parts.auditTrail.note({
        kind: 'export.made',
        plain: { what: 'evidence', format: profile, rows: records, sha256, head: { seq: head.seq, hash: head.hash } },
        ...(about.kind === 'record' && { about: { recordId: about.id } }),
        ...(about.kind === 'applicant' && { about: { applicantId: about.id } })
      })
      return ok({ path, records, events: events.length, sha256, ...printed })
    },
    async check() {
      const chosen = await choosePack(parts.chooseFile, 'Choose an evidence pack to check')
      if (!chosen.ok || !chosen.value) return chosen as Result<null, Failure>
      const own = await signingKey(parts.keychain)
      const { file, checked } = chosen.value
      const { pack, verified } = checked
      await parts.auditTrail.note({ kind: 'evidence.verified', plain: { what: 'pack', verified, ...(verified && pack && { pack: packDigest(pack) }) } })
      return ok(verdictOf(file, checked, own.ok ? own.value : undefined))
    },
    async publicKey() {
      const key = await signingKey(parts.keychain)
      return key.ok ? ok(evidenceKey(key.value)) : key
    },
    async savePublicKey() {
      const key = await signingKey(parts.keychain)
      if (!key.ok) return key
      const { publicKey, fingerprint } = evidenceKey(key.value)
      return saveText(parts, 'Save public key', `veridesk-${fingerprint.slice(0, 16)}.pem`, 'pem', publicKey)
    },
    async saveVerifier(form) {
      const name = `verify.${form}`
      const text = await programText(parts.resources, `verifier/${name}`)
      return text.ok ? saveText(parts, 'Save verifier', name, form, text.value) : text
    }
  }
}
