/** Reads Veridesk's own data files. A file that cannot be interpreted is neither discarded nor overwritten. */
import { randomBytes } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { failure, type Failure, type FailureDetails } from '#contract/failures/failures.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { asideName, type AsideReason } from '#wire/files/own-names.ts'
import { ownFileBytes, readRegularSync } from '#wire/files/regular.ts'
import { codeOf, sweepAbandoned, syncFolder, writeAtomically } from '#wire/files/write.ts'

/**
 * The purpose of a file, which determines its failures. A damaged data file is replaced with its defaults. A damaged
 * file of settings or connections stays in place, so that every start reports it until a user repairs it or sets it
 * aside: using defaults instead of a configured proxy or authority could send data that must not be sent.
 */
export type FileKind = 'settings' | 'connections' | 'data-file'

export interface VersionedFile<Data> {
  readonly path: string
  /** Defaults to `data-file`. */
  readonly kind?: FileKind
  /** The format name in the file, such as `veridesk-settings`. */
  readonly format: string
  /** The version that this application writes. */
  readonly version: number
  readonly schema: z.ZodType<Data>
  /** Used if there is no file, or no usable one. */
  readonly defaults: Data
  /** Unix milliseconds; part of the name of a file that is set aside. */
  readonly now: number
}

export interface VersionedRead<Data> {
  readonly data: Data
  /** The problem found: `-damaged`, `-newer` or `-unreadable` of the file's kind. */
  readonly notice?: Failure
  /** Why nothing may be saved until the file is set aside: it contains data that would be lost. */
  readonly fault?: FileFault
}

/** Why an existing file is unusable. */
export interface FileFault {
  readonly why: AsideReason
  readonly failure: Failure
}

const envelopeSchema = z.strictObject({ format: z.string(), version: z.int().min(1), data: z.unknown() })

/**
 * Reads a data file; never fails. No file: the defaults. Damaged: the defaults; the file is renamed or left in place,
 * depending on its kind. Newer or unreadable: the defaults, and the file must not be written until it is set aside.
 */
export async function readVersioned<Data>(file: VersionedFile<Data>): Promise<VersionedRead<Data>> {
  await sweepAbandoned(file.path, file.now)
  const text = readText(file.path)
  if ('missing' in text) return { data: file.defaults }
  if ('errno' in text) return unusable(file, 'unreadable', text)
  const parsed = 'text' in text ? understand(text.text, file) : { fault: text.fault }
  if ('newer' in parsed) return withFault(file, newer(file))
  if (!('fault' in parsed)) return parsed
  return kindOf(file) === 'data-file' ? renameDamaged(file, parsed.fault) : unusable(file, 'damaged', parsed.fault)
}

/**
 * Reads the file synchronously, without moving it; for the rare case that another process has written it. Failures:
 * `-newer` or `-unreadable` (also if damaged) of the file's kind.
 */
export function peekVersioned<Data>(file: VersionedFile<Data>): Result<Data, Failure> {
  const text = readText(file.path)
  if ('missing' in text) return ok(file.defaults)
  const read = 'text' in text ? understand(text.text, file) : { fault: 'fault' in text ? text.fault : text }
  if ('newer' in read) return fail(newer(file).failure)
  return 'fault' in read ? fail(faultOf(file, 'unreadable', read.fault).failure) : ok(read.data)
}

/** Writes data in the file's envelope. Failures: those of `writeAtomically`. */
export function writeVersioned(
  file: Pick<VersionedFile<unknown>, 'path' | 'format' | 'version'>,
  data: unknown
): Promise<Result<null, Failure>> {
  return writeAtomically(file.path, fileText(file, data))
}

/** Data in the file's envelope. */
export const fileText = (
  { format, version }: Pick<VersionedFile<unknown>, 'format' | 'version'>,
  data: unknown
): string => `${JSON.stringify({ format, version, data }, null, 2)}\n`

/** What is wrong with an existing file: a reason of the data files' failures, or the system's error code. */
type Why =
  FailureDetails<'data-file-unreadable'> extends infer Each
    ? Each extends { readonly cause: unknown }
      ? never
      : Each extends unknown
        ? Omit<Each, 'file'>
        : never
    : never

