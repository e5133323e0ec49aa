/** Batches that a team shares. */
import type { FailureRows } from '../failures/declaration.ts'

export const teamBatchFailures = {
  'team-batch-missing': {
    what: 'This installation knows no shared batch with this ID.',
    impact: 'Nothing was sent.',
    nextStep: 'Check the list of the team’s batches. A batch that was just shared arrives within seconds.'
  },
  'team-batch-unusable': {
    what: 'The batch cannot be run with the team: {reason}.',
    impact: 'Nothing was sent.',
    nextStep: 'Ask the colleague who shared it, or create a batch of your own from its rows.',
    reasons: {
      'present': 'a batch of this installation has the same ID',
      'team': 'it was shared in another team',
      'connection':
        'its rows are sent to {origin} ({mode}), and the connection is to another service or of another mode',
      'kept': 'what the connection records is not shared with the team',
      'sharing': 'this installation has not chosen what it shares yet',
      'auditor': 'auditors can only read',
      'removed': 'this installation is not a member of the team',
      'awaited': 'not all of it has arrived here yet',
      'intents': 'the team’s database says of a row that somebody else sends it, and that nobody does',
      'changed': 'it was started in the meantime',
      'not-shared': 'it is not shared with the team',
      'shared': 'it is shared with the team already',
      'recipe': 'it sends several operations for each row, and a team shares batches of one operation'
    }
  },
  'team-batch-runs': {
    what: '{member} has been running the batch since {runningSince}, at the installation {installation}.',
    impact: 'Nothing was sent from here since. Two installations never run a batch at the same time.',
    nextStep:
      'Ask {member} to pause it, and then take it over. If that installation has stopped, you can take it over a minute later.'
  },
  'team-batch-frozen': {
    what: 'Shared batches are on hold: {reason}.',
    impact: 'No row has been sent since. Rows that were sent keep their outcomes.',
    nextStep:
      'Ask the database’s administrator whether it was restored or replaced. When the cause is known, a supervisor acknowledges the finding.'
  },
  'team-intents-lost': {
    what: 'The team’s database has lost, or does not store, who sends rows of the shared batch {batchId}: {rows} of the installation {installation}, the first one row {number}.',
    impact: 'Shared batches are on hold. Rows that are known to have been sent are not sent again.',
    nextStep:
      'Ask the database’s administrator whether it was restored or changed. When the cause is known, a supervisor acknowledges the finding.'
  },
  'team-row-sent-twice': {
    what: 'Row {number} of the shared batch {batchId} was sent twice: by the installation {installation} (record {record}) and by {other} (record {otherRecord}). So were {rows} rows in all.',
    impact: 'The provider may count each of them. Shared batches are on hold.',
    nextStep:
      'Compare both records with the provider, and ask the database’s administrator for the cause. Then a supervisor acknowledges the finding.'
  },
  'team-exchange-awaited': {
    what: 'The installation {installation} has not exchanged data since a loss of the team’s database was acknowledged.',
    impact: 'Rows that it has sent may not be known here. Shared batches are on hold until it has connected once.',
    nextStep:
      'Ask its user to start Veridesk. If it will not come back, a supervisor acknowledges this finding, and its rows may be sent twice.'
  }
} as const satisfies FailureRows
