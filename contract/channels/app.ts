/** Channels of the console itself: its state, the clipboard, settings, the keychain. */
import { z } from 'zod'
import { resettableFiles, type AppState } from '../app-state.ts'
import { settingsPatchSchema } from '../settings.ts'
import { channel, kibibyte, nothing } from './channel.ts'

/** Characters of a text that is copied; as JSON it may take twice as many bytes. */
const maxCopied = 4 * 1024 * kibibyte
const copied = z.strictObject({ text: z.string().max(maxCopied) })

export const appChannels = {
  'app.state': channel<AppState>()({ input: nothing, maxBytes: kibibyte, late: 'take' }),
  'app.copy': channel<null>()({ input: copied, maxBytes: 2 * maxCopied, late: 'take' }),
  /** A person copied a text by the system's own way: it goes from the clipboard with the data of persons. */
  'app.copied': channel<null>()({ input: copied, maxBytes: 2 * maxCopied, late: 'take' }),
  /** An answer may be overtaken by an event: each that changes the state gives it whole, with its number. */
  'settings.change': channel<AppState>()({ input: settingsPatchSchema, maxBytes: 32 * kibibyte, late: 'take' }),
  /** The chosen path, checked to hold certificates; null where the person chose none. */
  'settings.chooseCaFile': channel<{ readonly path: string; readonly certificates: number } | null>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take'
  }),
  /** The file that could not be used is kept under this name. */
  'settings.reset': channel<{ readonly state: AppState; readonly kept: string }>()({
    input: z.strictObject({ file: z.enum(resettableFiles) }),
    maxBytes: kibibyte,
    late: 'take'
  }),
  'keychain.tryAgain': channel<AppState>()({ input: nothing, maxBytes: kibibyte, late: 'take' })
}
