/** Notices of releases and the keys that sign them, for tests. */
import { spawnSync } from 'node:child_process'
import type { Release } from '#contract/updates/releases.ts'
import { minisignKey, type MinisignKey } from '#core/updates/minisign.ts'
import { createKey, signed, type Cost, type SecretKey } from '../../../scripts/releases/secret-key.ts'

/** Cheap, for passwords that protect nothing. */
export const cheap: Cost = { operations: 32_768, memory: 1024 * 1024 }

export const newSigner = (): SecretKey => createKey('a password', cheap).key

/** The public half of a key, as a reader has it. */
export function readerOf({ publicLine }: SecretKey): MinisignKey {
  const key = minisignKey(publicLine)
  if (!key) throw new Error(publicLine)
  return key
}

const day = 86_400_000
const timeText = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')

/** A notice that is valid at a time, of a version above every one of the tests' consoles. */
export const noticeAt = (now: number, changes: Partial<Release> = {}): Release => ({
  format: 'veridesk-release',
  version: 1,
  product: 'app.veridesk.console',
  release: '9.1.0',
  channel: 'stable',
  sequence: 7,
  releasedAt: timeText(now - day),
  expiresAt: timeText(now + 30 * day),
  minimumSystem: { windows: 'Windows 10', macos: 'macOS 13.0' },
  notes: 'https://example.com/notes',
  files: [
    {
      name: 'Veridesk-9.1.0-linux-amd64.deb',
      platform: 'linux',
      architecture: 'x64',
      size: 5,
      sha256: 'ab'.repeat(32),
      url: 'https://example.com/Veridesk-9.1.0-linux-amd64.deb'
    }
  ],
  ...changes
})

/** The bytes that a feed serves. */
export const fileOf = (content: unknown, signer: SecretKey): Buffer =>
  signed(Buffer.from(JSON.stringify(content)), signer, 'a comment')

export const hasMinisign = spawnSync('minisign', ['-v']).status === 0
