/**
 * A process that runs the team's batch to its end and is killed on the way. With a number of rows it makes the batch and
 * shares it first, if there is none. Prints its steps as JSON lines.
 *
 *   node tests/service/support/team-batch-runner.ts FOLDER BASE_URL AT_ONCE [ROWS]
 */
import { flushCompileCache } from 'node:module'
import { groundConnection, makeApplicantBatch } from '../../../scripts/batch-ground.ts'
import { must, openTeamGround } from './team-batch-ground.ts'

const [folder = '', baseUrl = '', atOnce = '4', rows] = process.argv.slice(2)
const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`)
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 200))
const ground = await openTeamGround(folder, baseUrl)
const { team, batches } = ground

async function batchHere(): Promise<string> {
  const present = must(await batches.list({ limit: 1 }))[0]
  if (present?.shared) return present.id
  if (rows !== undefined) {
    const id =
      present?.id ??
      (await makeApplicantBatch(
        ground,
        Array.from({ length: Number(rows) }, (_, index) => `TEAM-${index + 1}`),
        { atOnce: Number(atOnce) }
      ))
    return must(await team.batches.share(id)).id
  }
  for (;;) {
    const [found] = must(await team.batches.list())
    const taken = found && (await team.batches.takeOver(found.id, { ...groundConnection, origin: baseUrl }))
    if (taken?.ok) return taken.value.id
    // It waits for its turn.
    if (taken?.failure.code === 'team-batch-runs') say({ at: 'running', id: found?.id })
    await pause()
  }
}

const id = await batchHere()
say({ at: 'running', id })
// The database may be away just now, or somebody else runs the batch: then this one takes over once it can.
const shown = async () => must(await batches.show(id))
for (let state = 'made'; state !== 'finished'; { state } = await shown()) {
  const started = await batches.start(id)
  if (!started.ok) {
    say({ at: 'waiting', why: started.failure.code })
    await pause()
    continue
  }
  say({ at: 'started' })
  // A process that is killed writes nothing at its end.
  flushCompileCache()
  await batches.ended(id)
  const { state: ended, reason } = await shown()
  if (ended !== 'finished' && reason?.code !== 'team-batch-runs') break
  say({ at: 'ended', ended })
}
const { state, reason, counts } = await shown()
// What was recorded here must reach the others.
for (;;) {
  const exchange = await team.exchange()
  if (exchange.ok && exchange.value?.state === 'connected' && exchange.value.toSend === 0) break
  team.look()
  await pause()
}
say({ at: 'over', state, reason, counts })
await ground.close()
process.exit(state === 'finished' ? 0 : 3)
