/**
 * Connections: the service's address, name and colour. Ensures that no secret is sent to a host it was not given for.
 */
import { faultsOfIssues } from '#contract/verification/field-issues.ts'
import { randomUUID } from 'node:crypto'
import {
  connectionDraftSchema,
  defaultDocumentRules,
  normaliseBaseUrl,
  stricter,
  type Connection,
  type ConnectionDraft,
  type ConnectionStatus
} from '#contract/connections/connection.ts'
import { credentials as declared, type CredentialId } from '#contract/connections/credentials.ts'
import {
  failed,
  failure,
  type Failure,
  invalidField,
  type FieldFault,
  type FieldFaults
} from '#contract/failures/failures.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import type { Clock } from '#kit/clock.ts'
import type { BoundCredentials } from '#core/secrets/bound.ts'
import type { Policies } from '#core/policies/policies.ts'
import { openConnectionsStore, type ConnectionsData } from './store.ts'
import { createTurns } from '#kit/async/in-turn.ts'

export interface Connections {
  /**
   * Ready-made ones first, then in order of creation, each with the known state of its credentials. Returns quickly even if the keychain does
   * not.
   */
  list(): Promise<readonly ConnectionStatus[]>
  /** Of all connections. */
  ids(): readonly string[]
  /** The connection as it is on disk now: another process may have changed its address. */
  get(id: string): Connection | undefined
  /**
   * Saves a new or changed connection. A new origin clears the credentials first. Failures: `connection-invalid`
   * (with `fields`), `connection-name-taken`, `connection-missing`, `connection-managed`, `address-not-allowed`,
   * `settings-*`, `disk-full`.
   */
  save(draft: ConnectionDraft): Promise<Result<SavedConnection, Failure>>
  /**
   * Removes a connection, its credentials first. Failures: `connection-missing`, `connection-managed`,
   * `settings-*`, `disk-full`.
   */
  remove(id: string): Promise<Result<null, Failure>>
  /**
   * Creates or updates the single connection to the bundled practice service. Its credentials are made up, so they
   * follow its changing address. `credentials` are by credential id or header name.
   */
  ensurePractice(
    baseUrl: string,
    credentials: Readonly<Record<string, string>>
  ): Promise<Result<PracticePlaced, Failure>>
  /** Why the file is unusable: `connections-damaged`, `connections-newer` or `connections-unreadable`. */
  fault(): Failure | undefined
  /** Replaces an unusable file with an empty one; the old file is kept under another name. Failures: see `DataFile`. */
  reset(): Promise<Result<{ readonly kept: string }, Failure>>
}

export interface SavedConnection {
  readonly connection: ConnectionStatus
  readonly credentialsCleared: boolean
}

export interface PracticePlaced {
  readonly connection: ConnectionStatus
  /** The connection before the change; undefined if it was created. */
  readonly before: Connection | undefined
  /** Credentials that were set to another value. */
  readonly set: readonly CredentialId[]
  /** Why some could not be set; the connection exists nevertheless. */
  readonly refusal?: Failure
}

export interface ConnectionsOptions {
  readonly folder: string
  readonly clock: Pick<Clock, 'now'>
  readonly credentials: BoundCredentials
  readonly policies?: Pick<Policies, 'connections' | 'connectionRefusal' | 'addressRefusal' | 'closedRules' | 'values'>
}

/**
 * Secrets of connections that could not be cleared: they are noted in the file, belong to nobody, and are cleared when the
 * keychain can be used.
 */
function createDisowned(
  store: Awaited<ReturnType<typeof openConnectionsStore>>,
  credentials: BoundCredentials,
  inTurn: ReturnType<typeof createTurns>
) {
  const disowned = new Set<string>()
  const disown = (id: string): void => {
    if (disowned.has(id)) return
    disowned.add(id)
    credentials.disown(id, () => inTurn(() => noteCleared(id)))
  }
  const noteCleared = async (id: string): Promise<boolean> => {
    const fresh = refresh()
    if (!fresh.ok || !(await store.write(without(store.data(), 'disowned', id))).ok) return false
    return disowned.delete(id)
  }

  /** Reloads what another process has written, including its disowned secrets. */
  const refresh = (): Result<null, Failure> => {
    const fresh = store.refresh()
    for (const id of store.data().disowned) disown(id)
    return fresh
  }
  /**
   * Clears the credentials of a connection. If the keychain is unavailable, its entries are disowned instead; the
   * returned data records this on disk together with the change that caused it.
   */
  const forget = async (id: string): Promise<ConnectionsData> => {
    const cleared = await credentials.clearAll(id)
    if (cleared.ok) return store.data()
    disown(id)
    return {
      ...without(store.data(), 'disowned', id),
      disowned: [...store.data().disowned.filter((each) => each !== id), id]
    }
  }

  for (const id of store.data().disowned) disown(id)
  return { refresh, forget }
}

