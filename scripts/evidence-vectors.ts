/**
 * Writes docs/evidence/vectors: packs for testing verifiers, with what a verifier must say of each. They are built from
 * the description of the format by tests/service/evidence-builder.ts, and the same in every run.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  extensions,
  hashWithParameters,
  identity,
  pem,
  rsaSigner,
  schemes,
  token,
  type CertificateOrder,
  type Identity,
  type TokenOrder
} from '../tests/service/evidence-authorities.ts'
import {
  canonical,
  checkpointOf,
  contentOf,
  envelopeOf,
  fileOf,
  fileText,
  fingerprintOf,
  publicOf,
  referredBytes,
  rootOf,
  withTree
} from '../tests/service/evidence-builder.ts'
import { acceptedLies, claims } from '../tests/service/evidence-claims.ts'
import { forgeries } from '../tests/service/evidence-forgeries.ts'
import { approvalRows } from '../tests/service/evidence-approval-forgeries.ts'
import {
  attachment,
  colleague,
  director,
  genuinePacks,
  proposedPacks,
  signer,
  type GenuineName
} from '../tests/service/evidence-genuine.ts'

/** What is given to a verifier beside the pack: fingerprints, and files beside the index. */
export interface VectorOptions {
  readonly fingerprint?: string
  readonly trusted?: readonly string[]
  readonly revocations?: readonly string[]
  readonly attachments?: readonly string[]
  readonly compare?: readonly string[]
  readonly authorities?: readonly string[]
  readonly timestampAuthorities?: readonly string[]
  /** The trust file of the company. */
  readonly trust?: readonly string[]
}
export interface Vector {
  readonly file: string
  readonly options: VectorOptions
  readonly verdict: 'verified' | 'intact' | 'approval-missing' | 'other-file' | 'refused' | 'not-verified'
  readonly because: string
}
interface Vectors {
  readonly index: readonly Vector[]
  /** By name, the packs included. */
  readonly files: Readonly<Record<string, string | Uint8Array>>
}

const [own, first, second] = [signer, colleague, director].map((key) => fingerprintOf(publicOf(key))) as [
  string,
  string,
  string
]
const fileName = (words: string): string =>
  `${words
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 80)}.json`
const sentence = (why: RegExp): string =>
  `${why.source
    .replace(/^\^/, '')
    .replace(/\\[dS]\+?/g, '…')
    .replace(/\\/g, '')}.`

/** @param stamped The time of its time-stamp. */
function revocationOf(since: number, by = signer, stamped?: number): string {
  const payload = { at: since + 1000, key: own, note: '', reason: 'lost', revokedBy: publicOf(by), since }
  const envelope = envelopeOf('application/vnd.veridesk.revocation+json', canonical(payload), by)
  const stamps = identity('Time-stamps', { issuer: root, extensions: extensions.stamps })
  const timestamps =
    stamped === undefined ? [] : [token(referredBytes(envelope), stamps, { at: stamped }).toString('base64')]
  return `${canonical({ envelope, format: 'veridesk-revocation', timestamps, version: 1 })}\n`
}

/** Larger packs show nothing more, but for a few; the tests have them all. */
const largest = 14_000

/** Larger packs that are vectors all the same: without them, nothing would show that verifiers agree about these rules. */
const isAlwaysShown = (name: string): boolean =>
  name.includes('that names no record') ||
  /\b(erasure|erased)\b/.test(name) ||
  name.includes('unpaired surrogate') ||
  approvalRows.some(([level, each]) => name === `${level}: ${each}`)

/** One forgery for each reason, the smallest. Those that are new in every run are left out. */
function forged(): { readonly name: string; readonly text: string; readonly why: RegExp }[] {
  const byReason = new Map<string, { readonly name: string; readonly text: string; readonly why: RegExp }>()
  for (const each of forgeries().filter(
    ({ name, text }) => !name.includes('cofactor') && (text.length <= largest || isAlwaysShown(name))
  )) {
    const reason = isAlwaysShown(each.name) ? each.name : each.why.source
    const held = byReason.get(reason)
    if (!held || each.text.length < held.text.length) byReason.set(reason, each)
  }
  return [...byReason.values()]
}

