/** What the catalogue is narrowed to, as its address keeps it. */
import type { LocationQuery } from 'vue-router'
import { messageMeanings, type MessageMeaning } from '#contract/applicants/applicants.ts'
import { isOperationId, type OperationId } from '#contract/verification/operations.ts'

export interface CatalogueFilter {
  readonly meanings: readonly MessageMeaning[]
  /** Only messages that are new this month. */
  readonly fresh: boolean
  readonly operations: readonly OperationId[]
  readonly statuses: readonly number[]
  /** Messages with one text are one row. */
  readonly merge: boolean
  /** Only messages about this applicant; all if empty. */
  readonly applicant: string
}
export const wholeCatalogue: CatalogueFilter = {
  meanings: [],
  fresh: false,
  operations: [],
  statuses: [],
  merge: true,
  applicant: ''
}

const listOf = (value: LocationQuery[string] | undefined): string[] =>
  typeof value === 'string' && value !== '' ? value.split(',') : []

export function catalogueFilterOf(query: LocationQuery): CatalogueFilter {
  const view = listOf(query['view'])
  return {
    meanings: messageMeanings.filter((each) => view.includes(each)),
    fresh: view.includes('new'),
    operations: listOf(query['operations']).filter(isOperationId),
    statuses: listOf(query['statuses'])
      .filter((each) => /^[1-9]\d\d$/.test(each))
      .map(Number),
    merge: query['merge'] !== '0',
    applicant: typeof query['applicant'] === 'string' ? query['applicant'] : ''
  }
}
export function catalogueAddress({ meanings, fresh, operations, statuses, merge, applicant }: CatalogueFilter) {
  const view = fresh ? 'new' : meanings.join(',')
  return {
    name: 'catalogue',
    query: {
      ...(applicant && { applicant }),
      ...(view && { view }),
      ...(operations.length > 0 && { operations: operations.join(',') }),
      ...(statuses.length > 0 && { statuses: statuses.join(',') }),
      ...(!merge && { merge: '0' })
    }
  }
}
