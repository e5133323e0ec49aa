/** Events that say whom a subject is, or erase its key, as an installation of any version may have written them. */
import type { SubjectNumbers } from '#team/thread/ports.ts'
import { z } from 'zod'

/** Their sealed part has the ID of the applicant, if there is one. */
export const namingKinds: ReadonlySet<string> = new Set([
  'record.begun',
  'link.made',
  'approval.answered',
  'batch.shared'
])
export const erasureKind = 'subject.erased'
export const withdrawalKind = 'team.withdrawn'

const numbers = z.array(z.int().min(0))
const erasureSchema = z.object({ subjects: numbers })
const withdrawalSchema = z.object({ subjects: z.record(z.string().regex(/^[0-9a-f]{32}$/), numbers) })

function parsed<T>(schema: z.ZodType<T>, text: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** The subjects of its own whose keys an installation has destroyed. */
export const erasedIn = (plain: string): readonly number[] => parsed(erasureSchema, plain)?.subjects ?? []

/** The subjects of any installation whose keys an installation deleted in the team's database. */
export const withdrawnIn = (plain: string): SubjectNumbers => parsed(withdrawalSchema, plain)?.subjects ?? {}
