/**
 * The only router between a window and core. Every request is checked for its name, size and shape before a handler
 * receives it, and the answer is always a tagged Result. The host checks the sender before this router.
 */
import { faultsOfIssues } from '#contract/verification/field-issues.ts'
import type { Announced, Channel, HandlersOf } from '#contract/ipc/channel.ts'
import type { View } from '#contract/evidence/event-kinds.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { channels, type ChannelName, type Channels } from '#contract/ipc/ipc.ts'
import { fail, type Result } from '#contract/failures/result.ts'

export type Handlers = HandlersOf<Channels>

export type Router = (name: unknown, payload: unknown) => Promise<Result<unknown, Failure>>

function isChannelName(name: unknown): name is ChannelName {
  return typeof name === 'string' && Object.hasOwn(channels, name)
}

/**
 * The payload as plain JSON data, or why it is refused. Serialising removes what a schema cannot detect: getters,
 * prototypes, cycles, exotic objects.
 */
function plain(
  payload: unknown,
  maxBytes: number
): Result<unknown, 'not-plain-data' | 'channel-too-large' | 'forbidden-key'> {
  if (payload === undefined) return { ok: true, value: undefined }
  let text: string | undefined
  try {
    text = JSON.stringify(payload)
  } catch {
    return { ok: false, failure: 'not-plain-data' }
  }
  if (text === undefined) return { ok: false, failure: 'not-plain-data' }
  if (Buffer.byteLength(text) > maxBytes) return { ok: false, failure: 'channel-too-large' }
  if (/"__proto__"\s*:/.test(text)) return { ok: false, failure: 'forbidden-key' }
  return { ok: true, value: JSON.parse(text) as unknown }
}

export interface RouterParts {
  /** Why a request with a valid input is refused. */
  refusal?(name: ChannelName, input: unknown): Promise<Failure | undefined>
  /** Personal data is shown: once for each visit, or each time. */
  viewed(view: View, visit: string | undefined): Promise<void>
  announce(event: { readonly kind: Announced }): void
  onBug(name: ChannelName, error: unknown): void
}

type Handler = (input: unknown, visit?: string) => Promise<Result<unknown, Failure>>

/** The input without the visit that it belongs to. */
function withoutVisit(input: unknown): { readonly input: unknown; readonly visit?: string } {
  if (typeof input !== 'object' || input === null || !('visit' in input)) return { input }
  const { visit, ...rest } = input as { readonly visit?: string }
  return { input: rest, ...(visit !== undefined && { visit }) }
}

/**
 * Builds the router for a set of handlers. It never throws or rejects; a handler's throw is a bug, answered as
 * 'internal'. What the channel of a request that succeeded `views` and `announces` is done here, before its answer.
 */
export function createRouter(handlers: Handlers, { refusal, viewed, announce, onBug }: RouterParts): Router {
  return async (name, payload) => {
    if (!isChannelName(name)) return failed('request-refused', { reason: 'unknown-channel' })
    const data = plain(payload, channels[name].maxBytes)
    if (!data.ok) return failed('request-refused', { reason: data.failure, channel: name })
    const parsed = channels[name].input.safeParse(data.value)
    if (!parsed.success) {
      return failed('request-refused', { reason: 'invalid', channel: name }, faultsOfIssues(parsed.error.issues))
    }
    try {
      const refused = await refusal?.(name, parsed.data)
      if (refused) return fail(refused)
      const { input, visit } = withoutVisit(parsed.data)
      const answer = await (handlers[name] as Handler)(input, visit)
      if (!answer.ok) return answer
      const { views, announces }: Channel = channels[name]
      const changed = announces?.(input, answer.value)
      if (changed) announce({ kind: changed })
      const view = views?.(input, answer.value)
      if (view) await viewed(view, visit)
      return answer
    } catch (error) {
      onBug(name, error)
      return failed('internal', { reason: 'error', error: error instanceof Error ? error.name : 'unknown error' })
    }
  }
}