/** What a draft changes: the connection before it, if any, and the address in its usual form; or why it may not. */
function changeOf(
  draft: ConnectionDraft,
  all: readonly Connection[],
  policies: ConnectionsOptions['policies']
): Result<{ readonly before: Connection | undefined; readonly baseUrl: string }, Failure> {
  const { id, name } = draft
  const before = id === undefined ? undefined : all.find((each) => each.id === id)
  if (id !== undefined && !before) return failed('connection-missing')
  if (before?.managed && policies) return fail(policies.connectionRefusal(before))
  const taken = nameTaken(all, name, id)
  if (taken) return { ok: false, failure: taken }
  const baseUrl = normaliseBaseUrl(draft.baseUrl)
  if (before?.practice) {
    const fault = practiceFault(before, { ...draft, baseUrl })
    if (fault) return invalid(Object.fromEntries([fault]))
  }
  const refusal = policies?.addressRefusal({ baseUrl, practice: before?.practice })
  if (refusal) return fail(refusal)
  return ok({ before, baseUrl })
}

/** A connection as it applies: a policy may close what its file allows, and keep copies of what is not for practising. */
const inForce = <Found extends Connection | undefined>(
  connection: Found,
  policies: ConnectionsOptions['policies']
): Found =>
  connection && {
    ...connection,
    documents: { ...connection.documents, ...policies?.closedRules() },
    ...(policies &&
      !connection.practice && {
        copies: stricter(connection.copies ?? 'off', policies.values().KeepDocuments ?? 'off')
      })
  }

/** The rules of a draft as they are stored: the window shows what applies, and what a policy decides stays as the user had it. */
function ownRules(
  { documents, copies }: Pick<ConnectionDraft, 'documents' | 'copies'>,
  before: Connection | undefined,
  policies: ConnectionsOptions['policies']
): Pick<Connection, 'documents' | 'copies'> {
  const known = before?.documents ?? defaultDocumentRules
  return {
    documents: { ...(documents ?? known), ...policies?.closedRules(known) },
    copies: copies === undefined || copies === inForce(before, policies)?.copies ? before?.copies : copies
  }
}

/** The practice service's connection, at its address now. */
const practiceConnection = (
  before: Connection | undefined,
  baseUrl: string,
  all: readonly Connection[],
  now: number
): Connection =>
  before
    ? { ...before, baseUrl, changedAt: now }
    : {
        id: randomUUID(),
        name: freeName(all, 'Practice'),
        baseUrl,
        mode: 'sandbox',
        colour: 'teal',
        mark: 'PR',
        documents: defaultDocumentRules,
        createdAt: now,
        changedAt: now,
        practice: true
      }

