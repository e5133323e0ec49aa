/**
 * Refuses requests whose texts are kept and contain a credential: by the values of the connections, and by their look. One place for windows and
 * the command line. A verification asks the same itself, and a batch where it is created.
 */
import { failure, type Failure } from '#contract/failures/failures.ts'
import type { Channel } from '#contract/ipc/channel.ts'
import { channels, type ChannelName } from '#contract/ipc/ipc.ts'
import { looksLikeCredential } from '#contract/text/unsafe-text.ts'
import type { EventKind } from '#contract/evidence/event-kinds.ts'
import type { Masker } from '../masking/masker.ts'
import { textFaults } from '../masking/own-secrets.ts'

/** Events of actions that keep no text of their request. */
const passing: ReadonlySet<EventKind> = new Set<EventKind>([
  'view.opened',
  'export.made',
  'evidence.verified',
  'text.copied',
  'document.viewed',
  'document.compared',
  'document.noted',
  'document.kept',
  'links.checked',
  'value.revealed',
  'console.locked',
  'console.unlocked',
  'passphrase.changed',
  'subject.erased',
  'hold.lifted'
])
/** What they are given is a secret, and goes into the keychain or unlocks something. */
const secretByPurpose: ReadonlySet<ChannelName> = new Set<ChannelName>([
  'credentials.set',
  'proxySignIns.set',
  'recovery.open',
  'recovery.confirm'
])

/** It asks itself, once it is known: somebody may cancel it from its first moment on. */
const asksItself: ChannelName = 'verification.run'

const keeps = (name: ChannelName): boolean => {
  const { leaves }: Channel = channels[name]
  return (
    !('none' in leaves) &&
    leaves.some((kind) => !passing.has(kind)) &&
    !secretByPurpose.has(name) &&
    name !== asksItself
  )
}

/** Why a request is refused: `text-holds-credential`, with the fields. @param own What finds the credentials of all connections now. */
export const keptTextsRefusal =
  (own: () => Promise<Masker>) =>
  async (channel: ChannelName, input: unknown): Promise<Failure | undefined> => {
    if (!keeps(channel)) return undefined
    const fields = await textFaults(input, own)
    return fields && failure('text-holds-credential', { reason: 'text' }, fields)
  }

/** Unfinished input as JSON, without the credentials in it. */
export function draftsWithout(own: Masker, text: string): string {
  // Most drafts have none, and a window writes them while somebody types.
  if (!looksLikeCredential(text) && !own.holds(text)) return text
  const clean = (value: unknown): unknown => (typeof value === 'string' && looksLikeCredential(value) ? '' : value)
  try {
    return own.mask(JSON.stringify(JSON.parse(text, (_name, value: unknown) => clean(value))))
  } catch {
    return ''
  }
}
