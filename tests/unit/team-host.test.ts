import { expect, it } from 'vitest'
import { isTeamHost, teamDatabaseSchema } from '#contract/team/team.ts'

it.each([
  ['[::1]', '::1'],
  [' 127.0.0.1 ', '127.0.0.1'],
  ['::1', '::1'],
  ['[fe80::1%eth0]', 'fe80::1%eth0'],
  ['db.example.com', 'db.example.com'],
  ['db_1', 'db_1'],
  ['münchen.example', 'münchen.example']
])('takes %s as %s', (text, host) => {
  expect(isTeamHost(text)).toBe(true)
  expect(teamDatabaseSchema.parse({ host: text, port: 5432, database: 'd' }).host).toBe(host)
})

it.each([
  'db.example.com:5432',
  '[::1]:5432',
  'postgres://db.example.com',
  'jdbc:postgresql://db/x',
  'host=127.0.0.1 port=5432',
  'user@db',
  '/var/run/postgresql',
  'a b',
  '',
  ' '
])('refuses “%s”, which would be looked up as a name', (text) => {
  expect(isTeamHost(text)).toBe(false)
  expect(teamDatabaseSchema.safeParse({ host: text, port: 5432, database: 'd' }).success).toBe(false)
})