/** Reads the connections from the folder; does not access the keychain. */
export async function openConnections({
  folder,
  clock,
  credentials,
  policies
}: ConnectionsOptions): Promise<Connections> {
  const store = await openConnectionsStore(folder, clock)
  const inTurn = createTurns()
  const { refresh, forget } = createDisowned(store, credentials, inTurn)

  const statusOf = async (connection: Connection): Promise<ConnectionStatus> => ({
    ...inForce(connection, policies),
    ...(await credentials.presence(connection))
  })
  const managed = (): readonly Connection[] => policies?.connections() ?? []
  const all = (): readonly Connection[] => [...managed(), ...store.data().connections]
  const find = (id: string): Connection | undefined => all().find((each) => each.id === id)

  const put = async (connection: Connection, data: ConnectionsData): Promise<Result<ConnectionStatus, Failure>> => {
    const isNew = !data.connections.some(({ id }) => id === connection.id)
    const connections = isNew
      ? [...data.connections, connection]
      : data.connections.map((each) => (each.id === connection.id ? connection : each))
    const written = await store.write({ ...data, connections })
    return written.ok ? ok(await statusOf(connection)) : written
  }

  const save = async (draft: ConnectionDraft): Promise<Result<SavedConnection, Failure>> => {
    const checked = connectionDraftSchema.safeParse(draft)
    if (!checked.success) return invalid(faultsOfIssues(checked.error.issues))
    const { id } = checked.data
    // First, so that credentials are not cleared for a change that is then refused.
    const fresh = refresh()
    if (!fresh.ok) return fresh
    const change = changeOf(checked.data, all(), policies)
    if (!change.ok) return change
    const { before, baseUrl } = change.value
    const credentialsCleared = before !== undefined && before.baseUrl !== baseUrl
    const data = credentialsCleared ? await forget(before.id) : store.data()
    const now = clock.now()
    const connection = {
      ...before,
      ...checked.data,
      ...ownRules(checked.data, before, policies),
      baseUrl,
      id: id ?? randomUUID(),
      createdAt: before?.createdAt ?? now,
      changedAt: now
    }
    if (before && !credentialsCleared) await credentials.moved(before, connection)
    const saved = await put(connection, data)
    return saved.ok ? ok({ connection: saved.value, credentialsCleared }) : saved
  }

  const remove = async (id: string): Promise<Result<null, Failure>> => {
    const fresh = refresh()
    if (!fresh.ok) return fresh
    const found = find(id)
    if (!found) return failed('connection-missing')
    if (found.managed && policies) return fail(policies.connectionRefusal(found))
    const data = await forget(id)
    return store.write(without(data, 'connections', id))
  }

  const practiceAt = async (
    baseUrl: string
  ): Promise<Result<Pick<PracticePlaced, 'connection' | 'before'>, Failure>> => {
    const fresh = refresh()
    if (!fresh.ok) return fresh
    const before = store.data().connections.find((each) => each.practice)
    const address = normaliseBaseUrl(baseUrl)
    const connection = practiceConnection(before, address, all(), clock.now())
    if (before) await credentials.moved(before, connection)
    const placed = before?.baseUrl === address ? ok(await statusOf(before)) : await put(connection, store.data())
    return placed.ok ? ok({ connection: placed.value, before }) : placed
  }

  const applyPracticeCredentials = practiceCredentials(credentials)

  return {
    fault: () => store.fault()?.failure,
    reset: () => inTurn(() => store.reset()),
    ids: () => {
      refresh()
      return all().map(({ id }) => id)
    },
    get: (id) => {
      refresh()
      return inForce(find(id), policies)
    },
    list: async () => {
      // If the file cannot be reloaded, the known data stays in use.
      refresh()
      // Not awaited, so that the list is quick even if the keychain is slow.
      void credentials.tidy()
      return Promise.all(all().map(statusOf))
    },
    save: (draft) => inTurn(() => save(draft)),
    remove: (id) => inTurn(() => remove(id)),
    async ensurePractice(baseUrl, given) {
      const placed = await inTurn(() => practiceAt(baseUrl))
      if (!placed.ok) return placed
      // Not in the queue: setting credentials may call back to write the file.
      const { connection, before } = placed.value
      const applied = await applyPracticeCredentials(connection, given)
      return ok({ connection: await statusOf(find(connection.id) ?? connection), before, ...applied })
    }
  }
}

/** Gives the practice service's connection its credentials. */
function practiceCredentials(credentials: BoundCredentials) {
  // Those last set, so that values the user enters instead are not overwritten.
  let practiceGiven: string | undefined
  return async (
    connection: Connection,
    given: Readonly<Record<string, string>>
  ): Promise<Pick<PracticePlaced, 'set' | 'refusal'>> => {
    const same = practiceGiven === JSON.stringify(given)
    const kept = await credentials.values(connection)
    const changed: CredentialId[] = []
    if (same && kept.ok) return { set: changed }
    for (const { id: credential, header } of declared) {
      const value = given[credential] ?? given[header]
      if (value === undefined || (kept.ok && kept.value[credential] === value)) continue
      const set = await credentials.set(connection, credential, value)
      if (!set.ok) return { set: changed, refusal: set.failure }
      changed.push(credential)
    }
    practiceGiven = JSON.stringify(given)
    return { set: changed }
  }
}

function without(data: ConnectionsData, list: 'connections' | 'disowned', id: string): ConnectionsData {
  return list === 'connections'
    ? { ...data, connections: data.connections.filter((each) => each.id !== id) }
    : { ...data, disowned: data.disowned.filter((each) => each !== id) }
}

/** Normalised for comparison: case, width and composition do not distinguish names. */
const comparable = (name: string): string => name.normalize('NFKC').toLocaleLowerCase('und')

function nameTaken(all: readonly Connection[], name: string, id: string | undefined): Failure | undefined {
  const other = all.find((each) => each.id !== id && comparable(each.name) === comparable(name))
  return other && failure('connection-name-taken', { name: other.name }, { name: invalidField('name-taken') })
}

/** `Practice`, or `Practice 2` and so on if the name is taken. */
function freeName(all: readonly Connection[], name: string): string {
  for (let number = 1; ; number += 1) {
    const tried = number === 1 ? name : `${name} ${number}`
    if (!nameTaken(all, tried, undefined)) return tried
  }
}

/** Address and mode of the practice connection cannot be changed: its made-up credentials follow it. */
function practiceFault(
  before: Connection,
  draft: Pick<Connection, 'baseUrl' | 'mode'>
): [string, FieldFault] | undefined {
  if (draft.baseUrl !== before.baseUrl) return ['baseUrl', invalidField('practice-address')]
  if (draft.mode !== before.mode) return ['mode', invalidField('practice-mode')]
  return undefined
}

const invalid = (faults: FieldFaults): Result<never, Failure> => failed('connection-invalid', {}, faults)
