/**
 * Epochs of a team's keys. Each removal, and each erasure, begins one: two new random keys. The content key seals events,
 * and seals the content key before it, so that newcomers read the past. The vault key wraps the keys of applicants, and
 * nothing leads back from it: a backup cannot undo an erasure. docs/decisions/0017-team-keys.md.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { canonical } from '#kit/hashing/canonical-json.ts'
import { sealForRecovery } from './recovery.ts'
import { openUnder, sealUnder } from './sealing.ts'

export const epochKeyBytes = 32

/** The secret keys of an epoch: 32 bytes each. */
export interface EpochKeys {
  readonly number: number
  readonly content: Buffer
  readonly vault: Buffer
}

/** What the signed list of members says about an epoch. */
export interface Epoch {
  /** From 1. */
  readonly number: number
  /** Commitments to its two keys: 64 hex digits. */
  readonly content: string
  readonly vault: string
  /** The content key before, sealed under this one: hex. Null in the first epoch. */
  readonly previous: string | null
  /** The content key, sealed for the team's recovery key: hex. Absent in a team without one. */
  readonly recovery?: string | undefined
}

/** Identifies a key without revealing it. A key without the announced commitment is not used, whoever sealed it. */
const commitment = (key: Uint8Array, use: 'content' | 'vault', number: number): string =>
  createHmac('sha256', key).update(`veridesk/team/commitment/${use}/${number}`).digest('hex')

const purpose = 'content-key-before'
const bindingOf = (team: string, number: number): Buffer => Buffer.from(canonical({ epoch: number, team }), 'utf8')

/** The first epoch of a team. @param recovery The public half of its recovery key that content keys are sealed for, hex. */
export function firstEpoch(recovery?: string): { readonly epoch: Epoch; readonly keys: EpochKeys } {
  const keys = freshKeys(1)
  return { keys, epoch: announced(keys, null, recovery) }
}

/**
 * The epoch after another.
 *
 * @param team Fingerprint of the team.
 * @param before Number and content key of the current epoch.
 * @param recovery As for `firstEpoch`.
 */
export function nextEpoch(
  team: string,
  before: Pick<EpochKeys, 'number' | 'content'>,
  recovery?: string
): { readonly epoch: Epoch; readonly keys: EpochKeys } {
  const keys = freshKeys(before.number + 1)
  return {
    keys,
    epoch: announced(
      keys,
      sealUnder(keys.content, purpose, bindingOf(team, keys.number), before.content).toString('hex'),
      recovery
    )
  }
}

const freshKeys = (number: number): EpochKeys => ({
  number,
  content: randomBytes(epochKeyBytes),
  vault: randomBytes(epochKeyBytes)
})

function announced(
  { number, content, vault }: EpochKeys,
  previous: string | null,
  recovery: string | undefined
): Epoch {
  const sealed = recovery === undefined ? undefined : sealForRecovery(content, number, recovery)
  return {
    number,
    content: commitment(content, 'content', number),
    vault: commitment(vault, 'vault', number),
    previous,
    ...(sealed !== undefined && { recovery: sealed })
  }
}

/** Whether keys are those that the list of members announced for this epoch. */
export const keysFit = (keys: EpochKeys, epoch: Epoch): boolean =>
  keys.number === epoch.number &&
  commitment(keys.content, 'content', keys.number) === epoch.content &&
  commitment(keys.vault, 'vault', keys.number) === epoch.vault

/**
 * The content keys of all epochs up to a known one, by number. Failure: `team-key-refused` if a key before is not the
 * announced one.
 *
 * @param epochs All epochs in their order, from a verified list of members.
 * @param known The content key of one of them.
 */
export function contentKeys(
  team: string,
  epochs: readonly Epoch[],
  known: Pick<EpochKeys, 'number' | 'content'>
): Result<ReadonlyMap<number, Buffer>, Failure> {
  const keys = new Map<number, Buffer>()
  let content: Buffer | undefined = known.content
  for (let number = known.number; number >= 1; number -= 1) {
    const epoch: Epoch | undefined = epochs[number - 1]
    if (epoch?.number !== number || !content || commitment(content, 'content', number) !== epoch.content)
      return failed('team-key-refused', { reason: 'commitment' })
    keys.set(number, content)
    content =
      epoch.previous === null
        ? undefined
        : openUnder(content, purpose, bindingOf(team, number), Buffer.from(epoch.previous, 'hex'))
  }
  return ok(keys)
}
