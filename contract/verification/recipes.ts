/** Check an applicant: several operations for one person, in order, each field entered once. Pure. */
import { removedMark } from '../links/links.ts'
import { operationOf, type FieldDeclaration, type OperationId } from './operations.ts'
import { nextStepOf, type Ended } from './next-steps.ts'
import type { VerificationInput } from './verification.ts'

/** A value that one or several of the operations need: the same link is not typed twice. */
export interface CheckField {
  /** Names the value, whatever the operations call it. */
  readonly key: string
  readonly field: FieldDeclaration
}

/** What a value is, whatever an operation calls its field: the label says it, and a document that an operation does not name is the ID document. */
const keyOf = ({ kind, label }: FieldDeclaration): string =>
  kind === 'applicant-id'
    ? 'applicant'
    : label === 'Document URL'
      ? 'id-document'
      : label.replace(/ URL$/, '').replaceAll(' ', '-').toLowerCase()

/** Each distinct value of the operations, in the order in which it is first needed. */
export function fieldsOfCheck(operations: readonly OperationId[]): CheckField[] {
  const found = new Map<string, FieldDeclaration>()
  for (const field of operations.flatMap((id): readonly FieldDeclaration[] => operationOf(id).fields)) {
    const key = keyOf(field)
    // Of two names for one value, the one that says which document it is.
    if (!found.has(key) || found.get(key)?.label === 'Document URL') found.set(key, field)
  }
  return [...found].map(([key, field]) => ({ key, field }))
}

/** The input of one operation, from the values of the check. */
export const inputOfCheck = (operation: OperationId, values: Readonly<Record<string, string>>): VerificationInput =>
  Object.fromEntries(operationOf(operation).fields.map((field) => [field.name, values[keyOf(field)] ?? '']))

/** The values that inputs have, by key; of several for one value, that of the first input. A link whose signature was removed is none. */
export function valuesOfInputs(
  inputs: readonly { readonly operation: OperationId; readonly input: VerificationInput }[]
): Record<string, string> {
  const found: Record<string, string> = {}
  for (const { operation, input } of inputs)
    for (const field of operationOf(operation).fields) {
      const value = input[field.name] ?? ''
      if (value !== '' && !value.includes(removedMark)) found[keyOf(field)] ??= value
    }
  return found
}

/**
 * The fields of a file whose rows are sent to these operations: each distinct value once, by the name in the request. Where
 * two values have the same name, it says which document it is; a heading that could be either is read as neither.
 */
export function fieldsOfRows(operations: readonly OperationId[]): readonly FieldDeclaration[] {
  const all = operations.flatMap((id): readonly FieldDeclaration[] => operationOf(id).fields)
  return fieldsOfCheck(operations).map(({ key, field }) => {
    const own = all.filter((each) => keyOf(each) === key)
    const others = all.filter((each) => keyOf(each) !== key)
    const taken = new Set(others.flatMap(({ name, aliases }) => [name, ...aliases]))
    const names = new Set(own.flatMap(({ name, aliases }) => [...aliases, name]))
    return {
      ...field,
      name: others.some(({ name }) => name === field.name) ? `${key.replaceAll('-', '_')}_url` : field.name,
      aliases: [...names].filter((name) => !taken.has(name))
    }
  })
}

/** The field of a row that names its applicant, if one of the operations has one. */
export const applicantFieldOfRows = (operations: readonly OperationId[]): string | undefined =>
  fieldsOfRows(operations).find(({ kind }) => kind === 'applicant-id')?.name

/** Takes what belongs to one of the operations from what a row has, by the names of `fieldsOfRows`. */
export function fromRows(operations: readonly OperationId[]) {
  const fields = fieldsOfRows(operations)
  const names = new Map(fieldsOfCheck(operations).map(({ key }, at) => [key, fields[at]?.name ?? '']))
  const pairs = new Map(
    operations.map((id) => [
      id,
      operationOf(id).fields.map((field): readonly [string, string] => [field.name, names.get(keyOf(field)) ?? ''])
    ])
  )
  return {
    input: (operation: OperationId, row: VerificationInput): VerificationInput =>
      Object.fromEntries((pairs.get(operation) ?? []).map(([name, own]) => [name, row[own] ?? ''])),
    /** What was found behind links, by field. */
    byField: <T>(operation: OperationId, row: Readonly<Record<string, T>>): Record<string, T> =>
      Object.fromEntries(
        (pairs.get(operation) ?? []).flatMap(([name, own]): [string, T][] => {
          const found = row[own]
          return found === undefined ? [] : [[name, found]]
        })
      )
  }
}

/** Whether both lists send the same. */
export const sameOperations = (one: readonly OperationId[], other: readonly OperationId[]): boolean =>
  one.join() === other.join()

/** The operations as one thing, in short. */
export const shortOperations = (operations: readonly OperationId[]): string =>
  operations.map((id) => operationOf(id).shortTitle).join(', ')

/** The name of the only operation, or short names of several. */
export function operationsTitle(operations: readonly OperationId[]): string {
  const only = operations.length === 1 ? operations.at(0) : undefined
  return only === undefined ? shortOperations(operations) : operationOf(only).title
}

const refused: readonly (number | undefined)[] = [401, 403, 429]

/** Whether nothing more of a check is sent after a verification that ended so. */
export const stopsCheck = (ended: Ended): boolean =>
  nextStepOf(ended)?.id === 'unknown' || ended.state === 'open' || refused.includes(ended.status)
