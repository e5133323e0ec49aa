/** Finds the trigger in a request: in an applicant's ID, or in the path of an image URL. */
import { triggers, type Trigger } from './triggers.ts'

const byName = new Map(triggers.map((trigger) => [trigger.name, trigger]))

/** Patterns for the trigger's name in an applicant's ID and in a URL's path. */
const marks = {
  'applicant-id': /^PRACTICE-([A-Za-z0-9-]+)(?:\.|$)/i,
  'url': /^https?:\/\/[^/?#]+(?:\/[^?#]*)?\/trigger\/([A-Za-z0-9-]+)(?:[/?#]|$)/i
} as const

export interface FoundTrigger {
  readonly name: string
  /** Undefined if the table has no such trigger or its number is out of range. */
  readonly trigger: Trigger | undefined
  readonly number: number
}

/** Resolves names such as `slow-3`: a full match takes precedence over a name with a number. */
export function triggerNamed(text: string): FoundTrigger {
  const name = text.toLowerCase()
  const whole = byName.get(name)
  if (whole) return { name, trigger: whole, number: whole.number?.usual ?? 0 }
  const [, stem = '', digits = ''] = /^(.+)-(\d{1,9})$/.exec(name) ?? []
  const trigger = byName.get(stem)
  const fits = trigger?.number !== undefined && Number(digits) <= trigger.number.most
  return { name, trigger: fits ? trigger : undefined, number: Number(digits) }
}

/** The trigger in a field's value, if any. */
export function triggerIn(kind: keyof typeof marks, value: string): FoundTrigger | undefined {
  const name = marks[kind].exec(value)?.[1]
  return name === undefined ? undefined : triggerNamed(name)
}
