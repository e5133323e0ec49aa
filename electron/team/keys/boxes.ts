/** Boxes: the keys of an epoch, sealed for one installation. */
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { canonical } from '#kit/hashing/canonical-json.ts'
import { epochKeyBytes, keysFit, type Epoch, type EpochKeys } from './epochs.ts'
import { openSealed, sealedExtra, sealFor, type SealedFor } from '#kit/sealing/hpke.ts'
import type { Mailbox } from './mailbox.ts'

const version = 1
/** Version, sealed keys. */
const boxBytes = 1 + sealedExtra + 2 * epochKeyBytes

export interface BoxAddress {
  /** Fingerprint of the team. */
  readonly team: string
  /** The installation that the box is for. */
  readonly installation: string
}

const info = Buffer.from('veridesk/team/box/1')
const sealedFor = ({ team, installation }: BoxAddress, epoch: number): SealedFor => ({
  info,
  bound: Buffer.from(canonical({ epoch, installation, team }), 'utf8')
})

/**
 * Seals the keys of an epoch for an installation. Failure: `team-key-refused` for a mailbox that nothing can be sealed
 * for.
 *
 * @param mailbox The public mailbox key, from a verified list of members: never one that the database names.
 */
export function sealBox(keys: EpochKeys, address: BoxAddress, mailbox: string): Result<Buffer, Failure> {
  const sealed = sealFor(
    Buffer.from(mailbox, 'hex'),
    sealedFor(address, keys.number),
    Buffer.concat([keys.content, keys.vault])
  )
  return sealed
    ? ok(Buffer.concat([Buffer.from([version]), sealed]))
    : failed('team-key-refused', { reason: 'mailbox' })
}

/**
 * Opens a box. Failure: `team-key-refused`. Its keys are those that the list of members announced for the epoch:
 * anybody can seal a box, so nothing else shows who made it.
 */
export function openBox(
  box: Uint8Array,
  address: BoxAddress,
  mailbox: Mailbox,
  epoch: Epoch
): Result<EpochKeys, Failure> {
  if (box[0] !== version) return failed('team-key-refused', { reason: 'version' })
  if (box.length !== boxBytes) return failed('team-key-refused', { reason: 'size' })
  const text = openSealed(mailbox.key, sealedFor(address, epoch.number), box.subarray(1))
  if (!text) return failed('team-key-refused', { reason: 'sealed' })
  const keys = { number: epoch.number, content: text.subarray(0, epochKeyBytes), vault: text.subarray(epochKeyBytes) }
  return keysFit(keys, epoch) ? ok(keys) : failed('team-key-refused', { reason: 'commitment' })
}

/** The keys from the first box that fits. Anybody in the team can give one, so others may be rubbish. Failure: `team-key-refused`, the last one's. */
export function openOneOf(
  boxes: readonly Uint8Array[],
  address: BoxAddress,
  mailbox: Mailbox,
  epoch: Epoch
): Result<EpochKeys, Failure> {
  let last = failure('team-key-refused', { reason: 'none' })
  for (const box of boxes) {
    const opened = openBox(box, address, mailbox, epoch)
    if (opened.ok) return opened
    last = opened.failure
  }
  return fail(last)
}
