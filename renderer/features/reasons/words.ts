/** Sentences of reasons. */
import { inLanguage, type Value } from '../../kit/language.ts'

export const words = inLanguage({
  addAReason: 'Add a reason',
  newReason: 'New reason',
  code: 'Code',
  createdFromTheName: 'Created from the name',
  availableFor: 'Available for',
  addReason: 'Add reason',
  dragToReorder: 'Drag to reorder',
  nameOfReasonPlace: ({ place }: { place: Value }) => `Name of reason ${place}`,
  decisionsOfReasonPlace: ({ place }: { place: Value }) => `Decisions of reason ${place}`,
  codeIs: 'Code:',
  moveLabelUp: ({ label }: { label: Value }) => `Move “${label}” up`,
  moveUpAlt: 'Move up (Alt+↑)',
  moveLabelDown: ({ label }: { label: Value }) => `Move “${label}” down`,
  moveDownAlt: 'Move down (Alt+↓)',
  removeLabel: ({ label }: { label: Value }) => `Remove “${label}”`,
  remove: 'Remove',
  reasonsForDecisions: 'Reasons for decisions',
  shownInThisOrderDecisions:
    'Shown in this order. Decisions store the code, so you can rename a reason. Removed reasons stay readable in earlier decisions.',
  saved: 'Saved',
  reasonsInOrder: 'Reasons, in order',
  noReasonsDecisionsAreRecorded: 'No reasons. Decisions are recorded without one.',
  removedReasonsRemovedreasons: ({ removedReasons }: { removedReasons: Value }) => `Removed reasons: ${removedReasons}`,
  removedReasons: 'Removed reasons',
  restoreLabel: ({ label }: { label: Value }) => `Restore “${label}”`,
  restore: 'Restore',
  movedToPositionPlaceOf: ({ place, decisionReasons }: { place: Value; decisionReasons: Value }) =>
    `Moved to position ${place} of ${decisionReasons}`,
  labelWasRemoved: ({ label }: { label: Value }) => `“${label}” was removed`,
  enterAName: 'Enter a name.',
  aNameHasAtMost: 'A name has at most 120 characters.',
  thereIsAlreadyAReason: ({ label }: { label: Value }) => `There is already a reason called “${label}”.`,
  theListHoldsAtMost: ({ maxReasonCodes }: { maxReasonCodes: Value }) =>
    `The list holds at most ${maxReasonCodes} reasons. Remove one first.`,
  enterACodeLowerCase: 'Enter a code: lower-case letters, digits and hyphens.',
  aCodeHasLowerCase: ({ maxCode }: { maxCode: Value }) =>
    `A code has lower-case letters, digits and hyphens, at most ${maxCode}, and begins with a letter or digit.`,
  theCodeCodeIsAlready: ({ code }: { code: Value }) => `The code “${code}” is already in the list.`,
  theCodeCodeBelongsTo: ({ code, label }: { code: Value; label: Value }) =>
    `The code “${code}” belongs to the removed reason “${label}”. Restore that reason, or choose another code.`,
  chooseAtLeastOneDecision: 'Choose at least one decision.',
  aReasonNeedsAtLeast: 'A reason needs at least one decision. Remove it if it is not used.'
})
