/** `evidence pack|timestamp|verify`. */
import { evidenceFindingText, sentencesOf, auditBreakText } from '#contract/failures/sentences.ts'
import { failureText } from './print.ts'
import { basename, resolve } from 'node:path'
import {
  readFingerprint,
  redactionProfileIds,
  type AbsentCopy,
  type EvidenceAbout,
  type EvidenceFinding,
  type EvidenceMade,
  type EvidenceVerdict,
  type PackDocuments,
  type RedactionProfile
} from '#contract/evidence/evidence.ts'
import { oneLine } from '#contract/text/hidden-text.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import type { CheckedPack } from '#core/evidence/pack/check.ts'
import {
  attachmentsOf,
  choosePack,
  openArchive,
  readAttachment,
  trustFileAt,
  verdictOf
} from '#core/evidence/evidence.ts'
import { attachmentFinding } from '#core/evidence/pack/attachments.ts'
import { finding } from '#core/evidence/refusal.ts'
import { comparePacks } from '#core/evidence/pack/compare.ts'
import { fingerprintOf } from '#wire/evidence/keys.ts'
import { readRevocation, type Revocation } from '#core/evidence/revocation.ts'
import { checkTrust, type TrustOrder } from '#core/evidence/trust.ts'
import { readAuthorityFile } from '#core/timestamps/timestamps.ts'
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import { failureEnding, textOption, usage, type Context, type Ending } from './context.ts'
import type { OptionValues } from './parse.ts'
import { count, jsonText, number, oneOf, print, sizeText, time } from './print-text.ts'

const kinds = ['record', 'applicant', 'batch'] as const

/** Writes a signed pack; with `--pdf`, also a readable page, printed by an installed browser. */
export async function packEvidence(context: Context): Promise<Ending> {
  const [kind = '', ...rest] = context.operands
  const id = rest.join(' ')
  const known = oneOf(kinds, kind)
  if (!known || id === '' || !textOption(context, 'to'))
    return usage('Name what to write and the file: evidence pack record|applicant|batch ID --to FILE')
  const profile = oneOf<RedactionProfile>(redactionProfileIds, textOption(context, 'profile') ?? 'full')
  if (!profile) return usage(`--profile is one of ${redactionProfileIds.join(', ')}.`)
  const asks = context.options['approval'] === true
  if (asks && (known !== 'applicant' || profile !== 'full'))
    return usage(
      '--approval asks about an applicant, with everything: a second person must see what was decided and by whom.'
    )
  const documents = context.options['documents'] === true
  if (documents && (asks || known === 'batch' || profile !== 'full'))
    return usage('--documents is for a full pack about a record or an applicant, and not for a request for approval.')
  const pdf = context.options.pdf === true
  if (pdf && !context.canPrint)
    return {
      exit: 'unavailable',
      error:
        'No Chromium, Chrome or Edge was found to print the PDF with.\nNothing was written.\n' +
        'Install one, or omit --pdf: the pack itself does not need it.'
    }
  const made = asks
    ? await context.ask('cases.ask', { applicantId: id, note: '', pdf })
    : await context.ask('evidence.create', {
        about: { kind: known, id } satisfies EvidenceAbout,
        profile,
        pdf,
        documents
      })
  if (!made.ok) return failureEnding(made.failure)
  return made.value ? packEnding(made.value, context) : usage('Name the file: --to FILE')
}

/** What was written, and what of it could not be. */
function packEnding(made: EvidenceMade, { options }: Context): Ending {
  const { path, records, events, sha256, pdfPath, pdfFault, documents, timestamp, timestampFault } = made
  const lines = [
    path,
    ...(pdfPath === undefined ? [] : [pdfPath]),
    `${count(records, 'record', 'records')}, ${count(events, 'event', 'events')}`,
    `SHA-256 ${sha256}`,
    ...(timestamp ? [stampLine(timestamp)] : []),
    ...(documents ? documentLines(documents) : [])
  ]
  const out = print(options.json, made, lines)
  const faults = [
    ...(pdfFault ? [failureText(pdfFault)] : []),
    ...(timestampFault
      ? [
          `${failureText(timestampFault)}\nThe pack was written without a time-stamp. “evidence timestamp FILE” adds one.`
        ]
      : [])
  ]
  return { exit: pdfFault ? 'fileMissing' : 'done', out, ...(faults.length > 0 && { error: faults.join('\n') }) }
}

