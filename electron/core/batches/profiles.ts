/** Finds the column profile that fits a file, and reads a file with one. */
import type { BatchCheck, BatchReading } from '#contract/batches/batches.ts'
import type { ColumnProfile } from '#contract/batches/profiles.ts'
import { sameOperations } from '#contract/verification/recipes.ts'
import { foldHeading } from '#core/csv/headings.ts'

const folded = (headings: readonly string[]): string => headings.map(foldHeading).toSorted().join('\n')

/** The profile of the operations that was made from a file with the same headings, in any order. */
export function fittingProfile(
  profiles: readonly ColumnProfile[],
  { columns, reading }: Pick<BatchCheck, 'columns' | 'reading'>
): ColumnProfile | undefined {
  const headings = folded(columns)
  return profiles.find(
    (profile) => sameOperations(profile.operations, reading.operations) && folded(profile.headings) === headings
  )
}

/** How a profile reads the text of a file; its columns are known once the headings are. */
export const textReading = ({ operations, encoding, delimiter, sheet, headingRow }: ColumnProfile): BatchReading => ({
  operations,
  ...(encoding && { encoding }),
  ...(delimiter && { delimiter }),
  ...(sheet && { sheet }),
  ...(headingRow && { headingRow })
})

/** The columns that a profile names among these headings; a field whose heading is not there has none. */
export function profileColumns(
  { mapping, applicant }: ColumnProfile,
  columns: readonly string[]
): Pick<BatchReading, 'mapping' | 'applicantColumn'> {
  const all = columns.map(foldHeading)
  const columnOf = (heading: string): number => all.indexOf(foldHeading(heading))
  return {
    mapping: Object.fromEntries(Object.entries(mapping).map(([field, heading]) => [field, columnOf(heading)])),
    applicantColumn: applicant === undefined ? -1 : columnOf(applicant)
  }
}
