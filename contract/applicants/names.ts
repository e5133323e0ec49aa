/**
 * Which values of an answer with an applicant's details are the name, the date of birth and the country. An organisation
 * maps the fields of its service once; what it leaves open is guessed from common names. Pure.
 */
import { z } from 'zod'
import { rule } from '../verification/field-issues.ts'

/** A value's place in an answer, as `AnswerField` names it: `address.country`, `persons[0].surname`. */
const fieldSchema = z.string().trim().min(1, rule('text-needed')).max(200)
const fieldsSchema = z.array(fieldSchema).max(6)
/**
 * Fields of a details answer. `name`: all of them, joined in this order; `birthDate`, `country`: the first that has a text.
 * Without any, they are guessed.
 */
export const nameFieldsSchema = z.strictObject({ name: fieldsSchema, birthDate: fieldsSchema, country: fieldsSchema })
export type NameFields = z.output<typeof nameFieldsSchema>

/** What the newest answer with an applicant's details says about who it is, as received. */
export interface ApplicantNames {
  readonly name?: string
  readonly birthDate?: string
  readonly country?: string
}

/** Characters that are kept of a value. */
const longest: Readonly<Record<keyof ApplicantNames, number>> = { name: 200, birthDate: 60, country: 80 }

/** Levels of an answer that are read, and values of it. */
const deepest = 5
const mostValues = 400

interface Value {
  readonly path: string
  /** Its own name and that of what it is in, as they are compared. */
  readonly own: string
  readonly within: string
  readonly depth: number
  readonly listed: boolean
  readonly text: string
}

const compared = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
const tidy = (text: string): string => text.replace(/\s+/gu, ' ').trim()

function valuesOf(root: unknown): Value[] {
  const found: Value[] = []
  const add = (value: unknown, place: Omit<Value, 'text'>): void => {
    if (found.length >= mostValues) return
    if (typeof value === 'string' && tidy(value) !== '') found.push({ ...place, text: tidy(value) })
    if (typeof value !== 'object' || value === null || place.depth >= deepest) return
    const isList = Array.isArray(value)
    for (const [key, inner] of Object.entries(value))
      add(inner, {
        path: isList ? `${place.path}[${key}]` : place.path === '' ? key : `${place.path}.${key}`,
        own: isList ? place.own : compared(key),
        within: isList ? place.within : place.own,
        depth: place.depth + 1,
        listed: isList || place.listed
      })
  }
  add(root, { path: '', own: '', within: '', depth: 0, listed: false })
  return found
}

const wholeNames = ['fullname', 'name', 'legalname', 'displayname', 'applicantname', 'personname', 'customername']
const nameParts: readonly (readonly string[])[] = [
  ['givenname', 'givennames', 'firstname', 'firstnames', 'forename', 'forenames', 'first', 'given'],
  ['middlename', 'middlenames', 'middle'],
  ['familyname', 'lastname', 'surname', 'surnames', 'last', 'family']
]
const birthDates = ['dateofbirth', 'birthdate', 'dob', 'birthday', 'birthdt']
const countries = ['country', 'countrycode', 'countryofresidence', 'residencecountry', 'nationality', 'citizenship']
/** In these a name is somebody else's, or of something else. */
const others =
  /address|document|passport|card|issuer|authority|bank|account|company|employer|organi[sz]ation|mother|father|parent|spouse|contact|verification|check|risk|match|list/
/** `first` and `last` are parts of a name only inside one, and a bare date is of birth only inside a birth. */
const partOnly = new Set(['first', 'given', 'middle', 'last', 'family'])

/** The value with the first of these names, nearest to the top. */
function pick(values: readonly Value[], names: readonly string[]): Value | undefined {
  return values
    .filter(({ own }) => names.includes(own))
    .sort((a, b) => a.depth - b.depth || names.indexOf(a.own) - names.indexOf(b.own))[0]
}

function guessedName(values: readonly Value[]): string | undefined {
  const persons = values.filter(
    ({ path, own, within, listed }) =>
      !listed &&
      (!partOnly.has(own) || within.includes('name')) &&
      !others.test(compared(path.slice(0, path.lastIndexOf('.') + 1)))
  )
  const whole = pick(persons, wholeNames)
  if (whole) return whole.text
  const parts = nameParts.flatMap((names) => pick(persons, names)?.text ?? [])
  return parts.length > 0 ? parts.join(' ') : undefined
}

const guessedBirth = (values: readonly Value[]): string | undefined =>
  pick(
    values.filter(({ listed }) => !listed),
    birthDates
  )?.text ?? values.find(({ own, within, listed }) => !listed && own === 'date' && within.includes('birth'))?.text

/** Of the person before that of an address; never of a document's issuer or a birth. */
function guessedCountry(values: readonly Value[]): string | undefined {
  const fitting = values.filter(({ path, listed }) => !listed && !/issu|birth|document|passport|bank/i.test(path))
  return pick(fitting, countries)?.text
}

/** What a details answer says about who the applicant is. Of an answer that is no JSON object, nothing. */
export function namesIn(answer: unknown, fields: NameFields): ApplicantNames {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return {}
  const values = valuesOf(answer)
  const mapped = (paths: readonly string[]): string[] =>
    paths.flatMap((wanted) => values.find(({ path }) => path === wanted)?.text ?? [])
  const found = {
    name: fields.name.length > 0 ? mapped(fields.name).join(' ') : guessedName(values),
    birthDate: fields.birthDate.length > 0 ? mapped(fields.birthDate)[0] : guessedBirth(values),
    country: fields.country.length > 0 ? mapped(fields.country)[0] : guessedCountry(values)
  }
  return Object.fromEntries(
    Object.entries(found).flatMap(([role, text]) =>
      text === undefined || text === '' ? [] : [[role, text.slice(0, longest[role as keyof ApplicantNames])]]
    )
  )
}