const absentWords = {
  missing: 'its file is missing',
  damaged: 'its file is damaged',
  erased: 'it was erased'
} as const satisfies Record<AbsentCopy['reason'], string>

/** The documents in a ZIP file, and those that could not be. */
export const documentLines = ({ files, bytes, absent }: PackDocuments): readonly string[] => [
  `${count(files, 'document', 'documents')}, ${sizeText(bytes)}`,
  ...absent.map(
    ({ event, field, reason }) => `NOT IN IT: the copy of ${oneLine(field)} (event ${event}): ${absentWords[reason]}`
  )
]

const stampLine = ({ time: at, authority }: { readonly time: number; readonly authority: string }): string =>
  `Time-stamp ${time(at)}, signed by ${oneLine(authority)}`

/** Adds a time-stamp to a pack. */
export async function timestampEvidence(context: Context): Promise<Ending> {
  if (context.operands.length !== 1) return usage('Name a file: evidence timestamp FILE')
  const added = await context.ask('evidence.timestamp')
  if (!added.ok) return failureEnding(added.failure)
  if (!added.value) return usage('Name a file: evidence timestamp FILE')
  return { exit: 'done', out: print(context.options.json, added.value, [added.value.path, stampLine(added.value)]) }
}

/** How a verification ends, and what it says first. */
const conclusions = {
  refused: { exit: 'refused', sentence: 'REFUSED.' },
  approvalMissing: { exit: 'secondPersonMissing', sentence: 'INTACT, APPROVAL MISSING.' },
  otherFile: { exit: 'refused', sentence: 'THE PACK IS INTACT; A FILE THAT WAS GIVEN DOES NOT BELONG TO IT.' },
  verified: { exit: 'done', sentence: 'VERIFIED.' },
  signerUnknown: { exit: 'signerUnknown', sentence: 'INTACT, SIGNER UNKNOWN.' }
} as const satisfies Record<string, { readonly exit: Ending['exit']; readonly sentence: string }>

/**
 * Verifies a pack. Needs no console: no data folder, lock or keychain, so it also runs beside an open window and on a
 * machine without Veridesk's data. The reader states the expected signing key with `--key`.
 */
export async function verifyEvidence(operands: readonly string[], options: OptionValues): Promise<Ending> {
  const [file] = operands
  const named = textOf(options['key'])
  const key = named === undefined ? undefined : readFingerprint(named)
  if (named !== undefined && key === undefined)
    return usage('--key is a fingerprint: 64 hexadecimal digits. Nothing was verified.')
  if (file === undefined || operands.length > 1) return usage('Name a file: evidence verify FILE')
  const chosen = await openPackFile(resolve(file))
  if (!chosen.ok) return failureEnding(chosen.failure)
  const relied = await reliedOn(options)
  if (!relied.ok) return relied.failure
  const { checked, documents } = chosen.value
  const { findings: trust, vouched, known } = await checkTrust(checked, relied.value)
  const isIntact = checked.view !== undefined
  const beside = isIntact ? await besideFindings(checked, textOf(options['beside'])) : []
  const attached = isIntact ? await attachmentFindings(checked, listOf(options['attachment']), documents) : ok([])
  if (!attached.ok) return failureEnding(attached.failure)
  const signer = key === undefined || !checked.view ? [] : [signerFinding(fingerprintOf(checked.view.key), key)]
  // Without the keychain it is not known whether the key is this installation's own.
  const { ownKey: _unknown, ...verdict } = verdictOf(basename(file), checked, undefined, [
    ...trust,
    ...signer,
    ...beside
  ])
  const { intact } = verdict
  const filesBelong = attached.value.every(({ passed }) => passed)
  const verified = verdict.verified && filesBelong
  const signerCompared = known ?? (key !== undefined || vouched)
  const findings = [...verdict.findings, ...attached.value].map((found) => ({
    ...found,
    detail: evidenceFindingText(found)
  }))
  const answer = { ...verdict, verified, signerCompared, findings }
  const found = { intact, filesBelong, verified, signerCompared }
  const { exit, sentence } = conclusions[conclusionOf(found)]
  const out = print(options['json'] === true, answer, [
    sentence.replace(/\.$/, `${exit === 'done' ? uncheckedIn(findings) : ''}.`),
    ...findings.map((each) => stepLine(each, intact)),
    ...factsOf(verdict),
    ...(intact && !signerCompared
      ? [
          known === undefined
            ? howToConfirm
            : 'The signer is not confirmed: the trust file that you gave does not speak for the key.'
        ]
      : [])
  ])
  return { exit, out }
}

