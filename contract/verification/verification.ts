/** Validates the input of each operation by its declared fields. */
import { invalidField, type FieldFault } from '../failures/failures.ts'
import { holdsHidden } from '../text/hidden-text.ts'
import { operationOf, type FieldKind, type OperationId } from './operations.ts'
import { looksLikeCredential, looksLikeRequest } from '../text/unsafe-text.ts'

/** The interface states no limits; these are Veridesk's own, far above any real value. */
export const maxApplicantIdLength = 256
export const maxUrlLength = 8192

/** Field name to value, as in the request body. */
export type VerificationInput = Readonly<Record<string, string>>

/** Why a text is no ID of an applicant, whatever it looks like. */
export function idFault(value: string): FieldFault | undefined {
  if (value.trim() === '') return invalidField('applicant-id-missing')
  if (value.length > maxApplicantIdLength)
    return invalidField('too-long', { limit: maxApplicantIdLength, length: value.length })
  if (holdsHidden(value)) return invalidField('invisible')
  if (value !== value.trim()) return invalidField('spaces-around')
  return undefined
}

const faultFinders: Record<FieldKind, (value: string) => FieldFault | undefined> = {
  'applicant-id': (value) => {
    if (looksLikeRequest(value)) return invalidField('looks-like-request')
    if (looksLikeCredential(value)) return invalidField('looks-like-credential')
    return idFault(value)
  },
  'url': (value) => {
    if (value.trim() === '') return invalidField('url-missing')
    if (value.length > maxUrlLength) return invalidField('too-long', { limit: maxUrlLength, length: value.length })
    if (/\s/.test(value) || holdsHidden(value)) return invalidField('spaces-within')
    let url: URL
    try {
      url = new URL(value)
    } catch {
      return invalidField('url-incomplete')
    }
    if (url.protocol !== 'https:' && url.protocol !== 'http:') return invalidField('url-scheme')
    if (url.username || url.password) return invalidField('url-credentials')
    return undefined
  }
}

/** Why a value is invalid in a field of this kind; undefined if it is valid. */
export function fieldFault(kind: FieldKind, value: string): FieldFault | undefined {
  return faultFinders[kind](value)
}

/** The errors of an input by field name; empty if it can be sent. */
export function inputFaults(
  operation: OperationId,
  input: Readonly<Record<string, unknown>>
): Record<string, FieldFault> {
  const declared = operationOf(operation).fields
  const faults: Record<string, FieldFault> = {}
  for (const field of declared) {
    const value = input[field.name]
    const fault = typeof value === 'string' ? fieldFault(field.kind, value) : invalidField('text-needed')
    if (fault) faults[field.name] = fault
  }
  for (const name of Object.keys(input)) {
    if (!declared.some((field) => field.name === name)) faults[name] = invalidField('unknown-field')
  }
  return faults
}
