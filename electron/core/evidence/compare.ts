/**
 * Holds a redacted pack beside a fuller one. What the redacted one tells of an event that it does not show whole is
 * its signer's word (docs/evidence-format.md); the fuller one shows whether it is true.
 */
import { fieldCommitment, fieldSalt, flatFields, type Pack, type PackField } from './pack.ts'
import type { OpenedPayload } from '#core/history/api/evidence.ts'

/** What two packs that both verify say of the same events and replies. */
export interface Comparison {
  /** Events that both hold. */
  readonly events: number
  /** Single values of the redacted pack that the fuller one bears out, given or withheld. */
  readonly values: number
  /** Withheld values whose salt only the redacted pack's maker had: nobody can hold them against anything. */
  readonly open: number
  /** Events and values that are not the same in both, by name. */
  readonly differing: readonly string[]
}

interface Shown {
  readonly fields: readonly PackField[]
  readonly payload: OpenedPayload | null
  readonly plain?: string | null
}

/** Compares event by event and reply by reply; those that only one of the two holds are left alone. */
export function comparePacks(redacted: Pack, full: Pack): Comparison {
  const differing: string[] = []
  let values = 0
  let open = 0
  const compare = (mine: Shown, theirs: Shown, where: string): void => {
    // Shown whole, the hash and the commitments of the chain have been looked at in each.
    if (mine.fields.length === 0) return
    const secret = theirs.payload?.salt
    const known = valuesOf(theirs)
    const told = new Set(mine.fields.map(({ name }) => name))
    for (const { name, commitment, value } of mine.fields) {
      const theirValue = known.get(name)
      if (theirValue === undefined) {
        // The fuller pack may itself withhold the part that the name belongs to.
        if (shows(theirs, name)) differing.push(`${where}, ${name}`)
        else open += 1
      } else if (value !== null) {
        if (value === theirValue) values += 1
        else differing.push(`${where}, ${name}`)
      } else if (secret === undefined) open += 1
      else if (fieldCommitment(fieldSalt(secret, name), name, theirValue) === commitment) values += 1
      else differing.push(`${where}, ${name}`)
    }
    for (const name of known.keys()) if (isOfParts(name, told) && !told.has(name)) differing.push(`${where}, ${name}`)
  }

  const theirEvents = new Map(full.content.events.map((event) => [event.seq, event]))
  const shared = redacted.content.events.flatMap((event) => {
    const other = theirEvents.get(event.seq)
    return other ? [{ event, other }] : []
  })
  for (const { event, other } of shared) {
    const { seq } = event
    if (event.hash !== other.hash) differing.push(`event ${seq}`)
    else compare(event, other, `event ${seq}`)
  }
  const theirBodies = new Map(full.content.bodies.map((body) => [body.record, body]))
  for (const body of redacted.content.bodies) {
    const other = theirBodies.get(body.record)
    if (!other) continue
    if (body.commitment !== other.commitment) differing.push(`the reply to check ${body.record}`)
    else compare(body, other, `the reply to check ${body.record}`)
  }
  return { events: shared.length, values, open, differing }
}

const ofPlain = 'plain.'

/** Every value that a pack shows of an event or a reply, under the name of its field. */
function valuesOf({ fields, payload, plain }: Shown): Map<string, string> {
  const given = fields.flatMap(({ name, value }) => (value === null ? [] : [[name, value] as const]))
  const said = plain ? flatFields(plain).map(([name, value]) => [ofPlain + name, value] as const) : []
  return new Map([...said, ...(payload ? flatFields(payload.text) : []), ...given])
}

/** Whether the part to which a name belongs is shown whole, so that a name that is not there does not exist. */
const shows = ({ payload, plain }: Shown, name: string): boolean => (name.startsWith(ofPlain) ? typeof plain === 'string' : payload !== null)

/** Whether a name is of a part (said openly, or sealed) of which the told ones are. */
const isOfParts = (name: string, told: ReadonlySet<string>): boolean =>
  [...told].some((one) => one.startsWith(ofPlain) === name.startsWith(ofPlain))