interface Trusted {
  readonly name: string
  readonly text: string
  readonly verdict: Vector['verdict']
  readonly because: string
  readonly options: VectorOptions
}

const [root, company] = [identity('Root of time-stamps'), identity('Company')]
/** When the token is from: some minutes after the pack. */
const stampedAt = Date.UTC(2025, 9, 9, 9, 0, 0)

const trustType = 'application/vnd.veridesk.trust+json'
type TrustMembers = Readonly<Record<string, unknown>>
const trustIssued = stampedAt - 10 * 86_400_000
/** A version of a trust file. */
const trustVersion = (more: TrustMembers = {}): TrustMembers => ({
  ca: [],
  expires: trustIssued + 300 * 86_400_000,
  issued: trustIssued,
  keepers: [publicOf(colleague), publicOf(director)].sort(),
  organisation: 'Sample Bank',
  previous: null,
  revocations: [],
  signers: [{ from: trustIssued, key: own, name: 'Ann', roles: ['pack'], until: null }],
  threshold: 2,
  timestamps: [pem(root)],
  verifiers: [],
  version: 1,
  ...more
})
/** The text of a trust file. @param versions Each with the keys that sign it. */
function trustFileOf(...versions: readonly (readonly [members: TrustMembers, ...keys: (typeof signer)[]])[]): string {
  const envelopes = versions.map(([members, ...keys]) => {
    const signed = keys.map((key) => envelopeOf(trustType, canonical(members), key))
    const signatures = signed.flatMap((each) => each.signatures)
    return { ...signed[0], signatures: signatures.sort((one, other) => (one.keyid < other.keyid ? -1 : 1)) }
  })
  return `${canonical({ format: 'veridesk-trust', version: 1, versions: envelopes })}\n`
}

/** Trust files, each beside a pack. `isStamped`: the one with a time-stamp. */
function trustVectors(): {
  readonly file: string
  readonly text: string
  readonly isStamped: boolean
  readonly verdict: Vector['verdict']
  readonly because: string
  readonly options?: VectorOptions
}[] {
  const by = (members: TrustMembers) => trustFileOf([trustVersion(members), colleague, director])
  const entry = (more: TrustMembers) =>
    by({ signers: [{ from: trustIssued, key: own, name: 'Ann', roles: ['pack'], until: null, ...more }] })
  const revoked = (since: number) =>
    by({ revocations: [{ key: own, reason: 'lost', recorded: since, since }], issued: since })
  const first = trustVersion()
  const handed = trustVersion({
    issued: trustIssued + 1,
    keepers: [publicOf(director), publicOf(signer)].sort(),
    previous: createHash('sha256').update(canonical(first)).digest('hex'),
    version: 2
  })
  const of = (
    file: string,
    text: string,
    verdict: Vector['verdict'],
    because: string,
    more: { readonly isStamped?: boolean; readonly options?: VectorOptions } = {}
  ) => ({ file: `trust-${file}.json`, text, isStamped: true, verdict, because, ...more })
  return [
    of('speaks', by({}), 'verified', 'A trust file speaks for its signer, and a time-stamp shows when it was made.'),
    of('speaks', by({}), 'intact', 'The trust file expired, and nothing shows that the pack is older.', {
      isStamped: false
    }),
    of('speaks', by({}), 'refused', 'It was signed by another key than the one that the reader named.', {
      options: { fingerprint: second }
    }),
    of('role', entry({ roles: ['approver'] }), 'intact', 'By the trust file, its signer approves and signs no packs.'),
    of('unlisted', by({ signers: [] }), 'intact', 'The trust file does not name its key, whatever the reader named.', {
      options: { fingerprint: own }
    }),
    of('until', entry({ until: stampedAt }), 'intact', 'The period of its signer may have ended before it was made.'),
    of('from', entry({ from: stampedAt + 1 }), 'intact', 'The period of its signer began after it was made.'),
    of('expired', by({ expires: stampedAt }), 'intact', 'The trust file may have expired before it was made.'),
    of(
      'undated',
      by({ timestamps: [] }),
      'intact',
      'The trust file expired, and names no authority for the time-stamp.'
    ),
    of(
      'revoked',
      revoked(stampedAt),
      'refused',
      'By the trust file its key was revoked, and it can be as new as that.'
    ),
    of(
      'revoked-since',
      revoked(stampedAt + 3_600_000),
      'verified',
      'By the trust file its key was revoked, after its time-stamp.'
    ),
    of('one-keeper', trustFileOf([first, director]), 'not-verified', 'One keeper alone signed the trust file.'),
    of(
      'one-keeper-twice',
      trustFileOf([first, director, director]),
      'not-verified',
      'One keeper signed the trust file twice.'
    ),
    of(
      '401-days',
      by({ expires: trustIssued + 401 * 86_400_000 }),
      'not-verified',
      'The trust file is valid for more than 400 days.'
    ),
    of(
      'taken-over',
      trustFileOf([first, colleague, director], [handed, director, signer]),
      'not-verified',
      'One of the keepers before did not sign the second version.'
    ),
    of(
      'handed-over',
      trustFileOf([first, colleague, director], [handed, colleague, director, signer]),
      'verified',
      'The keepers before and the new ones signed the second version.'
    )
  ]
}

