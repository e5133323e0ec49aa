/** What the overview is narrowed by, and the list behind a figure, in the address. */
import type { LocationQuery, LocationQueryRaw, RouteLocationRaw } from 'vue-router'
import type { DecisionListQuery } from '#contract/overview/decisions.ts'
import { defaultOrder, queueAddress } from '../queue/queue-address.ts'
import { queueKinds } from '#contract/applicants/queue-kinds.ts'

export interface Narrowed {
  readonly connection?: string
  readonly reviewer?: string
}
type ListOf = DecisionListQuery['of']

const text = (value: LocationQuery[string] | undefined): string => (Array.isArray(value) ? value[0] : value) ?? ''
const moment = (value: LocationQuery[string] | undefined): number | undefined => {
  const at = Number(text(value))
  return text(value) !== '' && Number.isInteger(at) && at >= 0 ? at : undefined
}
const among = <T extends string>(known: readonly T[], value: LocationQuery[string] | undefined): T | undefined =>
  known.find((each) => each === text(value))

export function narrowedOf(query: LocationQuery): Narrowed {
  const [connection, reviewer] = [text(query['connection']).slice(0, 64), text(query['reviewer']).slice(0, 200)]
  return { ...(connection && { connection }), ...(reviewer && { reviewer }) }
}

/** The list that an address names; undefined if it names none. */
export function listOf(query: LocationQuery): ListOf | undefined {
  const [from, until] = [moment(query['from']), moment(query['until'])]
  if (text(query['what']) === 'waiting') {
    const [at, day, due] = [moment(query['at']), moment(query['day']), among(['overdue', 'today'], query['due'])]
    return {
      what: 'waiting',
      ...(at !== undefined && { at }),
      ...(day !== undefined && { day }),
      ...(due && { due })
    }
  }
  if (from === undefined || until === undefined) return undefined
  const decision = among(['approve', 'decline', 'escalate'], query['decision'])
  const is = among(['overturned', 'timed', 'open'], query['is'])
  const message = /^-?\d{1,15}$/.test(text(query['message'])) ? Number(text(query['message'])) : undefined
  return {
    what: 'decided',
    from,
    until,
    ...(decision && { decision }),
    ...(is && { is }),
    ...(message !== undefined && { message })
  }
}

/** The list that a figure counts. */
export const toList = (of: ListOf, narrowed: Narrowed): RouteLocationRaw => ({
  name: 'overview-list',
  query: Object.fromEntries(
    Object.entries({ ...of, ...narrowed }).map(([name, value]) => [name, String(value)])
  ) satisfies LocationQueryRaw
})

/** What waits now: in the queue, which is not divided by connection. */
export const toWaiting = (due: 'overdue' | 'today' | undefined, { connection, reviewer }: Narrowed): RouteLocationRaw =>
  connection === undefined
    ? {
        name: 'queue',
        query: queueAddress(
          {
            kinds: queueKinds.filter((kind) => kind !== 'review'),
            ...(due && { due: [due] }),
            ...(reviewer !== undefined && { assignees: [reviewer] })
          },
          defaultOrder
        )
      }
    : toList({ what: 'waiting', ...(due && { due }) }, { connection, ...(reviewer !== undefined && { reviewer }) })
