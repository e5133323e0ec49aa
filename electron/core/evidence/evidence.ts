/** Evidence packs: creating, signing, saving with a readable PDF, and verifying. */
import { createHash, type KeyObject } from 'node:crypto'
import { constants } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { z } from 'zod'
import type {
  caseAskSchema,
  EvidenceAbout,
  EvidenceFinding,
  EvidenceKey,
  EvidenceMade,
  EvidenceVerdict,
  RedactionProfile,
  StampedPack
} from '#contract/evidence/evidence.ts'
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import type { AuditTrail, NoteDraft } from '#core/audit/audit-trail.ts'
import { safeFileName } from '#core/files/names.ts'
import type { ChosenFiles } from '#core/files/unfinished.ts'
import { packEndings } from '#contract/app/opening.ts'
import { isTrustText, trustEnding } from '#contract/evidence/trust-view.ts'
import { openRegular, readRegular } from '#wire/files/regular.ts'
import { codeOf } from '#wire/files/write.ts'
import type { Clock } from '#kit/clock.ts'
import type { Evidence } from '#wire/history/evidence.ts'
import type { Hand } from '#wire/history/applicants.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { checkTrust, reliesOnNothing } from './trust.ts'
import { readCountingTrustFile, trustRefusal, type TrustFile } from './trust-file.ts'
import type { Timestamps } from '#core/timestamps/timestamps.ts'
import type { SigningCertificates } from './certificates.ts'
import { stamped, stampFile } from './pack-timestamps.ts'
import { isApproved } from './pack/approvals.ts'
import { checkPack, type CheckedPack } from './pack/check.ts'
import { checkArchive, withArchive, type OpenedArchive } from './pack-archive.ts'
import { fits, openCopies, packArchive, pagePart, type OpenCopy } from './pack-documents.ts'
import { StoreError } from '#core/files/store-error.ts'
import { evidenceKey, fingerprintOf, keyOfSigner } from '#wire/evidence/keys.ts'
import { signingKey } from './signing-key.ts'
import type { Receiver } from '#contract/evidence/authority.ts'
import { validSigningKey } from './own-keys.ts'
import { attachmentFinding, attachmentOf } from './pack/attachments.ts'
import { proofText } from './pack/checkpoint.ts'
import { contentOf, sealPack } from './pack/make.ts'
import type { Attachment, Content } from './pack/pack.ts'
import { viewOf } from './pack/view.ts'
import { packPage } from './page.ts'
import { finding } from './refusal.ts'

export interface EvidenceParts {
  readonly keychain: SecretStore
  readonly clock: Clock
  readonly consoleVersion: string
  /** Folder of the files shipped with the application. */
  readonly resources: string
  readonly operator: string
  /** The open history, or why there is none; waits for an opening in progress. */
  readonly store: () => Promise<Result<HistoryStore, Failure>>
  readonly auditTrail: Pick<AuditTrail, 'note'>
  readonly chooseFile: (title: string, extensions: readonly string[]) => Promise<string | undefined>
  readonly chooseSavePath: (title: string, name: string, extensions: readonly string[]) => Promise<string | undefined>
  /** Prints a page without scripts or network; absent if the host has no printer. */
  readonly printPdf?: (html: string) => Promise<Uint8Array>
  readonly files: Pick<ChosenFiles, 'write' | 'folder'>
  readonly timestamps: Timestamps
  readonly certificates: Pick<SigningCertificates, 'of'>
  /** The path of the company's trust file, if a policy names one; absent: none. */
  readonly trustFile?: () => Result<string | undefined, Failure>
  /** Registers a function that drops personal data from memory when such data is removed. */
  readonly onRemoval: (empty: () => void) => void
}

type Answer<T> = Promise<Result<T, Failure>>

export interface PackOrder {
  readonly about: EvidenceAbout
  readonly profile: RedactionProfile
  readonly pdf: boolean
}

export type CaseAsk = z.output<typeof caseAskSchema>