/** The pack with a token whose key was revoked. */
function revokedVectors(text: string, options: VectorOptions): Trusted[] {
  const revocations = (name: string): VectorOptions => ({ ...options, revocations: [name] })
  return [
    {
      name: 'time-stamp',
      text,
      verdict: 'intact',
      because: 'Its key was revoked, and its time-stamp is before that of the revocation.',
      options: revocations('revocation-after-time-stamp.json')
    },
    {
      name: 'time-stamp',
      text,
      verdict: 'refused',
      because: 'Its key was revoked, and with the accuracy of its time-stamp it can be as new as that.',
      options: revocations('revocation-at-time-stamp.json')
    },
    {
      name: 'time-stamp',
      text,
      verdict: 'refused',
      because: 'Its key was revoked, and its time-stamp is after that of the revocation.',
      options: revocations('revocation-before-time-stamp.json')
    },
    {
      name: 'time-stamp',
      text,
      verdict: 'intact',
      because: 'Its key was revoked, and nothing proves when: whoever has the key can date a revocation back.',
      options: revocations('revocation-by-itself.json')
    },
    {
      name: 'time-stamp',
      text,
      verdict: 'refused',
      because: 'Its key was revoked, and its time-stamp is not checked.',
      options: { revocations: ['revocation-after-time-stamp.json'] }
    }
  ]
}

/** Tokens that use what DER and the identifiers of algorithms allow, and what they do not. */
function spelledTokens(
  message: Uint8Array,
  stamps: Identity
): readonly (readonly [string, Buffer, string, Vector['verdict']])[] {
  const by = (signer: Identity, order: Partial<TokenOrder>): Buffer =>
    token(message, signer, { at: stampedAt, ...order })
  const [right, wrong] = ['intact', 'refused'] as const
  const notDer = 'Something in its time-stamp is not DER.'
  const beside = (...bytes: readonly number[]): Buffer => by(stamps, { beside: [Buffer.from(bytes)] })
  return [
    [
      'with something beside its certificate',
      beside(0x30, 3, 2, 1, 1),
      'A certificate that cannot be read is not needed.',
      right
    ],
    [
      'with a number beside its certificate that is not in its shortest form',
      beside(0x30, 4, 2, 2, 0, 1),
      notDer,
      wrong
    ],
    [
      'with a length beside its certificate that is not in its shortest form',
      beside(0x30, 0x81, 3, 2, 1, 1),
      notDer,
      wrong
    ],
    ['with another true beside its certificate', beside(0x30, 3, 1, 1, 1), notDer, wrong],
    ['whose hash has NULL', by(stamps, { hash: hashWithParameters }), 'A hash can have NULL as its parameters.', right],
    [
      'by Ed25519 with parameters',
      by(stamps, { scheme: schemes.ed25519WithParameters }),
      'Ed25519 has no parameters.',
      wrong
    ],
    ['by RSA', by(rsaSigner(root), { scheme: schemes.rsa }), 'Its time-stamp is valid.', right],
    [
      'by RSA without parameters',
      by(rsaSigner(root), { scheme: schemes.rsaWithoutParameters }),
      'RSA has NULL as its parameters.',
      wrong
    ],
    ['by PSS', by(rsaSigner(root), { scheme: schemes.pss }), 'Its time-stamp is valid.', right],
    [
      'by PSS without the length of its salt',
      by(rsaSigner(root), { scheme: schemes.pssWithoutSaltLength }),
      'The parameters of PSS are not explicit.',
      wrong
    ]
  ]
}

