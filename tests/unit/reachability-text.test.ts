/** The steps of a connection test in words. */
import { expect, it } from 'vitest'
import type { ReachabilityStep } from '#contract/connections/connection.ts'
import { failure } from '#contract/failures/failures.ts'
import { stepText } from '../../renderer/features/connections/reachability-text.ts'

const step = (what: Partial<ReachabilityStep>): ReachabilityStep => ({
  step: 'name',
  state: 'passed',
  took: 1,
  ...what
})

it.each<[ReachabilityStep, string]>([
  [
    step({ found: { code: 'addresses', host: 'api.example.com', addresses: ['192.0.2.1', '2001:db8::1'] } }),
    'api.example.com resolves to 192.0.2.1, 2001:db8::1'
  ],
  [step({ found: { code: 'addresses', host: '192.0.2.1', addresses: [] } }), '192.0.2.1 is an address'],
  [
    step({ found: { code: 'connected', address: '192.0.2.7:3128', proxy: 'proxy.example.com:3128' } }),
    'Proxy proxy.example.com:3128: Connected to 192.0.2.7:3128'
  ],
  [
    step({
      found: {
        code: 'certificate',
        protocol: 'TLSv1.3',
        subject: 'api.example.com',
        validUntil: 'Jan 1 00:00:00 2030 GMT'
      }
    }),
    'TLSv1.3; certificate of api.example.com, issued by an unnamed authority, valid until Jan 1 00:00:00 2030 GMT'
  ],
  [step({ state: 'skipped', found: { code: 'not-needed' } }), 'Not required for http to this computer'],
  [step({ state: 'skipped', found: { code: 'not-tried' } }), 'Not tried, because an earlier step failed'],
  [
    step({ state: 'failed', failure: failure('name-not-found', { host: 'api.example.com' }) }),
    expect.stringContaining('api.example.com') as string
  ],
  [step({}), '']
])('%#', (given, text) => expect(stepText(given)).toEqual(text))
