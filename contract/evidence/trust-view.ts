/**
 * The company's trust file: who signs packs and who approves, as its keepers say. All times are Unix milliseconds. Without
 * schemas: the window's first script knows such a file.
 */
import type { Failure } from '../failures/failures.ts'
import type { RevocationReason } from './keys.ts'

/** The ending of a trust file. */
export const trustEnding = 'veridesk-trust'
/** What a key may do: answer requests for approval, sign packs. In the order of the alphabet. */
export const trustRoles = ['approver', 'pack'] as const
export type TrustRole = (typeof trustRoles)[number]
/** Most characters of a trust file, with all its versions. */
export const maxTrustText = 16 * 1024 * 1024
/** Most days from the making of a version until it expires. */
export const maxTrustDays = 400
/** How many days before it expires a trust file warns: two keepers must sign the next version, and readers need it. */
export const trustWarningDays = 30

/** Whether a text, or the beginning of one, is that of a trust file, whatever its file is called. */
export const isTrustText = (head: string): boolean => /^\ufeff?\s*\{\s*"format"\s*:\s*"veridesk-trust"/.test(head)

/** A trust file that was saved. */
export interface SavedTrustFile {
  readonly path: string
  readonly organisation: string
  readonly version: number
  readonly expires: number
  /** SHA-256 of the first keepers, hex: what readers compare. */
  readonly origin: string
  /** Signatures of keepers that it still needs. */
  readonly waitsFor: number
  /** Its content. */
  readonly text: string
}

export interface TrustKeeper {
  /** The raw public key, hex. */
  readonly publicKey: string
  readonly fingerprint: string
  /** As the list of signers says; keepers have no name of their own. */
  readonly name?: string
  readonly signed: boolean
  /** Of the version before only: their signature hands over to the others. */
  readonly former: boolean
}
export interface TrustSigner {
  readonly key: string
  readonly name: string
  readonly roles: readonly TrustRole[]
  readonly from: number
  readonly until: number | null
}
/** The last version of a trust file: it alone speaks. */
export interface TrustFileView {
  readonly organisation: string
  readonly version: number
  readonly issued: number
  readonly expires: number
  /** Signatures that a version needs. */
  readonly threshold: number
  /** SHA-256 of the first keepers, hex: what readers compare. */
  readonly origin: string
  /** Signatures of keepers that it still needs; 0 if it counts. */
  readonly waitsFor: number
  readonly keepers: readonly TrustKeeper[]
  readonly signers: readonly TrustSigner[]
  readonly revocations: readonly {
    readonly key: string
    readonly reason: RevocationReason
    readonly since: number
    readonly recorded: number
  }[]
  /** How many certificates of authorities it has, and digests of verifiers. */
  readonly timestamps: number
  readonly ca: number
  readonly verifiers: number
}

/**
 * How a file stands to the one in force. `none`: none is in force. `next`: it has the versions of that one, and more.
 * `earlier`: that one has more. `apart`: the first keepers are the same, and then they part. `other`: other first keepers.
 */
export type TrustRelation = 'none' | 'same' | 'next' | 'earlier' | 'apart' | 'other'

/** A file that somebody opened. */
export interface OpenedTrustFile extends TrustFileView {
  readonly relation: TrustRelation
}
/** The content of a file that somebody chose. */
export interface ChosenTrustFile {
  readonly name: string
  readonly text: string
}

/** What is in force on this installation. */
export interface TrustInForce {
  /** The key of this installation, or why there is none. */
  readonly own?: { readonly publicKey: string; readonly fingerprint: string }
  readonly ownFault?: Failure
  /** The path that the policy names; without one, no file is in force. */
  readonly path?: string
  readonly file?: TrustFileView
  /** Its content, which the next version begins with. */
  readonly text?: string
  /** Why it does not count. */
  readonly fault?: Failure
}
