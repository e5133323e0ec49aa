/** The signing key: its certificates, its revocation and its replacement; time-stamps. */
import type { HandlersOf } from '#contract/ipc/channel.ts'
import type { evidenceChannels } from '#contract/evidence/channels.ts'
import { readAuthorityFile } from '#core/timestamps/timestamps.ts'
import { done, type HandlerParts } from './parts.ts'

export function evidenceHandlers({
  host,
  certificates,
  ownKeys,
  timestamps,
  evidence
}: HandlerParts): HandlersOf<typeof evidenceChannels> {
  return {
    'certificates.show': () => certificates.show(),
    'certificates.request': (subject) => certificates.request(subject),
    'certificates.create': (order) => certificates.create(order),
    'certificates.import': ({ pem }) => certificates.import(pem),
    'certificates.remove': () => certificates.remove(),
    'keys.list': () => ownKeys.list(),
    'keys.revoke': (order) => ownKeys.revoke(order),
    'keys.replace': ({ key }) => ownKeys.replace(key),
    'timestamps.chooseAuthorities': async () => {
      const path = await host.chooseFile('Choose the certificate of the time-stamp authority', ['pem', 'crt', 'cer'])
      return path === undefined ? done : readAuthorityFile(path)
    },
    'evidence.timestamp': () => evidence.timestamp(),
    'timestamps.test': () => timestamps.test()
  }
}