const howToConfirm =
  'The signer is not confirmed: get the fingerprint of the key through another channel, and pass it with --key.'
const unchecked: Readonly<Record<string, string>> = {
  'timestamps-unchecked': 'time-stamps',
  'timestamp-chain': 'time-stamps',
  'timestamp-validity': 'time-stamps',
  'attachment-not-compared': 'files that belong to it',
  'attachment-missing': 'files that belong to it'
}
/** What of a verified pack was not looked at; empty if nothing is left. */
function uncheckedIn(findings: readonly EvidenceFinding[]): string {
  const parts = new Set(findings.flatMap((each) => ('code' in each ? (unchecked[each.code] ?? []) : [])))
  return parts.size > 0 ? `; NOT CHECKED: ${[...parts].join(', ')}` : ''
}

interface Found {
  readonly intact: boolean
  /** Whether each file that was given belongs to the pack. */
  readonly filesBelong: boolean
  readonly verified: boolean
  readonly signerCompared: boolean
}

const stepLine = (
  { passed, warning, what, detail }: EvidenceFinding & { readonly detail: string },
  intact: boolean
): string =>
  `${passed ? (warning ? 'WARNING' : 'passed ') : what === 'attachments' ? 'FOREIGN' : intact ? 'MISSING' : 'REFUSED'}  ${what.padEnd(18)}${detail}`

function conclusionOf(found: Found): keyof typeof conclusions {
  if (!found.intact) return 'refused'
  if (!found.filesBelong) return 'otherFile'
  if (!found.verified) return 'approvalMissing'
  return found.signerCompared ? 'verified' : 'signerUnknown'
}

/** The authorities, revocations and keys that the reader relies on; how the command ends if one of them is unusable. */
async function reliedOn(options: OptionValues): Promise<Result<TrustOrder, Ending>> {
  const trusted = listOf(options['may-revoke']).map(readFingerprint)
  if (trusted.includes(undefined))
    return fail(usage('--may-revoke is a fingerprint: 64 hexadecimal digits. Nothing was verified.'))
  const trust = textOf(options['trust'])
  const company = trust === undefined ? ok(undefined) : await trustFileAt(resolve(trust))
  if (!company.ok) return fail(failureEnding(company.failure))
  const read: Record<'ca' | 'tsa-ca', string> = { 'ca': '', 'tsa-ca': '' }
  for (const name of ['ca', 'tsa-ca'] as const)
    for (const file of listOf(options[name])) {
      const authorities = await readAuthorityFile(resolve(file))
      if (!authorities.ok) return fail(failureEnding(authorities.failure))
      read[name] += authorities.value.certificates
    }
  const revocations: Revocation[] = []
  for (const file of listOf(options['revocation'])) {
    const bytes = await readAttachment(resolve(file))
    if (!bytes.ok) return fail(failureEnding(bytes.failure))
    const revocation = readRevocation(Buffer.from(bytes.value).toString('utf8'))
    if (!revocation) return fail(failureEnding(failure('revocation-invalid', { file })))
    revocations.push(revocation)
  }
  return ok({
    authorities: read.ca,
    timestampAuthorities: read['tsa-ca'],
    revocations,
    trusted: trusted.filter((each) => each !== undefined),
    company: company.value && { file: company.value, now: Date.now() }
  })
}

/** How a pack describes itself, so that it is not mistaken for another. */
function factsOf({
  about,
  erased = [],
  madeAt,
  madeBy,
  profile,
  signedBy,
  withheld = 0
}: Omit<EvidenceVerdict, 'ownKey'>): string[] {
  if (signedBy === undefined || madeAt === undefined) return []
  return [
    `About ${about ? `${about.kind} ${about.id}` : 'an applicant whose ID is withheld'}`,
    `Created ${time(madeAt)} by ${madeBy ?? '(withheld)'}, according to the signer`,
    `Disclosure ${profile}, ${count(withheld, 'value', 'values')} withheld`,
    ...(erased.length === 0
      ? []
      : [
          `Not given, as after an erasure: ${erased.slice(0, 50).join(', ')}${erased.length > 50 ? `, and ${erased.length - 50} more` : ''}`
        ]),
    `Signed by key ${signedBy}`
  ]
}

