/** The notice of a release, made from a folder of its installers. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  maxReleaseBytes,
  releaseFormat,
  releaseFormatVersion,
  releaseProduct,
  releaseSchema,
  type Release,
  type ReleaseChannel,
  type ReleaseFile
} from '#contract/updates/releases.ts'
import { KeyProblem } from './secret-key.ts'

export interface NoticeOrder {
  readonly folder: string
  readonly version: string
  readonly channel: ReleaseChannel
  readonly sequence: number
  /** Unix milliseconds. */
  readonly now: number
  /** Days until the notice expires. */
  readonly days: number
  /** The address of the folder where the installers can be downloaded. */
  readonly baseUrl: string
  readonly notes: string
  readonly minimumSystem: Release['minimumSystem']
}

/** A notice that is valid for longer protects hardly against one that is withheld. */
export const maxDays = 400

const systems = { win: 'windows', mac: 'macos', linux: 'linux' } as const
/** Each tool that makes installers has its own words for processors. */
const architectures = { x64: 'x64', amd64: 'x64', x86_64: 'x64', arm64: 'arm64', aarch64: 'arm64' } as const

/** Files that people install. A release has others, such as checksums. */
const installer = /\.(?:exe|msi|dmg|pkg|zip|AppImage|deb|rpm)$/
const named =
  /^Veridesk-(?<version>.+)-(?<system>win|mac|linux)-(?<architecture>x64|amd64|x86_64|arm64|aarch64)(?:-setup)?\.\w+$/

const day = 86_400_000
/** ISO 8601 to the second. */
const timeText = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')

function fileOf(folder: string, name: string, { version, baseUrl }: NoticeOrder): ReleaseFile {
  const found = named.exec(name)?.groups
  const [system, architecture] = [
    systems[found?.['system'] as keyof typeof systems],
    architectures[found?.['architecture'] as keyof typeof architectures]
  ]
  if (!found || !system || !architecture)
    throw new KeyProblem(`${name} does not name its version, system and processor as installers of Veridesk do.`)
  if (found['version'] !== version) throw new KeyProblem(`${name} is of another version than ${version}.`)
  const path = join(folder, name)
  return {
    name,
    platform: system,
    architecture,
    size: statSync(path).size,
    sha256: createHash('sha256').update(readFileSync(path)).digest('hex'),
    url: new URL(encodeURIComponent(name), baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`).href
  }
}

/** The bytes to sign. Throws KeyProblem if readers would refuse them. */
export function bytesOf(release: Release): Buffer {
  const checked = releaseSchema.safeParse(release)
  if (!checked.success)
    throw new KeyProblem(
      `The notice would be invalid: ${checked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}`
    )
  const bytes = Buffer.from(`${JSON.stringify(checked.data, null, 1)}\n`)
  // A signature with its comments has less than 1 KiB.
  if (bytes.length > maxReleaseBytes - 1024)
    throw new KeyProblem(`The notice has ${bytes.length} bytes, more than readers accept.`)
  return bytes
}

const expiry = (now: number, days: number): string => {
  if (!Number.isInteger(days) || days < 1 || days > maxDays)
    throw new KeyProblem(`A notice is valid for 1 to ${maxDays} days.`)
  return timeText(now + days * day)
}

/** The notice of the installers in a folder. Throws KeyProblem for a folder without any, or with one of another version. */
export function noticeOf(order: NoticeOrder): Release {
  const { folder, version, channel, sequence, now, days, notes, minimumSystem } = order
  const names = readdirSync(folder)
    .filter((name) => installer.test(name))
    .sort()
  if (names.length === 0) throw new KeyProblem(`There is no installer in ${folder}.`)
  return {
    format: releaseFormat,
    version: releaseFormatVersion,
    product: releaseProduct,
    release: version,
    channel,
    sequence,
    releasedAt: timeText(now),
    expiresAt: expiry(now, days),
    minimumSystem,
    notes,
    files: names.map((name) => fileOf(folder, name, order))
  }
}

/** The same release in a notice that expires later. */
export const renewed = (
  release: Release,
  { sequence, now, days }: Pick<NoticeOrder, 'sequence' | 'now' | 'days'>
): Release => {
  if (sequence <= release.sequence)
    throw new KeyProblem(`The number must be higher than ${release.sequence}, that of the notice.`)
  return { ...release, sequence, expiresAt: expiry(now, days) }
}
