/**
 * Refuses requests whose texts are kept or sent and contain a credential: by the values of the connections, and by their look. One place for
 * windows and the command line; rows of a batch are checked where it is created.
 */
import { invalidField, failure, type Failure, type FieldFault } from '#contract/failures.ts'
import type { ChannelName } from '#contract/ipc.ts'
import { looksLikeCredential, looksLikeRequest } from '#contract/unsafe-text.ts'
import { channelEvents, type ChannelAudit } from '#core/audit/channel-events.ts'
import type { EventKind } from '#core/history/api/events.ts'
import type { Masker } from '../masking/masker.ts'

/** Events of actions that keep no text of their request. */
const passing: ReadonlySet<EventKind> = new Set<EventKind>([
  'view.opened', 'export.made', 'evidence.verified', 'text.copied', 'document.viewed', 'document.compared', 'document.noted', 'links.checked', 'value.revealed',
  'console.locked', 'console.unlocked', 'passphrase.changed', 'subject.erased', 'hold.lifted'
])
/** What they are given is a secret, and goes into the keychain or unlocks something. */
const secretByPurpose: ReadonlySet<ChannelName> = new Set<ChannelName>(['credentials.set', 'proxySignIns.set', 'recovery.open', 'recovery.confirm'])

const keeps = (name: ChannelName): boolean => {
  const audit: ChannelAudit = channelEvents[name]
  return 'leaves' in audit && audit.leaves.some((kind) => !passing.has(kind)) && !secretByPurpose.has(name)
}

/** Shorter texts have no credential, and IDs of Veridesk are none. */
const isSearched = (text: string): boolean => text.length >= 8 && !/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)

/** The texts of a request, each with the last name of its place. */
function* textsOf(value: unknown, name = ''): Generator<readonly [name: string, text: string]> {
  if (typeof value === 'string') yield [name, value]
  else if (Array.isArray(value)) for (const each of value) yield* textsOf(each, name)
  else if (typeof value === 'object' && value !== null) for (const [key, each] of Object.entries(value)) yield* textsOf(each, key)
}

function faultOf(name: string, text: string, own: Masker): FieldFault | undefined {
  if (looksLikeCredential(text)) return invalidField('looks-like-credential')
  if (name === 'applicantId' && looksLikeRequest(text)) return invalidField('looks-like-request')
  return own.holds(text) ? invalidField('holds-credential') : undefined
}

/** Why a request is refused: `text-holds-credential`, with the fields. @param own What finds the credentials of all connections now. */
export const keptTextsRefusal =
  (own: () => Promise<Masker>) =>
  async (channel: ChannelName, input: unknown): Promise<Failure | undefined> => {
    if (!keeps(channel)) return undefined
    const texts = [...textsOf(input)].filter(([, text]) => isSearched(text))
    if (texts.length === 0) return undefined
    const masker = await own()
    const fields: Record<string, FieldFault> = {}
    for (const [name, text] of texts) {
      const fault = faultOf(name, text, masker)
      if (fault) fields[name] ??= fault
    }
    return Object.keys(fields).length === 0 ? undefined : failure('text-holds-credential', { reason: 'text' }, fields)
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
