/** `batch save`. */
import { batchFiles, type BatchFile } from '#contract/batches/batches.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { findBatch, oneOf } from './batch.ts'
import { failureEnding, textOption, usage, type Context, type Ending } from './context.ts'
import { findShared } from './team-batches.ts'
import { receiveFirst } from './team-receive.ts'

/** A batch of this installation or, if there is none, of its team: also one of which nothing was run here. */
async function findToSave(context: Context): Promise<Result<string, Ending>> {
  const here = await findBatch(context)
  if (here.ok) {
    if (here.value.shared) await receiveFirst(context)
    return ok(here.value.id)
  }
  const team = context.operands.length > 0 ? await context.ask('team.state') : undefined
  if (!team?.ok || !team.value?.team) return here
  const shared = await findShared(context)
  return shared.ok ? ok(shared.value.id) : here
}

export async function saveBatch(context: Context): Promise<Ending> {
  const file = oneOf<BatchFile>(batchFiles, textOption(context, 'file') ?? 'results')
  const path = textOption(context, 'out')
  if (!file || !path) return usage(`batch save ID --out FILE, with --file one of ${batchFiles.join(', ')}.`)
  const id = await findToSave(context)
  if (!id.ok) return id.failure
  const saved = await (await context.batches()).saveTo(id.value, file, path)
  return saved.ok
    ? { exit: 'done', out: `${saved.value.rows} rows written to ${saved.value.path}` }
    : failureEnding(saved.failure)
}
