/**
 * Compares a redacted pack with a fuller one. What the redacted pack states about an event that it does not show
 * completely is only vouched for by its signer (docs/evidence-format-1.md); the fuller pack shows whether it is true.
 */
import { checkAbout, isNamedBy } from './meaning.ts'
import {
  fieldCommitment,
  fieldSalt,
  flatFields,
  type Pack,
  type PackBodyText,
  type PackContent,
  type PackEvent,
  type PackField
} from './pack.ts'
import { Refusal } from '../refusal.ts'
import { compareTrails, type TrailProof, type Trails } from '../trails.ts'
import type { OpenedPayload } from '#wire/history/evidence.ts'

/** What two packs, each verified, show about the same events and replies. */
export interface Comparison {
  /** Number of events in both packs. */
  readonly events: number
  /** Number of events that only the redacted pack contains; they are not compared. */
  readonly alone: number
  /** Number of single values of the redacted pack that the fuller one confirms, shown or withheld. */
  readonly values: number
  /** Those of them that are shown. */
  readonly given: number
  /** Values that cannot be compared: their salt, or the sealed part that contains them, is in neither pack. */
  readonly open: number
  /** Whether an event of the fuller pack names the subject of the redacted one. */
  readonly named: boolean
  readonly trails: Trails
  /** Names of what differs. */
  readonly differing: readonly string[]
}

interface Shown {
  readonly fields: readonly PackField[]
  readonly payload: OpenedPayload | null
  readonly plain?: string | null
  readonly commitment: string | null
}
type Part = 'plain' | 'sealed'

const ofPlain = 'plain.'
const partOf = (name: string): Part => (name.startsWith(ofPlain) ? 'plain' : 'sealed')

/** Every value that a pack shows of an event or a reply, by field name. */
function valuesOf({ fields, payload, plain }: Shown): Map<string, string> {
  const given = fields.flatMap(({ name, value }) => (value === null ? [] : [[name, value] as const]))
  const said = plain ? flatFields(plain).map(([name, value]) => [ofPlain + name, value] as const) : []
  return new Map([...said, ...(payload ? flatFields(payload.text) : []), ...given])
}

/** Whether a part is shown completely, so that a name that is missing does not exist. */
const showsWhole = ({ payload, plain, commitment }: Shown, part: Part): boolean =>
  part === 'plain' ? typeof plain === 'string' : payload !== null || (typeof plain === 'string' && commitment === null)

/** A withheld commitment is null if the plain text is withheld too. */
const sameCommitment = (a: Shown, b: Shown): boolean =>
  a.commitment === b.commitment ||
  (a.commitment === null && a.plain === null) ||
  (b.commitment === null && b.plain === null)

interface Tally {
  values: number
  given: number
  open: number
}

/** The names in which one entry of two packs differs. */
function entryDiffers(mine: Shown, theirs: Shown, erasedSince: boolean, tally: Tally): string[] {
  const differing = new Set<string>()
  if (!sameCommitment(mine, theirs)) differing.add('commitment')
  if (mine.plain && theirs.plain && mine.plain !== theirs.plain) differing.add('plain')
  if (mine.payload && theirs.payload && mine.payload.text !== theirs.payload.text) differing.add('payload')
  const secret = theirs.payload?.salt
  const known = valuesOf(theirs)
  const own = valuesOf(mine)
  for (const { name, commitment, value } of mine.fields) {
    const theirValue = known.get(name)
    if (theirValue === undefined) {
      if (showsWhole(theirs, partOf(name))) differing.add(name)
      else tally.open += 1
    } else if (value !== null) {
      if (value !== theirValue) differing.add(name)
      else {
        tally.values += 1
        tally.given += 1
      }
    } else if (secret === undefined) tally.open += 1
    else if (fieldCommitment(fieldSalt(secret, name), name, theirValue) === commitment) tally.values += 1
    else differing.add(name)
  }
  // A redaction withholds values, never names.
  const names = new Set([...own.keys(), ...mine.fields.map(({ name }) => name)])
  const sealedGone = erasedSince && mine.payload === null && !mine.fields.some(({ name }) => partOf(name) === 'sealed')
  for (const name of new Set([...known.keys(), ...theirs.fields.map((field) => field.name)])) {
    if (names.has(name)) {
      const [ownValue, theirValue] = [own.get(name), known.get(name)]
      if (ownValue !== undefined && theirValue !== undefined && ownValue !== theirValue) differing.add(name)
    } else if (partOf(name) === 'sealed' && sealedGone) tally.open += 1
    else differing.add(name)
  }
  return [...differing]
}

