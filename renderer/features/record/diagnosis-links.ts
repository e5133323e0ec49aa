/** Which failures lead to the network diagnosis. */
import type { Failure } from '#contract/failures/failures.ts'

const ofNetwork: readonly string[] = [
  'name-not-found',
  'connection-refused',
  'connect-timeout',
  'tls-failed',
  'proxy-failed',
  'proxy-setting-unusable',
  'system-proxy-unusable',
  'ca-file-unusable',
  'total-timeout',
  'connection-lost'
]

/** Whether a failure of a verification may have its cause on the way to the service. */
export const isOfNetwork = ({ code }: Failure): boolean => ofNetwork.includes(code)
