/** What the steps of a connection test found, in words. */
import type { ReachabilityFinding, ReachabilityStep } from '#contract/connections/connection.ts'
import { fieldFaultSentence, phraseOf } from '#contract/failures/filling.ts'

const throughProxy = (proxy: string | undefined): string => (proxy ? `Proxy ${proxy}: ` : '')

function foundText(found: ReachabilityFinding): string {
  switch (found.code) {
    case 'addresses':
      return `${throughProxy(found.proxy)}${found.host}${found.addresses.length > 0 ? ` resolves to ${found.addresses.join(', ')}` : ' is an address'}`
    case 'connected':
      return `${throughProxy(found.proxy)}connected to ${found.address}`
    case 'certificate':
      return `${found.protocol}; certificate of ${found.subject}, issued by ${found.issuer ?? 'an unnamed authority'}, valid until ${found.validUntil}`
    case 'not-needed':
      return 'Not required for http to this computer'
    case 'not-tried':
      return 'Not tried, because an earlier step failed'
  }
}

/** What a step found, why it failed, or why it was skipped; empty where there is nothing to say. */
export const stepText = ({ found, failure, fault }: ReachabilityStep): string =>
  failure ? phraseOf(failure) : fault ? fieldFaultSentence(fault) : found ? foundText(found) : ''
