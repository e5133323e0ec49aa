/** Sentences of the tour. */
import { inLanguage } from '../../kit/language.ts'

export const words = inLanguage({
  tourStep: ({ step }: { step: string }) => `Tour, ${step}`,
  queueFirst: '1 of 6: the queue',
  whatWaitsForAPerson:
    'Everybody who waits for a decision, the most urgent first. <key>J</key> and <key>K</key> move, <key>Enter</key> opens the case.',
  documentsFirst: '2 of 6: documents first',
  compareThePhoto: 'Compare the photo with the document. <key>L</key> is the loupe, <key>X</key> side by side.',
  valuesCompared: '3 of 6: values',
  theDetailsAsReceived:
    'The applicant’s details as the service sent them, differences first. <key>V</key> asks the service again without leaving the case.',
  decideByKeys: '4 of 6: decide',
  approveDeclineOrEscalate:
    '<key>A</key> approves, <key>D</key> declines, <key>E</key> escalates. Then a reason and a note, and <key>Command Enter</key> records it and opens the next case.',
  decideMany: '5 of 6: decide many',
  selectTheEasyOnes:
    'Press <key>Space</key> on a row or <key>Command A</key> for all, then decide them together. A sample comes first, and everybody gets a decision of their own.',
  proveItLater: '6 of 6: proof',
  everyStepIsInTheAuditTrail:
    'Every check, view and decision is in the audit trail. An evidence pack proves them to somebody who does not have Veridesk.',
  back: 'Back',
  next: 'Next',
  done: 'Done',
  endTheTour: 'End the tour'
})
