/** Connections with their credentials, and all that a console asks over a network besides verifications. */
import type { Failure } from '#contract/failures/failures.ts'
import { ok } from '#contract/failures/result.ts'
import type { Masker } from '#core/masking/masker.ts'
import { ownSecrets } from '#core/masking/own-secrets.ts'
import { createNetwork } from '#core/client/network.ts'
import { openConnections } from '#core/connections/connections.ts'
import { createForwarding } from '#core/forwarding/forwarding.ts'
import { createPractice } from '#core/connections/practice.ts'
import { createDiagnoses } from '#core/diagnosis/diagnoses.ts'
import { createCopies } from '#core/documents/copies.ts'
import { createCopyChecks } from '#core/documents/copy-checks.ts'
import { createDocuments, type DocumentParts } from '#core/documents/documents.ts'
import { createLaterCopies } from '#core/documents/later-copies.ts'
import { createDrift } from '#core/documents/drift.ts'
import { createLinkChecks } from '#core/documents/link-checks.ts'
import { createVault } from '#core/documents/vault.ts'
import { setAsideSince } from '#core/history/copy-folders.ts'
import { credentialsByCommand } from '#core/secrets/by-command.ts'
import { bindCredentials } from '#core/secrets/bound.ts'
import { createClearedCredentials } from '#core/secrets/cleared.ts'
import { createCredentials } from '#core/secrets/credentials.ts'
import { createProxySignIns } from '#core/secrets/proxy-sign-ins.ts'
import { createTimestamps } from '#core/timestamps/timestamps.ts'
import { createUpdates } from '#core/updates/updates.ts'
import type { Ground } from './ground.ts'
import type { Records } from './records.ts'

export type Networking = Awaited<ReturnType<typeof createNetworking>>

/** Documents behind links and the copies of them, whose files are put in order with each history that opens. */
function createDocumentAccess(
  parts: Pick<DocumentParts, 'clock' | 'network' | 'settings' | 'sendingRefusal' | 'connection'>,
  {
    host,
    folder,
    policies,
    history,
    opened,
    lasting,
    auditTrail
  }: Pick<Ground, 'host' | 'folder' | 'policies'> & Pick<Records, 'history' | 'opened' | 'lasting' | 'auditTrail'>
) {
  const vault = createVault(folder, {
    quota: () => (policies.values().DocumentQuotaGB ?? 200) * 1_000_000_000,
    async kept() {
      // A history that was set aside has files of its own.
      if ((await setAsideSince(folder, 0, parts.clock.now())).length > 0) return undefined
      const store = await history.ready()
      const found = store.ok ? await store.value.documents.condition(0) : store
      return found.ok ? found.value.bytes : undefined
    }
  })
  opened.on(() => {
    const open = lasting() ? history.store() : undefined
    if (!open?.ok) return
    void vault.recover(async (names) => {
      const named = await open.value.documents.named(names)
      return named.ok ? new Set(named.value) : undefined
    })
  })
  const copyChecks = createCopyChecks({
    dataFolder: folder,
    clock: parts.clock,
    history: history.ready,
    auditTrail,
    changed: () => host.announce({ kind: 'data-management-changed' })
  })
  opened.on(copyChecks.opened)
  const keptCopy: NonNullable<DocumentParts['copy']> = async (recordId, field, sha256) => {
    const store = await history.ready()
    const file = store.ok ? await store.value.documents.file(recordId, field, sha256) : store
    if (!file.ok) return file
    if (!file.value) return ok(undefined)
    const { name, keys, at, when, fault } = file.value
    const bytes = await vault.open(name, keys)
    if (bytes.ok) return ok({ bytes: bytes.value, at, when })
    const reason = bytes.failure.details?.['reason']
    // Otherwise the record says that it has a copy until the next check of it, and offers no other.
    if (reason !== undefined && reason !== fault) await copyChecks.faulty({ name, keys })
    return bytes
  }
  const documents = createDocuments({
    ...parts,
    record: async (id) => {
      const store = await history.ready()
      return store.ok ? store.value.record(id) : store
    },
    copy: keptCopy
  })
  return {
    documents,
    keptCopy,
    copyFiles: { lasting, vault, compare: copyChecks.compare },
    copyChecks,
    copies: createCopies({ documents, vault, lasting, now: parts.clock.now }),
    laterCopies: createLaterCopies({
      clock: parts.clock,
      operator: () => host.operator,
      documents,
      vault,
      history: history.ready,
      lasting,
      isSample: host.sample !== undefined,
      chooseFile: host.chooseFile
    })
  }
}