type Text =
  | { readonly text: string }
  | { readonly missing: true }
  | { readonly errno: string }
  | { readonly fault: Why }

function readText(path: string): Text {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(readRegularSync(path, ownFileBytes)) }
  } catch (error) {
    if (error instanceof TypeError) return { fault: { reason: 'not-text' } }
    if (codeOf(error) === 'EFBIG') return { fault: { reason: 'too-large' } }
    return codeOf(error) === 'ENOENT' ? { missing: true } : { errno: codeOf(error) }
  }
}

type Understood<Data> = { readonly data: Data } | { readonly newer: true } | { readonly fault: Why }

function understand<Data>(text: string, file: VersionedFile<Data>): Understood<Data> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return { fault: { reason: text.trim() === '' ? 'empty' : 'not-json' } }
  }
  // A newer version may have changed even the envelope, so its number is read first.
  const newer = z.looseObject({ format: z.literal(file.format), version: z.int().min(file.version + 1) })
  if (newer.safeParse(json).success) return { newer: true }
  const envelope = envelopeSchema.safeParse(json)
  if (!envelope.success || envelope.data.format !== file.format)
    return { fault: { reason: 'other-format', format: file.format } }
  const { version, data } = envelope.data
  if (version !== file.version) return { fault: { reason: 'other-version', version } }
  const checked = file.schema.safeParse(data)
  return checked.success ? { data: checked.data } : { fault: firstFault(checked.error) }
}

/** The location of the first error; not the value, which may be anything. */
function firstFault(error: z.ZodError): Why {
  const issue = error.issues[0]
  const keys = issue?.code === 'unrecognized_keys' ? issue.keys : []
  const where = [...(issue?.path ?? []), ...keys.slice(0, 1)].join('.')
  return where ? { reason: 'field', field: where } : { reason: 'content' }
}

/** Renames a damaged file and uses the defaults. */
async function renameDamaged<Data>(file: VersionedFile<Data>, why: Why): Promise<VersionedRead<Data>> {
  const aside = await putAside(file, 'damaged')
  if ('errno' in aside) return unusable(file, 'unreadable', { reason: 'not-renamed', errno: aside.errno })
  return {
    data: file.defaults,
    notice: failure('data-file-damaged', { file: basename(file.path), ...why, kept: aside.kept })
  }
}

/** Renames an unusable file; returns its new name, or the error code if renaming failed. */
export async function putAside(
  file: Pick<VersionedFile<unknown>, 'path' | 'now'>,
  why: FileFault['why']
): Promise<{ readonly kept: string } | { readonly errno: string }> {
  const kept = asideName(basename(file.path), why, asideMark(file.now))
  try {
    await rename(file.path, join(dirname(file.path), kept))
    await syncFolder(dirname(file.path))
    return { kept }
  } catch (error) {
    return { errno: codeOf(error) }
  }
}

/** The suffix distinguishes files of the same second. */
const asideMark = (now: number): string =>
  `${new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')}-${randomBytes(2).toString('hex')}`

const kindOf = ({ kind = 'data-file' }: Pick<VersionedFile<unknown>, 'kind'>): FileKind => kind

const newer = (file: Pick<VersionedFile<unknown>, 'kind' | 'path'>): FileFault => ({
  why: 'newer',
  failure: failure(`${kindOf(file)}-newer`, { file: basename(file.path) })
})

function faultOf(
  file: Pick<VersionedFile<unknown>, 'kind' | 'path'>,
  why: 'damaged' | 'unreadable',
  details: Why
): FileFault {
  // A damaged file of the other kind is renamed and does not get here.
  const code =
    why === 'damaged'
      ? (`${kindOf(file) as 'settings' | 'connections'}-damaged` as const)
      : (`${kindOf(file)}-unreadable` as const)
  return { why, failure: failure(code, { file: basename(file.path), ...details }) }
}

const unusable = <Data>(file: VersionedFile<Data>, why: 'damaged' | 'unreadable', details: Why): VersionedRead<Data> =>
  withFault(file, faultOf(file, why, details))

function withFault<Data>(file: VersionedFile<Data>, fault: FileFault): VersionedRead<Data> {
  return { data: file.defaults, notice: fault.failure, fault }
}
