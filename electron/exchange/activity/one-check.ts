/** One check of a colleague with everything that was shared of it, to read. */
import { z } from 'zod'
import type { TeamCheck, TeamCheckQuery } from '#contract/team/activity.ts'
import { bodyPurpose } from '#wire/history/record-payloads.ts'
import { recordedValues } from '#kit/hashing/values.ts'
import { unseal } from '#kit/sealing/seal.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { placeOf } from '#team/log/places.ts'
import { sealedOf } from './forms.ts'
import type { ReceivedEvent, ReceivedSubject } from './received-events.ts'
import type { MemberNames, ShownEntries } from './shown.ts'

const endedForm = z.object({
  took: z.number().min(0).optional().catch(undefined),
  reply: z
    .object({ bytes: z.int().min(0), truncated: z.boolean(), values: z.string() })
    .nullable()
    .optional()
    .catch(undefined)
})
const bodyForm = z.object({ body: z.string() })
/** Characters: the service's answers have at most a mebibyte. */
const longest = 1024 * 1024

/** Reads the file of received events. Throws SQLite's errors; `onReceived` turns them into failures. */
export class OneCheck {
  private readonly shown: ShownEntries
  private readonly refOf
  private readonly row

  constructor(db: Db, shown: ShownEntries) {
    this.shown = shown
    this.refOf = db.prepare('SELECT ref FROM installation WHERE id = ?').pluck()
    this.row = db.prepare(
      'SELECT c.subject, c.ended FROM entry e JOIN check_end c ON c.ref = e.ref AND c.record = e.record WHERE e.place = ?'
    )
  }

  /** Undefined if there is no such check. */
  read({ installation, seq }: TeamCheckQuery, names: MemberNames): TeamCheck | undefined {
    const ref = this.refOf.get(installation) as number | undefined
    const entry = ref === undefined ? undefined : this.shown.at(placeOf(ref, seq), names)
    const row =
      ref === undefined
        ? undefined
        : (this.row.get(placeOf(ref, seq)) as { readonly subject: number; readonly ended: number | null } | undefined)
    if (ref === undefined || !entry || !row || entry.what.kind !== 'check') return undefined
    // Of a linked check, what its applicant's erasure closed stays closed.
    const own: ReceivedSubject = entry.closed
      ? { key: null, applicant: null }
      : this.shown.events.subject(ref, row.subject)
    const begun = this.shown.events.get(ref, seq)
    const input = begun && this.shown.events.sealed(begun, own.key, sealedOf.begun)?.input
    return { entry, ...(input && { input: shortened(input) }), ...this.ending(ref, row.ended, own.key) }
  }

  private ending(ref: number, seq: number | null, key: Buffer | null): Pick<TeamCheck, 'took' | 'reply'> {
    const ended = seq === null ? undefined : this.shown.events.get(ref, seq)
    const plain = ended && this.shown.events.plain(ended, endedForm)
    if (!ended || !plain) return {}
    const { took, reply } = plain
    const body = reply ? bodyOf(ended, reply.values, key) : undefined
    return {
      ...(took !== undefined && { took }),
      ...(reply && { reply: { bytes: reply.bytes, truncated: reply.truncated, ...(body !== undefined && { body }) } })
    }
  }
}

/** As much of an input as is shown. */
const shortened = (input: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(input)
      .slice(0, 50)
      .map(([name, value]) => [name.slice(0, 100), value.slice(0, 10_000)])
  )

/** The text of a response, if its values are those of the digest in its event. */
function bodyOf({ reply }: ReceivedEvent, digest: string, key: Buffer | null): string | undefined {
  const opened = reply && key ? unseal(key, bodyPurpose, reply) : undefined
  const read = opened && bodyForm.safeParse(recordedValues(opened.salt, opened.payload, digest))
  return read?.data?.body.slice(0, longest)
}
