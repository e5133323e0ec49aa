/** The stored form of a password in PostgreSQL (RFC 5803), so that a password never reaches the server or its logs. */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'

/** PostgreSQL's default. The passwords are 256 random bits, so more iterations would protect nothing. */
const iterations = 4096

/**
 * The SCRAM-SHA-256 verifier of a password.
 *
 * @param password ASCII letters, digits, `-` and `_` only, so that SASLprep changes nothing.
 * @param salt 16 bytes.
 */
export function scramVerifier(password: string, salt = randomBytes(16)): string {
  if (!/^[\w-]+$/.test(password)) throw new Error('a password of other characters')
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const keyOf = (name: string): Buffer => createHmac('sha256', salted).update(name).digest()
  const stored = createHash('sha256').update(keyOf('Client Key')).digest()
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored.toString('base64')}:${keyOf('Server Key').toString('base64')}`
}
