/** The signing key: its certificates, its revocation and its replacement; time-stamps. */
import type { HandlersOf } from '#contract/ipc/channel.ts'
import type { evidenceChannels, auditChannels } from '#contract/evidence/channels.ts'
import { readAuthorityFile } from '#core/timestamps/timestamps.ts'
import { done, type HandlerParts, withHistory } from './parts.ts'

export function evidenceHandlers({
  host,
  certificates,
  ownKeys,
  trustMaking,
  trustReading,
  timestamps,
  evidence
}: HandlerParts): HandlersOf<typeof evidenceChannels> {
  return {
    'certificates.show': () => certificates.show(),
    'certificates.request': (subject) => certificates.request(subject),
    'certificates.import': ({ pem }) => certificates.import(pem),
    'certificates.remove': () => certificates.remove(),
    'keys.list': () => ownKeys.list(),
    'keys.revoke': (order) => ownKeys.revoke(order),
    'keys.replace': ({ key }) => ownKeys.replace(key),
    'trust.make': (order) => trustMaking.make(order),
    'trust.sign': (order) => trustMaking.sign(order),
    'trust.inForce': () => trustReading.inForce(),
    'trust.choose': () => trustReading.choose(),
    'trust.read': (order) => trustReading.read(order),
    'timestamps.chooseAuthorities': async () => {
      const path = await host.chooseFile('Choose the certificate of the time-stamp authority', ['pem', 'crt', 'cer'])
      return path === undefined ? done : readAuthorityFile(path)
    },
    'evidence.timestamp': () => evidence.timestamp(),
    'timestamps.test': () => timestamps.test()
  }
}

/** The audit trail: its events, its head, proofs, and its verification. */
export function auditHandlers(parts: HandlerParts): HandlersOf<typeof auditChannels> {
  const { host, auditTrail, evidence } = parts
  return {
    'audit.page': (query, visit) =>
      withHistory(parts, async ({ audit }) => {
        // Before reading: this view is the newest event that it shows.
        await auditTrail.viewed({ what: 'audit', ...((query.search || query.about) && { search: true }) }, visit)
        return audit.page(query)
      }),
    'audit.head': () => withHistory(parts, ({ audit }) => audit.head()),
    'audit.prove': ({ seq, size }) => withHistory(parts, () => evidence.prove(seq, size)),
    'audit.verify': async () => {
      const verdict = await auditTrail.verify((verified, total) =>
        host.announce({ kind: 'audit-progress', verified, total })
      )
      if (verdict.ok)
        await auditTrail.note({
          kind: 'evidence.verified',
          plain: { what: 'audit-trail', verified: verdict.value.intact }
        })
      return verdict
    }
  }
}
