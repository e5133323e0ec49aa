/** `team schema|check`: what needs neither data nor a console. */
import { resolve } from 'node:path'
import { oneLine } from '#contract/text/hidden-text.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { invalidField } from '#contract/failures/failures.ts'
import { fieldFaultSentence } from '#contract/failures/sentences.ts'
import { teamDatabaseSchema, type TeamDatabaseAddress } from '#contract/team/team.ts'
import { readCaFile } from '#wire/trust.ts'
import { writeChosen } from '#core/files/chosen.ts'
import { schemaSql } from '#team/database/schema.ts'
import { failureEnding, textOption, usage, type Context, type Ending } from './context.ts'
import { askForSecret, readStandardInput } from './credentials-input.ts'
import type { OptionValues } from './parse.ts'
import { print } from './print-text.ts'

/** SQL into a file, or alone on standard output: whatever else there is to say would be run with it. */
export async function sqlEnding(
  { options, dataFolder }: Pick<Context, 'options' | 'dataFolder'>,
  sql: string,
  notes: readonly string[] = []
): Promise<Ending> {
  const error = notes.length > 0 ? { error: notes.join('\n') } : {}
  const to = textOption({ options }, 'to')
  if (to === undefined) return { exit: 'done', out: sql.trim(), ...error }
  const written = await writeChosen(resolve(to), `${sql.trim()}\n`, dataFolder)
  return written.ok ? { exit: 'done', out: resolve(to), ...error } : failureEnding(written.failure)
}

/** Prints the SQL of the team's database. Needs neither data nor a database. @param dataFolder Where nothing is written. */
export async function printSchema(options: OptionValues, dataFolder: string): Promise<Ending> {
  return sqlEnding({ options, dataFolder }, schemaSql)
}

/** Where the database is, from the options; or what is missing. The file of authorities is read. */
export async function addressOf(options: OptionValues, command: string): Promise<Result<TeamDatabaseAddress, Ending>> {
  const [host, database, port, file] = [
    textOption({ options }, 'host'),
    textOption({ options }, 'database'),
    Number(textOption({ options }, 'port') ?? 5432),
    textOption({ options }, 'ca')
  ]
  if (!host || !database) return fail(usage(`Name the database: ${command}`))
  const named = teamDatabaseSchema.shape.host.safeParse(host)
  if (!named.success) return fail(usage(`--host: ${fieldFaultSentence(invalidField('team-host'))}`))
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return fail(usage('--port takes a number from 1 to 65535.'))
  if (file === undefined) return ok({ host: named.data, database, port })
  const read = await readCaFile(resolve(file))
  return read.ok
    ? ok({ host: named.data, database, port, ca: read.value.pem.join('\n') })
    : fail(failureEnding(read.failure))
}

/** Signs in to a team's database and says how, and whether it can be used. Needs no data folder and changes nothing. */
export async function checkTeam(options: OptionValues): Promise<Ending> {
  const role = textOption({ options }, 'role')
  const command = 'team check --host HOST --database NAME --role NAME'
  if (!role) return usage(`Name the database: ${command}`)
  const address = await addressOf(options, command)
  if (!address.ok) return address.failure
  const { host, port, database, ca } = address.value
  const { openLine } = await import('#team/transport/line.ts')
  const { inspectTeam } = await import('#team/transport/inspection.ts')
  const { trustOf } = await import('#team/transport/trust.ts')
  const trust = await trustOf(host, ca)
  if (!trust.ok) return failureEnding(trust.failure)
  const password = process.stdin.isTTY
    ? await askForSecret('Password')
    : (await readStandardInput()).replace(/\r?\n$/, '')
  if (password === '')
    return usage('The password is missing: type it when you are asked, or give it on standard input.')
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
      secured
        ? `${secured.protocol}, certificate of ${oneLine(secured.subject)} issued by ${oneLine(secured.issuer)}, valid until ${secured.validTo}`
        : 'Without TLS, within this computer',
      `Signed in with ${signIn}${signIn.endsWith('-PLUS') ? ', bound to the TLS connection' : ''}`,
      `Installation ${installation}`
    ])
  }
}
