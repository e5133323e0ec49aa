/** The signing key: its certificates, its revocation and its replacement. */
import type { HandlersOf } from '#contract/ipc/channel.ts'
import type { evidenceKeyChannels } from '#contract/evidence/channels.ts'
import type { HandlerParts } from './parts.ts'

export function evidenceKeyHandlers({ certificates, ownKeys }: HandlerParts): HandlersOf<typeof evidenceKeyChannels> {
  return {
    'certificates.show': () => certificates.show(),
    'certificates.request': (subject) => certificates.request(subject),
    'certificates.create': (order) => certificates.create(order),
    'certificates.import': ({ pem }) => certificates.import(pem),
    'certificates.remove': () => certificates.remove(),
    'keys.list': () => ownKeys.list(),
    'keys.revoke': (order) => ownKeys.revoke(order),
    'keys.replace': ({ key }) => ownKeys.replace(key)
  }
}
