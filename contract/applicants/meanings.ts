/** What an organisation decides, and what it makes of the service's messages. Apart from applicants, because records name it as well. */

export const decisions = ['approve', 'decline', 'escalate'] as const
export type Decision = (typeof decisions)[number]

/** The meaning that a local interpretation gives a message. Never sent, and not part of the service's answer. */
export const readingMeanings = ['good', 'bad', 'unclear'] as const
export type ReadingMeaning = (typeof readingMeanings)[number]

/** What is made of a message; `unreviewed`: nothing yet. */
export const messageMeanings = [...readingMeanings, 'unreviewed'] as const
export type MessageMeaning = (typeof messageMeanings)[number]