/** The properties of every event, shown completely or not. */
const members = ['at', 'kind', 'subject', 'record', 'previous', 'hash'] as const

const bodiesOf = ({ bodies }: Pick<PackContent, 'bodies'>): Map<number, PackBodyText> =>
  new Map(bodies.map((body) => [body.record, body]))

/** Whether the events of the fuller pack contradict what the redacted one states as its subject. */
function aboutDiffers(redacted: PackContent, theirs: ReadonlyMap<number, PackEvent>): boolean {
  try {
    checkAbout({
      ...redacted,
      profile: 'for-applicant',
      events: redacted.events.map((event) => theirs.get(event.seq) ?? event)
    })
    return false
  } catch (error) {
    if (error instanceof Refusal) return true
    throw error
  }
}

type Entries = Pick<PackContent, 'bodies' | 'events'>

/** What both contain, with what differs. @param erasedSince Whether the other was made before this one. */
export function compareEntries(
  redacted: Entries,
  full: Entries,
  erasedSince: boolean
): Tally & { readonly shared: readonly PackEvent[]; readonly differing: string[] } {
  const tally: Tally = { values: 0, given: 0, open: 0 }
  const differing: string[] = []
  const entry = (mine: Shown, theirs: Shown, where: string): void => {
    for (const name of entryDiffers(mine, theirs, erasedSince, tally)) differing.push(`${where}, ${name}`)
  }
  const theirs = new Map(full.events.map((event) => [event.seq, event]))
  const [mine, other] = [bodiesOf(redacted), bodiesOf(full)]
  const shared = redacted.events.flatMap((event) => {
    const found = theirs.get(event.seq)
    return found ? [{ event, found }] : []
  })
  for (const { event, found } of shared) {
    for (const member of members) if (event[member] !== found[member]) differing.push(`event ${event.seq}, ${member}`)
    entry(event, found, `event ${event.seq}`)
    if (found.kind !== 'record.ended' || found.record === null) continue
    const [body, theirBody] = [mine.get(found.record), other.get(found.record)]
    if (body && theirBody) entry(body, theirBody, `the response of record ${found.record}`)
    else if (body ?? theirBody) differing.push(`the response of record ${found.record}`)
  }
  return { ...tally, shared: shared.map(({ found }) => found), differing }
}

const proofOf = ({ chain, events, tree }: PackContent): TrailProof => ({
  ...tree,
  last: chain.hash,
  events,
  earlier: null
})

/** Compares event by event and reply by reply; ignores those that only one of the packs contains. */
export function comparePacks({ content: redacted }: Pack, { content: full }: Pack): Comparison {
  // An erasure has its own event, so a missing sealed part may have existed before the audit trail continued.
  const { shared, differing, ...tally } = compareEntries(redacted, full, redacted.tree.size > full.tree.size)
  if (shared.length > 0 && aboutDiffers(redacted, new Map(full.events.map((event) => [event.seq, event]))))
    differing.push('what it is about')
  const trails = compareTrails(proofOf(redacted), proofOf(full))
  if (typeof trails === 'object') differing.push(`the audit trail between events ${trails.contradiction.join(' and ')}`)
  const named = redacted.about.id === null || shared.some((found) => isNamedBy(redacted.about, found))
  return { events: shared.length, alone: redacted.events.length - shared.length, ...tally, named, trails, differing }
}
