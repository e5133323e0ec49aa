/** What a server of PostgreSQL, or a pooler in front of it, means by an SQLSTATE. Pure. */
import { failure, type Failure, type FailureDetails } from '#contract/failures/failures.ts'
import { refusals } from '../database/schema.ts'

/** Where it was, and as whom. */
interface Place {
  readonly host: string
  readonly database: string
  readonly user: string
}
type Meaning = (place: Place, sqlState: string) => Failure
type ReasonOf<Details> = Extract<Details, { readonly reason: string }>['reason']

const unable =
  (reason: ReasonOf<FailureDetails<'team-database-unable'>>): Meaning =>
  ({ host }, sqlState) =>
    failure('team-database-unable', { host, reason, sqlState })
const ended =
  (reason: ReasonOf<FailureDetails<'team-database-ended'>>): Meaning =>
  ({ host }, sqlState) =>
    failure('team-database-ended', { host, reason, sqlState })
const noAccess: Meaning = ({ host, user }) => failure('team-member-missing', { host, role: user })
const missing: Meaning = ({ host, database }) => failure('team-database-missing', { host, database })
const parts: Meaning = ({ database }) => failure('team-schema-partial', { database, reason: 'parts' })

/** By code, or by class (the first two characters) for all others of it. PostgreSQL's own list is in its appendix A. */
const meanings: Readonly<Record<string, Meaning>> = {
  '08': ({ host }, sqlState) => failure('team-database-unreachable', { host, reason: 'behind', sqlState }),
  '25006': unable('read-only'),
  '25P03': ended('idle'),
  '25P04': ended('idle'),
  '28': ({ host }) => failure('team-sign-in-refused', { host }),
  '3D000': missing,
  '3F000': parts,
  '40': unable('busy'),
  '42501': noAccess,
  '42883': parts,
  '42P01': parts,
  '53': unable('limit'),
  '53100': unable('disk'),
  '53200': unable('memory'),
  '53300': ({ host }) => failure('team-database-full', { host }),
  '54': unable('limit'),
  '55006': unable('busy'),
  '55P03': unable('busy'),
  '57': ended('shutdown'),
  '57014': unable('cancelled'),
  '57P02': ended('crash'),
  '57P03': ({ host }) => failure('team-database-unreachable', { host, reason: 'starting' }),
  '57P04': missing,
  '57P05': ended('idle'),
  '58': unable('damaged'),
  'F0': unable('damaged'),
  [refusals.notMember]: noAccess,
  'XX': unable('damaged')
}

/** Whether the code of an error is an SQLSTATE; none begins with E, as codes of the system do. */
export const isSqlState = (code: string): boolean => /^[0-9A-Z]{5}$/.test(code) && !code.startsWith('E')

/** Failure: what the code means; `team-database-refused` for one that says nothing about the server or the access to it. */
export const refusalOf = (sqlState: string, place: Place): Failure =>
  (meanings[sqlState] ?? meanings[sqlState.slice(0, 2)])?.(place, sqlState) ??
  failure('team-database-refused', { host: place.host, sqlState })
