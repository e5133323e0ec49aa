/**
 * Numbers of states in the file of what was received: one list for each column. Statements name them, since the same number
 * means something else in another table.
 */

/** `subject.state`: the key is awaited, is here, or was erased. */
export const subjectStates = { awaited: 0, here: 1, erased: 2 } as const

/** `subject.fault`, why an awaited key is not here: nothing is wrong, it was missing once or more often, it was refused. */
export const keyFaultStates = { none: 0, missing: 1, stillMissing: 2, refused: 3 } as const

/** Of an awaited key, worth a finding. An index has the same words. */
export const keyIsFaulty = `fault IN (${keyFaultStates.stillMissing}, ${keyFaultStates.refused})`

/**
 * `published.state`, of a subject of this installation whose key the database was given: it has the key, it refused it although
 * nobody signed a reason, a colleague erased the applicant, this installation did.
 */
export const publishedStates = { shared: 0, refused: 1, withdrawn: 2, erased: 3 } as const

/** Nobody has erased the subject. An index has the same words. */
export const stillPublished = `state IN (${publishedStates.shared}, ${publishedStates.refused})`
/** A colleague or this installation has erased the subject. */
export const noLongerPublished = `state IN (${publishedStates.withdrawn}, ${publishedStates.erased})`

/** `anchored.checked`: whether the event here is the one that was anchored. */
export const anchorStates = { unchecked: 0, same: 1, different: -1 } as const
