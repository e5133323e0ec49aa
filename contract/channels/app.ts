/** Channels of the console itself: its state, the clipboard, settings, the keychain. */
import { z } from 'zod'
import { resettableFiles, type AppState } from '../app-state.ts'
import { settingsPatchSchema } from '../settings.ts'
import { channel, kibibyte, nothing } from './channel.ts'

/** Maximum characters of a copied text; as JSON it may take twice as many bytes. */
const maxCopied = 4 * 1024 * kibibyte
const copied = z.strictObject({ text: z.string().max(maxCopied) })

export const appChannels = {
  'app.state': channel<AppState>()({ input: nothing, maxBytes: kibibyte, late: 'take' }),
  'app.copy': channel<null>()({ input: copied, maxBytes: 2 * maxCopied, late: 'take' }),
  /**
   * The user copied a text with the system's own command; it is cleared from the clipboard when personal data is
   * removed.
   */
  'app.copied': channel<null>()({ input: copied, maxBytes: 2 * maxCopied, late: 'take' }),
  /** An event may arrive before an answer, so each that changes the state contains all of it, with its number. */
  'settings.change': channel<AppState>()({ input: settingsPatchSchema, maxBytes: 32 * kibibyte, late: 'take' }),
  /** The chosen path, checked to contain certificates; null if the user cancelled. */
  'settings.chooseCaFile': channel<{ readonly path: string; readonly certificates: number } | null>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take'
  }),
  /** The unusable file is kept under this name. */
  'settings.reset': channel<{ readonly state: AppState; readonly kept: string }>()({
    input: z.strictObject({ file: z.enum(resettableFiles) }),
    maxBytes: kibibyte,
    late: 'take'
  }),
  'keychain.tryAgain': channel<AppState>()({ input: nothing, maxBytes: kibibyte, late: 'take' })
}
