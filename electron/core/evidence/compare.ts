/**
 * Holds a redacted pack beside a fuller one. What the redacted one tells of an event that it does not show whole is
 * its signer's word (docs/evidence-format.md); the fuller one shows whether it is true.
 */
import { checkAbout, isNamedBy } from './meaning.ts'
import { fieldCommitment, fieldSalt, flatFields, type Pack, type PackBodyText, type PackContent, type PackEvent, type PackField } from './pack.ts'
import { Refusal } from './refusal.ts'
import { compareTrails, type Trails } from './trails.ts'
import type { OpenedPayload } from '#core/history/api/evidence.ts'

/** What two packs that both verify say of the same events and replies. */
export interface Comparison {
  /** Events that both hold. */
  readonly events: number
  /** Events of the redacted pack that the fuller one does not hold: nothing is said of them. */
  readonly alone: number
  /** Single values of the redacted pack that the fuller one bears out, given or withheld. */
  readonly values: number
  /** Of these, those that are given. */
  readonly given: number
  /** Values that nobody can hold against anything: their salt, or the sealed part that they are of, is in neither pack. */
  readonly open: number
  /** Whether an event of the fuller pack names what the redacted one says that it is about. */
  readonly named: boolean
  readonly trails: Trails
  /** What is not the same in both, by name. */
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

/** Every value that a pack shows of an event or a reply, under the name of its field. */
function valuesOf({ fields, payload, plain }: Shown): Map<string, string> {
  const given = fields.flatMap(({ name, value }) => (value === null ? [] : [[name, value] as const]))
  const said = plain ? flatFields(plain).map(([name, value]) => [ofPlain + name, value] as const) : []
  return new Map([...said, ...(payload ? flatFields(payload.text) : []), ...given])
}

/** Whether a part is shown whole, so that a name that is not there does not exist. */
const showsWhole = ({ payload, plain, commitment }: Shown, part: Part): boolean =>
  part === 'plain' ? typeof plain === 'string' : payload !== null || (typeof plain === 'string' && commitment === null)

/** A withheld commitment stands as null beside words that are withheld, too. */
const sameCommitment = (a: Shown, b: Shown): boolean =>
  a.commitment === b.commitment || (a.commitment === null && a.plain === null) || (b.commitment === null && b.plain === null)

interface Tally {
  values: number
  given: number
  open: number
}

/** The names under which one entry of two packs differs. */
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

/** What every event says of itself, shown whole or not. */
const members = ['at', 'kind', 'subject', 'record', 'previous', 'hash'] as const

const bodiesOf = ({ bodies }: PackContent): Map<number, PackBodyText> => new Map(bodies.map((body) => [body.record, body]))

/** Whether the events of the fuller pack bear out what the redacted one says that it is about. */
function aboutDiffers(redacted: PackContent, theirs: ReadonlyMap<number, PackEvent>): boolean {
  try {
    checkAbout({ ...redacted, profile: 'for-applicant', events: redacted.events.map((event) => theirs.get(event.seq) ?? event) })
    return false
  } catch (error) {
    if (error instanceof Refusal) return true
    throw error
  }
}

/** Compares event by event and reply by reply; those that only one of the two holds are left alone. */
export function comparePacks({ content: redacted }: Pack, { content: full }: Pack): Comparison {
  const tally: Tally = { values: 0, given: 0, open: 0 }
  const differing: string[] = []
  // Data is erased by an event of its own: a sealed part that is gone was given until the audit trail went on.
  const erasedSince = redacted.tree.size > full.tree.size
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
    if (body && theirBody) entry(body, theirBody, `the reply to check ${found.record}`)
    else if (body ?? theirBody) differing.push(`the reply to check ${found.record}`)
  }
  if (shared.length > 0 && aboutDiffers(redacted, theirs)) differing.push('what it is about')
  const trails = compareTrails(redacted, full)
  if (typeof trails === 'object') differing.push(`the audit trail between events ${trails.contradiction.join(' and ')}`)
  const named = redacted.about.id === null || shared.some(({ found }) => isNamedBy(redacted.about, found))
  return { events: shared.length, alone: redacted.events.length - shared.length, ...tally, named, trails, differing }
}
