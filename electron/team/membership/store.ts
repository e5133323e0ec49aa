/**
 * The list of members and the boxes in the team's database. Entries are sealed under a key that is part of an
 * invitation, because names and roles are not for the database; what they are worth is verified here.
 */
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { canonical } from '#kit/hashing/canonical-json.ts'
import { refusals } from '../database/schema.ts'
import { openOneOf, sealBox } from '../keys/boxes.ts'
import type { EpochKeys } from '../keys/epochs.ts'
import type { Mailbox } from '../keys/mailbox.ts'
import { openUnder, sealUnder } from '../keys/sealing.ts'
import { extended, readRoster, type Roster, type RosterHead } from '../roster/roster.ts'
import type { TeamLine } from '../transport/line.ts'

type Answer<T> = Promise<Result<T, Failure>>

export interface TeamPlace {
  readonly line: Pick<TeamLine, 'query'>
  /** Fingerprint of the team, compared by people. */
  readonly team: string
  /** The key of the list of members, 32 bytes: from the invitation. */
  readonly rosterKey: Buffer
}

const purpose = 'roster-entry'
const bindingOf = (team: string, height: number): Buffer => Buffer.from(canonical({ height, team }), 'utf8')

/**
 * Reads and verifies the list of members. Failures: the line's; `team-roster-refused`.
 *
 * @param seen The last entry that this installation ever verified; the caller remembers it.
 */
export async function storedRoster({ line, team, rosterKey }: TeamPlace, seen: RosterHead | undefined): Answer<Roster> {
  const rows = await line.query<{ readonly height: number; readonly body: Buffer }>(
    'SELECT height, body FROM veridesk.roster ORDER BY height'
  )
  if (!rows.ok) return rows
  const texts: string[] = []
  for (const { height, body } of rows.value) {
    const text = openUnder(rosterKey, purpose, bindingOf(team, height), body)
    if (!text) return failed('team-roster-refused', { reason: 'form', number: texts.length + 1 })
    texts.push(text.toString('utf8'))
  }
  return readRoster(texts, team, seen)
}

/**
 * Stores the next entry. Failures: `team-roster-refused` if others would refuse it, before anything is stored;
 * `team-roster-overtaken` if another entry was first; the line's.
 *
 * @param roster The list before it; undefined for the first entry.
 */
export async function storeEntry(
  { line, team, rosterKey }: TeamPlace,
  roster: Roster | undefined,
  text: string
): Answer<Roster> {
  const next = roster ? extended(roster, text) : readRoster([text], team, undefined)
  if (!next.ok) return next
  const { height, hash } = next.value.head
  const previous = roster ? Buffer.from(roster.head.hash, 'hex') : null
  const sealed = sealUnder(rosterKey, purpose, bindingOf(team, height), Buffer.from(text, 'utf8'))
  const stored = await line.query('SELECT veridesk.extend_roster($1, $2, $3, $4)', [
    height,
    previous,
    Buffer.from(hash, 'hex'),
    sealed
  ])
  if (stored.ok) return next
  return stored.failure.details?.['sqlState'] === refusals.fork ? failed('team-roster-overtaken') : stored
}

/** Gives the keys of an epoch to an installation. Failures: `team-key-refused`, the line's. */
export async function giveBox(
  { line, team }: TeamPlace,
  keys: EpochKeys,
  to: { readonly installation: string; readonly mailbox: string }
): Answer<null> {
  const box = sealBox(keys, { team, installation: to.installation }, to.mailbox)
  if (!box.ok) return box
  const given = await line.query('SELECT veridesk.put_box($1, $2, $3)', [
    keys.number,
    Buffer.from(to.installation, 'hex'),
    box.value
  ])
  return given.ok ? ok(null) : given
}

/** The keys of the current epoch from the boxes of this installation. Failures: `team-key-refused`, the line's. */
export async function ownKeys(
  { line, team }: TeamPlace,
  { epochs }: Roster,
  installation: string,
  mailbox: Mailbox
): Answer<EpochKeys> {
  const epoch = epochs.at(-1)
  if (!epoch) return failed('team-key-refused', { reason: 'none' })
  const boxes = await line.query<{ readonly box: Buffer }>(
    'SELECT box FROM veridesk.grant_box WHERE epoch = $1 AND installation = $2',
    [epoch.number, Buffer.from(installation, 'hex')]
  )
  return boxes.ok
    ? openOneOf(
        boxes.value.map(({ box }) => box),
        { team, installation },
        mailbox,
        epoch
      )
    : boxes
}
