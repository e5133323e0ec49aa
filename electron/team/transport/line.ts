/**
 * A line to the team's database. The server proves by its certificate who it is, and by the sign-in (SCRAM, bound to the
 * TLS connection where the server supports it) that it knows the password; otherwise nothing is asked or sent.
 */
import type { PeerCertificate, SecureContext, TLSSocket } from 'node:tls'
import Client from 'pg/lib/client.js'
import { isLoopbackHost } from '#contract/connections/connection.ts'
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { GuardedConnection, TeamFault } from './guarded-connection.ts'
import { isSqlState, refusalOf } from './refusals.ts'

export interface TeamTarget {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  readonly password: string
  /** Which certificates are trusted. Undefined: no TLS, on this computer's own addresses only. */
  readonly trust: SecureContext | undefined
}

export interface LineLimits {
  readonly connectSeconds: number
  /** Longest silence while an answer is expected. */
  readonly silentSeconds: number
  /** Longest time without a question, after which one is asked to find out whether the line is still there. */
  readonly idleSeconds: number
  readonly answerBytes: number
  /** Longest time for a whole answer: without it, a byte every few seconds would keep a question open. */
  readonly answerSeconds: number
}

/** A line that has died silently is noticed within 15 seconds. The largest answer takes 2 Mbit/s to arrive in time. */
export const lineLimits: LineLimits = {
  connectSeconds: 10,
  silentSeconds: 9,
  idleSeconds: 5,
  answerBytes: 64 * 1024 * 1024,
  answerSeconds: 300
}

/** What is known about a line that stands. */
export interface LineFacts {
  /** Undefined for a line within this computer. */
  readonly tls?: {
    readonly protocol: string
    readonly subject: string
    readonly issuer: string
    readonly validTo: string
  }
  /** `SCRAM-SHA-256-PLUS` is bound to the TLS connection. */
  readonly signIn: string
  readonly serverVersion: string
}

export interface TeamLine {
  readonly facts: LineFacts
  /** Runs one statement; several wait for each other. Fails with the line's failure once it is lost. */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Result<readonly Row[], Failure>>
  /** Calls back for each notification, once `LISTEN` was asked. Any role can send one, so it says nothing: a reason to look. */
  onHint(look: () => void): void
  /** Resolves with the reason when the line is lost; never after `close`. */
  readonly lost: Promise<Failure>
  close(): Promise<void>
}

const noTls = 'The server does not support SSL connections'

function failureOf(error: unknown, target: TeamTarget, { connectSeconds }: LineLimits): Failure {
  if (error instanceof TeamFault) return error.failure
  const { host } = target
  const { code = '', message = '', syscall } = error as NodeJS.ErrnoException
  if (message === noTls) return failure('team-database-unencrypted', { host })
  if (message.startsWith('SASL')) return failure('team-sign-in-insecure', { host, reason: 'proof' })
  if (message === 'timeout expired')
    return failure('team-database-unreachable', { host, reason: 'timeout', seconds: connectSeconds })
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return failure('team-database-unreachable', { host, reason: 'name' })
  if (syscall === 'connect') return failure('team-database-unreachable', { host, reason: 'refused' })
  if (isSqlState(code)) return refusalOf(code, target)
  if (code === '' || code === 'ECONNRESET' || code === 'EPIPE' || code === 'ETIMEDOUT')
    return failure('team-database-lost', { host })
  return failure('team-database-untrusted', { host, errno: code })
}

const nameOf = (certificate: PeerCertificate['subject']): string =>
  [certificate.CN ?? certificate.O ?? ''].flat().join(', ')

function tlsFacts(stream: unknown): LineFacts['tls'] {
  const { getProtocol, getPeerCertificate } = stream as Partial<TLSSocket>
  if (!getProtocol || !getPeerCertificate) return undefined
  const certificate = getPeerCertificate.call(stream as TLSSocket)
  return {
    protocol: getProtocol.call(stream as TLSSocket) ?? '',
    subject: nameOf(certificate.subject),
    issuer: nameOf(certificate.issuer),
    validTo: new Date(certificate.valid_to).toISOString()
  }
}

/** @param onPart Called with each part of an answer. */
function clientOf({ host, port, database, user, password, trust }: TeamTarget, limits: LineLimits, onPart: () => void) {
  const ssl = trust ? { secureContext: trust, rejectUnauthorized: true, minVersion: 'TLSv1.2' } : false
  const connection = new GuardedConnection(
    { ssl, keepAlive: true, keepAliveInitialDelayMillis: 5000 },
    {
      host,
      answerBytes: limits.answerBytes,
      onPart
    }
  )
  // Each setting is given, since the driver would otherwise take it from the environment.
  const client = new Client({
    host,
    port,
    database,
    user,
    password,
    connection,
    enableChannelBinding: true,
    ssl: trust ? {} : false,
    options: '-c search_path=pg_catalog',
    application_name: 'veridesk',
    client_encoding: 'UTF8',
    connectionTimeoutMillis: limits.connectSeconds * 1000
  })
  return { connection, client }
}

