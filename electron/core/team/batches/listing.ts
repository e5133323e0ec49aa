/** The batches that the team shares, and how far each is. */
import type { BatchSummary } from '#contract/batches/batches.ts'
import { firstOperation } from '#contract/verification/operations.ts'
import { ok } from '#contract/failures/result.ts'
import type { TeamBatch, TeamBatchProgress } from '#contract/team/batches.ts'
import type { ReceivedBatch } from '#team/thread/batches.ts'
import type { Answer, BatchSharingParts, SharingTerms } from './terms.ts'

type Names = Readonly<Record<string, string>>

/** A colleague's batch, unless its names are gone. */
const received = (
  { names: words, installation, shared: _, ...batch }: ReceivedBatch,
  names: Names,
  here: boolean
): readonly TeamBatch[] =>
  words ? [{ ...batch, name: words.name, member: names[installation] ?? installation, own: false, here }] : []

const shared = (
  { id, name, operations: [operation = firstOperation], connection, createdAt, atOnce, pace }: BatchSummary,
  member: string
): TeamBatch => ({
  id,
  name,
  operation,
  connection: { name: connection.name, origin: connection.origin, mode: connection.mode },
  at: createdAt,
  atOnce,
  pace,
  member,
  own: true,
  here: true
})

export function createBatchListing(parts: BatchSharingParts, { ofTeam, termsOf }: SharingTerms) {
  async function list(): Answer<readonly TeamBatch[]> {
    const [history, worker, place] = [await parts.history(), await parts.worker(), parts.place()]
    if (!history.ok) return history
    if (!worker.ok) return worker
    if (!place.ok) return place
    const [arrived, names, here] = [
      await worker.value.received(),
      await worker.value.names(),
      await history.value.batches.list({ limit: 200 })
    ]
    if (!arrived.ok) return arrived
    if (!names.ok) return names
    if (!here.ok) return here
    const { team } = place.value
    const known = new Map<string, BatchSummary>()
    for (const batch of here.value.filter(({ shared }) => shared)) {
      const terms = await termsOf(history.value, batch.id)
      if (!terms.ok) return terms
      if (terms.value?.team === team) known.set(batch.id, batch)
    }
    const theirs = arrived.value
      .filter(({ shared: terms }) => terms.team === team)
      .flatMap((batch) => received(batch, names.value, known.has(batch.id)))
    const ids = new Set(arrived.value.map(({ id }) => id))
    const own = [...known.values()]
      .filter(({ id }) => !ids.has(id))
      .map((batch) => shared(batch, names.value[place.value.installation] ?? parts.operator))
    return ok([...theirs, ...own].sort((a, b) => b.at - a.at))
  }

  async function progress(id: string): Answer<TeamBatchProgress> {
    const history = await parts.history()
    if (!history.ok) return history
    const terms = await termsOf(history.value, id)
    if (!terms.ok) return terms
    const same = terms.value && ofTeam(terms.value)
    if (same?.ok === false) return same
    const worker = await parts.worker()
    if (!worker.ok) return worker
    const [figures, names, finished, here, place] = [
      await worker.value.figures(id),
      await worker.value.names(),
      await worker.value.isFinished(id),
      await history.value.batches.show(id),
      parts.place()
    ]
    if (!figures.ok) return figures
    if (!names.ok) return names
    if (!finished.ok) return finished
    if (!place.ok) return place
    const { runner, installations } = figures.value
    const named = (installation: string) => ({ installation, member: names.value[installation] ?? installation })
    return ok({
      id,
      finished: finished.value || (here.ok && here.value.state === 'finished'),
      ...(runner && {
        runner: {
          ...named(runner.installation),
          own: runner.installation === place.value.installation,
          since: runner.since,
          isRunning: runner.isRunning
        }
      }),
      shares: installations.map(({ installation, intents }) => ({ ...named(installation), rows: intents }))
    })
  }

  return { list, progress }
}