export interface EvidencePacks {
  /**
   * Asks where to save, records that a pack is made, and writes it. Null if cancelled: then nothing is recorded. With
   * `copy`, which opens copies, it is one ZIP file with the documents; failures then: `evidence-documents-too-large`, and `document-copy-unusable` if one goes while they are written.
   */
  make(order: PackOrder, copy?: OpenCopy): Answer<EvidenceMade | null>
  /**
   * The same with a request for approval of the decision about an applicant, which is recorded before. Failures:
   * `case-not-asked`, `applicant-missing`.
   */
  ask(order: CaseAsk): Answer<EvidenceMade | null>
  check(): Answer<EvidenceVerdict | null>
  /** Verifies the text of a pack without its place: the files that it names count as absent. */
  checkText(name: string, text: string): Answer<EvidenceVerdict>
  /** Adds a time-stamp to a pack that the user chooses; null if cancelled. */
  timestamp(): Answer<StampedPack | null>
  /** The inclusion proof of an event as a C2SP text, signed. Failure: `event-missing`. */
  prove(seq: number, size?: number): Answer<string>
  /** The key that signs what is made now. Failures: the keychain's, and `signing-key-revoked`. */
  signingKey(): Answer<KeyObject>
  publicKey(): Answer<EvidenceKey>
  savePublicKey(): Answer<{ readonly path: string } | null>
  saveVerifier(form: 'html' | 'mjs'): Answer<{ readonly path: string } | null>
}

const [evidenceEnding, caseEnding] = packEndings
/** Of a pack with its documents. */
const archiveEnding = 'zip'
/** Maximum size of a file that is read as a pack, in bytes. */
const maxPackBytes = 256 * 1024 * 1024

/** Asks the user for a pack and reads it. Null if cancelled. */
export async function choosePack(choose: EvidenceParts['chooseFile'], title: string): Answer<ReadPack | null> {
  const path = await choose(title, packEndings)
  return path === undefined ? ok(null) : readPack(path)
}

interface ReadPack {
  readonly file: string
  readonly path: string
  readonly checked: CheckedPack
}

/** The pack at a path, verified by itself. Failure: `file-unreadable`. */
async function readPack(path: string): Answer<ReadPack> {
  const file = basename(path)
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      await readRegular(path, maxPackBytes)
    )
    return ok({ file, path, checked: checkPack(text) })
  } catch (error) {
    if (error instanceof TypeError) return ok({ file, path, checked: checkPack('') })
    return failed('file-unreadable', { file, errno: codeOf(error) })
  }
}

/** The result of a pack for the window. @param more Findings beside those of the pack itself. */
export function verdictOf(
  file: string,
  { findings: found, intact, verified, view, withheld, approval }: CheckedPack,
  own: KeyObject | undefined,
  more: readonly EvidenceFinding[] = []
): EvidenceVerdict {
  const findings = [...found, ...more]
  const isRight = more.every(({ passed }) => passed)
  if (!view) return { file, verified: false, intact: false, findings, ownKey: false }
  const { about, madeAt, madeBy, profile, records, erased } = view
  return {
    file,
    verified: verified && isRight,
    intact: intact && isRight,
    findings,
    profile,
    records,
    withheld,
    signedBy: fingerprintOf(view.key),
    ownKey: own !== undefined && keyOfSigner(own) === view.key,
    madeAt,
    madeBy,
    erased,
    ...(approval && { approved: isApproved(approval) }),
    ...(about.id !== null && { about: about as EvidenceAbout })
  }
}

/** Reads a file that may belong to a pack. */
export async function readAttachment(path: string): Promise<Result<Uint8Array, Failure>> {
  const file = basename(path)
  try {
    return ok(await readRegular(path, maxPackBytes))
  } catch (error) {
    return failed('file-unreadable', { file, errno: codeOf(error) })
  }
}

/** The company's trust file at a path. Failures: `file-unreadable`, `trust-file-refused`. */
export async function trustFileAt(path: string): Answer<TrustFile> {
  const bytes = await readAttachment(path)
  if (!bytes.ok) return bytes
  const read = readCountingTrustFile(Buffer.from(bytes.value).toString('utf8'))
  return read.ok ? read : fail(trustRefusal(read.failure))
}

/** The trust file that a policy names; undefined without one. Failures as above, and why no policy can be read. */
export async function companyFile({ trustFile }: Pick<EvidenceParts, 'trustFile'>): Answer<TrustFile | undefined> {
  const path = trustFile?.() ?? ok(undefined)
  if (!path.ok) return path
  return path.value === undefined ? ok(undefined) : trustFileAt(path.value)
}

