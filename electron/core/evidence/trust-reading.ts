/** Reading the company's trust file for a person: the one in force here, and those that are opened. */
import { basename } from 'node:path'
import {
  maxTrustText,
  trustEnding,
  type ChosenTrustFile,
  type OpenedTrustFile,
  type TrustFileView,
  type TrustInForce,
  type TrustRelation
} from '#contract/evidence/trust-view.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { fingerprintOf, keyOfSigner } from '#wire/evidence/keys.ts'
import { companyFile, readAttachment } from './evidence.ts'
import { signingKey } from './signing-key.ts'
import { readTrustFile, textOf, trustRefusal, type TrustFile } from './trust-file.ts'

type Answer<T> = Promise<Result<T, Failure>>

export interface TrustReadingParts {
  readonly keychain: SecretStore
  readonly chooseFile: (title: string, extensions: readonly string[]) => Promise<string | undefined>
  /** The path of the company's trust file, if a policy names one; absent: none. */
  readonly trustFile?: () => Result<string | undefined, Failure>
}

export interface TrustReading {
  /** What the policy names, and this installation's key. What is wrong with either is in the answer. */
  inForce(): Answer<TrustInForce>
  /** Asks for a trust file; null if cancelled. Failures: `file-unreadable`, `trust-file-refused`. */
  choose(): Answer<ChosenTrustFile | null>
  /** What a text says, also one that waits for signatures. Failure: `trust-file-refused`. */
  read(order: { readonly text: string }): Answer<OpenedTrustFile>
}

/** What the last version says. */
export function viewOfTrust(file: TrustFile): TrustFileView {
  const { speaking, origin, waitsFor, signedBy, keepersBefore = [] } = file
  const { organisation, version, issued, expires, threshold, keepers, signers, revocations } = speaking
  const keeper = (publicKey: string, former: boolean): TrustFileView['keepers'][number] => {
    const fingerprint = fingerprintOf(publicKey)
    const name = signers.find(({ key }) => key === fingerprint)?.name
    return {
      publicKey,
      fingerprint,
      ...(name !== undefined && { name }),
      signed: signedBy.includes(fingerprint),
      former
    }
  }
  return {
    ...{ organisation, version, issued, expires, threshold, origin, waitsFor, signers, revocations },
    keepers: [
      ...keepers.map((key) => keeper(key, false)),
      ...keepersBefore.filter((key) => !keepers.includes(key)).map((key) => keeper(key, true))
    ],
    timestamps: speaking.timestamps.length,
    ca: speaking.ca.length,
    verifiers: speaking.verifiers.length
  }
}

/** How a file stands to the one in force: whether the versions of one are those that the other begins with. */
export function relationOf(file: TrustFile, inForce: TrustFile | undefined): TrustRelation {
  if (!inForce) return 'none'
  if (file.origin !== inForce.origin) return 'other'
  const [here, there] = [file.envelopes, inForce.envelopes]
  const shared = Math.min(here.length, there.length)
  if (here.slice(0, shared).some(({ payload }, index) => payload !== there[index]?.payload)) return 'apart'
  return here.length === there.length ? 'same' : here.length > there.length ? 'next' : 'earlier'
}

export function createTrustReading(parts: TrustReadingParts): TrustReading {
  return {
    async inForce() {
      const [key, path, file] = [await signingKey(parts.keychain), parts.trustFile?.(), await companyFile(parts)]
      const publicKey = key.ok ? keyOfSigner(key.value) : ''
      return ok({
        ...(key.ok ? { own: { publicKey, fingerprint: fingerprintOf(publicKey) } } : { ownFault: key.failure }),
        ...(path?.ok && path.value !== undefined && { path: path.value }),
        ...(file.ok && file.value && { file: viewOfTrust(file.value), text: textOf(file.value) }),
        ...(!file.ok && { fault: file.failure })
      })
    },
    async choose() {
      const path = await parts.chooseFile('Choose a trust file', [trustEnding])
      if (path === undefined) return ok(null)
      const bytes = await readAttachment(path)
      if (!bytes.ok) return bytes
      const text = Buffer.from(bytes.value).toString('utf8')
      if (text.length > maxTrustText)
        return failed('trust-file-refused', { reason: 'too-large', limitBytes: maxTrustText })
      return ok({ name: basename(path), text })
    },
    async read({ text }) {
      const read = readTrustFile(text)
      if (!read.ok) return { ok: false, failure: trustRefusal(read.failure) }
      // What is wrong with the file in force is said where it is shown.
      const inForce = await companyFile(parts)
      return ok({
        ...viewOfTrust(read.value),
        relation: relationOf(read.value, inForce.ok ? inForce.value : undefined)
      })
    }
  }
}
