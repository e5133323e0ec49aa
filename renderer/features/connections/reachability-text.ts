/** What the steps of a connection test found, in words. */
import type { ReachabilityFinding, ReachabilityStep } from '#contract/connections/connection.ts'
import { fieldFaultSentence, phraseOf } from '#contract/failures/filling.ts'
import { words } from './words.ts'

const throughProxy = (proxy: string | undefined): string => (proxy ? words.proxyProxy({ proxy }) : '')

function foundText(found: ReachabilityFinding): string {
  switch (found.code) {
    case 'addresses':
      return found.addresses.length > 0
        ? words.throughproxyHostResolvesToAddresses({
            throughProxy: throughProxy(found.proxy),
            host: found.host,
            addresses: found.addresses.join(', ')
          })
        : words.throughproxyHostIsAnAddress({ throughProxy: throughProxy(found.proxy), host: found.host })
    case 'connected':
      return words.throughproxyConnectedToAddress({ throughProxy: throughProxy(found.proxy), address: found.address })
    case 'certificate':
      return words.protocolCertificateOfSubjectIssued({
        protocol: found.protocol,
        subject: found.subject,
        issuer: found.issuer ?? words.anUnnamedAuthority,
        validUntil: found.validUntil
      })
    case 'not-needed':
      return words.notRequiredForHttpTo
    case 'not-tried':
      return words.notTriedBecauseAnEarlier
  }
}

/** What a step found, why it failed, or why it was skipped; empty where there is nothing to say. */
export const stepText = ({ found, failure, fault }: ReachabilityStep): string =>
  failure ? phraseOf(failure) : fault ? fieldFaultSentence(fault) : found ? foundText(found) : ''
