/** Labels of how a person resolved an unknown outcome. */
import type { Resolution } from '../history/records.ts'

export const resolutionLabels: Readonly<Record<Resolution, string>> = {
  'processed': 'It was processed',
  'not-processed': 'It was not processed',
  'undetermined': 'Cannot be determined'
}