/** What is known of the server and of the sign-in once it is over. A server that lets everybody in has proved nothing. */
function factsOf(connection: GuardedConnection, client: Client, host: string): () => Omit<LineFacts, 'tls'> {
  let signIn = ''
  let serverVersion = ''
  connection.on('authenticationSASLContinue', () => (signIn = client.saslSession?.mechanism ?? ''))
  connection.on(
    'parameterStatus',
    ({ parameterName, parameterValue }: { parameterName: string; parameterValue: string }) => {
      if (parameterName === 'server_version') serverVersion = parameterValue
    }
  )
  connection.on('authenticationOk', () => {
    if (client.saslSession !== null)
      connection.emit('error', new TeamFault(failure('team-sign-in-insecure', { host, reason: 'none' })))
  })
  return () => ({ signIn, serverVersion })
}

/** Watches for a side that says nothing while an answer is awaited. */
function watchSilence(seconds: number, onSilent: () => void) {
  let timer: NodeJS.Timeout | undefined
  let parts = 0
  const stop = (): void => {
    clearTimeout(timer)
    timer = undefined
  }
  return {
    stop,
    /** A part of an answer has arrived. */
    part(): void {
      parts += 1
      timer?.refresh()
    },
    start(): void {
      stop()
      const mine = setTimeout(() => {
        const before = parts
        // After a thread that was busy, timers come before what has arrived meanwhile: that is read first.
        setImmediate(() => (timer === mine && parts === before ? onSilent() : undefined))
      }, seconds * 1000)
      timer = mine
    }
  }
}

/**
 * Opens a line. On failure no password, and nothing of the team, has left this computer. One to a standby is closed again:
 * it may be late, and what it shows would look like a database that lost something.
 */
export async function openLine(
  target: TeamTarget,
  limits: LineLimits = lineLimits
): Promise<Result<TeamLine, Failure>> {
  const { host, trust } = target
  if (!trust && !isLoopbackHost(host)) return failed('team-database-unencrypted', { host })
  let ended: Failure | undefined
  let closing = false
  let idle: NodeJS.Timeout | undefined
  let report: (reason: Failure) => void = () => undefined
  const lost = new Promise<Failure>((resolve) => (report = resolve))
  const end = (reason: Failure): void => {
    silence.stop()
    clearTimeout(idle)
    if (closing) return
    ended ??= reason
    report(ended)
    connection.stream.destroy()
  }
  const silence = watchSilence(limits.silentSeconds, () =>
    end(failure('team-database-silent', { host, seconds: limits.silentSeconds }))
  )
  const { connection, client } = clientOf(target, limits, silence.part)
  const facts = factsOf(connection, client, host)
  client.on('error', (error) => end(failureOf(error, target, limits)))
  client.on('end', () => end(failure('team-database-lost', { host })))
  try {
    await client.connect()
  } catch (error) {
    closing = true
    connection.stream.destroy()
    return fail(ended ?? failureOf(error, target, limits))
  }
  if (ended) return fail(ended)

  let before: Promise<unknown> = Promise.resolve()
  async function ask<Row extends object>(
    text: string,
    values: readonly unknown[]
  ): Promise<Result<readonly Row[], Failure>> {
    clearTimeout(idle)
    if (ended || closing) return fail(ended ?? failure('team-database-lost', { host }))
    connection.expectAnswer()
    silence.start()
    const whole = setTimeout(
      () => end(failure('team-answer-unusable', { host, reason: 'too-slow', seconds: limits.answerSeconds })),
      limits.answerSeconds * 1000
    )
    try {
      const answered: { readonly rows: readonly Row[] } | readonly unknown[] = await client.query<Row>(text, [
        ...values
      ])
      if ('rows' in answered) return ok(answered.rows)
      // Several results to one question.
      const unasked = failure('team-answer-unusable', { host, reason: 'rows' })
      end(unasked)
      return fail(unasked)
    } catch (error) {
      return fail(ended ?? failureOf(error, target, limits))
    } finally {
      clearTimeout(whole)
      silence.stop()
      rest()
    }
  }
  const query = <Row extends object>(
    text: string,
    values: readonly unknown[] = []
  ): Promise<Result<readonly Row[], Failure>> => {
    const asked = before.then(() => ask<Row>(text, values))
    before = asked
    return asked
  }
  /** While nobody asks anything, only a question shows that the other side is still there. */
  function rest(): void {
    clearTimeout(idle)
    if (!ended && !closing) idle = setTimeout(() => void query('SELECT 1'), limits.idleSeconds * 1000).unref()
  }
  const close = async (): Promise<void> => {
    await before
    closing = true
    clearTimeout(idle)
    await client.end().catch(() => undefined)
  }
  const standing = await query<{ readonly standby: boolean }>('SELECT pg_is_in_recovery() AS standby')
  if (!standing.ok || standing.value[0]?.standby !== false) {
    await close()
    return standing.ok ? failed('team-database-standby', { host }) : standing
  }
  const tls = tlsFacts(connection.stream)
  return ok({
    facts: { ...(tls && { tls }), ...facts() },
    query,
    onHint: (look) => void client.on('notification', () => look()),
    lost,
    close
  })
}
