/** Channels of batches that a team shares. Their rows, results and endings are those of batches. */
import type { BatchSummary } from '../batches/batches.ts'
import { teamBatchTakeOverSchema, teamBatchSchema, type TeamBatch, type TeamBatchProgress } from './batches.ts'
import { channel, kibibyte, nothing } from '../ipc/channel.ts'

export const teamBatchChannels = {
  /** All that the team shares, the newest first; empty without a team. */
  'teamBatches.list': channel<readonly TeamBatch[]>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'It lists names of batches and of members, without rows.' }
  }),
  /** A batch that is not running becomes the team’s. Failures: `team-batch-unusable`, `batch-not-startable`, `batch-restored`, `batch-restored-unknown`, `team-missing`. */
  'teamBatches.share': channel<BatchSummary>()({
    input: teamBatchSchema,
    maxBytes: kibibyte,
    late: 'take',
    leaves: ['batch.shared']
  }),
  /** A batch of the team becomes one here, while nobody else runs it; `batches.start` runs it. Failures: `team-batch-runs`, `team-batch-missing`, `team-batch-unusable`, `team-missing`. */
  'teamBatches.takeOver': channel<BatchSummary>()({
    input: teamBatchTakeOverSchema,
    maxBytes: kibibyte,
    late: 'take',
    leaves: ['batch.made'],
    when: 'A colleague shared it, and it is not here yet.'
  }),
  /** How far it is, and who runs it. */
  'teamBatches.progress': channel<TeamBatchProgress>()({
    input: teamBatchSchema,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'It returns numbers, and names of members.' }
  })
}
