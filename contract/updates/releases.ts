/** The notice of a release: a small signed file that an update feed serves. The signature is that of minisign; see decision 31. */
import { z } from 'zod'
import { authorityUrlFault } from '../evidence/timestamps.ts'

/** The format that a notice names, and the version of it that this application reads. */
export const releaseFormat = 'veridesk-release'
export const releaseFormatVersion = 1
/** The product that a notice is about: the ID of the application. */
export const releaseProduct = 'app.veridesk.console'
/** Maximum bytes of a notice with its signature. */
export const maxReleaseBytes = 32 * 1024

export const releaseChannels = ['stable', 'beta'] as const
export type ReleaseChannel = (typeof releaseChannels)[number]
export const releasePlatforms = ['windows', 'macos', 'linux'] as const
export const releaseArchitectures = ['x64', 'arm64'] as const

/** Semantic Versioning without build metadata. */
const version = z
  .string()
  .max(64)
  .regex(/^(?:0|[1-9]\d{0,8})(?:\.(?:0|[1-9]\d{0,8})){2}(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/)
const time = z.iso.datetime({ precision: 0 })
/** In the form that a URL has when it is read, so that it contains no hidden and no confusable character. */
const address = z
  .string()
  .max(2048)
  .refine((text) => authorityUrlFault(text) === undefined && new URL(text).href === text)
const system = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[ -~]+$/)

const releaseFileSchema = z.strictObject({
  name: z
    .string()
    .max(200)
    .regex(/^[A-Za-z0-9][\w.-]*$/),
  platform: z.enum(releasePlatforms),
  architecture: z.enum(releaseArchitectures),
  /** Bytes. */
  size: z.int().min(1),
  /** Lower-case hexadecimal. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  url: address
})
export type ReleaseFile = z.output<typeof releaseFileSchema>

const unique = (texts: readonly string[]): boolean => new Set(texts).size === texts.length

/** What is signed. Unknown names are refused, because a reader must not miss what a later version means by them. */
export const releaseSchema = z
  .strictObject({
    format: z.literal(releaseFormat),
    version: z.literal(releaseFormatVersion),
    product: z.literal(releaseProduct),
    release: version,
    channel: z.enum(releaseChannels),
    /** Rises with each notice of a channel, so that an earlier one is recognised. */
    sequence: z.int().min(1),
    releasedAt: time,
    /** The notice is refused from then on, so that nobody can withhold newer ones for longer. */
    expiresAt: time,
    /** The oldest systems that it runs on, as text. */
    minimumSystem: z.strictObject({ windows: system.optional(), macos: system.optional(), linux: system.optional() }),
    notes: address,
    files: z
      .array(releaseFileSchema)
      .min(1)
      .max(64)
      .refine((files) => unique(files.map(({ name }) => name.toLowerCase())))
  })
  .refine(({ releasedAt, expiresAt }) => Date.parse(releasedAt) < Date.parse(expiresAt), { path: ['expiresAt'] })
export type Release = z.output<typeof releaseSchema>
