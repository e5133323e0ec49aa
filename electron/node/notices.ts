/** Notices that a host itself has to give, laid beside core's own in the window's state. */
import type { Failure } from '#contract/failures.ts'
import type { AppState, ConsoleEvent } from '#contract/ipc.ts'
import type { Result } from '#contract/result.ts'

export interface HostNotices {
  add(notice: Failure): void
  /** Core's door, with the host's notices in the answers that carry the state. */
  inAnswers(handle: Handle): Handle
  /** An event, with the host's notices where it carries the state. */
  inEvent(event: ConsoleEvent): ConsoleEvent
}
type Handle = (name: unknown, payload: unknown) => Promise<Result<unknown, Failure>>

export function hostNotices(): HostNotices {
  const own: Failure[] = []
  const joined = (state: AppState): AppState => (own.length === 0 ? state : { ...state, notices: [...state.notices, ...own] })
  return {
    add: (notice) => void own.push(notice),
    inAnswers: (handle) => async (name, payload) => {
      const answer = await handle(name, payload)
      return name === 'app.state' && answer.ok ? { ok: true, value: joined(answer.value as AppState) } : answer
    },
    inEvent: (event) => (event.kind === 'state-changed' ? { ...event, state: joined(event.state) } : event)
  }
}