/** The pack about a record with a token, and what a verifier says of it whose reader trusts the authority. */
function stampedVectors(): Trusted[] {
  const { file } = genuinePacks.record
  const message = referredBytes(file.envelope)
  const stamps = identity('Time-stamps', { issuer: root, extensions: extensions.stamps })
  const dated = (bytes: Buffer): string => fileText({ ...file, timestamps: [bytes.toString('base64')] })
  const good = token(message, stamps, { at: stampedAt })
  const touched = Buffer.from(good)
  touched.writeUInt8(touched.readUInt8(touched.length - 1) ^ 1, touched.length - 1)
  const by = (name: string, order: CertificateOrder): Buffer =>
    token(message, identity(name, { issuer: root, ...order }), { at: stampedAt })
  const options = { timestampAuthorities: ['time-stamp-authority.pem'] }
  const refused = (name: string, bytes: Buffer, because: string, verdict: Vector['verdict'] = 'refused'): Trusted => ({
    name: `time-stamp ${name}`,
    text: dated(bytes),
    verdict,
    because,
    options
  })
  const ofAnother = token(message, identity('Time-stamps of another authority', { extensions: extensions.stamps }), {
    at: stampedAt
  })
  const text = dated(good)
  return [
    {
      name: 'time-stamp',
      text,
      verdict: 'intact',
      because: 'Its time-stamp is valid; the key of its signer is not compared.',
      options
    },
    { name: 'time-stamp', text, verdict: 'intact', because: 'Its time-stamp is not checked.', options: {} },
    {
      name: 'time-stamp',
      text,
      verdict: 'verified',
      because: 'Its time-stamp is valid, and its key is the one named.',
      options: { ...options, fingerprint: own }
    },
    {
      name: 'time-stamp',
      text,
      verdict: 'intact',
      because: 'Its time-stamp is of another authority: it is not checked.',
      options: { timestampAuthorities: ['company.pem'] }
    },
    {
      name: 'time-stamp',
      text,
      verdict: 'refused',
      because: 'Its key was revoked, and its time-stamp is of another authority.',
      options: { timestampAuthorities: ['company.pem'], revocations: ['revocation-after-time-stamp.json'] }
    },
    {
      name: 'time-stamp beside one of another authority',
      text: fileText({ ...file, timestamps: [ofAnother, good].map((bytes) => bytes.toString('base64')) }),
      verdict: 'intact',
      because: 'Its key was revoked, and one of its time-stamps shows that it is older; the other is not checked.',
      options: { ...options, revocations: ['revocation-after-time-stamp.json'] }
    },
    ...revokedVectors(text, options),
    {
      name: 'record',
      text: fileText(file),
      verdict: 'intact',
      because: 'It has no time-stamp, and needs none.',
      options
    },
    {
      name: 'stamped',
      text: fileText(genuinePacks.stamped.file),
      verdict: 'refused',
      because: 'Its time-stamp cannot be read.',
      options
    },
    refused(
      'of another pack',
      token(referredBytes(genuinePacks.applicant.file.envelope), stamps, { at: stampedAt }),
      'Its time-stamp is about something else.'
    ),
    ...spelledTokens(message, stamps).map(([name, bytes, because, verdict]) => refused(name, bytes, because, verdict)),
    refused('changed', touched, 'The signature of its time-stamp is not valid.'),
    refused('with a byte behind its end', Buffer.concat([good, Buffer.of(0)]), 'Its time-stamp is not DER.'),
    refused(
      'of another version',
      token(message, stamps, { at: stampedAt, version: 2 }),
      'Its time-stamp has another version.'
    ),
    refused(
      'that identifies no certificate',
      token(message, stamps, { at: stampedAt, identified: false }),
      'The signed attributes do not identify the certificate of the signer.'
    ),
    refused(
      'before its certificate',
      token(message, stamps, { at: Date.UTC(2024, 0, 1) }),
      'The certificate of its time-stamp was not yet valid: it is not checked.',
      'intact'
    ),
    refused(
      'after its certificate',
      by('Expired time-stamps', { until: stampedAt - 1000, extensions: extensions.stamps }),
      'The certificate of its time-stamp had expired: it is not checked.',
      'intact'
    ),
    refused(
      'by a certificate for more',
      by('Time-stamps and more', { extensions: extensions.stampsAndMore }),
      'The certificate is not for time-stamps alone.'
    ),
    refused(
      'by a certificate for time-stamps, not critically',
      by('Time-stamps, not critically', { extensions: extensions.stampsNotCritically }),
      'The certificate does not say critically that it is for time-stamps alone.'
    ),
    refused(
      'by a certificate for something else',
      by('Something else', { extensions: extensions.signer }),
      'The certificate is not for time-stamps.'
    ),
    refused(
      'by a certificate that may not sign',
      by('Time-stamps that encrypt', { extensions: [extensions.stamps[0], extensions.encrypts[0]] }),
      'The certificate may not sign.'
    )
  ]
}

