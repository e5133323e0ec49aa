/**
 * The one script that may run in a worker. Trusted types refuse every address that no policy has made; this policy is
 * created when the window starts, its name cannot be used a second time, and it makes this one address.
 */
import address from './document-worker.ts?worker&url'
import { onlyAddress, type AddressPolicy } from './only-address.ts'

interface PolicyFactory {
  createPolicy(name: string, rules: AddressPolicy): AddressPolicy
}

const policy = (window as unknown as { readonly trustedTypes: PolicyFactory }).trustedTypes.createPolicy(
  'document-worker',
  onlyAddress(address)
)

/** Starts a worker that reads one PDF document. */
export const startDocumentWorker = (): Worker =>
  new Worker(policy.createScriptURL(address), { type: 'module', name: 'document' })
