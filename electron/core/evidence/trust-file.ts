/**
 * The company's trust file: its keepers say together whose key may sign packs, who may approve, which authorities count
 * and which keys are revoked. It contains each version from the first on, so a reader who knows the first keepers can
 * follow who took over from whom. The format: docs/evidence-format.md, "Trust file".
 */
import { createHash, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { revocationReasons } from '#contract/evidence/keys.ts'
import { maxTrustText, trustRoles } from '#contract/evidence/trust-view.ts'
import { failure, type Failure, type FailureDetails } from '#contract/failures/failures.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { canonical } from '#kit/hashing/canonical-json.ts'
import { jsonOf } from '#kit/hashing/json.ts'
import { jointEnvelopeForm, sealEnvelope, signatureFits, type Envelope } from '#wire/evidence/dsse.ts'
import { fingerprintOf, isWorthless, keyOfSigner } from '#wire/evidence/keys.ts'

const trustType = 'application/vnd.veridesk.trust+json'
const format = 'veridesk-trust'
/** Signatures of keepers that a version needs. */
export const trustThreshold = 2
const maxKeepers = 20
const maxVersions = 100
/** From `issued` to `expires`, in milliseconds. */
const longestPeriod = 400 * 24 * 60 * 60 * 1000

const hex = z.string().regex(/^[0-9a-f]{64}$/)
const moment = z.int().min(-8.64e15).max(8.64e15)
const label = z.string().min(1).max(200)
const pem = z
  .string()
  .max(16_384)
  .regex(
    /^-----BEGIN CERTIFICATE-----\n(?:[A-Za-z0-9+/]{64}\n)*[A-Za-z0-9+/]{1,64}={0,2}\n-----END CERTIFICATE-----\n?$/
  )
const period = { from: moment, until: moment.nullable() }

/** What keepers sign: a version. */
export const trustVersionSchema = z.strictObject({
  ca: z.array(pem).max(20),
  expires: moment,
  issued: moment,
  /** Public keys, hex, in ascending order. */
  keepers: z.array(hex).min(trustThreshold).max(maxKeepers),
  organisation: label,
  /** SHA-256 of what the keepers of the version before signed; null in the first one. */
  previous: hex.nullable(),
  /** By fingerprint, in ascending order. */
  revocations: z
    .array(z.strictObject({ key: hex, reason: z.enum(revocationReasons), recorded: moment, since: moment }))
    .max(1000),
  /** By fingerprint, in ascending order. */
  signers: z
    .array(z.strictObject({ ...period, key: hex, name: label, roles: z.array(z.enum(trustRoles)).min(1).max(2) }))
    .max(1000),
  threshold: z.literal(trustThreshold),
  timestamps: z.array(pem).max(20),
  verifiers: z.array(z.strictObject({ sha256: hex, version: z.string().min(1).max(50) })).max(200),
  version: z.int().positive()
})
export type TrustVersion = z.output<typeof trustVersionSchema>

const envelopeSchema = jointEnvelopeForm(trustType, 2 * maxKeepers)
const fileSchema = z.strictObject({
  format: z.literal(format),
  version: z.literal(1),
  versions: z.array(envelopeSchema).min(1).max(maxVersions)
})

type TrustReason = Extract<FailureDetails<'trust-file-refused'>, { readonly reason: string }>['reason']
/** Why a trust file does not count: the details of `trust-file-refused`. */
export interface TrustFault {
  readonly reason: TrustReason
  readonly version?: number
  readonly count?: number
  readonly limitBytes?: number
}
/** The failure of a file that does not count. */
export const trustRefusal = (fault: TrustFault): Failure =>
  failure('trust-file-refused', { ...fault } as FailureDetails<'trust-file-refused'>)

export interface TrustFile {
  /** The last version, which alone speaks. */
  readonly speaking: TrustVersion
  /** Of all versions, the first one first. */
  readonly envelopes: readonly Envelope[]
  /** Identifies the organisation: SHA-256 (hex) of the canonical list of the keepers of the first version. */
  readonly origin: string
  /** Signatures that the last version still needs; 0 if it counts. */
  readonly waitsFor: number
  /** Fingerprints of the keepers who signed the last version. */
  readonly signedBy: readonly string[]
  /** The keepers of the version before the last one; undefined if there is none. */
  readonly keepersBefore: readonly string[] | undefined
}

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')
const rises = (values: readonly string[]): boolean =>
  values.every((value, index) => index === 0 || (values[index - 1] ?? '') < value)

/** The digest of the keepers of the first version: what people compare. */
export const originOfKeepers = (keepers: readonly string[]): string => sha256(canonical(keepers))

/** What is wrong with a version by itself; undefined if nothing is. */
function faultWithin(read: TrustVersion): TrustReason | undefined {
  const { expires, issued, keepers, revocations, signers } = read
  if (!(expires > issued && expires - issued <= longestPeriod)) return 'period'
  if (!rises(keepers) || keepers.some(isWorthless)) return 'keepers'
  const inOrder =
    rises(signers.map(({ key }) => key)) &&
    rises(revocations.map(({ key }) => key)) &&
    signers.every(({ roles, from, until }) => rises(roles) && (until === null || until > from)) &&
    revocations.every(({ since, recorded }) => since <= recorded && recorded <= issued)
  if (!inOrder) return 'entries'
  return revocations.some(({ key }) => keepers.some((each) => fingerprintOf(each) === key))
    ? 'keeper-revoked'
    : undefined
}

/** The signatures of a version, by keepers of it and of the version before; or what is wrong with one of them. */
function signersOf(
  envelope: Envelope,
  keepers: readonly string[],
  before: readonly string[]
): Result<readonly string[], TrustReason> {
  const known = new Map([...keepers, ...before].map((key) => [fingerprintOf(key), key]))
  const ids = envelope.signatures.map(({ keyid }) => keyid)
  if (new Set(ids).size < ids.length) return fail('signature-twice')
  for (const [index, id] of ids.entries()) {
    const key = known.get(id)
    if (key === undefined) return fail('signature-foreign')
    if (!signatureFits(envelope, index, key)) return fail('signature-wrong')
  }
  return rises(ids) ? ok(ids) : fail('form')
}

/** How many more keepers must sign: a threshold of those of the version, and of those before. */
export function signaturesMissing(
  signedBy: readonly string[],
  keepers: readonly string[],
  before: readonly string[] | undefined
): number {
  const [own, former] = [keepers, before ?? keepers].map((keys) => keys.map(fingerprintOf)) as [string[], string[]]
  const lacking = (ids: readonly string[]): number =>
    Math.max(0, trustThreshold - ids.filter((id) => signedBy.includes(id)).length)
  const [here, there] = [lacking(own), lacking(former)]
  const forBoth = own.filter((id) => former.includes(id) && !signedBy.includes(id)).length
  return here + there - Math.min(here, there, forBoth)
}

/** The version in an envelope. */
function versionIn({ payload }: Envelope): { readonly digest: string; readonly read: TrustVersion } | undefined {
  const bytes = Buffer.from(payload, 'base64')
  const read = trustVersionSchema.safeParse(jsonOf(bytes.toString('utf8')))
  return read.success && Buffer.from(canonical(read.data)).equals(bytes)
    ? { digest: sha256(bytes), read: read.data }
    : undefined
}

interface ReadVersion {
  readonly digest: string
  readonly read: TrustVersion
  readonly signedBy: readonly string[]
  readonly waitsFor: number
}

/** The version with a number, after the one before it; or what is wrong with it. */
function nextVersion(
  envelope: Envelope,
  number: number,
  before: ReadVersion | undefined
): Result<ReadVersion, TrustReason> {
  const found = versionIn(envelope)
  if (!found) return fail('version-form')
  const { read } = found
  const follows = read.version === number && read.previous === (before?.digest ?? null)
  if (!follows || (before && before.read.issued >= read.issued)) return fail('order')
  const fault = faultWithin(read)
  if (fault) return fail(fault)
  const signed = signersOf(envelope, read.keepers, before?.read.keepers ?? [])
  if (!signed.ok) return signed
  const waitsFor = signaturesMissing(signed.value, read.keepers, before?.read.keepers)
  return ok({ ...found, signedBy: signed.value, waitsFor })
}

/**
 * Reads a trust file. All versions but the last must count; the last one may wait for signatures (`waitsFor`), so that
 * the next keeper can sign it. Times are not compared with a clock. Failures: details of `trust-file-refused`.
 */
export function readTrustFile(text: string): Result<TrustFile, TrustFault> {
  if (text.length > maxTrustText) return fail({ reason: 'too-large', limitBytes: maxTrustText })
  const file = fileSchema.safeParse(jsonOf(text))
  if (!file.success || `${canonical(file.data)}\n` !== text) return fail({ reason: 'form' })
  const { versions } = file.data
  const read: ReadVersion[] = []
  for (const envelope of versions) {
    const before = read.at(-1)
    const count = before?.waitsFor ?? 0
    if (count > 0) return fail({ reason: 'waiting', version: read.length, count })
    const next = nextVersion(envelope, read.length + 1, before)
    if (!next.ok) return fail({ reason: next.failure, version: read.length + 1 })
    read.push(next.value)
  }
  const [first, last] = [read[0], read.at(-1)]
  if (!first || !last) return fail({ reason: 'form' })
  return ok({
    speaking: last.read,
    envelopes: versions,
    origin: originOfKeepers(first.read.keepers),
    waitsFor: last.waitsFor,
    signedBy: last.signedBy,
    keepersBefore: read.at(-2)?.read.keepers
  })
}

/** A trust file whose last version counts. Failures as of `readTrustFile`, and `waiting`. */
export function readCountingTrustFile(text: string): Result<TrustFile, TrustFault> {
  const read = readTrustFile(text)
  return read.ok && read.value.waitsFor > 0
    ? fail({ reason: 'waiting', version: read.value.speaking.version, count: read.value.waitsFor })
    : read
}

const trustText = (versions: readonly Envelope[]): string => `${canonical({ format, version: 1, versions })}\n`
const sorted = (signatures: Envelope['signatures']): Envelope['signatures'] =>
  signatures.toSorted((one, other) => (one.keyid < other.keyid ? -1 : 1))

/** The text of a file with a further version, signed with one key. @param before The versions before it; none for the first. */
export const withVersion = (before: readonly Envelope[], next: TrustVersion, key: KeyObject): string =>
  trustText([...before, sealEnvelope(trustType, canonical(next), key)])

/** The text of a file whose last version has one more signature. Whoever signed it already changes nothing. */
export function withSignature({ envelopes }: Pick<TrustFile, 'envelopes'>, key: KeyObject): string {
  const last = envelopes.at(-1) as Envelope
  const id = fingerprintOf(keyOfSigner(key))
  const others = last.signatures.filter(({ keyid }) => keyid !== id)
  const own = sealEnvelope(trustType, Buffer.from(last.payload, 'base64').toString('utf8'), key).signatures
  return trustText([...envelopes.slice(0, -1), { ...last, signatures: sorted([...others, ...own]) }])
}

/** The text of a file that was read. */
export const textOf = ({ envelopes }: Pick<TrustFile, 'envelopes'>): string => trustText(envelopes)

/** What the keepers of the next version must name as `previous`: SHA-256 of what was signed, hex. */
export const digestOfVersion = ({ envelopes }: Pick<TrustFile, 'envelopes'>): string =>
  sha256(Buffer.from(envelopes.at(-1)?.payload ?? '', 'base64'))
