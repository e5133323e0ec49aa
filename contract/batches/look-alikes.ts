/** Rows whose applicant IDs look like another ID, as far as people see. */

/** Rows listed one by one; the total includes the others. */
export const maxListedLookAlikes = 100

export interface LookAlikePlace {
  readonly row: number
  readonly id: string
  /** An applicant of the history. */
  readonly other?: string
  /** An earlier row with another ID of the same look. */
  readonly otherRow?: number
}

export interface BatchLookAlikes {
  /** Number of rows; an ID that is repeated as it is counts once. */
  readonly rows: number
  readonly places: readonly LookAlikePlace[]
}
