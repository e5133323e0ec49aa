/**
 * Counts the time in which an applicant is shown in a window that has a person's attention: one number, of the applicant that is shown.
 * There is no list of times: of an applicant that was left, none is known any more.
 */
export class FocusTime {
  private readonly now: () => number
  private shown: string | undefined
  private spent = 0
  /** Since when it counts; undefined while it does not. */
  private since: number | undefined

  /** @param now Milliseconds of a clock that never goes back. */
  constructor(now: () => number) {
    this.now = now
  }

  /** The applicant is shown from now on, and no other one. @param isAttended The window is focused, visible and unlocked. */
  attend(applicantId: string, isAttended: boolean): void {
    if (this.shown === applicantId) this.count()
    else this.spent = 0
    this.shown = applicantId
    this.since = isAttended ? this.now() : undefined
  }

  /** The applicant is not shown any more; without one, none is. */
  leave(applicantId = this.shown): void {
    if (applicantId !== this.shown) return
    this.shown = this.since = undefined
    this.spent = 0
  }

  /** Milliseconds so far; undefined for an applicant that is not shown. */
  spentOn(applicantId: string): number | undefined {
    if (this.shown !== applicantId) return undefined
    this.count()
    return this.spent
  }

  private count(): void {
    if (this.since === undefined) return
    const now = this.now()
    this.spent += now - this.since
    this.since = now
  }
}
