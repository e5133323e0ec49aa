/** Sentences of sample. */
import { inLanguage } from '../../kit/language.ts'

export const words = inLanguage({
  sampleData: 'Sample data',
  everythingHereIsDeleted:
    '<strong>Sample data.</strong> 90 days of invented cases. Everything is deleted when you close this window.',
  startTheTourAgain: 'Start the tour again',
  closeAndDelete: 'Close and delete',
  examplesAdded: 'Examples added',
  opening: 'Opening',
  openSampleData: 'Open sample data',
  exploreSampleData: 'Explore sample data',
  lookAroundWithSampleData: 'Look around with sample data',
  inventedApplicantsWithAPast:
    '240 invented applicants with a past of 90 days, a queue, a batch and a report. A tour of six steps. Deleted when you close it.',
  sampleDataIsOpenIn: 'Sample data is open in a window of its own.'
})
