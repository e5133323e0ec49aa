/** What is stored for signing in to proxies. */
import type { HandlersOf } from '#contract/ipc/channel.ts'
import type { proxySignInChannels } from '#contract/connections/proxy-channels.ts'
import { failed, invalidField, type FieldFault } from '#contract/failures/failures.ts'
import { proxyAddressIn, proxyUrlFault } from '#core/client/proxy.ts'
import { signInFaults } from '#core/secrets/proxy-sign-ins.ts'
import type { HandlerParts } from './parts.ts'

const proxyFault = (text: string): { readonly proxy: FieldFault } => ({
  proxy: proxyUrlFault(text) ?? invalidField('proxy-incomplete')
})

export function proxySignInHandlers({
  proxySignIns,
  auditTrail
}: HandlerParts): HandlersOf<typeof proxySignInChannels> {
  /** Which proxy, and never as whom. */
  const note = (proxy: string, change: 'set' | 'cleared'): Promise<unknown> =>
    auditTrail.note({ kind: 'setting.changed', plain: { action: `proxy-sign-in.${change}`, proxy } })
  return {
    'proxySignIns.list': () => proxySignIns.list(),
    'proxySignIns.set': async ({ proxy, user, password }) => {
      const address = proxyAddressIn(proxy)
      // All that is wrong at once.
      if (address === undefined)
        return failed('proxy-sign-in-invalid', {}, { ...proxyFault(proxy), ...signInFaults({ user, password }) })
      const set = await proxySignIns.set(address, { user, password })
      if (!set.ok) return set
      await note(address, 'set')
      return proxySignIns.list()
    },
    'proxySignIns.clear': async ({ proxy }) => {
      const address = proxyAddressIn(proxy)
      if (address === undefined) return failed('proxy-sign-in-invalid', {}, proxyFault(proxy))
      const cleared = await proxySignIns.clear(address)
      if (!cleared.ok) return cleared
      if (cleared.value) await note(address, 'cleared')
      return proxySignIns.list()
    }
  }
}
