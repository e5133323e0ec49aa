/** Reading the console's own data files: nothing that cannot be understood is thrown away or written over. */
import { randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { z } from 'zod'
import { failed, failure, type Failure } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'
import { codeOf, reasonOf, sweepAbandoned, writeAtomically } from './write.ts'

export interface VersionedFile<Data> {
  readonly path: string
  /** What the file calls itself, such as `veridesk-settings`. */
  readonly format: string
  /** The version that this console writes. */
  readonly version: number
  readonly schema: z.ZodType<Data>
  /** Turns data of an older version into this version's; a throw means damaged. */
  readonly migrate: (data: unknown, from: number) => unknown
  /** What stands where there is no file, or none that can be used. */
  readonly defaults: Data
  /** Unix milliseconds; names the file that is put aside. */
  readonly now: number
}

export interface VersionedRead<Data> {
  readonly data: Data
  /** What was met: `settings-damaged`, `settings-newer` or `settings-unreadable`. */
  readonly notice?: Failure
  /** Why nothing may be saved in this sitting: the file holds what this console would destroy. */
  readonly refusal?: Failure
}

/** A data file of the console is small; more than this is no file of ours. */
const largestBytes = 8 * 1024 * 1024

const envelopeSchema = z.strictObject({ format: z.string(), version: z.int().min(1), data: z.unknown() })

/**
 * Reads a data file, and never fails:
 * no file: the defaults. Damaged: the file is renamed aside, the defaults. Newer or unreadable: the
 * defaults, and the file must not be written in this sitting.
 */
export async function readVersioned<Data>(file: VersionedFile<Data>): Promise<VersionedRead<Data>> {
  const name = basename(file.path)
  await sweepAbandoned(file.path, file.now)
  const text = readText(file.path)
  if ('missing' in text) return { data: file.defaults }
  if ('reason' in text) return readOnly(file.defaults, failure('settings-unreadable', { file: name, detail: text.reason }))
  const parsed = 'text' in text ? understand(text.text, file) : { fault: text.fault }
  if ('newer' in parsed) return readOnly(file.defaults, failure('settings-newer', { file: name }))
  if ('fault' in parsed) return putAside(file, parsed.fault)
  return parsed
}

/**
 * Reads the file at once, without moving it: for the rare moment in which another process has written it.
 * Failures: `settings-newer`, `settings-unreadable` (damaged too).
 */
export function peekVersioned<Data>(file: VersionedFile<Data>): Result<Data, Failure> {
  const name = basename(file.path)
  const text = readText(file.path)
  if ('missing' in text) return ok(file.defaults)
  const read = 'text' in text ? understand(text.text, file) : { fault: 'fault' in text ? text.fault : text.reason }
  if ('newer' in read) return failed('settings-newer', { file: name })
  return 'fault' in read ? failed('settings-unreadable', { file: name, detail: read.fault }) : ok(read.data)
}

/** Writes data under the file's envelope. Failures: those of `writeAtomically`. */
export function writeVersioned(
  file: Pick<VersionedFile<unknown>, 'path' | 'format' | 'version'>,
  data: unknown
): Promise<Result<null, Failure>> {
  const { path, format, version } = file
  return writeAtomically(path, `${JSON.stringify({ format, version, data }, null, 2)}\n`)
}

type Text = { readonly text: string } | { readonly missing: true } | { readonly reason: string } | { readonly fault: string }

function readText(path: string): Text {
  try {
    const found = statSync(path)
    // A pipe or a device in its place would be read for ever.
    if (!found.isFile()) return { reason: 'it is not a file' }
    if (found.size > largestBytes) return { fault: 'it is far too large' }
    const bytes = readFileSync(path)
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch (error) {
    if (error instanceof TypeError) return { fault: 'it is not text' }
    return codeOf(error) === 'ENOENT' ? { missing: true } : { reason: reasonOf(error) }
  }
}

type Understood<Data> = { readonly data: Data } | { readonly newer: true } | { readonly fault: string }

function understand<Data>(text: string, file: VersionedFile<Data>): Understood<Data> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return { fault: text.trim() === '' ? 'it is empty' : 'it is not JSON' }
  }
  // A newer version may have changed even the envelope, so its number is looked at first.
  const newer = z.looseObject({ format: z.literal(file.format), version: z.int().min(file.version + 1) })
  if (newer.safeParse(json).success) return { newer: true }
  const envelope = envelopeSchema.safeParse(json)
  if (!envelope.success || envelope.data.format !== file.format) return { fault: `it is not a ${file.format} file` }
  try {
    const { version, data } = envelope.data
    const checked = file.schema.safeParse(version < file.version ? file.migrate(data, version) : data)
    return checked.success ? { data: checked.data } : { fault: firstFault(checked.error) }
  } catch {
    return { fault: `its version ${envelope.data.version} could not be brought up to date` }
  }
}

/** Where the first fault is; not the value found there, which may be anything. */
function firstFault(error: z.ZodError): string {
  const issue = error.issues[0]
  const keys = issue?.code === 'unrecognized_keys' ? issue.keys : []
  const where = [...(issue?.path ?? []), ...keys.slice(0, 1)].join('.')
  return where ? `“${where}” is not as expected` : 'its content is not as expected'
}

async function putAside<Data>(file: VersionedFile<Data>, fault: string): Promise<VersionedRead<Data>> {
  const name = basename(file.path)
  const kept = asideName(name, file.now)
  try {
    await rename(file.path, join(dirname(file.path), kept))
  } catch (error) {
    return readOnly(file.defaults, failure('settings-unreadable', { file: name, detail: `${fault}, and ${reasonOf(error)}` }))
  }
  return { data: file.defaults, notice: failure('settings-damaged', { file: name, detail: fault, kept }) }
}

/** `settings.damaged-20260131T120000Z-1f2e.json`: the end keeps two of the same second apart. */
function asideName(name: string, now: number): string {
  const extension = extname(name)
  const stamp = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')
  return `${basename(name, extension)}.damaged-${stamp}-${randomBytes(2).toString('hex')}${extension}`
}

function readOnly<Data>(data: Data, notice: Failure): VersionedRead<Data> {
  return { data, notice, refusal: notice }
}
