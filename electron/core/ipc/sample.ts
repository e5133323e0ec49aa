/** Sample data: opens it in a second console, and closes that one. */
import type { sampleChannels } from '#contract/app/sample-channels.ts'
import type { HandlersOf } from '#contract/ipc/channel.ts'
import { failed } from '#contract/failures/failures.ts'
import type { HostPorts } from '#core/ports/host.ts'
import { done } from './parts.ts'

export function sampleHandlers(host: Pick<HostPorts, 'sample' | 'openSample'>): HandlersOf<typeof sampleChannels> {
  return {
    'sample.open': async () => (host.openSample ? host.openSample() : failed('sample-not-opened', { reason: 'host' })),
    'sample.close': async () => {
      if (!host.sample) return failed('sample-not-here')
      host.sample.close()
      return done
    }
  }
}
