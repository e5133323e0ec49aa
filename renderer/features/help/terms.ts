/** Words that the guide explains: its paragraph, and the word there that says what it is. */
export interface GuidePlace {
  readonly title: string
  /** In the paragraph, in bold. */
  readonly word?: string
}
export const terms = {
  'interpretation': { title: 'Interpretation and decision', word: 'An interpretation' },
  'evidence': { title: 'What a case shows', word: 'Evidence' },
  'four-eyes': { title: 'Four-eyes approval' },
  'outdated': { title: 'Decide a case', word: 'A decision' }
} as const satisfies Readonly<Record<string, GuidePlace>>
export type Term = keyof typeof terms
