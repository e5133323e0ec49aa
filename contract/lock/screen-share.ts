/** Screen-share mode: what it hides, and the words for it. Without schemas, which the window's first script must not load. */

/** Each field of personal data that the mode hides, with its name in “Hidden. Show …”. */
export const hiddenFields = {
  applicant: 'applicant ID',
  name: 'name, date of birth or country',
  link: 'link',
  message: 'message of the service',
  response: 'response',
  request: 'value of the request',
  document: 'document',
  fact: 'fact about the document',
  note: 'note',
  tags: 'tags',
  search: 'search text',
  row: 'value of the row',
  file: 'file name',
  batch: 'name of the batch',
  view: 'name of the view',
  event: 'details of the event',
  reason: 'reason',
  input: 'text of the field',
  text: 'text'
} as const
export type HiddenField = keyof typeof hiddenFields

/** Whom a value is about, where the window knows it. */
export type ValueAbout = { readonly recordId: string } | { readonly applicantId: string }

/** State of the mode. */
export interface ScreenShareState {
  readonly on: boolean
  /** Whether the system keeps the window out of captures while the mode is on: not every system can. */
  readonly blocksCapture: boolean
}
