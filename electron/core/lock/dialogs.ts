/** Dialogs of the system that ask for a file: a lock counts as cancelled, since nobody may answer them. */
import type { HostPorts } from '#core/ports/host.ts'

export interface Dialogs extends Pick<HostPorts, 'chooseFile' | 'chooseSavePath'> {
  /** Ends the requests that wait for an answer, as if it were cancelled. The dialogs themselves stay open. */
  cancel(): void
}

/** @param isOpen Whether the console is: a locked one opens no dialog, which would keep its history open until somebody answers. */
export function createDialogs(host: Pick<HostPorts, 'chooseFile' | 'chooseSavePath'>, isOpen: () => boolean): Dialogs {
  const waiting = new Set<() => void>()
  const unlessCancelled = async (show: () => Promise<string | undefined>): Promise<string | undefined> => {
    if (!isOpen()) return undefined
    let give = (): void => undefined
    const cancelled = new Promise<undefined>((resolve) => (give = () => resolve(undefined)))
    waiting.add(give)
    return Promise.race([show(), cancelled]).finally(() => waiting.delete(give))
  }
  return {
    chooseFile: (...asked) => unlessCancelled(() => host.chooseFile(...asked)),
    chooseSavePath: (...asked) => unlessCancelled(() => host.chooseSavePath(...asked)),
    cancel: () => waiting.forEach((give) => give())
  }
}
