/** What a round does about keys, besides publishing them: erase, wrap anew, receive. Each step repeats without harm. */
import type { Failure } from '#contract/failures/failures.ts'
import { failure } from '#contract/failures/failures.ts'
import { ok } from '#contract/failures/result.ts'
import { onReceived } from '#team/storage/on-received.ts'
import { receiveKeys, rewrapOthers } from './arriving.ts'
import type { SubjectNumbers } from '#team/thread/ports.ts'
import { keyFaultStates } from '#team/storage/states.ts'
import type { ErasableKey } from './known.ts'
import type { Answer, SubjectParts } from './ports.ts'
import { republish } from './publishing.ts'
import { subjectTag, tagKey } from './tags.ts'

export interface KeysRound {
  /** Keys that arrived. */
  readonly keys: number
  /** The database has keys of a newer epoch than the list of members that is known here. */
  readonly outdated: boolean
  readonly more: boolean
}

/** Keys deleted in one statement. */
const erasedAtOnce = 1000

export interface KeysTime {
  readonly now: number
  /** Everything that the database shows was received. */
  readonly complete: boolean
  /** Nothing is given before the user of this installation has chosen what is shared. */
  readonly isSharing: boolean
}

type Given = Omit<KeysRound, 'keys'>
const nothing: Given = { outdated: false, more: false }

/** Failures: the line's; those of the history and the file. */
export async function exchangeKeys(parts: SubjectParts, time: KeysTime): Answer<KeysRound> {
  const { keys, store, installation } = parts
  if (!keys.of(1) || !keys.vault()) return ok({ ...nothing, keys: 0 })
  const followed = onReceived(() => store.followWithdrawals(installation))
  if (!followed.ok) return followed
  const given = time.isSharing ? await give(parts, time.now) : ok(nothing)
  if (!given.ok) return given
  const arrived = await receiveKeys(parts, time)
  if (!arrived.ok) return arrived
  const emptied = onReceived(() => store.emptyLog())
  if (!emptied.ok) return emptied
  return ok({
    keys: arrived.value.keys,
    outdated: given.value.outdated || arrived.value.outdated,
    more: given.value.more || arrived.value.more
  })
}

/** Erases, then wraps anew: the keys of this installation before those of colleagues. */
async function give(parts: SubjectParts, now: number): Answer<Given> {
  const erased = await eraseKeys(parts, now)
  if (!erased.ok) return erased
  const own = await republish(parts)
  if (!own.ok) return own
  const others = own.value.more ? ok(nothing) : await rewrapOthers(parts)
  return others.ok
    ? ok({
        outdated: own.value.outdated || others.value.outdated,
        more: erased.value.more || own.value.more || others.value.more
      })
    : others
}

/**
 * Deletes keys in the database. Before one that no erasure of this installation names, an event says so: whoever finds
 * it missing can tell an erasure from a loss. Failures: the line's; those of the history and the file.
 */
async function eraseKeys(parts: SubjectParts, now: number): Answer<{ readonly more: boolean }> {
  const { store, history } = parts
  const untold = onReceived(() => store.toTell(now, erasedAtOnce))
  if (!untold.ok) return untold
  if (untold.value.length > 0) {
    const told = await history.withdraw(byInstallation(untold.value, parts.installation))
    if (!told.ok) return told
    const noted = onReceived(() => store.noteTold(untold.value))
    if (!noted.ok) return noted
  }
  const queued = onReceived(() => store.toErase(erasedAtOnce))
  if (!queued.ok) return queued
  const first = parts.keys.of(1)
  // What was said is shared with the next round.
  const more = untold.value.length > 0 || queued.value.length === erasedAtOnce
  if (queued.value.length === 0 || !first) return ok({ more })
  const key = tagKey(first)
  const erased = await parts.tables.erase(
    queued.value.map(({ installation, number }) =>
      subjectTag(key, { team: parts.team, installation: installation ?? parts.installation, number })
    )
  )
  if (!erased.ok) return erased
  const noted = onReceived(() => store.noteErased(queued.value))
  return noted.ok ? ok({ more }) : noted
}

function byInstallation(keys: readonly ErasableKey[], self: string): SubjectNumbers {
  const found: Record<string, number[]> = {}
  for (const { installation, number } of keys) (found[installation ?? self] ??= []).push(number)
  return found
}

/** What is wrong with keys, by installation. Throws SQLite's errors. */
export function keyFaults({
  store,
  installation: self
}: Pick<SubjectParts, 'store' | 'installation'>): ReadonlyMap<string, readonly Failure[]> {
  const found = new Map<string, Failure[]>()
  const add = (installation: string, each: Failure): void =>
    void found.set(installation, [...(found.get(installation) ?? []), each])
  for (const { installation, fault, count } of store.faults())
    add(
      installation,
      fault === keyFaultStates.refused
        ? failure('team-applicant-keys-refused', { installation, count })
        : failure('team-applicant-keys-missing', { installation, count })
    )
  if (store.refused > 0) add(self, failure('team-applicant-keys-missing', { installation: self, count: store.refused }))
  return found
}