const listOf = (option: unknown): readonly string[] => (Array.isArray(option) ? (option as readonly string[]) : [])
const textOf = (option: unknown): string | undefined => (typeof option === 'string' ? option : undefined)

/** A pack, or the ZIP file of a pack with its documents. */
async function openPackFile(
  path: string
): Promise<Result<{ readonly checked: CheckedPack; readonly documents?: readonly EvidenceFinding[] }, Failure>> {
  const archive = await openArchive(path)
  if (!archive.ok) return archive
  if (archive.value) return ok(archive.value)
  const chosen = await choosePack(async () => path, '')
  if (!chosen.ok) return chosen
  return chosen.value ? ok(chosen.value) : failed('file-unreadable', { file: basename(path), errno: 'ENOENT' })
}

/** Compares files that came with the pack, by their content. @param inside What is found of those in its ZIP file, if it is in one. */
async function attachmentFindings(
  checked: CheckedPack,
  files: readonly string[],
  inside: readonly EvidenceFinding[] | undefined
): Promise<Result<EvidenceFinding[], Failure>> {
  const findings: EvidenceFinding[] = [...(inside ?? [])]
  for (const file of files) {
    const read = await readAttachment(resolve(file))
    if (!read.ok) return read
    findings.push(attachmentFinding(attachmentsOf(checked), basename(file), read.value))
  }
  if (files.length === 0 && !inside)
    findings.push(...attachmentsOf(checked).map(({ name }) => finding('attachment-not-compared', { name })))
  return ok(findings)
}

/** Compares with another pack, if one is given: whether both are from one audit trail. */
async function besideFindings({ pack, view }: CheckedPack, file: string | undefined): Promise<EvidenceFinding[]> {
  if (file === undefined || !pack) return []
  const refused = (detail: string): EvidenceFinding[] => [{ what: 'beside', passed: false, detail }]
  const chosen = await choosePack(async () => resolve(file), '')
  if (!chosen.ok) return refused(sentencesOf(chosen.failure).what)
  const other = chosen.value?.checked
  if (!other?.view || !other.pack) return refused('The other pack does not verify by itself: evidence verify says why.')
  if (other.view.key !== view?.key) return refused('The other pack was signed with another key.')
  return [comparePacks(pack, other.pack)]
}

/** Whether the key is the one that the reader expects. */
const signerFinding = (signedBy: string, key: string): EvidenceFinding =>
  signedBy === key
    ? { what: 'signer', passed: true, detail: 'It was signed with the key that you named.' }
    : { what: 'signer', passed: false, detail: 'It was signed with another key than the one that you named.' }

/** Verifies the whole audit trail and reports whether it is intact, or where and how it is broken. */
export async function verifyAudit(context: Context): Promise<Ending> {
  let shownAt = Date.now()
  const stop = context.onEvent((event) => {
    if (event.kind !== 'audit-progress' || !context.interactive || Date.now() - shownAt < 1000) return
    shownAt = Date.now()
    context.note(`${number(event.verified)} of ${number(event.total)} events`)
  })
  const answer = await context.ask('audit.verify').finally(stop)
  if (!answer.ok) return failureEnding(answer.failure)
  const verdict = answer.value
  const exit = verdict.intact ? 'done' : 'broken'
  if (context.options.json)
    return { exit, out: jsonText(verdict.intact ? verdict : { ...verdict, words: auditBreakText(verdict) }) }
  if (!verdict.intact)
    return {
      exit,
      error: `Audit trail broken at event ${number(verdict.at)} (${verdict.why}).\n${auditBreakText(verdict)}\n${count(verdict.verified, 'event', 'events')} before it verified.`
    }
  const { head, anchor } = verdict
  const lines = [
    `Audit trail intact: ${count(verdict.events, 'event', 'events')}, ${number(verdict.opened)} with encrypted data, ${number(verdict.erased)} with erased data.`,
    `Last event ${head.seq}: ${head.hash}`,
    `Merkle root: ${head.root}`,
    anchor
      ? `Anchored in the keychain: event ${anchor.seq}, since ${new Date(anchor.at).toISOString()}.`
      : 'There is no anchor outside the files.'
  ]
  return { exit, out: lines.join('\n') }
}