export async function createNetworking(
  {
    host,
    clock,
    folder,
    phase,
    policies,
    log,
    settings,
    stateChanged,
    files,
    removals,
    keychainStates,
    credentialStore,
    session
  }: Ground,
  { history, opened, lasting, auditTrail }: Records
) {
  const bound = bindCredentials({
    credentials: createCredentials({ keychain: credentialStore, session }),
    keychain: credentialStore,
    session
  })
  const credentials = credentialsByCommand(bound, { clock, policies, run: host.runCredentialsCommand })
  removals.on(credentials.forget)
  const cleared = createClearedCredentials(clock)
  const connections = await openConnections({
    folder,
    clock,
    credentials,
    // A session with sample data has the practice service only.
    policies: host.sample ? { ...policies, connections: () => [] } : policies
  })
  keychainStates.on((found) => {
    // Locking the keychain implies that no secret should stay in memory.
    if (found === 'locked') cleared.forget()
    // Loads which credentials are set as soon as the keychain is ready, so that windows get them without waiting.
    if (found === 'ready') void connections.list().then(() => host.announce({ kind: 'connections-changed' }))
  })

  const proxySignIns = createProxySignIns({ keychain: credentialStore, session })
  const network = createNetwork(host, settings.current, async (proxy) => {
    const found = await proxySignIns.of(proxy)
    if (found.ok && found.value) [found.value.user, found.value.password].forEach(log.mask)
    return found
  })
  const sendingRefusalNow = (): Failure | undefined => settings.sendingRefusal() ?? connections.fault()
  const { documents, keptCopy, copies, laterCopies, copyFiles, copyChecks } = createDocumentAccess(
    { clock, network, settings: settings.current, sendingRefusal: sendingRefusalNow, connection: connections.get },
    { host, folder, policies, history, opened, lasting, auditTrail }
  )
  const linkChecks = createLinkChecks({ clock, documents, history: history.ready, auditTrail })
  removals.on(linkChecks.forget)
  const { current, sendingRefusal } = settings
  const outgoing = { settings: current, sendingRefusal, network, clock, folder, version: host.version }
  return {
    credentials,
    cleared,
    connections,
    practice: createPractice(host, connections, settings, auditTrail, policies),
    /** What finds the credentials of all connections in a text, with the values of now. */
    own: (): Promise<Masker> => ownSecrets({ connections: connections.ids, held: credentials.held }),
    proxySignIns,
    network,
    documents,
    keptCopy,
    copies,
    laterCopies,
    copyFiles,
    copyChecks,
    linkChecks,
    drift: createDrift({ clock, operator: () => host.operator, documents, history: history.ready, auditTrail }),
    diagnoses: createDiagnoses({ host, network, settings: current, files }),
    timestamps: createTimestamps({ settings: current, sendingRefusal, network, clock }),
    forwarding: createForwarding({
      ...outgoing,
      history() {
        const open = lasting() && !host.sample ? history.store() : undefined
        return open?.ok ? open.value : undefined
      },
      note: auditTrail.note,
      changed: () => stateChanged('forwarding')
    }),
    updates: createUpdates({
      ...outgoing,
      isSample: host.sample !== undefined,
      managed: policies.state,
      isScheduled: host.kind !== 'cli',
      isLocked: () => !phase.isOpen(),
      changed: () => stateChanged('updates')
    })
  }
}
