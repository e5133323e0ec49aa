/** Making the company's trust file: a keeper drafts a version and signs it, and the others sign the same one. */
import { createPublicKey, type KeyObject } from 'node:crypto'
import type { TrustDraft } from '#contract/evidence/trust-file.ts'
import { trustEnding, type SavedTrustFile } from '#contract/evidence/trust-view.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { ChosenFiles } from '#core/files/unfinished.ts'
import { safeFileName } from '#core/files/names.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import type { Clock } from '#kit/clock.ts'
import { keyOfSigner } from '#wire/evidence/keys.ts'
import { validSigningKey } from './own-keys.ts'
import {
  digestOfVersion,
  readCountingTrustFile,
  readTrustFile,
  trustRefusal,
  trustThreshold,
  withSignature,
  withVersion,
  type TrustFile,
  type TrustVersion
} from './trust-file.ts'

type Answer<T> = Promise<Result<T, Failure>>

export interface TrustMakingParts {
  readonly keychain: SecretStore
  readonly clock: Clock
  readonly chooseSavePath: (title: string, name: string, extensions: readonly string[]) => Promise<string | undefined>
  readonly files: Pick<ChosenFiles, 'write'>
}

export interface TrustMaking {
  /**
   * Saves a new version, signed with this installation's key; null if cancelled. Failures: `trust-draft-incomplete`,
   * `trust-not-keeper`, `trust-file-refused` (the versions before, or what was drafted), those of the signing key.
   */
  make(order: { readonly draft: TrustDraft; readonly before?: string | undefined }): Answer<SavedTrustFile | null>
  /** Saves a file with this installation's signature of its last version as well; null if cancelled. Failures as above. */
  sign(order: { readonly text: string }): Answer<SavedTrustFile | null>
}

const dayLong = 24 * 60 * 60 * 1000
const byKey = <Of extends { readonly key: string }>(list: readonly Of[]): Of[] =>
  list.toSorted((one, other) => (one.key < other.key ? -1 : 1))

/** The raw public key of a keeper, from digits or PEM; undefined if it is none. */
function keeperKey(words: string): string | undefined {
  const digits = words.replace(/[\s:]/g, '').toLowerCase()
  if (/^[0-9a-f]{64}$/.test(digits)) return digits
  try {
    const key = createPublicKey(words)
    const raw = key.export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex')
    return key.asymmetricKeyType === 'ed25519' ? raw : undefined
  } catch {
    return undefined
  }
}

/** Each certificate of PEM texts by itself, in the only form that a trust file has; undefined if a text has none. */
function singly(texts: readonly string[]): string[] | undefined {
  const found = texts.map((text) =>
    Array.from(
      text.matchAll(/-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g),
      ([, body]) => {
        const lines = (body ?? '').replace(/\s/g, '').match(/.{1,64}/g) ?? []
        return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
      }
    )
  )
  return found.some((each) => each.length === 0) ? undefined : found.flat()
}

/** Keepers and certificates as a version has them. */
function keysOf(
  draft: TrustDraft,
  before: TrustVersion | undefined
): Result<Pick<TrustVersion, 'ca' | 'keepers' | 'timestamps'>, Failure> {
  const keepers = draft.keepers?.map(keeperKey) ?? before?.keepers ?? []
  if (keepers.includes(undefined)) return failed('trust-draft-incomplete', { reason: 'keeper-key' })
  if (new Set(keepers).size < trustThreshold) return failed('trust-draft-incomplete', { reason: 'keepers' })
  const [ca, timestamps] = [draft.ca, draft.timestamps].map((texts) => texts && singly(texts))
  if ((draft.ca && !ca) || (draft.timestamps && !timestamps))
    return failed('trust-draft-incomplete', { reason: 'certificates' })
  return ok({
    ca: ca ?? before?.ca ?? [],
    keepers: [...new Set(keepers as string[])].sort(),
    timestamps: timestamps ?? before?.timestamps ?? []
  })
}

