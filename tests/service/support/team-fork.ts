/** An installation of a team that signs two histories, with a database that helps it. */
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TeamDatabase } from './postgres.ts'
import { exchanging, type Exchanging } from './team-exchange.ts'
import { valueOf, type Installation } from './team-installation.ts'

/** @param arrived Resolves when everybody has received events until this number. @returns The installation with its second history, and the number of the event from which the two differ. */
export async function forked(
  one: Installation,
  { postgres }: TeamDatabase,
  arrived: (seq: number) => Promise<void>
): Promise<{ readonly exchanging: Exchanging; readonly event: number }> {
  const { installation, folder } = one
  const first = await exchanging(one)
  await first.check('APP-1')
  await first.settle()
  await first.close()
  cpSync(join(folder, 'history'), join(folder, 'copy'), { recursive: true })
  const keys = new Map(one.secrets.entries)
  const past = await exchanging(one)
  await past.check('APP-2')
  await past.settle()
  const seq = past.received.shared?.seq ?? 0
  await arrived(seq)
  await past.close()
  // The folder as it was goes on, with a database that helps it.
  rmSync(join(folder, 'history'), { recursive: true })
  cpSync(join(folder, 'copy'), join(folder, 'history'), { recursive: true })
  for (const [account, text] of keys) one.secrets.entries.set(account, text)
  const second = await exchanging(one)
  await second.check('APP-3')
  const { last } = valueOf(await second.store.exchange.read({ after: 0, events: 0, bytes: 0, kept: [] }))
  if (last.seq < seq) throw new Error('the second history is too short')
  const before = seq - 2
  const shared = valueOf(await second.store.exchange.read({ after: before, events: 0, bytes: 0, kept: [] }))
  const id = `'\\x${installation}'`
  postgres.sql(
    `DELETE FROM veridesk.event WHERE installation = ${id} AND seq > ${before}; UPDATE veridesk.head SET seq = ${before}, hash = '\\x${shared.before ?? ''}' WHERE installation = ${id}`,
    'team'
  )
  await second.settle()
  return { exchanging: second, event: before + 1 }
}
