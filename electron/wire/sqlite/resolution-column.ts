/**
 * The column with the number of the event that resolved an unknown outcome, in the table of records and in that of
 * verifications received from a team. The name is that of version 0.1 and is in every file, like the event `record.settled`:
 * queries read it as `resolved`.
 */
export const resolutionColumn = 'settled'