/** Signers and revocations: what the version before says of a key stays, as far as the draft does not say otherwise. */
function entriesOf(
  draft: TrustDraft,
  old: TrustVersion | undefined,
  issued: number
): Pick<TrustVersion, 'revocations' | 'signers'> {
  const signers = draft.signers?.map(({ from, roles, ...rest }) => ({
    ...rest,
    roles: [...new Set(roles)].sort(),
    from: from ?? old?.signers.find(({ key }) => key === rest.key)?.from ?? issued
  }))
  const revocations = draft.revocations?.map(({ since, ...rest }) => {
    const known = old?.revocations.find(({ key }) => key === rest.key)
    const recorded = known && (since === undefined || since === known.since) ? known.recorded : issued
    return { ...rest, recorded, since: since ?? known?.since ?? issued }
  })
  return {
    revocations: byKey(revocations ?? old?.revocations ?? []),
    signers: byKey(signers ?? old?.signers ?? [])
  }
}

/** A version from a draft, after the version before it. */
function drafted(draft: TrustDraft, before: TrustFile | undefined, now: number): Result<TrustVersion, Failure> {
  const old = before?.speaking
  const organisation = draft.organisation ?? old?.organisation
  if (organisation === undefined) return failed('trust-draft-incomplete', { reason: 'organisation' })
  const keys = keysOf(draft, old)
  if (!keys.ok) return keys
  const issued = Math.max(Math.trunc(now), (old?.issued ?? -8.64e15) + 1)
  return ok({
    ...keys.value,
    organisation,
    issued,
    expires: issued + draft.days * dayLong,
    previous: before ? digestOfVersion(before) : null,
    ...entriesOf(draft, old, issued),
    threshold: trustThreshold,
    verifiers: draft.verifiers ?? old?.verifiers ?? [],
    version: (old?.version ?? 0) + 1
  })
}

const nameOf = (organisation: string): string => safeFileName(`${organisation}.${trustEnding}`)

/** Saves a text that must be a trust file which waits for signatures at most. */
async function saved(parts: TrustMakingParts, text: string): Answer<SavedTrustFile | null> {
  const read = readTrustFile(text)
  if (!read.ok) return { ok: false, failure: trustRefusal(read.failure) }
  const { speaking, origin, waitsFor } = read.value
  const { organisation, version, expires } = speaking
  const path = await parts.chooseSavePath('Save trust file', nameOf(organisation), [trustEnding])
  if (path === undefined) return ok(null)
  const written = await parts.files.write(path, text)
  return written.ok ? ok({ path, organisation, version, expires, origin, waitsFor, text }) : written
}

/** The signing key, if it is that of a keeper. */
async function keeperIn(parts: TrustMakingParts, keepers: readonly string[]): Answer<KeyObject> {
  const key = await validSigningKey(parts.keychain, parts.clock.now())
  return key.ok && !keepers.includes(keyOfSigner(key.value)) ? failed('trust-not-keeper') : key
}

export function createTrustMaking(parts: TrustMakingParts): TrustMaking {
  return {
    async make({ draft, before: text }) {
      const before = text === undefined ? undefined : readCountingTrustFile(text)
      if (before && !before.ok) return { ok: false, failure: trustRefusal(before.failure) }
      const next = drafted(draft, before?.value, parts.clock.now())
      if (!next.ok) return next
      const key = await keeperIn(parts, [...next.value.keepers, ...(before?.value.speaking.keepers ?? [])])
      return key.ok ? saved(parts, withVersion(before?.value.envelopes ?? [], next.value, key.value)) : key
    },
    async sign({ text }) {
      const read = readTrustFile(text)
      if (!read.ok) return { ok: false, failure: trustRefusal(read.failure) }
      const { speaking, keepersBefore = [] } = read.value
      const key = await keeperIn(parts, [...speaking.keepers, ...keepersBefore])
      return key.ok ? saved(parts, withSignature(read.value, key.value)) : key
    }
  }
}