/** The pack about a record with certificates of its key, and what a verifier says of it whose reader trusts the company. */
function certifiedVectors(): Trusted[] {
  const content = contentOf(genuinePacks.record.file)
  const certified = (...chain: readonly Identity[]): string =>
    fileText(
      fileOf(
        { ...content, signer: { ...content.signer, certificates: chain.map(({ der }) => der.toString('base64')) } },
        signer
      )
    )
  const signerBy = (issuer: Identity, name: string, order: CertificateOrder = {}): Identity =>
    identity(name, { issuer, key: signer, extensions: extensions.signer, ...order })
  const byCompany = (name: string, order: CertificateOrder = {}): Identity => signerBy(company, name, order)
  const options = { authorities: ['company.pem'] }
  const one = (
    verdict: Vector['verdict'],
    name: string,
    because: string,
    more: VectorOptions,
    ...chain: readonly Identity[]
  ): Trusted => ({ name: `certificate ${name}`.trim(), text: certified(...chain), verdict, because, options: more })
  const [issued, alone] = [
    byCompany('Signer'),
    identity('Signer alone', { key: signer, extensions: extensions.signer })
  ]
  const between = identity('Department', { issuer: company })
  const [ofNone, noAuthority] = [
    identity('Department that issues no authority', { issuer: company, extensions: extensions.authorityOfNone }),
    identity('Colleague', { issuer: company, extensions: extensions.signer })
  ]
  const below = identity('Team', { issuer: ofNone })
  const late = byCompany('Signer since today', { from: stampedAt - 1000 })
  const lateFile = fileOf(
    { ...content, signer: { ...content.signer, certificates: [late.der.toString('base64')] } },
    signer
  )
  const stamps = identity('Time-stamps', { issuer: root, extensions: extensions.stamps })
  const lateText = fileText({
    ...lateFile,
    timestamps: [token(referredBytes(lateFile.envelope), stamps, { at: stampedAt }).toString('base64')]
  })
  const withTime = { ...options, timestampAuthorities: ['time-stamp-authority.pem'] }
  return [
    one('verified', '', 'The authority vouches for its key.', options, issued),
    one('intact', '', 'Its certificate is not checked.', {}, issued),
    one(
      'refused',
      '',
      'Its certificate does not lead to the authority.',
      { authorities: ['time-stamp-authority.pem'] },
      issued
    ),
    {
      name: 'record',
      text: fileText(genuinePacks.record.file),
      verdict: 'refused',
      because: 'It has no certificate.',
      options
    },
    one(
      'verified',
      'through another one',
      'The authority vouches for its key through another one.',
      options,
      signerBy(between, 'Signer of a department'),
      between
    ),
    one(
      'refused',
      'whose issuer is missing',
      'Its certificate does not lead to the authority.',
      options,
      signerBy(between, 'Signer of a department')
    ),
    one(
      'refused',
      'through one that is no authority',
      'A certificate of the path is not that of an authority.',
      options,
      signerBy(noAuthority, 'Signer of a colleague'),
      noAuthority
    ),
    one(
      'refused',
      'through more than an authority allows',
      'The path is longer than an authority allows.',
      options,
      signerBy(below, 'Signer of a team'),
      below,
      ofNone
    ),
    one(
      'refused',
      'that the key signs itself',
      'Its certificate leads to no other one.',
      { authorities: ['own-certificate.pem'] },
      alone
    ),
    one(
      'refused',
      'that had expired',
      'Its certificate had expired when it was made.',
      options,
      byCompany('Expired signer', { until: Date.UTC(2025, 5, 1) })
    ),
    one(
      'refused',
      'that may not sign',
      'Its certificate may not sign.',
      options,
      byCompany('Signer that encrypts', { extensions: extensions.encrypts })
    ),
    one(
      'refused',
      'with a critical extension that is not known',
      'Its certificate has a critical extension that is not known.',
      options,
      byCompany('Signer with more', { extensions: extensions.unknown })
    ),
    one(
      'verified',
      'with a critical extension that restricts nothing',
      'Its policies can be critical.',
      options,
      byCompany('Signer with policies', { extensions: extensions.policies })
    ),
    {
      name: 'certificate of a later time',
      text: lateText,
      verdict: 'verified',
      because: 'Its certificate was valid at the time of the time-stamp.',
      options: withTime
    },
    {
      name: 'certificate of a later time',
      text: lateText,
      verdict: 'refused',
      because: 'Its certificate was not yet valid at the time that the pack states, and its time-stamp is not checked.',
      options
    }
  ]
}

