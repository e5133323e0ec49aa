/** Keys of colleagues' subjects: asked for by tag, unwrapped, and compared with what their installations signed. */
import type { KeyObject } from 'node:crypto'
import { ok } from '#contract/failures/result.ts'
import { recordedValues } from '#kit/hashing/values.ts'
import { unseal } from '#kit/sealing/seal.ts'
import { unwrapSubjectKey } from '../keys/vault.ts'
import type { VaultKey } from '#team/thread/ports.ts'
import { onReceived } from '#team/storage/on-received.ts'
import type { ShownKey } from '#team/subjects/database.ts'
import { namingKinds } from './erasures.ts'
import { giveKeys } from './giving.ts'
import { keyFaultStates } from '#team/storage/states.ts'
import type { AwaitedSubject, KnownSubject } from './known.ts'
import type { Answer, SealedPart, SubjectParts } from './ports.ts'
import { subjectTag, tagKey } from './tags.ts'

interface Asking {
  readonly now: number
  /** Everything that the database shows was received: an erasure that is not here was not signed. */
  readonly complete: boolean
}

/** Subjects in one question, and questions before events have their turn again. */
const [askedAtOnce, pagesAtOnce] = [500, 2]

interface TaggedSubject {
  readonly subject: AwaitedSubject
  readonly tag: Buffer
}

export interface Arrived {
  readonly keys: number
  /** The database has keys of a newer epoch. */
  readonly outdated: boolean
  readonly more: boolean
}

/**
 * Asks for the keys of awaited subjects. One that is not there, or does not fit, is awaited further.
 *
 * A missing key is no erasure: only an event that somebody signed is. And a key counts only if it opens what its
 * installation signed: a member can wrap any key for any tag, but cannot say in a colleague's name whom it is about.
 *
 * Failures: the line's; those of the file.
 */
export async function receiveKeys(parts: SubjectParts, { now, complete }: Asking): Answer<Arrived> {
  const { keys, store } = parts
  const [first, vault] = [keys.of(1), keys.vault()]
  if (!first || !vault) return ok({ keys: 0, outdated: false, more: false })
  const asking = { now, complete, tagKey: tagKey(first), vault }
  const fresh = await askFor(parts, (limit) => store.neverAsked(limit), asking)
  // However much was not there before, what is new does not wait for it.
  if (!fresh.ok || fresh.value.more) return fresh
  const again = await askFor(parts, (limit) => store.toAskAgain(now, limit), asking)
  if (!again.ok) return again
  return ok({
    keys: fresh.value.keys + again.value.keys,
    outdated: fresh.value.outdated || again.value.outdated,
    more: again.value.more && again.value.keys > 0
  })
}

/** Asks for the keys of some pages of subjects. @returns Whether there may be more. */
async function askFor(
  parts: SubjectParts,
  choose: (limit: number) => readonly AwaitedSubject[],
  asking: Asking & { readonly tagKey: KeyObject; readonly vault: VaultKey }
): Answer<Arrived> {
  const { team, tables, store } = parts
  const awaited = onReceived(() => choose(askedAtOnce * pagesAtOnce))
  if (!awaited.ok) return awaited
  const questions: { readonly asked: readonly TaggedSubject[]; readonly rows: ReturnType<typeof tables.rows> }[] = []
  const ask = (page: number): void => {
    const asked = awaited.value
      .slice(page * askedAtOnce, (page + 1) * askedAtOnce)
      .map((subject) => ({ subject, tag: subjectTag(asking.tagKey, { team, ...subject }) }))
    if (asked.length > 0) questions.push({ asked, rows: tables.rows(asked.map(({ tag }) => tag)) })
  }
  let [keys, outdated] = [0, false]
  ask(0)
  for (let page = 0; ; page += 1) {
    const question = questions[page]
    if (!question) return ok({ keys, outdated, more: awaited.value.length === askedAtOnce * pagesAtOnce })
    const shown = await question.rows
    if (!shown.ok) return shown
    // The database looks for the next page while this one is unwrapped.
    ask(page + 1)
    const taken = onReceived(() => store.together(() => (keys += take(parts, question.asked, shown.value, asking))))
    if (!taken.ok) return taken
    outdated ||= shown.value.some(({ wrapped, epoch }) => wrapped !== null && epoch > asking.vault.number)
  }
}

