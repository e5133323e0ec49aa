/** Trust files signed with keys made here, independent of what the console writes. */
import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { canonical } from '#kit/hashing/canonical-json.ts'

const type = 'application/vnd.veridesk.trust+json'
export const day = 24 * 60 * 60 * 1000
export const issued = Date.UTC(2026, 0, 1)

export interface Keeper {
  readonly key: KeyObject
  readonly raw: string
  readonly id: string
}
export function keeper(): Keeper {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)
  return { key: privateKey, raw: raw.toString('hex'), id: createHash('sha256').update(raw).digest('hex') }
}

export type Members = Record<string, unknown>
/** What keepers sign. */
export const version = (keepers: readonly Keeper[], more: Members = {}): Members => ({
  ca: [],
  expires: issued + 365 * day,
  issued,
  keepers: keepers.map(({ raw }) => raw).sort(),
  organisation: 'Sample Bank',
  previous: null,
  revocations: [],
  signers: [],
  threshold: 2,
  timestamps: [],
  verifiers: [],
  version: 1,
  ...more
})
export const digestOf = (payload: Members): string => createHash('sha256').update(canonical(payload)).digest('hex')
/** The version after one. */
export const after = (before: Members, keepers: readonly Keeper[], more: Members = {}): Members =>
  version(keepers, {
    issued: (before['issued'] as number) + 30 * day,
    previous: digestOf(before),
    version: (before['version'] as number) + 1,
    ...more
  })

interface Signature {
  readonly keyid: string
  readonly sig: string
}
export interface Signed {
  readonly payload: string
  readonly payloadType: string
  readonly signatures: Signature[]
}
export function signed(payload: Members, by: readonly Keeper[]): Signed {
  const bytes = Buffer.from(canonical(payload))
  const message = Buffer.concat([Buffer.from(`DSSEv1 ${type.length} ${type} ${bytes.length} `), bytes])
  const signatures = by.map(({ key, id }) => ({ keyid: id, sig: sign(null, message, key).toString('base64') }))
  return {
    payload: bytes.toString('base64'),
    payloadType: type,
    signatures: signatures.sort((one, other) => (one.keyid < other.keyid ? -1 : 1))
  }
}
export const fileOf = (...versions: readonly Signed[]): string =>
  `${canonical({ format: 'veridesk-trust', version: 1, versions })}\n`
