/** Channels of what is stored for signing in to proxies. None returns a user name or a password. */
import { z } from 'zod'
import type { ProxySignInStatus } from './proxy-sign-ins.ts'
import { channel, kibibyte, nothing } from '../ipc/channel.ts'

const proxy = z.string().max(2048)

export const proxySignInChannels = {
  /** The proxies for which something is stored. */
  'proxySignIns.list': channel<readonly ProxySignInStatus[]>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'It lists addresses of proxies, without user names.' }
  }),
  /** Core validates the values and returns a failure; the router only limits their size. */
  'proxySignIns.set': channel<readonly ProxySignInStatus[]>()({
    input: z.strictObject({ proxy, user: z.string().max(kibibyte), password: z.string().max(4 * kibibyte) }),
    maxBytes: 32 * kibibyte,
    late: 'take',
    leaves: ['setting.changed']
  }),
  'proxySignIns.clear': channel<readonly ProxySignInStatus[]>()({
    input: z.strictObject({ proxy }),
    maxBytes: 16 * kibibyte,
    late: 'take',
    leaves: ['setting.changed'],
    when: 'Something was stored for the proxy.'
  })
}