/** The files that a pack names. */
export const attachmentsOf = ({ pack }: CheckedPack): readonly Attachment[] => pack?.content.attachments ?? []

/** Compares the files of a pack that are in its folder. */
async function attachmentsBeside(path: string, checked: CheckedPack): Promise<EvidenceFinding[]> {
  const attachments = checked.intact ? attachmentsOf(checked) : []
  return Promise.all(
    attachments.map(async ({ name }) => {
      // Only a file's name alone: a pack cannot have another folder read.
      const read = /^[^/\\\0]+$/.test(name) ? await readAttachment(join(dirname(path), name)) : undefined
      return read?.ok ? attachmentFinding(attachments, name, read.value) : finding('attachment-absent', { name })
    })
  )
}

/** A pack that the user chose. */
interface ChosenPack {
  readonly file: string
  readonly checked: CheckedPack
  readonly more: readonly EvidenceFinding[]
  /** The company's trust file, if the user chose one before. */
  readonly company?: TrustFile
}

/** Whether a file is a trust file, by its first bytes: whoever gets one may give it another name. Failure: `file-unreadable`. */
async function isTrustFile(path: string): Answer<boolean> {
  try {
    const handle = await openRegular(path, constants.O_RDONLY)
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(256), 0, 256, 0)
      return ok(isTrustText(buffer.toString('utf8', 0, bytesRead)))
    } finally {
      await handle.close()
    }
  } catch (error) {
    return failed('file-unreadable', { file: basename(path), errno: codeOf(error) })
  }
}

/**
 * The file that the user chooses, verified with what is beside it or, of a ZIP file, in it. Null if cancelled. A trust
 * file that is chosen asks for the pack to verify with it. Failures: `file-unreadable`, `trust-file-refused`.
 */
async function chooseAndCheck(choose: EvidenceParts['chooseFile']): Answer<ChosenPack | null> {
  const endings = [...packEndings, archiveEnding]
  const path = await choose('Choose an evidence pack to check', [...endings, trustEnding])
  if (path === undefined) return ok(null)
  const asked = await isTrustFile(path)
  if (!asked.ok) return asked
  if (!asked.value) return checkAt(path)
  const company = await trustFileAt(path)
  if (!company.ok) return company
  const then = await choose('Choose the evidence pack to check with this trust file', endings)
  if (then === undefined) return ok(null)
  const found = await checkAt(then)
  return found.ok ? ok({ ...found.value, company: company.value }) : found
}

/** A pack at a path. */
async function checkAt(path: string): Answer<ChosenPack> {
  const archive = await openArchive(path)
  if (!archive.ok) return archive
  if (archive.value) return ok({ file: basename(path), checked: archive.value.checked, more: archive.value.documents })
  const read = await readPack(path)
  if (!read.ok) return read
  const { file, checked } = read.value
  return ok({ file, checked, more: await attachmentsBeside(path, checked) })
}

/** A ZIP file with a pack, verified; undefined for another file. Failure: `file-unreadable`. */
export async function openArchive(path: string): Answer<OpenedArchive | undefined> {
  try {
    return ok(await withArchive(path, checkArchive))
  } catch (error) {
    return failed('file-unreadable', { file: basename(path), errno: codeOf(error) })
  }
}

