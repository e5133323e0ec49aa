/**
 * Core's composition root: builds the parts of the console, each from those before it, then starts them. A host passes
 * its ports and receives one router.
 */
import type { LockReason } from '#contract/lock/lock.ts'
import type { VerideskConsole } from './console-interface.ts'
import { createFront } from './console/front.ts'
import { createGround } from './console/ground.ts'
import { createNetworking } from './console/network.ts'
import { createRecords } from './console/records.ts'
import { createWork } from './console/work.ts'
import type { HostPorts } from './ports/host.ts'
import { within } from '#kit/async/within.ts'

/** Milliseconds from opening the history until what sends requests is preloaded; by then a window has been drawn. */
const preloadDelay = 1000

/** Milliseconds for the host to read and clear the clipboard when the console ends. */
const clipboardPatience = 1000

/** Everything that exists after `start()`. */
async function compose(given: HostPorts) {
  const ground = await createGround(given)
  const records = createRecords(ground)
  const networking = await createNetworking(ground, records)
  const work = createWork(ground, records, networking)
  const front = createFront(ground, records, networking, work)

  const { host, policies, log, stateChanged } = ground
  const { auditTrail } = records
  const { cleared, copyChecks, credentials, forwarding, updates } = networking
  const { team, runs, batches, dataManagement } = work
  const { lock, idle } = front

  log.write('start', { version: host.version, state: host.kind })
  policies.watch((note) => {
    if (note) void auditTrail.note(note)
    if (note) void team.policiesChanged()
    if (note?.kind === 'policies.refused') log.write('policies-failed', { code: note.plain.reason })
    stateChanged('policies')
    host.announce({ kind: 'connections-changed' })
    dataManagement.lookAtSchedule()
    forwarding.look()
  })
  const swept = ground.files.sweep()
  // Both may take seconds if a keychain hangs; the window is open by then and is notified.
  const opened = front.openAtStart().then(() => {
    dataManagement.start()
    // A command ends within seconds, and the sample is deleted at its end.
    if (host.kind !== 'cli' && !host.sample) copyChecks.start()
    if (ground.phase.isOpen()) team.start()
    // A command ends within seconds; what it leaves goes with the next window.
    if (host.kind !== 'cli') forwarding.start()
    void front.fillSample()
    if (!host.sendsAtOnce) setTimeout(work.preload, preloadDelay).unref()
    return Promise.all([credentials.tidy(), swept, updates.start()])
  })
  if (host.sendsAtOnce) setImmediate(work.preload)

  return {
    handle: front.handle,
    lock: async (why: LockReason) => (host.sample ? undefined : lock.lock(why)),
    opened,
    batches,
    async close() {
      idle.close()
      work.attention.close()
      cleared.forget()
      await policies.close()
      // A page that is closing may not answer any more.
      const cleaned = within(clipboardPatience, ground.clipboard.empty())
      await Promise.all([runs.close(), batches.close(), front.stopSample(), cleaned])
      await team.close()
      await Promise.all([updates.close(), forwarding.close()])
      await copyChecks.close()
      await dataManagement.close()
      await auditTrail.note({ kind: 'program.stopped', plain: { version: host.version } })
      await lock.close()
      await records.history.close()
      await ground.keychain.close()
      await log.flush()
    }
  }
}

/** Builds a console for a host. Reads, starts and writes nothing before `start()`. */
export function createConsole(host: HostPorts): VerideskConsole {
  let parts: ReturnType<typeof compose> | undefined
  const up = () => (parts ??= compose(host))
  return {
    async start() {
      await up()
    },
    async opened() {
      await (
        await up()
      ).opened
    },
    handle: async (name, payload) => (await up()).handle(name, payload),
    lock: async (why) => (await up()).lock(why),
    batches: async () => (await up()).batches,
    async close() {
      await (await parts)?.close()
    }
  }
}
