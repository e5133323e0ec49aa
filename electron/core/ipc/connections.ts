/** Connections, their credentials, and the practice service. */
import type { connectionChannels, proxySignInChannels, diagnosisChannels } from '#contract/connections/channels.ts'
import type { HandlersOf } from '#contract/ipc/channel.ts'
import type { Connection } from '#contract/connections/connection.ts'
import type { CredentialId } from '#contract/connections/credentials.ts'
import { failed, type Failure, invalidField, type FieldFault } from '#contract/failures/failures.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { connectionNote, credentialNote } from '#core/audit/changes.ts'
import type { CredentialChange } from '#wire/history/audit-notes.ts'
import { done, type HandlerParts } from './parts.ts'
import { proxyAddressIn, proxyUrlFault } from '#core/client/proxy.ts'
import { signInFaults } from '#core/secrets/proxy-sign-ins.ts'

export function connectionHandlers(parts: HandlerParts): HandlersOf<typeof connectionChannels> {
  const { host, connections, credentials, cleared, network, practice, auditTrail } = parts
  let queue: Promise<unknown> = Promise.resolve()
  /** One at a time: an undo during a change of address or value would restore a secret for the wrong one. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = queue.then(work)
    queue = turn.catch(() => undefined)
    return turn
  }

  /** Changes a credential and returns what the window may know of the connection. */
  const credentialChanged = async (
    connectionId: string,
    credential: CredentialId,
    what: CredentialChange,
    change: (connection: Connection) => Promise<Result<unknown, Failure>>
  ) => {
    const connection = connections.get(connectionId)
    if (!connection) return failed('connection-missing')
    const changed = await change(connection)
    if (!changed.ok) return changed
    parts.stateChanged()
    const status = (await connections.list()).find((each) => each.id === connectionId)
    if (status) await auditTrail.note(credentialNote(status, credential, what))
    return status ? { ok: true as const, value: status } : failed('connection-missing')
  }

  return {
    'connections.list': async () => ({ ok: true, value: await connections.list() }),
    'connections.save': (draft) =>
      inTurn(async () => {
        if (host.sample && draft.id === undefined) return failed('sample-practice-only')
        const before = draft.id === undefined ? undefined : connections.get(draft.id)
        const saved = await connections.save(draft)
        if (!saved.ok) return saved
        if (saved.value.credentialsCleared) cleared.forget(saved.value.connection.id)
        const note = connectionNote(before, saved.value.connection, saved.value.credentialsCleared)
        if (note) await auditTrail.note(note)
        return saved
      }),
    'connections.remove': ({ id }) =>
      inTurn(async () => {
        const before = connections.get(id)
        const removed = await connections.remove(id)
        if (!removed.ok) return removed
        cleared.forget(id)
        await auditTrail.note({
          kind: 'connection.changed',
          plain: { connectionId: id, connection: before?.name ?? '', change: 'removed' }
        })
        return done
      }),
    'connections.reach': async (asked) => {
      if ('baseUrl' in asked) {
        const refusal =
          parts.settings.sendingRefusal() ??
          parts.policies.addressRefusal({ ...asked, practice: asked.baseUrl === practice.address() })
        return refusal ? fail(refusal) : network.reach(asked.baseUrl)
      }
      const connection = await practice.reachable(asked.id)
      return connection.ok ? network.reach(connection.value.baseUrl) : connection
    },
    'credentials.set': ({ connectionId, credential, value }) =>
      inTurn(() =>
        credentialChanged(connectionId, credential, 'set', async (connection) => {
          const { givenFor } = await credentials.presence(connection)
          const set = await credentials.set(connection, credential, value)
          // A value given for another address is not restored together with values for this one.
          if (set.ok) cleared.forget(connectionId, givenFor === undefined ? credential : undefined)
          return set
        })
      ),
    'credentials.clear': ({ connectionId, credential }) =>
      inTurn(() =>
        credentialChanged(connectionId, credential, 'cleared', async (connection) => {
          const gone = await credentials.clear(connectionId, credential)
          // A second click finds nothing set, and must not replace what the first one cleared.
          if (gone.ok && gone.value) cleared.keep(connection, credential, gone.value)
          return gone
        })
      ),
    'credentials.undoClear': ({ connectionId, credential }) =>
      inTurn(() =>
        credentialChanged(connectionId, credential, 'restored', async (connection) => {
          const kept = cleared.take(connection, credential)
          return kept ? ok(await kept.restore()) : failed('credential-undo-expired')
        })
      ),
    'practice.start': async () => {
      const known = (await connections.list()).some((each) => each.practice)
      const started = await practice.start()
      if (!started.ok) return started
      // Also if the next step fails.
      host.announce({ kind: 'connections-changed' })
      // Nobody was asked whether colleagues should see what is only practised.
      const unshared = !known && parts.inTeam() ? await (await parts.team()).keep(started.value.id) : started
      return unshared.ok ? started : unshared
    }
  }
}

/** The network diagnosis. */
export function diagnosisHandlers({
  host,
  settings,
  policies,
  practice,
  diagnoses
}: HandlerParts): HandlersOf<typeof diagnosisChannels> {
  return {
    'diagnosis.run': async (asked) => {
      // With settings that are not in effect, a diagnosis would not see what a verification sees.
      const refusal = settings.sendingRefusal()
      if (refusal) return fail(refusal)
      if ('baseUrl' in asked) {
        const baseUrl = asked.baseUrl.trim()
        const notAllowed = policies.addressRefusal({ baseUrl, practice: baseUrl === practice.address() })
        if (notAllowed) return fail(notAllowed)
        return host.sample ? failed('sample-practice-only') : diagnoses.run(asked.diagnosisId, baseUrl)
      }
      const connection = await practice.reachable(asked.id)
      return connection.ok ? diagnoses.run(asked.diagnosisId, connection.value.baseUrl) : connection
    },
    'diagnosis.stop': async ({ diagnosisId }) => {
      diagnoses.stop(diagnosisId)
      return done
    },
    'diagnosis.save': ({ diagnosisId }) => diagnoses.save(diagnosisId)
  }
}

const proxyFault = (text: string): { readonly proxy: FieldFault } => ({
  proxy: proxyUrlFault(text) ?? invalidField('proxy-incomplete')
})

/** What is stored for signing in to proxies. */
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
