/** `team schema|check`. */
import { resolve } from 'node:path'
import tls from 'node:tls'
import { isLoopbackHost } from '#contract/connection.ts'
import { oneLine } from '#contract/hidden-text.ts'
import { ok } from '#contract/result.ts'
import { createTrustStore, readCaFile } from '#core/client/trust.ts'
import { newestVersion, schemaSql } from '#core/team/database/schema.ts'
import { failureEnding, textOption, usage, type Ending } from './context.ts'
import { askForSecret, readStandardInput } from './credentials-input.ts'
import type { OptionValues } from './parse.ts'
import { print } from './print-text.ts'

/** Prints the SQL of the team's database. Needs neither data nor a database. */
export function printSchema(options: OptionValues): Ending {
  const { from = '0' } = options
  if (typeof from !== 'string' || !/^\d{1,4}$/.test(from)) return usage('--from takes the version of the database, a whole number.')
  if (Number(from) >= newestVersion) return { exit: 'done', error: `Version ${newestVersion} is the newest that this console knows; there is nothing to apply.` }
  return { exit: 'done', out: schemaSql(Number(from)).trimEnd() }
}

/** The certificates that the server's must lead to: those of a file alone, or those of this computer. */
async function trustOf(file: string | undefined) {
  if (file === undefined) {
    const trusted = await createTrustStore().trust('')
    return trusted.ok ? ok(trusted.value.secureContext) : trusted
  }
  const read = await readCaFile(resolve(file))
  return read.ok ? ok(tls.createSecureContext({ ca: read.value.pem, minVersion: 'TLSv1.2' })) : read
}

/** Signs in to a team's database and says how, and whether it can be used. Needs no data folder and changes nothing. */
export async function checkTeam(options: OptionValues): Promise<Ending> {
  const [host, database, role, port] = [textOption({ options }, 'host'), textOption({ options }, 'database'), textOption({ options }, 'role'), Number(textOption({ options }, 'port') ?? 5432)]
  if (!host || !database || !role) return usage('Name the database: team check --host HOST --database NAME --role NAME')
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return usage('--port takes a number from 1 to 65535.')
  const { openLine } = await import('#core/team/transport/line.ts')
  const { inspectTeam } = await import('#core/team/transport/inspection.ts')
  const file = textOption({ options }, 'ca')
  const trust = file === undefined && isLoopbackHost(host) ? ok(undefined) : await trustOf(file)
  if (!trust.ok) return failureEnding(trust.failure)
  const password = process.stdin.isTTY ? await askForSecret('Password') : (await readStandardInput()).replace(/\r?\n$/, '')
  if (password === '') return usage('The password is missing: type it when you are asked, or give it on standard input.')
  const target = { host, port, database, user: role, password, trust: trust.value }
  const opened = await openLine(target)
  if (!opened.ok) return failureEnding(opened.failure)
  const line = opened.value
  const inspected = await inspectTeam(line, target)
  await line.close()
  if (!inspected.ok) return failureEnding(inspected.failure)
  const { tls: secured, signIn, serverVersion } = line.facts
  const { version, installation } = inspected.value
  return {
    exit: 'done',
    out: print(options['json'], { ...line.facts, ...inspected.value }, [
      'The team’s database can be used.',
      `PostgreSQL ${oneLine(serverVersion)}, team database version ${version}`,
      secured ? `${secured.protocol}, certificate of ${oneLine(secured.subject)} issued by ${oneLine(secured.issuer)}, valid until ${secured.validTo}` : 'Without TLS, within this computer',
      `Signed in with ${signIn}${signIn.endsWith('-PLUS') ? ', bound to the TLS connection' : ''}`,
      `Installation ${installation}`
    ])
  }
}