/** Takes the keys that fit. @returns How many. */
function take(
  parts: SubjectParts,
  asked: readonly TaggedSubject[],
  shown: readonly ShownKey[],
  { now, complete, vault }: Asking & { readonly vault: VaultKey }
): number {
  const byTag = new Map(shown.map((row) => [row.tag, row]))
  let keys = 0
  for (const { subject, tag } of asked) {
    const found = opened(parts, subject, byTag.get(tag.toString('hex')), vault)
    if (typeof found === 'object') {
      parts.store.arrive(subject, { ...found, epoch: vault.number })
      keys += 1
    } else parts.store.miss(subject, now, found === keyFaultStates.missing ? missedBefore(subject, complete) : found)
  }
  return keys
}

/** An erasure and its event do not reach the database at one moment, so the first time says nothing. */
const missedBefore = ({ fault }: AwaitedSubject, complete: boolean): number =>
  !complete
    ? fault
    : fault === keyFaultStates.missing || fault === keyFaultStates.stillMissing
      ? keyFaultStates.stillMissing
      : keyFaultStates.missing

/** The key in a row, or why it is not there. */
function opened(
  { team, sealedAt }: SubjectParts,
  { installation, witness }: AwaitedSubject,
  row: ShownKey | undefined,
  vault: VaultKey
): { readonly key: Buffer; readonly applicant?: string } | number {
  if (!row?.wrapped) return keyFaultStates.missing
  // Wrapped for an epoch whose vault key is not here: its installation, or another one, wraps it anew.
  if (row.epoch !== vault.number) return keyFaultStates.none
  const key = unwrapSubjectKey(row.wrapped, { team, tag: row.tag }, vault)
  const part = sealedAt(installation, witness)
  const found = key.ok && part && applicantIn(key.value, part)
  return found ? { key: key.value, ...found } : keyFaultStates.refused
}

/** Which applicant a sealed part names, if it names one. Undefined if the key does not open it as its installation signed it. */
export function applicantIn(
  key: Buffer,
  { kind, sealed, values }: SealedPart
): { readonly applicant?: string } | undefined {
  const part = unseal(key, kind, sealed)
  const said = part && recordedValues(part.salt, part.payload, values)
  if (!said) return undefined
  const { applicantId } = namingKinds.has(kind) ? said : {}
  return typeof applicantId === 'string' ? { applicant: applicantId } : {}
}

/**
 * Wraps a page of colleagues' keys anew that the database has for an older epoch alone. Their installations may be away,
 * or may have been removed, and who joined since could not open them. Failures: as `receiveKeys`.
 */
export async function rewrapOthers({ team, keys, tables, store }: SubjectParts): Answer<Arrived> {
  const [first, vault] = [keys.of(1), keys.vault()]
  if (!first || !vault) return ok({ keys: 0, outdated: false, more: false })
  const older = onReceived(() => store.older(vault.number, askedAtOnce))
  if (!older.ok) return older
  if (older.value.length === 0) return ok({ keys: 0, outdated: false, more: false })
  const tagged = withTags(older.value, tagKey(first), team)
  const shown = await tables.rows([...tagged.values()].map(({ tag }) => tag))
  if (!shown.ok) return shown
  // A row that is missing is not made anew: an erasure of it may not have arrived.
  const wanted = shown.value.flatMap(({ tag, epoch, wrapped }) =>
    wrapped !== null && epoch < vault.number ? (tagged.get(tag) ?? []) : []
  )
  const found = onReceived(() =>
    wanted.flatMap(({ tag, subject }) => {
      const key = store.find(subject)?.key
      return key ? [{ tag, key }] : []
    })
  )
  if (!found.ok) return found
  const given = await giveKeys(tables, team, vault, found.value)
  if (!given.ok) return given
  const noted = onReceived(() => store.noteRewrapped(older.value, vault.number))
  return noted.ok ? ok({ keys: 0, outdated: given.value.outdated, more: older.value.length === askedAtOnce }) : noted
}

const withTags = (
  subjects: readonly KnownSubject[],
  key: KeyObject,
  team: string
): ReadonlyMap<string, { readonly tag: Buffer; readonly subject: KnownSubject }> =>
  new Map(
    subjects.map((subject) => {
      const tag = subjectTag(key, { team, ...subject })
      return [tag.toString('hex'), { tag, subject }]
    })
  )
