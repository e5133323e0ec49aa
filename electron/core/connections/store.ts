/** The connections file: connections in their order of creation, and whose old secrets wait to be cleared. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { connectionDraftSchema, type Connection } from '#contract/connection.ts'
import type { Failure } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'
import { readVersioned, refused, writeVersioned, type VersionedFile } from '#core/files/versioned.ts'
import type { Clock } from '#core/ports.ts'

export interface ConnectionsData {
  readonly connections: readonly Connection[]
  /** Ids whose entries in the keychain belong to an earlier address or to a removed connection. */
  readonly disowned: readonly string[]
}

const connectionSchema = connectionDraftSchema.extend({
  id: z.uuid(),
  createdAt: z.number(),
  changedAt: z.number(),
  practice: z.boolean().optional()
})

const dataSchema: z.ZodType<ConnectionsData> = z
  .strictObject({ connections: z.array(connectionSchema), disowned: z.array(z.uuid()).default([]) })
  .refine(({ connections }) => new Set(connections.map(({ id }) => id)).size === connections.length, {
    path: ['connections']
  })

export interface ConnectionsStore {
  data(): ConnectionsData
  readonly notices: readonly Failure[]
  /** Why nothing can be saved in this sitting, if so. */
  readonly refusal?: Failure
  /** Replaces the whole data, on disk before it settles. Failures: `settings-*`, `disk-full`. */
  write(data: ConnectionsData): Promise<Result<null, Failure>>
}

/** Reads the connections; none and a notice where the file cannot be used. Makes the folder. */
export async function openConnectionsStore(folder: string, clock: Pick<Clock, 'now'>): Promise<ConnectionsStore> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(() => undefined)
  const file: VersionedFile<ConnectionsData> = {
    path: join(folder, 'connections.json'),
    format: 'veridesk-connections',
    version: 1,
    schema: dataSchema,
    migrate: (data) => data,
    defaults: { connections: [], disowned: [] },
    now: clock.now()
  }
  const { data, notice, refusal } = await readVersioned(file)
  let current = data
  return {
    data: () => current,
    notices: notice ? [notice] : [],
    refusal,
    async write(next) {
      if (refusal) return refused(refusal)
      const written = await writeVersioned(file, next)
      if (!written.ok) return written
      current = next
      return ok(null)
    }
  }
}
