/** What may be sent: the faults of each operation's input, found by the table. */
import { holdsHidden } from './hidden-text.ts'
import { operationOf, type FieldKind, type OperationId } from './operations.ts'

/** The interface states no limits; these are the console's own, far above any real value. */
export const maxApplicantIdLength = 256
export const maxUrlLength = 8192

/** Field name to value, as in the request body. */
export type VerificationInput = Readonly<Record<string, string>>

const faultFinders: Record<FieldKind, (value: string) => string | undefined> = {
  'applicant-id': (value) => {
    if (value.trim() === '') return 'Enter the applicant’s ID.'
    if (value.length > maxApplicantIdLength) return `At most ${maxApplicantIdLength} characters; this has ${value.length.toLocaleString('en')}.`
    if (holdsHidden(value)) return 'The ID holds an invisible character. Type it, or paste it again without formatting.'
    if (value !== value.trim()) return 'Remove the spaces around the ID.'
    return undefined
  },
  'url': (value) => {
    if (value.trim() === '') return 'Enter the address of the image.'
    if (value.length > maxUrlLength) return `At most ${maxUrlLength.toLocaleString('en')} characters; this has ${value.length.toLocaleString('en')}.`
    if (/\s/.test(value) || holdsHidden(value)) return 'The address holds a space or an invisible character.'
    let url: URL
    try {
      url = new URL(value)
    } catch {
      return 'Enter a complete address that begins with https:// or http://.'
    }
    if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'The address must begin with https:// or http://: the service fetches it.'
    if (url.username || url.password) return 'The address holds a user name or password. Use a signed link instead.'
    return undefined
  }
}

/** Why a value cannot be sent in a field of this kind, as a sentence for display at the field. */
export function fieldFault(kind: FieldKind, value: string): string | undefined {
  return faultFinders[kind](value)
}

/** Faults of a whole input by field name; empty where it can be sent. Values are strings or faults. */
export function inputFaults(operation: OperationId, input: Readonly<Record<string, unknown>>): Record<string, string> {
  const declared = operationOf(operation).fields
  const faults: Record<string, string> = {}
  for (const field of declared) {
    const value = input[field.name]
    const fault = typeof value === 'string' ? fieldFault(field.kind, value) : 'A text is needed.'
    if (fault) faults[field.name] = fault
  }
  for (const name of Object.keys(input)) {
    if (!declared.some((field) => field.name === name)) faults[name] = 'This operation has no such field.'
  }
  return faults
}
