/**
 * Due dates are dates of the calendar, which no time zone moves: the Unix milliseconds of their midnight in UTC, wherever they were set and
 * wherever they are read.
 */

/** Every due date is a multiple of it. */
export const dayLength = 86_400_000

/** `2026-12-01`, for machines. */
export const isoDue = (due: number): string => new Date(due).toISOString().slice(0, 10)

/** The due date of `2026-12-01`; undefined if the text is no date. */
export function dueOfIso(text: string): number | undefined {
  const due = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN
  // A day that does not exist is moved to another one.
  return due >= 0 && isoDue(due) === text ? due : undefined
}

/** The date that it is at a time on this computer, as a due date: earlier ones are overdue. */
export function today(now: number): number {
  const at = new Date(now)
  return Date.UTC(at.getFullYear(), at.getMonth(), at.getDate())
}
