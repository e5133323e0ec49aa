/** Handlers of unfinished input. */
import type { HandlersOf } from '#contract/ipc/channel.ts'
import type { draftChannels } from '#contract/app/draft-channels.ts'
import { draftsWithout } from './kept-texts.ts'
import type { HandlerParts } from './parts.ts'

export function draftHandlers({ drafts, own }: HandlerParts): HandlersOf<typeof draftChannels> {
  return {
    'drafts.read': async () => ({ ok: true, value: await drafts.read() }),
    'drafts.keep': async ({ round, text }) => ({
      ok: true,
      value: await drafts.keep(round, draftsWithout(await own(), text))
    })
  }
}
