/**
 * Starts a throw-away team database for trials: `npm run team:up -- [--installations 2]`. It prints how to connect, and is
 * removed when it ends (Ctrl-C).
 */
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { memberRoleSql, roleOf } from '#team/database/member-role.ts'
import { schemaSql } from '#team/database/schema.ts'
import { scramVerifier } from '#team/database/scram.ts'
import { NotHere } from './figures/section.ts'
import { startPostgres } from './team/postgres.ts'

const { values } = parseArgs({ options: { installations: { type: 'string', default: '0' } } })
const count = Number(values.installations)
if (!Number.isInteger(count) || count < 0 || count > 200) {
  console.error('--installations takes a number from 0 to 200.')
  process.exit(2)
}
try {
  const postgres = await startPostgres()
  postgres.sql('CREATE DATABASE team')
  postgres.sql(schemaSql, 'team')
  console.log(
    `A team database is running on 127.0.0.1:${postgres.port}. The SQL of “team schema” has been applied; it contains nothing else, and is removed when this program ends.\n`
  )
  for (let n = 1; n <= count; n += 1) {
    const installation = randomBytes(16).toString('hex')
    const password = randomBytes(32).toString('base64url')
    postgres.sql(memberRoleSql({ installation, verifier: scramVerifier(password) }), 'team')
    console.log(`installation ${n}   ${postgres.url(roleOf(installation), password, 'team')}`)
  }
  console.log(
    `administrator    psql -h ${postgres.socket} -p ${postgres.port} -U ${postgres.administrator.user} team\n\nEnd it with Ctrl-C.`
  )
  const end = (): void => void postgres.end().then(() => process.exit())
  process.on('SIGINT', end)
  process.on('SIGTERM', end)
} catch (problem) {
  if (!(problem instanceof NotHere)) throw problem
  console.error(problem.message)
  process.exitCode = 1
}