/** Saves a text to a path that the user chooses. */
export async function saveText(
  { chooseSavePath, files }: Pick<EvidenceParts, 'chooseSavePath' | 'files'>,
  title: string,
  name: string,
  extension: string,
  text: string
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

/** A printed page, or why there is none. */
interface Printed {
  readonly bytes?: Uint8Array
  readonly pdfFault?: Failure
}

/** The path without the ending of a pack. */
export const withoutEnding = (path: string): string =>
  packEndings.reduce((rest, ending) => (rest.endsWith(`.${ending}`) ? rest.slice(0, -ending.length - 1) : rest), path)
const pdfPathOf = (path: string): string => `${withoutEnding(path)}.pdf`

type Stamp = Awaited<ReturnType<typeof stamped>> | undefined

/** Prints the page of a pack before it is signed, so that the signed content can name it. */
async function print({ printPdf }: Pick<EvidenceParts, 'printPdf'>, content: Content): Promise<Printed> {
  const made = content.events.at(-1)
  if (!printPdf || !made) return { pdfFault: failure('pdf-not-written', { reason: 'cannot-print' }) }
  try {
    const view = viewOf({ content, digest: '' }, made)
    return { bytes: await printPdf(packPage(view)) }
  } catch (error) {
    return {
      pdfFault: failure('pdf-not-written', {
        reason: 'error',
        error: error instanceof Error ? error.name : 'unknown error'
      })
    }
  }
}

/** Writes the PDF beside the pack; if that fails, the pack is kept. */
async function writeBeside(
  { files }: Pick<EvidenceParts, 'files'>,
  path: string,
  { bytes, pdfFault }: Printed
): Promise<Pick<EvidenceMade, 'pdfPath' | 'pdfFault'>> {
  if (!bytes) return pdfFault ? { pdfFault } : {}
  const pdfPath = pdfPathOf(path)
  const written = await files.write(pdfPath, bytes)
  return written.ok ? { pdfPath } : { pdfFault: written.failure }
}

/**
 * The verdict on a pack, which the audit trail notes. @param more Findings about files that the pack names. @param given
 * The trust file that the user chose; without one, that of the policy.
 */
async function concluded(
  parts: EvidenceParts,
  file: string,
  checked: CheckedPack,
  more: readonly EvidenceFinding[],
  given?: TrustFile
): Answer<EvidenceVerdict> {
  const own = await signingKey(parts.keychain)
  const company = given ? ok(given) : await companyFile(parts)
  if (!company.ok) return company
  const { findings, known } = await checkTrust(checked, {
    ...reliesOnNothing,
    company: company.value && { file: company.value, now: parts.clock.now() }
  })
  const verdict = verdictOf(file, checked, own.ok ? own.value : undefined, [...findings, ...more])
  const { verified } = verdict
  await parts.auditTrail.note({
    kind: 'evidence.verified',
    plain: { what: 'pack', verified, ...(verified && checked.view && { pack: checked.view.digest }) }
  })
  return ok({ ...verdict, ...(known !== undefined && { signerKnown: known }) })
}

/** Draws, seals and verifies a pack; the printed page and its other files are named in what is signed. */
async function drawn(
  parts: EvidenceParts,
  collected: Evidence,
  { about, profile, pdf }: PackOrder,
  key: KeyObject,
  { page, files = [] }: { readonly page: string; readonly files?: readonly Attachment[] }
): Answer<{ readonly text: string; readonly printed: Printed; readonly stamp: Stamp }> {
  // A certificate names its owner, and a redacted pack names nobody.
  const chain = profile === 'full' ? await parts.certificates.of(keyOfSigner(key)) : []
  const certificates = chain.map((der) => Buffer.from(der).toString('base64'))
  const order = { about, profile, console: parts.consoleVersion, certificates }
  const draft = contentOf(collected, { ...order, attachments: [] }, key)
  const printed = pdf ? await print(parts, draft) : {}
  const attachments = [...(printed.bytes ? [attachmentOf(page, printed.bytes)] : []), ...files]
  const sealed = sealPack({ ...draft, attachments }, key)
  // Verifies the pack as its reader will, before saving it.
  const checked = checkPack(sealed)
  if (!checked.intact || !checked.pack)
    return failed('evidence-not-verified', { reason: checked.findings.at(-1)?.what ?? 'format' })
  // A pack without a time-stamp is complete, and one can be added later.
  const stamp = parts.timestamps.isOn() ? await stamped(parts.timestamps, checked.pack.file) : undefined
  return ok({ text: stamp?.ok ? stamp.value.text : sealed, printed, stamp })
}

/** What this audit trail is called in approvals by file: its origin, and a name for the installation that has no team. */
export async function ownScope(
  store: Pick<HistoryStore, 'approvals'>
): Answer<{ readonly scope: string; readonly installation: string }> {
  const own = await store.approvals.own({ evidenceOf: [], hashesOf: [1] })
  if (!own.ok) return own
  const scope = own.value.hashes[0]?.[1] ?? ''
  return ok({ scope, installation: scope.slice(0, 32) })
}

/** Records a request for approval by file of the decision that stands. Failures: `case-not-asked`, and those of the history. */
export async function askFor(
  store: Pick<HistoryStore, 'applicants' | 'approvals'>,
  { applicantId, note }: Omit<CaseAsk, 'pdf'>,
  by: Hand
): Answer<null> {
  const [made, here] = [await store.applicants.decisions(applicantId), await ownScope(store)]
  if (!made.ok) return made
  if (!here.ok) return here
  const [decision] = made.value
  if (!decision) return failed('case-not-asked', { reason: 'undecided' })
  const asked = await store.approvals.ask(
    { applicantId, decision: decision.seq, ...here.value, evidence: [], note },
    by
  )
  if (asked.ok) return ok(null)
  // The history's own words are for a request in a team: they speak of colleagues.
  const { code, details } = asked.failure
  if (code !== 'team-approval-refused') return asked
  return failed('case-not-asked', { reason: details?.['reason'] === 'outdated' ? 'outdated' : 'decision' })
}

/** What goes beside the making of a pack. */
interface PackWays {
  /** What is recorded before, once the place is chosen. */
  readonly asks?: (store: HistoryStore) => Answer<null>
  /** For documents. */
  readonly copy?: OpenCopy
}

/** The name that is offered for a file, and its ending. */
function offeredName({ about, profile }: PackOrder, { asks, copy }: PackWays): readonly [name: string, ending: string] {
  const name = about.kind === 'applicant' && profile === 'no-personal-data' ? 'applicant' : `${about.kind} ${about.id}`
  const ending = asks ? caseEnding : copy ? archiveEnding : evidenceEnding
  return [safeFileName(`${name}.${ending}`), ending]
}

/** Asks where to save, records that a pack is made, and writes it. */
async function makePack(parts: EvidenceParts, order: PackOrder, ways: PackWays): Answer<EvidenceMade | null> {
  const { asks, copy } = ways
  const store = await parts.store()
  if (!store.ok) return store
  const key = await validSigningKey(parts.keychain, parts.clock.now())
  if (!key.ok) return key
  if (copy) {
    const amount = await store.value.documents.amount(order.about)
    const fit = amount.ok ? fits(amount.value.bytes) : amount
    if (!fit.ok) return fit
  }
  const [name, ending] = offeredName(order, ways)
  const path = await parts.chooseSavePath('Save evidence pack', name, [ending])
  if (path === undefined) return ok(null)
  const asked = await asks?.(store.value)
  if (asked?.ok === false) return asked
  return packAt(parts, store.value, order, { path, key: key.value, copy })
}

/** Records that a pack is made, and writes it. @param to Where, and with documents how they are opened. */
export async function packAt(
  parts: EvidenceParts,
  store: HistoryStore,
  order: PackOrder,
  to: {
    readonly path: string
    readonly key: KeyObject
    readonly copy: OpenCopy | undefined
    /** Who gets it, if that is recorded. */
    readonly receiver?: Receiver
  }
): Answer<EvidenceMade> {
  const { about, profile } = order
  const { path, key, copy } = to
  const collected = await store.evidence.make({ about, profile, operator: parts.operator, at: parts.clock.now() })
  if (!collected.ok) return collected
  const opened = copy && (await openCopies(collected.value, copy))
  if (opened && !opened.ok) return opened
  const documents = opened?.value
  const pack = await drawn(
    parts,
    collected.value,
    order,
    key,
    documents ? { page: pagePart, files: documents.attachments } : { page: basename(pdfPathOf(path)) }
  )
  if (!pack.ok) return pack
  const { text, printed, stamp } = pack.value
  const written = documents
    ? await writeHashed(parts, path, packArchive(text, printed.bytes, documents))
    : await writeHashed(parts, path, [Buffer.from(text)])
  if (!written.ok) return written
  const beside = documents ? insideFault(printed) : await writeBeside(parts, path, printed)
  const { head, records, events } = collected.value
  const sha256 = written.value
  const plain = {
    ...{ what: 'evidence' as const, format: profile, rows: records, sha256, head: { seq: head.seq, hash: head.hash } },
    ...(documents && { documents: documents.files })
  }
  const noted = await noteMade(parts, store, { kind: 'export.made', plain, ...noteAbout(about) }, to.receiver)
  if (!noted.ok) return noted
  return ok({
    path,
    ...(documents && { documents: { files: documents.files, bytes: documents.bytes, absent: documents.absent } }),
    records,
    events: events.length,
    sha256,
    ...beside,
    ...(stamp?.ok && { timestamp: { time: stamp.value.time, authority: stamp.value.authority } }),
    ...(stamp && !stamp.ok && { timestampFault: stamp.failure })
  })
}

/** Whom an event of a pack concerns. */
function noteAbout({ kind, id }: EvidenceAbout): Pick<MadeNote, 'about'> {
  if (kind === 'batch') return {}
  return { about: kind === 'record' ? { recordId: id } : { applicantId: id } }
}
type MadeNote = Extract<NoteDraft, { readonly kind: 'export.made' }>

/** Records that a pack was written. What is sealed goes to the history at once: notes that wait for one are not encrypted. */
async function noteMade(
  { auditTrail, clock, operator }: EvidenceParts,
  { audit }: HistoryStore,
  note: MadeNote,
  sealed: Receiver | undefined
): Answer<unknown> {
  return sealed ? audit.note({ ...note, at: clock.now(), operator, sealed }) : ok(await auditTrail.note(note))
}

/** Why a ZIP file has no PDF in it. */
const insideFault = ({ pdfFault }: Printed): Pick<EvidenceMade, 'pdfFault'> => (pdfFault ? { pdfFault } : {})

/** Writes a file and returns its SHA-256, hex. Failures: those of the files, and what ends the pieces. */
async function writeHashed(
  { files }: Pick<EvidenceParts, 'files'>,
  path: string,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
): Answer<string> {
  const hash = createHash('sha256')
  let fault: Failure | undefined
  async function* watched(): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of pieces) {
        hash.update(piece)
        yield piece
      }
    } catch (error) {
      if (error instanceof StoreError) fault = error.failure
      throw error
    }
  }
  const written = await files.write(path, watched())
  if (fault) return { ok: false, failure: fault }
  return written.ok ? ok(hash.digest('hex')) : written
}

