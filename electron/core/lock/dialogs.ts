/** Dialogs of the system that ask for a file: a lock counts as cancelled, since nobody answers them. */
import type { HostPorts } from '#core/ports/host.ts'

export interface Dialogs extends Pick<HostPorts, 'chooseFile' | 'chooseSavePath'> {
  /** Ends the requests that wait for an answer, as if it were cancelled. The dialogs themselves stay open. */
  cancel(): void
}

export function createDialogs(host: Pick<HostPorts, 'chooseFile' | 'chooseSavePath'>): Dialogs {
  const waiting = new Set<() => void>()
  const unlessCancelled = async (answer: Promise<string | undefined>): Promise<string | undefined> => {
    let give = (): void => undefined
    const cancelled = new Promise<undefined>((resolve) => (give = () => resolve(undefined)))
    waiting.add(give)
    return Promise.race([answer, cancelled]).finally(() => waiting.delete(give))
  }
  return {
    chooseFile: (...asked) => unlessCancelled(host.chooseFile(...asked)),
    chooseSavePath: (...asked) => unlessCancelled(host.chooseSavePath(...asked)),
    cancel: () => waiting.forEach((give) => give())
  }
}
