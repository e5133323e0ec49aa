/** Time-stamps: the file with the authority's certificates, and a test. */
import type { HandlersOf } from '#contract/ipc/channel.ts'
import type { timestampChannels } from '#contract/evidence/timestamp-channels.ts'
import { readAuthorityFile } from '#core/timestamps/timestamps.ts'
import { done, type HandlerParts } from './parts.ts'

export function timestampHandlers({ host, timestamps, evidence }: HandlerParts): HandlersOf<typeof timestampChannels> {
  return {
    'timestamps.chooseAuthorities': async () => {
      const path = await host.chooseFile('Choose the certificate of the time-stamp authority', ['pem', 'crt', 'cer'])
      return path === undefined ? done : readAuthorityFile(path)
    },
    'evidence.timestamp': () => evidence.timestamp(),
    'timestamps.test': () => timestamps.test()
  }
}
