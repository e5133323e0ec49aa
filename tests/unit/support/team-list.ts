/** A list of members that grows, as its authors would write it, whether others accept it or not. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { sentencesOf } from '#contract/failures/sentences.ts'
import type { TeamRole } from '#contract/team/team.ts'
import { firstEpoch, nextEpoch, type EpochKeys } from '#team/keys/epochs.ts'
import { newMailbox } from '#team/keys/mailbox.ts'
import { entryText, parseEntry, type Entry } from '#team/roster/entry.ts'
import { applicationOf, signRequest, type Application } from '#team/roster/request.ts'
import { following, readRoster, type Draft, type Roster } from '#team/roster/roster.ts'
import type { LastEvent } from '#team/roster/state.ts'

export interface Person {
  readonly key: KeyObject
  readonly application: Application
}
let people = 0
export function person(key = generateKeyPairSync('ed25519').privateKey): Person {
  people += 1
  return {
    key,
    application: applicationOf(key, {
      installation: people.toString(16).padStart(32, '0'),
      mailbox: newMailbox().publicKey,
      name: `Person ${people}`
    })
  }
}
export const at = 1_790_000_000_000
export const idOf = ({ application }: Person): string => application.installation

/** A team that grows: each method appends an entry as its author would, whether others accept it or not. */
export function foundTeam(founder = person()) {
  const first = firstEpoch()
  const keys: EpochKeys[] = [first.keys]
  const genesis: Entry = {
    version: 1,
    height: 1,
    previous: null,
    at,
    by: idOf(founder),
    kind: 'genesis',
    member: founder.application,
    epoch: first.epoch
  }
  const texts = [entryText(genesis, founder.key)]
  const team = parseEntry(texts[0]!)!.hash
  const head = (): Roster['head'] => ({ height: texts.length, hash: parseEntry(texts.at(-1)!)!.hash })
  const append = (author: Person, draft: Draft): void =>
    void texts.push(entryText(following({ head: head() }, draft), author.key))
  const epoch = () => {
    const next = nextEpoch(team, keys.at(-1)!)
    keys.push(next.keys)
    return next.epoch
  }
  return {
    founder,
    team,
    texts,
    keys,
    head,
    append,
    epoch,
    admit(
      author: Person,
      newcomer: Person,
      role: TeamRole = 'analyst',
      request = signRequest(team, newcomer.application, newcomer.key)
    ): void {
      append(author, { at, by: idOf(author), kind: 'admit', member: newcomer.application, role, request })
    },
    role: (author: Person, of: Person, role: TeamRole, last: LastEvent | null = null): void =>
      append(author, { at, by: idOf(author), kind: 'role', installation: idOf(of), role, last }),
    mailbox: (author: Person, mailbox = newMailbox().publicKey): void =>
      append(author, { at, by: idOf(author), kind: 'mailbox', mailbox }),
    remove: (author: Person, whom: Person): void =>
      append(author, { at, by: idOf(author), kind: 'remove', installation: idOf(whom), last: null, epoch: epoch() }),
    rule: (author: Person, twoPerson: boolean): void =>
      append(author, { at, by: idOf(author), kind: 'rule', twoPerson }),
    /** Confirms an entry; the last one if none is named. */
    second: (author: Person, entry = head().hash, last: LastEvent | null = null): void =>
      append(author, { at, by: idOf(author), kind: 'second', entry, last }),
    withdraw: (author: Person, entry = head().hash): void =>
      append(author, { at, by: idOf(author), kind: 'withdraw', entry }),
    read: (given: readonly string[] = texts, seen?: Roster['head']) => readRoster(given, team, seen)
  }
}
export type Team = ReturnType<typeof foundTeam>

export const refused = (reason: string, number: number): unknown => ({
  ok: false,
  failure: { code: 'team-roster-refused', details: { reason, number } }
})
export const rosterOf = (team: Team): Roster => {
  const read = team.read()
  if (!read.ok) throw new Error(sentencesOf(read.failure).what)
  return read.value
}