export function createEvidence(parts: EvidenceParts): EvidencePacks {
  return {
    make: (order, copy) => makePack(parts, order, copy ? { copy } : {}),
    ask: (order) =>
      makePack(
        parts,
        { about: { kind: 'applicant', id: order.applicantId }, profile: 'full', pdf: order.pdf },
        { asks: (store) => askFor(store, order, { at: parts.clock.now(), operator: parts.operator }) }
      ),
    async check() {
      const chosen = await chooseAndCheck(parts.chooseFile)
      if (!chosen.ok || !chosen.value) return chosen as Result<null, Failure>
      const { file, checked, more, company } = chosen.value
      return concluded(parts, file, checked, more, company)
    },
    checkText(name, text) {
      const checked = checkPack(text)
      const attachments = checked.intact ? attachmentsOf(checked) : []
      return concluded(
        parts,
        name,
        checked,
        attachments.map((each) => finding('attachment-absent', { name: each.name }))
      )
    },
    async timestamp() {
      const chosen = await choosePack(parts.chooseFile, 'Choose an evidence pack to date')
      if (!chosen.ok || !chosen.value) return chosen as Result<null, Failure>
      const { path, checked } = chosen.value
      const added = await stampFile(parts, path, checked)
      if (added.ok && checked.view)
        await parts.auditTrail.note({
          kind: 'export.made',
          plain: { what: 'evidence', format: 'time-stamp', rows: checked.view.records, pack: checked.view.digest }
        })
      return added
    },
    async prove(seq, size) {
      const store = await parts.store()
      if (!store.ok) return store
      const key = await validSigningKey(parts.keychain, parts.clock.now())
      if (!key.ok) return key
      const proof = await store.value.audit.inclusion(seq, size)
      if (!proof.ok) return proof
      const first = await store.value.audit.inclusion(1, proof.value.size)
      return first.ok ? ok(proofText(proof.value, first.value.leaf, key.value)) : first
    },
    signingKey: () => validSigningKey(parts.keychain, parts.clock.now()),
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
      const text = await programText(parts.resources, `out/verifier/${name}`)
      return text.ok ? saveText(parts, 'Save verifier', name, form, text.value) : text
    }
  }
}
