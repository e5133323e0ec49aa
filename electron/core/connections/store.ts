/** The connections file: connections in order of creation, and the ids whose old secrets still have to be cleared. */
import { join } from 'node:path'
import { z } from 'zod'
import { connectionDraftSchema, storedDocumentRulesSchema, type Connection } from '#contract/connections/connection.ts'
import { openDataFile, type DataFile } from '#core/files/data-file.ts'
import { ownFiles } from '#wire/files/own-names.ts'
import type { Clock } from '#kit/clock.ts'

export interface ConnectionsData {
  readonly connections: readonly Connection[]
  /** Ids whose keychain entries belong to an earlier address or to a removed connection. */
  readonly disowned: readonly string[]
}

const connectionSchema = connectionDraftSchema.extend({
  id: z.uuid(),
  documents: storedDocumentRulesSchema,
  createdAt: z.number(),
  changedAt: z.number(),
  practice: z.boolean().optional()
})

const dataSchema: z.ZodType<ConnectionsData> = z
  .strictObject({ connections: z.array(connectionSchema), disowned: z.array(z.uuid()).default([]) })
  .refine(({ connections }) => new Set(connections.map(({ id }) => id)).size === connections.length, {
    path: ['connections']
  })

export type ConnectionsStore = DataFile<ConnectionsData>

/** Reads the connections; empty if the file is unusable, and then it is not overwritten. */
export function openConnectionsStore(folder: string, clock: Pick<Clock, 'now'>): Promise<ConnectionsStore> {
  return openDataFile({
    path: join(folder, ownFiles.connections),
    kind: 'connections',
    format: 'veridesk-connections',
    version: 1,
    schema: dataSchema,
    defaults: { connections: [], disowned: [] },
    now: clock.now()
  })
}
