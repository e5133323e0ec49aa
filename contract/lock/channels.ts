/**
 * Channels of the lock. They are answered while the console is locked, except for the change of the passphrase; every other
 * channel is refused then.
 */
import { z } from 'zod'
import type { AppState } from '../app/app-state.ts'
import { channel, kibibyte, nothing } from '../ipc/channel.ts'
import { applicantIdSchema } from '../applicants/applicant-id.ts'
import { hiddenFields, type HiddenField, type ValueAbout } from './screen-share.ts'

/** Longer ones are refused with their reason; this is the limit of a request. */
const passphrase = z.string().max(1024)

export const lockChannels = {
  /** Locks the console. Failure: `lock-not-here` with sample data. */
  'lock.now': channel<null>()({ input: nothing, maxBytes: kibibyte, late: 'take', leaves: ['console.locked'] }),
  /** The window has stored its drafts and can be emptied. */
  'lock.ready': channel<null>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'The lock that it belongs to leaves an event.' }
  }),
  /** Somebody uses the window: the time without input begins again. */
  'lock.active': channel<null>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'It says that somebody uses the window.' }
  }),
  /** Unlocks the console. Failures: `passphrase-missing`, `passphrase-wrong`, `passphrase-wait`, the keychain’s. */
  'lock.unlock': channel<AppState>()({
    input: z.strictObject({ passphrase: passphrase.optional() }),
    maxBytes: 8 * kibibyte,
    late: 'take',
    leaves: ['console.unlocked'],
    when: 'The console is locked. A wrong passphrase leaves `unlock.failed`.'
  }),
  /** Sets a new passphrase by the recovery key, and unlocks. Failures: `passphrase-weak`, `recovery-key-wrong`, `recovery-missing`, the keychain’s. */
  'lock.recover': channel<AppState>()({
    input: z.strictObject({ key: z.string().max(200), passphrase }),
    maxBytes: 8 * kibibyte,
    late: 'take',
    leaves: ['passphrase.changed', 'console.unlocked'],
    when: 'The console is locked and the recovery key fits.'
  }),
  /** Sets, changes or (null) removes the passphrase; a set one must be given. Failures: as `lock.unlock`; `passphrase-weak`, `history-not-on-file`. */
  'passphrase.change': channel<AppState>()({
    input: z.strictObject({ current: passphrase.optional(), next: passphrase.nullable() }),
    maxBytes: 16 * kibibyte,
    late: 'take',
    leaves: ['passphrase.changed']
  })
}

const hiddenFieldSchema = z.enum(Object.keys(hiddenFields) as [HiddenField, ...HiddenField[]])

const aboutSchema: z.ZodType<ValueAbout, ValueAbout> = z.union([
  z.strictObject({ recordId: z.uuid() }),
  z.strictObject({ applicantId: applicantIdSchema })
])

/** Screen-share mode. */
export const screenShareChannels = {
  'screenShare.switch': channel<AppState>()({
    input: z.strictObject({ on: z.boolean() }),
    maxBytes: kibibyte,
    late: 'take',
    leaves: ['screen-share.switched'],
    when: 'It changes the mode.'
  }),
  /** Records that a hidden value is shown, before it is; the value itself never leaves the window. */
  'screenShare.reveal': channel<null>()({
    input: z.strictObject({ field: hiddenFieldSchema, about: aboutSchema.optional() }),
    maxBytes: 4 * kibibyte,
    late: 'take',
    leaves: ['value.revealed']
  })
}