interface ExportOrder {
  /** Numbers of the events that it contains; all if absent. */
  readonly only?: readonly number[]
  /** The event that records a time-stamp, and the number of events that it is about. */
  readonly dated?: { readonly seq: number; readonly size: number; readonly stated?: number; readonly about?: string }
}

/** An export of the audit trail with these hashes of events, as JSON lines. */
function exportOf(leaves: readonly string[], { only, dated }: ExportOrder = {}): string {
  const checkpoint =
    dated &&
    checkpointOf(
      `veridesk/${leaves[0]?.slice(0, 32)}`,
      dated.stated ?? dated.size,
      rootOf(leaves.slice(0, dated.size)),
      signer
    )
  const stamps = identity('Time-stamps', { issuer: root, extensions: extensions.stamps })
  const timestamp = checkpoint && {
    checkpoint,
    token: token(Buffer.from(dated.about ?? checkpoint), stamps, { at: stampedAt }).toString('base64')
  }
  const rows = leaves
    .map((hash, index) => ({ seq: index + 1, hash, ...(index + 1 === dated?.seq && { timestamp }) }))
    .filter(({ seq }) => only?.includes(seq) ?? true)
  const lines = [
    { format: 'veridesk-audit-trail', version: 1, head: { seq: leaves.length, hash: leaves.at(-1) } },
    ...rows,
    { end: true, rows: rows.length }
  ]
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

/** The pack about an applicant with exports of the audit trail, and what a verifier says of the two. */
function exportVectors(): {
  readonly file: string
  readonly text: string
  readonly verdict: Vector['verdict']
  readonly because: string
  readonly options: VectorOptions
}[] {
  const { file: pack, leaves: own } = genuinePacks.applicant
  const { leaves } = genuinePacks.next
  const shown = new Set(contentOf(pack).events.flatMap(({ seq }) => [seq - 1, seq]))
  const hidden = own.findIndex((_, index) => index > 0 && !shown.has(index + 1))
  const changed = (index: number): string[] =>
    leaves.map((hash, at) => (at === index ? hash.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) : hash))
  const dated = { seq: own.length + 1, size: own.length - 2 }
  const stamps = { timestampAuthorities: ['time-stamp-authority.pem'] }
  return [
    {
      file: 'audit-later.jsonl',
      text: exportOf(leaves),
      verdict: 'intact',
      because: 'The export continues its audit trail.',
      options: {}
    },
    {
      file: 'audit-earlier.jsonl',
      text: exportOf(leaves.slice(0, 16)),
      verdict: 'intact',
      because: 'It continues the export, or whether it does cannot be determined.',
      options: {}
    },
    {
      file: 'audit-filtered.jsonl',
      text: exportOf(leaves, { only: [2, 3, 6], dated: { seq: 3, size: 2 } }),
      verdict: 'intact',
      because: 'The export does not contain all events, and contradicts nothing.',
      options: stamps
    },
    {
      file: 'audit-of-another.jsonl',
      text: exportOf(genuinePacks.batch.leaves),
      verdict: 'intact',
      because: 'The export is of another audit trail: the two cannot be compared.',
      options: {}
    },
    {
      file: 'audit-changed.jsonl',
      text: exportOf(changed((contentOf(pack).events[1]?.seq ?? 2) - 1)),
      verdict: 'refused',
      because: 'The export has another hash of an event that the pack shows.',
      options: {}
    },
    {
      file: 'audit-forked.jsonl',
      text: exportOf(changed(hidden)),
      verdict: 'refused',
      because: 'The root over the events of the export is another.',
      options: {}
    },
    {
      file: 'audit-one-event.jsonl',
      text: exportOf(leaves.slice(0, 16), { only: [6] }),
      verdict: 'intact',
      because: 'Event 1 is not in the export, and another one is the same in both.',
      options: {}
    },
    {
      file: 'audit-cut.jsonl',
      text: exportOf(leaves).split('\n').slice(0, -3).join('\n'),
      verdict: 'refused',
      because: 'The export was cut off.',
      options: {}
    },
    {
      file: 'audit-dated.jsonl',
      text: exportOf(leaves, { dated }),
      verdict: 'intact',
      because: 'The time-stamp in the export is valid.',
      options: stamps
    },
    {
      file: 'audit-dated.jsonl',
      text: exportOf(leaves, { dated }),
      verdict: 'intact',
      because: 'The time-stamp in the export is not checked.',
      options: {}
    },
    {
      file: 'audit-dated.jsonl',
      text: exportOf(leaves, { dated }),
      verdict: 'intact',
      because: 'The time-stamp in the export is of another authority: it is not checked.',
      options: { timestampAuthorities: ['company.pem'] }
    },
    {
      file: 'audit-dated-more.jsonl',
      text: exportOf(leaves, { dated: { ...dated, stated: dated.size + 1 } }),
      verdict: 'refused',
      because: 'The checkpoint in the export is not that of its events.',
      options: {}
    },
    {
      file: 'audit-dated-otherwise.jsonl',
      text: exportOf(leaves, { dated: { ...dated, about: 'something else' } }),
      verdict: 'refused',
      because: 'The time-stamp in the export is about something else.',
      options: stamps
    }
  ]
}

