/** Channels of the console itself: its state, the clipboard, settings, the keychain, unfinished input, sample data, updates. */
import { z } from 'zod'
import { applicantIdSchema } from '../applicants/applicant-id.ts'
import type { Opening } from './opening.ts'
import { resettableFiles, type AppState } from './app-state.ts'
import { settingsPatchSchema } from '../settings/settings.ts'
import { channel, kibibyte, nothing, type SavedFile } from '../ipc/channel.ts'
import type { UpdatesState } from '../updates/updates.ts'

/** Maximum characters of a copied text; as JSON it may take twice as many bytes. */
const maxCopied = 4 * 1024 * kibibyte
const copied = z.strictObject({ text: z.string().max(maxCopied) })

const rows = z.number().int().min(0).max(1_000_000)
const printedSchema = z.union([
  z.strictObject({ what: z.literal('record'), recordId: z.uuid(), rows }),
  z.strictObject({ what: z.literal('applicant'), applicantId: applicantIdSchema, rows }),
  z.strictObject({ what: z.enum(['queue', 'overview']), rows })
])
/** Who prints, and when, for the head of each page. */
export interface Printed {
  readonly operator: string
  readonly at: number
  readonly version: string
}

/** Maximum characters of all drafts together, as JSON; as UTF-8 they may take more bytes. */
export const maxDrafts = 512 * kibibyte

/** The drafts as the window wrote them. `round` changes when personal data is removed: drafts of an earlier round are refused. */
export interface KeptDrafts {
  readonly round: string
  /** Absent if there are none. */
  readonly text?: string
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
    maxBytes: 512 * kibibyte,
    late: 'take',
    leaves: ['setting.changed', 'recipe.shared'],
    when: 'A recipe is shared or not any more, or a setting changes other than those that the window only remembers, such as the last connection or a saved view.'
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
    leaves: ['setting.changed'],
    announces: ({ file }) => (file === 'connections' ? 'connections-changed' : undefined)
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
    leaves: { none: 'It checks the keychain again; an opened history records its start.' },
    announces: () => 'connections-changed'
  }),
  'drafts.read': channel<KeptDrafts>()({
    input: nothing,
    maxBytes: kibibyte,
    leaves: { none: 'It returns what the same person typed into this window, unfinished.' }
  }),
  /** An empty text removes them. False if they are of an earlier round. */
  'drafts.keep': channel<boolean>()({
    input: z.strictObject({ round: z.uuid(), text: z.string().max(maxDrafts) }),
    maxBytes: 4 * maxDrafts,
    late: 'take',
    leaves: { none: 'It stores unfinished input, sealed; an action that uses it is an event of its own.' }
  }),
  /**
   * Starts the host's own program again, with sample data. The request names nothing: no program, no path and no option comes
   * from a window. Failures: `sample-not-opened`, `sample-open-already`.
   */
  'sample.open': channel<null>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: {
      none: 'It starts a second console, whose folder and audit trail are its own; nothing of this one changes.'
    }
  }),
  /** Closes the window of a session with sample data, which deletes them; refused in any other. */
  'sample.close': channel<null>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'The end of the console is recorded like any other, and is then deleted with the sample data.' }
  }),
  /**
   * Takes the next thing that the system asked this console to open; null if there is none. It waits here while the console is
   * locked. Failures: `file-unreadable`, `dropped-too-large`.
   */
  'app.opening': channel<Opening | null>()({
    input: nothing,
    maxBytes: kibibyte,
    leaves: { none: 'It says where a link or a file leads; the page that shows it leaves its own event.' }
  }),
  /** Asks the feed now. What it found is in the state, a refusal too. Failures: `updates-off`, `updates-turned-off`, `updates-in-sample`, those of settings. */
  'updates.check': channel<UpdatesState>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'It fetches a public file, with the same request as everybody.' }
  })
}
