/** What the hosts say and record in a session with sample data. */

/** Who acts in it: not the person, whose name has no place in sample data. */
export const sampleOperator = { operator: 'sample-operator', fullName: 'Sample Operator' }

/** Why `--sample` and another data folder cannot be used together. */
export const sampleWithData =
  'Veridesk does not start with --sample and another data folder together: sample data has a temporary folder of its own. Nothing was changed. Start it with one of the two.'
