/** `connection add|list|credentials|remove`. */
import { connectionColours, connectionDraftSchema, type ConnectionStatus } from '#contract/connections/connection.ts'
import { credentialIds, credentials, type CredentialId } from '#contract/connections/credentials.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { fieldFaultSentence } from '#contract/failures/sentences.ts'
import { faultsOfIssues } from '#contract/verification/field-issues.ts'
import { jsonText } from './print-text.ts'
import {
  failureEnding,
  findConnection,
  keychainFault,
  textOption,
  usage,
  type Context,
  type Ending
} from './context.ts'
import { askForCredentials, parseCredentialLines, readStandardInput } from './credentials-input.ts'
import { fileFault } from './file-faults.ts'

/** Reads credentials from standard input or the prompt and sets those that were given. @param least How many there must be. */
export async function setCredentials(
  context: Context,
  connection: ConnectionStatus,
  least = 0
): Promise<Result<ConnectionStatus, Ending>> {
  const given =
    context.options['credentials-stdin'] || !context.interactive
      ? parseCredentialLines(await readStandardInput())
      : ok(await askForCredentials())
  if (!given.ok) return fail(usage(given.failure))
  if (Object.keys(given.value).length < least) return fail(usage('No credential was given, and nothing was changed.'))
  let latest = connection
  for (const [credential, value] of Object.entries(given.value) as [CredentialId, string][]) {
    const set = await context.ask('credentials.set', { connectionId: connection.id, credential, value })
    if (!set.ok) return fail(failureEnding(set.failure))
    latest = set.value
  }
  return ok(latest)
}

/** The headers that a connection has no credential for. */
export const missingCredentials = (connection: ConnectionStatus): string[] =>
  credentials.filter((credential) => !connection.credentials[credential.id]).map((credential) => credential.header)

function connectionLine(connection: ConnectionStatus): string {
  const lacking = missingCredentials(connection)
  const other = connection.givenFor === undefined ? '' : `; the stored ones were entered for ${connection.givenFor}`
  const given = connection.byCommand
    ? 'credentials by a command of the organisation'
    : connection.kept === 'session'
      ? 'credentials given for this run only'
      : 'credentials set'
  const state = lacking.length === 0 ? given : `not set: ${lacking.join(', ')}${other}`
  return `${connection.mark.padEnd(5)}${connection.name}  ${connection.mode.toUpperCase()}  ${connection.baseUrl}  (${connection.managed ? 'managed; ' : ''}${state})`
}

const show = (context: Context, connection: ConnectionStatus): string =>
  context.options.json ? jsonText(connection) : connectionLine(connection)

/** The option that a field of a connection is given by. */
const optionOf: Readonly<Record<string, string>> = {
  name: 'NAME',
  baseUrl: '--base-url',
  mode: '--mode',
  colour: '--colour',
  mark: '--mark'
}

/** Adds a connection, then its credentials. If they are refused, there is no connection: adding it again would make two. */
export async function addConnection(context: Context): Promise<Ending> {
  if (context.options.practice) {
    const practice = await context.ask('practice.start')
    return practice.ok ? { exit: 'done', out: show(context, practice.value) } : failureEnding(practice.failure)
  }
  const [name] = context.operands
  if (!name) return usage('Name the connection: connection add NAME --base-url URL')
  const letters = name.replace(/[^\p{L}\p{N}]/gu, '')
  const draft = connectionDraftSchema.safeParse({
    name,
    baseUrl: textOption(context, 'base-url') ?? '',
    mode: textOption(context, 'mode') ?? 'sandbox',
    colour: textOption(context, 'colour') ?? connectionColours[1],
    mark: textOption(context, 'mark') ?? letters.slice(0, 2).toUpperCase()
  })
  if (!draft.success)
    return usage(
      Object.entries(faultsOfIssues(draft.error.issues))
        .map(([field, fault]) => `${optionOf[field] ?? field}: ${fieldFaultSentence(fault)}`)
        .join('\n')
    )
  const saved = await context.ask('connections.save', draft.data)
  if (!saved.ok) return failureEnding(saved.failure)
  const filled = await setCredentials(context, saved.value.connection)
  if (!filled.ok) {
    await context.ask('connections.remove', { id: saved.value.connection.id })
    return filled.failure
  }
  return stored(context, filled.value, 'The connection was saved; its credentials were not')
}

/** How credentials that were given were kept. @param notKept What is said if no keychain took them. */
async function stored(context: Context, connection: ConnectionStatus, notKept: string): Promise<Ending> {
  if (connection.kept === 'session' && credentialIds.some((id) => connection.credentials[id]))
    return {
      exit: 'unavailable',
      out: show(context, connection),
      error: `${notKept}: ${await keychainFault(context)}.\nNo secret was written anywhere.\nGive them with each run (verify … --credentials-stdin), or unlock or start the keychain and add them again.`
    }
  return { exit: 'done', out: show(context, connection) }
}

/** Replaces the credentials of a connection that is there, also of a ready-made one. */
export async function replaceCredentials(context: Context): Promise<Ending> {
  const [name] = context.operands
  if (!name) return usage('Name the connection: connection credentials NAME')
  const connection = await findConnection(context, name)
  if (!connection.ok) return connection.failure
  const filled = await setCredentials(context, connection.value, 1)
  return filled.ok ? stored(context, filled.value, 'The credentials were not stored') : filled.failure
}

/** Lists connections, one per line; with --json, one JSON object per line. */
export async function listConnections(context: Context): Promise<Ending> {
  const list = await context.ask('connections.list')
  if (!list.ok) return failureEnding(list.failure)
  // The reason has already been written to standard error.
  if (await fileFault(context, 'connections')) return { exit: 'incomplete' }
  if (list.value.length === 0 && !context.options.json)
    return { exit: 'done', out: 'No connections yet. “connection add --practice” adds the bundled practice service.' }
  return { exit: 'done', out: list.value.map((connection) => show(context, connection)).join('\n') }
}

/** Removes a connection with its credentials. */
export async function removeConnection(context: Context): Promise<Ending> {
  const [name] = context.operands
  if (!name) return usage('Name the connection to remove: connection remove NAME')
  const connection = await findConnection(context, name)
  if (!connection.ok) return connection.failure
  const removed = await context.ask('connections.remove', { id: connection.value.id })
  if (!removed.ok) return failureEnding(removed.failure)
  return {
    exit: 'done',
    out: `Removed “${connection.value.name}” and its credentials. Its records stay in the history.`
  }
}
