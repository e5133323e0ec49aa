/** Where a console connects during a day's work, and what leaves the computer: each host's day in a network of its own. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inOwnNetwork, noOwnNetwork } from '../../../tests/app/fixtures/own-network.ts'
import { NotHere, type Measured, type SectionRun } from '../../figures/section.ts'
import type { AskedDay, Day } from './egress-day.ts'
import { hostsHere } from './electron-here.ts'

/**
 * A day's work in each host. Errors: every contact with anything but the configured service, authority, database and
 * update feed, and every packet that leaves.
 */
export async function proveEgress({ sized, progress }: SectionRun): Promise<Measured> {
  if (spawnSync('strace', ['-V']).status !== 0)
    throw new NotHere('strace, which shows the sockets of all processes, is not installed')
  const without = noOwnNetwork()
  // On loopback alone WebRTC and the like send nothing, which would prove nothing.
  if (without !== undefined) throw new NotHere(without)
  const { hosts, notRun, versions } = hostsHere('a day in Electron')
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-egress-'))
  const days: Day[] = []
  try {
    for (const host of hosts) {
      const day = await inOwnNetwork<Day>(
        join(import.meta.dirname, 'egress-day.ts'),
        { host, rounds: sized(20), idle: sized(180) } satisfies AskedDay,
        folder
      )
      days.push(day)
      progress(`${host}: ${JSON.stringify(day.row)}`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    table: {
      columns: [
        'host',
        'requests to the service',
        'connections to the service',
        'connections to the time-stamp authority',
        'requests to it',
        'connections to the update feed',
        'requests to the feed',
        'connections to the team’s database',
        'anything else',
        'packets that left the computer'
      ],
      rows: days.map(({ row }) => [...row])
    },
    notRun,
    faults: days.flatMap(({ faults }) => faults),
    versions
  }
}
