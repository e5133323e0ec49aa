/**
 * Secret keys of minisign: made, opened with their password, and used to sign. Files are those of minisign itself, which can
 * use them in its turn.
 */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  scryptSync,
  sign,
  type KeyObject
} from 'node:crypto'
import { blake2b } from '@noble/hashes/blake2.js'
import { keyIdOf } from '#core/updates/minisign.ts'

/** Why a key cannot be used, as a sentence for the person who signs. */
export class KeyProblem extends Error {}

export interface SecretKey {
  readonly id: string
  readonly idBytes: Buffer
  readonly key: KeyObject
  /** The line that readers enter: `RWQ…`. */
  readonly publicLine: string
  /** Whether a password protects the file. */
  readonly encrypted: boolean
}

/** The cost of a password: libsodium's limits, from which minisign derives the parameters of scrypt. */
export interface Cost {
  readonly operations: number
  readonly memory: number
}
/** What minisign uses: 1 GiB. */
const usualCost: Cost = { operations: 33_554_432, memory: 1_073_741_824 }

const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const sizes = { head: 6, salt: 32, limit: 8, secret: 104 } as const
const fileBytes = sizes.head + sizes.salt + 2 * sizes.limit + sizes.secret

/** N, r and p, as `crypto_pwhash_scryptsalsa208sha256` of libsodium chooses them. */
function scryptOf({ operations, memory }: Cost): {
  readonly N: number
  readonly r: number
  readonly p: number
  readonly maxmem: number
} {
  const most = Math.max(operations, 32_768)
  const r = 8
  const half = Math.floor(Math.floor(most < memory / 32 ? most / (r * 4) : memory / (r * 128)) / 2)
  let power = 1
  while (power < 63 && 2 ** power <= half) power += 1
  const p = most < memory / 32 ? 1 : Math.max(1, Math.floor(Math.min(most / 4 / 2 ** power, 0x3fff_ffff) / r))
  return { N: 2 ** power, r, p, maxmem: 128 * r * (2 ** power + p + 2) + 1024 * 1024 }
}

/** The most that a file may ask for, so that a changed one cannot take all memory. */
const maxCost = 4 * usualCost.memory

function masked(secret: Buffer, password: string, salt: Buffer, cost: Cost): Buffer {
  const stream = scryptSync(password, salt, secret.length, scryptOf(cost))
  return Buffer.from(secret.map((byte, index) => byte ^ (stream[index] ?? 0)))
}

const checksum = (idBytes: Uint8Array, secret: Uint8Array): Uint8Array =>
  blake2b(Buffer.concat([Buffer.from('Ed'), idBytes, secret]), { dkLen: 32 })

function keyOf(idBytes: Buffer, seed: Buffer, encrypted: boolean): SecretKey {
  const key = createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: 'der', type: 'pkcs8' })
  const raw = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)
  return {
    id: keyIdOf(idBytes),
    idBytes,
    key,
    publicLine: Buffer.concat([Buffer.from('Ed'), idBytes, raw]).toString('base64'),
    encrypted
  }
}

/** A new key: the content of its secret file, protected by a password, and of its public file. */
export function createKey(
  password: string,
  cost = usualCost
): { readonly secret: string; readonly public: string; readonly key: SecretKey } {
  if (password === '') throw new KeyProblem('A secret key needs a password.')
  const seed = generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32)
  const key = keyOf(randomBytes(8), seed, true)
  const secret = Buffer.concat([seed, Buffer.from(key.publicLine, 'base64').subarray(10)])
  const salt = randomBytes(sizes.salt)
  const limits = Buffer.alloc(2 * sizes.limit)
  limits.writeBigUInt64LE(BigInt(cost.operations), 0)
  limits.writeBigUInt64LE(BigInt(cost.memory), sizes.limit)
  const sealed = masked(Buffer.concat([key.idBytes, secret, checksum(key.idBytes, secret)]), password, salt, cost)
  return {
    secret: `untrusted comment: minisign encrypted secret key\n${Buffer.concat([Buffer.from('EdScB2'), salt, limits, sealed]).toString('base64')}\n`,
    public: `untrusted comment: minisign public key ${key.id}\n${key.publicLine}\n`,
    key
  }
}

/** Opens a secret key. Throws KeyProblem if it is not one, or the password is missing or wrong. */
export function openKey(text: string, password: string | undefined): SecretKey {
  const bytes = Buffer.from(text.trim().split('\n').at(-1)?.trim() ?? '', 'base64')
  if (bytes.length !== fileBytes || bytes.toString('latin1', 0, 2) !== 'Ed' || bytes.toString('latin1', 4, 6) !== 'B2')
    throw new KeyProblem('This is not a secret key of minisign.')
  const encrypted = bytes.toString('latin1', 2, 4) === 'Sc'
  if (!encrypted && bytes.readUInt16LE(2) !== 0)
    throw new KeyProblem('The secret key is protected in a way that is not known here.')
  const saltEnd = sizes.head + sizes.salt
  const cost = {
    operations: Number(bytes.readBigUInt64LE(saltEnd)),
    memory: Number(bytes.readBigUInt64LE(saltEnd + sizes.limit))
  }
  if (encrypted && (cost.memory > maxCost || cost.operations > maxCost))
    throw new KeyProblem('The secret key asks for more memory than any key of minisign.')
  if (encrypted && !password) throw new KeyProblem('The secret key is protected by a password, and none was given.')
  const stored = bytes.subarray(fileBytes - sizes.secret)
  const plain = encrypted && password ? masked(stored, password, bytes.subarray(sizes.head, saltEnd), cost) : stored
  const [idBytes, secret, sum] = [plain.subarray(0, 8), plain.subarray(8, 72), plain.subarray(72)]
  if (encrypted && !sum.equals(checksum(idBytes, secret)))
    throw new KeyProblem('The password of the secret key is wrong, or its file is damaged.')
  const key = keyOf(Buffer.from(idBytes), Buffer.from(secret.subarray(0, 32)), encrypted)
  // minisign writes no checksum without a password, but both halves of the key.
  if (!Buffer.from(key.publicLine, 'base64').subarray(10).equals(secret.subarray(32)))
    throw new KeyProblem('The file of the secret key is damaged.')
  return key
}

/** The signature of a text: four lines of minisign. The comment is signed as well. */
export function signatureOf(body: Buffer, { id, idBytes, key }: SecretKey, comment: string): string {
  const signature = sign(null, blake2b(body), key)
  const global = sign(null, Buffer.concat([signature, Buffer.from(comment)]), key)
  const head = Buffer.concat([Buffer.from('ED'), idBytes, signature])
  return `untrusted comment: signature by the minisign key ${id}\n${head.toString('base64')}\ntrusted comment: ${comment}\n${global.toString('base64')}\n`
}

/** A text after its signature. */
export const signed = (body: Buffer, key: SecretKey, comment: string): Buffer =>
  Buffer.concat([Buffer.from(signatureOf(body, key, comment)), body])
