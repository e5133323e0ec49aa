/** The four outcomes of a verification, and the state before that. */
export const outcomes = [
  {
    id: 'answered',
    label: 'Answered',
    tone: 'neutral',
    meaning: 'The service returned a valid response. Its status and message are shown unchanged.'
  },
  {
    id: 'invalid-response',
    label: 'Invalid response',
    tone: 'warning',
    meaning: 'The response is not the JSON object that the API specifies. The raw text is kept.'
  },
  {
    id: 'not-sent',
    label: 'Not sent',
    tone: 'neutral',
    meaning: 'Nothing reached the service. It is safe to send the request again.'
  },
  {
    id: 'unknown',
    label: 'Unknown',
    tone: 'danger',
    meaning:
      'The request may have reached the service, but no full response came back. Veridesk does not send it again automatically. Ask your provider first whether it was processed.'
  }
] as const

export type Outcome = (typeof outcomes)[number]['id']
export const outcomeIds = outcomes.map((outcome) => outcome.id) as [Outcome, ...Outcome[]]

/** A record's state: an outcome, or `open` while its request is in progress. */
export type RecordState = Outcome | 'open'

/** The declaration of an outcome: label, tone and meaning. */
export function outcomeOf(id: Outcome): (typeof outcomes)[number] {
  const found = outcomes.find((outcome) => outcome.id === id)
  if (!found) throw new Error(`no outcome ${id}`)
  return found
}
