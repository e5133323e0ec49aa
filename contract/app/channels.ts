/** Channels of the console itself: its state, the clipboard, settings, the keychain. */
import { z } from 'zod'
import { applicantIdSchema } from '../applicants/applicant-id.ts'
import { resettableFiles, type AppState } from './app-state.ts'
import { settingsPatchSchema } from '../settings/settings.ts'
import { channel, kibibyte, nothing, type SavedFile } from '../ipc/channel.ts'

/** Maximum characters of a copied text; as JSON it may take twice as many bytes. */
const maxCopied = 4 * 1024 * kibibyte
const copied = z.strictObject({ text: z.string().max(maxCopied) })

/** Rows on paper at most: a queue can be longer, and the page says so. */
export const maxPrinted = 2000
const rows = z.number().int().min(0).max(1_000_000)
const printedSchema = z.union([
  z.strictObject({ what: z.literal('record'), recordId: z.uuid(), rows }),
  z.strictObject({ what: z.literal('applicant'), applicantId: applicantIdSchema, rows }),
  z.strictObject({ what: z.literal('queue'), rows })
])
/** Who prints, and when, for the head of each page. */
export interface Printed {
  readonly operator: string
  readonly at: number
  readonly version: string
}

export const appChannels = {
  'app.state': channel<AppState>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'It returns the state of the console, without personal data.' }
  }),
  'app.copy': channel<null>()({ input: copied, maxBytes: 2 * maxCopied, late: 'take', leaves: ['text.copied'] }),
  /**
   * The user copied a text with the system's own command; it is cleared from the clipboard when personal data is
   * removed.
   */
  'app.copied': channel<null>()({ input: copied, maxBytes: 2 * maxCopied, late: 'take', leaves: ['text.copied'] }),
  /** An event may arrive before an answer, so each that changes the state contains all of it, with its number. */
  'settings.change': channel<AppState>()({
    input: settingsPatchSchema,
    maxBytes: 32 * kibibyte,
    late: 'take',
    leaves: ['setting.changed'],
    when: 'A setting changes other than those that the window only remembers, such as the last connection or a saved view.'
  }),
  /** The chosen path, checked to contain certificates; null if the user cancelled. */
  'settings.chooseCaFile': channel<{ readonly path: string; readonly certificates: number } | null>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'It only reads the chosen certificate file; using it is a change of settings.' }
  }),
  /** The unusable file is kept under this name. */
  'settings.reset': channel<{ readonly state: AppState; readonly kept: string }>()({
    input: z.strictObject({ file: z.enum(resettableFiles) }),
    maxBytes: kibibyte,
    late: 'take',
    leaves: ['setting.changed']
  }),
  /** Saves a file for whoever helps, without personal data and secrets. */
  'support.save': channel<SavedFile>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'The support file has no personal data and no secret.' }
  }),
  /** Records that personal data is printed, before it is. */
  'prints.note': channel<Printed>()({ input: printedSchema, maxBytes: 4 * kibibyte, leaves: ['export.made'] }),
  'keychain.tryAgain': channel<AppState>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'It checks the keychain again; an opened history records its start.' }
  })
}