/** All vectors. */
export function evidenceVectors(): Vectors {
  const index: Vector[] = []
  const files: Record<string, string | Uint8Array> = {}
  const add = (
    name: string,
    content: string | Uint8Array,
    verdict: Vector['verdict'],
    because: string,
    options: VectorOptions = {}
  ): void => {
    const file = fileName(name)
    if (files[file] !== undefined && files[file] !== content) throw new Error(`two vectors are named ${file}`)
    files[file] = content
    index.push({ file, options, verdict, because })
  }
  const beside = (name: string, content: string | Uint8Array): string => {
    files[name] = content
    return name
  }
  const pack = (name: GenuineName): string => fileText(genuinePacks[name].file)
  const unknown = 'Nothing is wrong with it, but the key of its signer is not compared.'
  for (const [name, { file }] of Object.entries(genuinePacks)) add(name, fileText(file), 'intact', unknown)
  for (const [name, { file }] of Object.entries(proposedPacks))
    add(name, fileText(file), 'approval-missing', 'Its decision needs a second person who agrees.')
  add('approved', pack('approved'), 'verified', 'Its key is the one named, and a second person agrees.', {
    fingerprint: own
  })
  add('record', pack('record'), 'verified', 'Its key is the one named.', { fingerprint: own })
  add('record', pack('record'), 'refused', 'It was signed by another key.', { fingerprint: first })
  add('attachment', pack('attachment'), 'intact', 'The file belongs to it.', {
    attachments: [beside('record.pdf', attachment)]
  })
  add('attachment', pack('attachment'), 'other-file', 'The pack is intact; the file does not belong to it.', {
    attachments: [beside('another.pdf', Buffer.from('another'))]
  })
  add('applicant', pack('applicant'), 'intact', 'The other pack continues it.', { compare: ['next.json'] })
  add('applicant', pack('applicant'), 'intact', 'Whether the other pack continues it cannot be determined.', {
    compare: ['after-next.json']
  })
  const decline = acceptedLies().find(({ name }) => name.startsWith('a decision turned into its opposite'))
  if (decline)
    add('applicant', pack('applicant'), 'refused', 'The audit trail was forked.', {
      compare: [beside(fileName(`claim: ${decline.name}`), decline.text)]
    })
  const otherStart = contentOf(genuinePacks['other-applicant'].file)
  otherStart.events = otherStart.events.filter(({ seq }) => seq > 1)
  const { leaves } = genuinePacks['other-applicant']
  add(
    'applicant',
    pack('applicant'),
    'refused',
    'The audit trail was forked: event 1 is another, a later one is the same.',
    {
      compare: [
        beside(
          'another-start.json',
          fileText(fileOf(withTree(otherStart, ['0'.repeat(64), ...leaves.slice(1)]), signer))
        )
      ]
    }
  )
  const [before, after] = [1_750_000_000_000, 1_790_000_000_000]
  add('record', pack('record'), 'refused', 'Its key was revoked, and no time-stamp shows that it existed before.', {
    revocations: [beside('revocation-by-itself.json', revocationOf(before))]
  })
  add('record', pack('record'), 'refused', 'A pack without a time-stamp can be as new as its signer likes.', {
    revocations: [beside('revocation-later.json', revocationOf(after))]
  })
  add('record', pack('record'), 'intact', 'The revocation is signed by a key that the reader does not trust.', {
    revocations: [beside('revocation-by-another.json', revocationOf(before, director))]
  })
  add('record', pack('record'), 'refused', 'The revocation is signed by a key that the reader trusts.', {
    revocations: ['revocation-by-another.json'],
    trusted: [second]
  })
  beside('time-stamp-authority.pem', pem(root))
  beside('company.pem', pem(company))
  beside('own-certificate.pem', pem(identity('Signer alone', { key: signer, extensions: extensions.signer })))
  beside('revocation-before-time-stamp.json', revocationOf(before, signer, stampedAt - 60_000))
  beside('revocation-at-time-stamp.json', revocationOf(before, signer, stampedAt + 1000))
  beside('revocation-after-time-stamp.json', revocationOf(before, signer, stampedAt + 2000))
  for (const { file, text, verdict, because, options } of exportVectors())
    add('applicant', pack('applicant'), verdict, because, { compare: [beside(file, text)], ...options })
  for (const { name, text, verdict, because, options } of [...stampedVectors(), ...certifiedVectors()])
    add(name, text, verdict, because, options)
  const dated = stampedVectors().find(({ name }) => name === 'time-stamp')?.text ?? ''
  for (const { file, text, isStamped, verdict, because, options } of trustVectors())
    add(isStamped ? 'time-stamp' : 'record', isStamped ? dated : pack('record'), verdict, because, {
      trust: [beside(file, text)],
      ...options
    })
  add('record', pack('record'), 'refused', 'The other pack is refused: its certificate is that of another key.', {
    compare: ['forged-signed-a-certificate-of-another-key.json']
  })
  for (const { name, text, why } of forged()) add(`forged: ${name}`, text, 'refused', sentence(why))
  for (const { name, text, claim } of acceptedLies().filter(
    ({ name, text }) => !name.includes('small order') && text.length <= largest
  ))
    add(`claim: ${name}`, text, 'intact', `The signer’s claim: ${claims[claim]}.`)
  return { index, files }
}

const folder = new URL('../docs/evidence/vectors/', import.meta.url)

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { index, files } = evidenceVectors()
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [name, content] of Object.entries(files)) writeFileSync(new URL(name, folder), content)
  writeFileSync(new URL('vectors.json', folder), `${JSON.stringify(index, null, 2)}\n`)
}
