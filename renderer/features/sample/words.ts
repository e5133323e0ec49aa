/** Sentences of sample. */
import { inLanguage } from '../../kit/language.ts'

export const words = inLanguage({
  sampleData: 'Sample data',
  everythingHereIsDeleted: '<strong>Sample data.</strong> Everything here is deleted when you close this window.',
  closeAndDelete: 'Close and delete',
  examplesAdded: 'Examples added',
  opening: 'Opening',
  exploreSampleData: 'Explore sample data',
  lookAroundWithSampleData: 'Look around with sample data',
  inventedApplicantsVerificationsDecisionsAnd:
    'Invented applicants, verifications, decisions and a batch, in a window of their own. They never mix with your data, and are deleted when you close that window.',
  sampleDataIsOpenIn: 'Sample data is open in a window of its own.'
})
