/**
 * The diagnostic log: events without the data involved. JSON lines in `veridesk.log`, limited in size, rotated once.
 * It accepts named scalars only; error objects, inputs and replies are excluded, since they may contain secrets or
 * personal data.
 */
import { constants } from 'node:fs'
import { rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ownFolders } from '#wire/files/own-names.ts'
import { makeFolder, openRegular } from '#wire/files/regular.ts'
import type { Clock } from '#kit/clock.ts'
import { createMasker, type Masker } from '../masking/masker.ts'

/** Everything that a line may contain. */
export interface LogFields {
  readonly code?: string
  readonly operation?: string
  readonly outcome?: string
  readonly status?: number
  readonly tookMs?: number
  readonly state?: string
  readonly host?: string
  readonly count?: number
  readonly version?: string
}

export interface Log {
  /** Adds a line; never throws or waits. A line that cannot be written is dropped. */
  write(event: string, fields?: LogFields): void
  /** Masks this text from now on, as a last line of defence. */
  mask(secret: string): void
  /** Resolves when all lines so far are written. */
  flush(): Promise<void>
}

const allowed = new Set<string>([
  'code',
  'operation',
  'outcome',
  'status',
  'tookMs',
  'state',
  'host',
  'count',
  'version'
] satisfies (keyof LogFields)[])
const maxTextLength = 200

/** What is written: nothing, events that report an error, or all. */
export type LogLevel = 'off' | 'errors' | 'all'

/** Opens nothing before the first line. `maxBytes` limits each of the two files. `level` is asked for each line. */
export function createLog(options: {
  folder: string
  clock: Pick<Clock, 'now'>
  maxBytes?: number
  level?: () => LogLevel
}): Log {
  const { folder, clock, maxBytes = 512 * 1024, level = () => 'all' } = options
  const path = join(folder, ownFolders.logs, 'veridesk.log')
  let masker: Masker = createMasker([])
  let queue: Promise<void> = Promise.resolve()

  const masked = (text: string): string => masker.mask(text).slice(0, maxTextLength)

  const append = async (line: string): Promise<void> => {
    await makeFolder(join(folder, ownFolders.logs))
    const size = (await stat(path).catch(() => undefined))?.size ?? 0
    if (size + line.length > maxBytes) await rename(path, `${path}.1`).catch(() => undefined)
    const file = await openRegular(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT)
    try {
      await file.appendFile(line)
    } finally {
      await file.close()
    }
  }

  return {
    write(event, fields = {}) {
      const wanted = level()
      if (wanted === 'off' || (wanted === 'errors' && fields.code === undefined && !event.endsWith('-failed'))) return
      const line: Record<string, string | number> = { at: new Date(clock.now()).toISOString(), event: masked(event) }
      for (const [name, value] of Object.entries(fields) as [string, unknown][]) {
        if (!allowed.has(name)) continue
        if (typeof value === 'string') line[name] = masked(value)
        else if (typeof value === 'number' && Number.isFinite(value)) line[name] = value
      }
      queue = queue.then(() => append(`${JSON.stringify(line)}\n`)).catch(() => undefined)
    },
    mask(secret) {
      masker = createMasker([{ value: secret, placeholder: '[masked]' }], masker)
    },
    flush: () => queue
  }
}
