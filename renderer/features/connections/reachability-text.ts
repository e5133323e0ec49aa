/** What the steps of a connection test found, in words. */
import type { ReachabilityFinding, ReachabilityStep } from '#contract/connections/connection.ts'
import { fieldFaultSentence, phraseOf } from '#contract/failures/filling.ts'
import { words } from './words.ts'

const throughProxy = (proxy: string | undefined, found: string): string =>
  proxy ? words.throughProxy({ proxy, found }) : found

function foundText(found: ReachabilityFinding): string {
  switch (found.code) {
    case 'addresses': {
      const { host, addresses, proxy } = found
      return throughProxy(
        proxy,
        addresses.length > 0
          ? words.hostResolvesTo({ host, addresses: addresses.join(', ') })
          : words.hostIsAnAddress({ host })
      )
    }
    case 'connected':
      return throughProxy(found.proxy, words.connectedTo({ address: found.address }))
    case 'certificate': {
      const { protocol, subject, issuer, validUntil } = found
      return issuer === undefined
        ? words.certificateByNobodyNamed({ protocol, subject, validUntil })
        : words.certificateBy({ protocol, subject, issuer, validUntil })
    }
    case 'not-needed':
      return words.notRequiredForHttpTo
    case 'not-tried':
      return words.notTriedBecauseAnEarlier
  }
}

/** What a step found, why it failed, or why it was skipped; empty where there is nothing to say. */
export const stepText = ({ found, failure, fault }: ReachabilityStep): string =>
  failure ? phraseOf(failure) : fault ? fieldFaultSentence(fault) : found ? foundText(found) : ''
