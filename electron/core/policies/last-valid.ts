/**
 * The copy of the policies that were in force last, in the data folder: if their source is unusable at a start, it is used
 * instead. It tells as well what has changed since the last session. docs/decisions/0026 says what it does not promise.
 */
import { join } from 'node:path'
import { z } from 'zod'
import { openDataFile } from '#core/files/data-file.ts'
import { ownFiles } from '#wire/files/own-names.ts'
import type { Clock } from '#kit/clock.ts'
import type { PolicyPlace } from '#core/ports/policies.ts'
import { noPolicies, understand, type PolicySet } from './understand.ts'

export interface LastValid {
  /** Empty if there was no policy, or if the copy is not valid. */
  get(): PolicySet
  /** Never fails: what a full disk does not hold is read from the source at the next start. */
  set(next: PolicySet): Promise<void>
}

/** As the administrator wrote them, so that they are checked again by the table of the version that reads them. */
const copySchema = z.strictObject({
  policies: z.array(z.strictObject({ name: z.string(), place: z.string(), value: z.unknown() }))
})
type Copy = z.output<typeof copySchema>

/** One source for each policy, so that each keeps its own place. */
const sourcesOf = ({ policies }: Copy): PolicyPlace[] =>
  policies.map(({ name, place, value }) => ({ place, found: { kind: 'values', values: { [name]: value } } }))

const copyOf = ({ values, places }: PolicySet): Copy => ({
  policies: Object.entries(values).map(([name, value]) => ({
    name,
    place: places[name as keyof typeof places] ?? '',
    value
  }))
})

export async function openLastValid(folder: string, clock: Pick<Clock, 'now'>): Promise<LastValid> {
  const file = await openDataFile<Copy>({
    path: join(folder, ownFiles.policiesInForce),
    format: 'veridesk-policies-in-force',
    version: 1,
    schema: copySchema,
    defaults: { policies: [] },
    now: clock.now()
  })
  return {
    get() {
      const understood = understand(sourcesOf(file.data()))
      return understood.ok ? understood.value : noPolicies
    },
    async set(next) {
      const copy = copyOf(next)
      if (JSON.stringify(copy) === JSON.stringify(file.data())) return
      if (file.refresh().ok) await file.write(copy)
    }
  }
}
