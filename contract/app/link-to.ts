/** Links to a place of the console: apart from the rules that read them, so that the window's first script has no schemas. */

/** The scheme that installers register. */
export const linkScheme = 'veridesk'

export interface LinkedPlace {
  readonly page: 'applicant' | 'record' | 'batch'
  readonly id: string
}

/** A link to a place, such as `veridesk://record/…`. */
export const linkTo = ({ page, id }: LinkedPlace): string => `${linkScheme}://${page}/${encodeURIComponent(id)}`
