/** Screen-share mode: whether it is on, its events, and the protection of the window that some systems offer. */
import type { ScreenShareState } from '#contract/lock/screen-share.ts'
import type { AuditTrail } from '#core/audit/audit-trail.ts'
import type { HostPorts } from '#core/ports/host.ts'

export interface ScreenShare {
  state(): ScreenShareState
  /** Switches the mode and records it; does nothing if it is in that state already. */
  switch(on: boolean): Promise<void>
}

interface Parts {
  readonly host: Pick<HostPorts, 'protectContent'>
  readonly auditTrail: Pick<AuditTrail, 'note'>
  /** Whether the session begins with the mode on. */
  readonly atStart: boolean
}

/** Creates the mode in the state in which the session begins. */
export function createScreenShare({ host, auditTrail, atStart }: Parts): ScreenShare {
  let on = false
  let blocksCapture = false
  /** The window first: between the two, nothing is shown that the event does not cover. */
  const change = (next: boolean, by?: 'setting'): Promise<void> => {
    on = next
    blocksCapture = (host.protectContent?.(next) ?? false) && next
    return auditTrail.note({ kind: 'screen-share.switched', plain: { on: next, ...(by && { by }) } })
  }
  if (atStart) void change(true, 'setting')
  return {
    state: () => ({ on, blocksCapture }),
    switch: async (next) => {
      if (next !== on) await change(next)
    }
  }
}
