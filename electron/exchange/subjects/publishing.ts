/** Publishes the keys of this installation's subjects, before the events that they open. */
import { failed } from '#contract/failures/failures.ts'
import { ok } from '#contract/failures/result.ts'
import { onReceived } from '#team/storage/on-received.ts'
import { erasedIn, erasureKind } from './erasures.ts'
import { giveKeys } from './giving.ts'
import type { Answer, SubjectParts } from './ports.ts'
import { subjectTag, tagKey } from './tags.ts'

/** An event of this installation, as far as it concerns subjects. */
export interface OwnEvent {
  readonly seq: number
  readonly kind: string
  readonly subject: number | null
  readonly plain: string
  readonly sealed: Uint8Array | null
}

export interface Published {
  /** Keys that were given to the database. */
  readonly keys: number
  /** The database has keys of a newer epoch. */
  readonly outdated: boolean
}

/** Subjects in one statement. */
export const subjectsAtOnce = 256

/**
 * Publishes the subjects of events that are about to be shared, as far as the database was not given them yet, and notes
 * which of them these events erase. Repeating it changes nothing.
 *
 * Failures: `team-key-missing`; the line's; those of the history and the file.
 *
 * @param events Without gaps, and with their sealed parts only if those are shared.
 */
export async function publishSubjects(parts: SubjectParts, events: readonly OwnEvent[]): Answer<Published> {
  const { store } = parts
  const numbers = events.flatMap(({ subject, sealed }) => (subject !== null && sealed !== null ? [subject] : []))
  const published = await publish(parts, numbers)
  if (!published.ok) return published
  const noted = onReceived(() => {
    store.eraseOwn(events.flatMap(({ kind, plain }) => (kind === erasureKind ? erasedIn(plain) : [])))
    const [first, last] = [events[0]?.seq ?? 0, events.at(-1)?.seq ?? 0]
    if (store.publishedUntil >= first - 1 && store.publishedUntil < last) store.notePublishedUntil(last)
  })
  return noted.ok ? published : noted
}

/** Wraps a page of what was published for an older epoch anew. Failures: as `publishSubjects`. */
export async function republish(parts: SubjectParts): Answer<Published & { readonly more: boolean }> {
  const { keys, store } = parts
  const older = onReceived(() => store.olderOwn(keys.vault()?.number ?? 0, subjectsAtOnce))
  if (!older.ok) return older
  const published = await publish(parts, older.value)
  return published.ok ? ok({ ...published.value, more: older.value.length === subjectsAtOnce }) : published
}

/** Keys that one question looks for. */
const lookedForAtOnce = 4096

/**
 * Finds out which keys of this installation the database no longer has; `republish` gives them again. Failures: the line's;
 * those of the file. @returns How many.
 */
export async function findMissing({ team, installation, keys, tables, store }: SubjectParts): Answer<number> {
  const [first, vault] = [keys.of(1), keys.vault()]
  if (!first || !vault) return ok(0)
  const key = tagKey(first)
  let count = 0
  for (let after = 0; ;) {
    const page = onReceived(() => store.given(vault.number, after, lookedForAtOnce))
    if (!page.ok) return page
    const last = page.value.at(-1)
    if (last === undefined) return ok(count)
    after = last
    const tags = new Map(
      page.value.map((number) => {
        const tag = subjectTag(key, { team, installation, number })
        return [tag.toString('hex'), { tag, number }]
      })
    )
    const missing = await tables.missing([...tags.values()].map(({ tag }) => tag))
    if (!missing.ok) return missing
    const lost = missing.value.flatMap((tag) => tags.get(tag)?.number ?? [])
    const noted = onReceived(() => store.giveAgain(lost))
    if (!noted.ok) return noted
    count += lost.length
  }
}

async function publish(
  { team, installation, keys, tables, store, history }: SubjectParts,
  numbers: readonly number[]
): Answer<Published> {
  const [first, vault] = [keys.of(1), keys.vault()]
  if (!first || !vault) return failed('team-key-missing')
  const missing = onReceived(() => store.unpublished(numbers, vault.number))
  if (!missing.ok) return missing
  if (missing.value.length === 0) return ok({ keys: 0, outdated: false })
  const found = await history.subjects(missing.value)
  if (!found.ok) return found
  const key = tagKey(first)
  const given = found.value.map((subject) => ({
    ...subject,
    tag: subjectTag(key, { team, installation, number: subject.number })
  }))
  const stored = await giveKeys(tables, team, vault, given)
  if (!stored.ok) return stored
  const { refused, outdated } = stored.value
  const noted = onReceived(() => {
    store.notePublished(
      given.map(({ number, applicantId, tag }) => ({
        number,
        ...(applicantId !== undefined && { applicantId }),
        refused: refused.has(tag.toString('hex'))
      })),
      vault.number
    )
    // Their keys were destroyed in the history; the event that says so follows.
    const here = new Set(found.value.map(({ number }) => number))
    store.noteGone(
      missing.value.filter((number) => !here.has(number)),
      vault.number
    )
  })
  return noted.ok ? ok({ keys: given.length - refused.size, outdated }) : noted
}
