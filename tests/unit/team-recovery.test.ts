/** The recovery key of a team: what it opens, who becomes a supervisor with it, and what nobody else can do. */
import { generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { contentKeys, firstEpoch, nextEpoch, type EpochKeys } from '#team/keys/epochs.ts'
import { newMailbox } from '#team/keys/mailbox.ts'
import { openForRecovery, recoveryKeysOf, sealForRecovery, type RecoveryKeys } from '#team/keys/recovery.ts'
import { draftTeam } from '#team/membership/changes.ts'
import { entryText, parseEntry, type Entry } from '#team/roster/entry.ts'
import { applicationOf, signRequest, type Application } from '#team/roster/request.ts'
import { following, readRoster, type Draft, type Roster } from '#team/roster/roster.ts'

const at = 1_790_000_000_000
interface Person {
  readonly key: KeyObject
  readonly application: Application
}
let people = 0
function person(): Person {
  people += 1
  const { privateKey: key } = generateKeyPairSync('ed25519')
  return {
    key,
    application: applicationOf(key, {
      installation: people.toString(16).padStart(32, '0'),
      mailbox: newMailbox().publicKey,
      name: `Person ${people}`
    })
  }
}
/** A team as the product creates it. */
function created(founder = person()) {
  const founding = draftTeam(founder.application, {
    installation: founder.application.installation,
    key: founder.key,
    at
  })
  const texts = [founding.text]
  const head = (): Roster['head'] => ({ height: texts.length, hash: parseEntry(texts.at(-1)!)!.hash })
  return {
    founder,
    ...founding,
    keysOfTeam: recoveryKeysOf(founding.recovery),
    texts,
    append: (key: KeyObject, draft: Draft): void => void texts.push(entryText(following({ head: head() }, draft), key)),
    read: () => readRoster(texts, founding.team, undefined)
  }
}
type Team = ReturnType<typeof created>
const recover = (
  { team }: Team,
  newcomer: Person,
  epoch: ReturnType<typeof nextEpoch>['epoch'],
  by = newcomer.application.installation
): Draft => ({
  at,
  by,
  kind: 'recover',
  member: newcomer.application,
  request: signRequest(team, newcomer.application, newcomer.key),
  epoch
})
const refused = (reason: string): unknown => ({
  ok: false,
  failure: { code: 'team-roster-refused', details: { reason, number: 2 } }
})

describe('a recovery key', () => {
  it('stands for the same keys each time, and another for others', () => {
    const key = randomBytes(32)
    const [one, again, other] = [recoveryKeysOf(key), recoveryKeysOf(Buffer.from(key)), recoveryKeysOf(randomBytes(32))]
    expect([again.public, again.rosterKey]).toEqual([one.public, one.rosterKey])
    expect(
      new Set([
        ...Object.values(one.public),
        one.rosterKey.toString('hex'),
        ...Object.values(other.public),
        other.rosterKey.toString('hex')
      ]).size
    ).toBe(6)
  })

  it('opens the content key of its own epoch, and no other one', () => {
    const [own, other] = [recoveryKeysOf(randomBytes(32)), recoveryKeysOf(randomBytes(32))]
    const content = randomBytes(32)
    const sealed = sealForRecovery(content, 3, own.public.mailbox)!
    expect(openForRecovery(sealed, 3, own)).toEqual(content)
    expect([
      openForRecovery(sealed, 2, own),
      openForRecovery(sealed, 3, other),
      openForRecovery(`00${sealed.slice(2)}`, 3, own)
    ]).toEqual([undefined, undefined, undefined])
    expect(sealForRecovery(content, 3, '00'.repeat(32))).toBeUndefined()
  })
})

describe('a team whose last supervisor is gone', () => {
  it('has a supervisor again: with new keys, and the past readable', () => {
    const team = created()
    const newcomer = person()
    const current = parseEntry(team.texts[0]!)!.entry as Extract<Entry, { kind: 'genesis' }>
    // Nothing but what is on paper and in the database.
    const content = openForRecovery(current.epoch.recovery!, 1, team.keysOfTeam)!
    const next = nextEpoch(team.team, { number: 1, content }, team.keysOfTeam.public.mailbox)
    team.append(team.keysOfTeam.signer, recover(team, newcomer, next.epoch))
    const read = team.read()
    if (!read.ok) throw new Error(JSON.stringify(read.failure))
    expect(read.value.members.get(newcomer.application.installation)).toMatchObject({
      role: 'supervisor',
      mailboxSince: 2,
      admittedBy: newcomer.application.installation
    })
    const keys = contentKeys(team.team, read.value.epochs, next.keys)
    expect(keys.ok && keys.value.get(1)).toEqual(team.keys.content)
    // Whoever comes now can remove the one that was lost.
    const after = nextEpoch(team.team, next.keys, read.value.recovery?.mailbox)
    team.append(newcomer.key, {
      at,
      by: newcomer.application.installation,
      kind: 'remove',
      installation: team.founder.application.installation,
      last: null,
      epoch: after.epoch
    })
    expect(team.read()).toMatchObject({ ok: true, value: { members: { size: 1 } } })
    // And the same key opens the next epoch.
    expect(openForRecovery(after.epoch.recovery!, 3, team.keysOfTeam)).toEqual(after.keys.content)
  })

  const next = (team: Team, recovery: RecoveryKeys | undefined = team.keysOfTeam) =>
    nextEpoch(team.team, team.keys as EpochKeys, recovery?.public.mailbox).epoch
  it.each<[what: string, entry: (team: Team, newcomer: Person) => readonly [KeyObject, Draft], reason: string]>([
    [
      'another recovery key',
      (team, newcomer) => [recoveryKeysOf(randomBytes(32)).signer, recover(team, newcomer, next(team))],
      'signature'
    ],
    ['the newcomer’s own key', (team, newcomer) => [newcomer.key, recover(team, newcomer, next(team))], 'signature'],
    ['a member’s key', (team, newcomer) => [team.founder.key, recover(team, newcomer, next(team))], 'signature'],
    [
      'keys of the epoch that are not sealed for it',
      (team, newcomer) => [team.keysOfTeam.signer, recover(team, newcomer, nextEpoch(team.team, team.keys).epoch)],
      'epoch'
    ],
    [
      'keys of the epoch before',
      (team, newcomer) => [
        team.keysOfTeam.signer,
        recover(team, newcomer, (parseEntry(team.texts[0]!)!.entry as Extract<Entry, { kind: 'genesis' }>).epoch)
      ],
      'epoch'
    ],
    [
      'somebody else’s installation',
      (team, newcomer) => [team.keysOfTeam.signer, recover(team, newcomer, next(team), 'ab'.repeat(16))],
      'right'
    ],
    [
      'a request for another team',
      (team, newcomer) => [
        team.keysOfTeam.signer,
        {
          ...recover(team, newcomer, next(team)),
          request: signRequest('00'.repeat(32), newcomer.application, newcomer.key)
        } as Draft
      ],
      'request'
    ],
    ['a member who is there', (team) => [team.keysOfTeam.signer, recover(team, team.founder, next(team))], 'present']
  ])('is not recovered with %s', (_what, entry, reason) => {
    const team = created()
    team.append(...entry(team, person()))
    expect(team.read()).toEqual(refused(reason))
  })

  it('keeps its recovery key in every later epoch: one that is not sealed for it is refused', () => {
    const team = created()
    team.append(team.founder.key, {
      at,
      by: team.founder.application.installation,
      kind: 'epoch',
      epoch: nextEpoch(team.team, team.keys).epoch
    })
    expect(team.read()).toEqual(refused('epoch'))
  })

  it('cannot be recovered if it was created without such a key', () => {
    const founder = person()
    const first = firstEpoch()
    const genesis: Entry = {
      version: 1,
      height: 1,
      previous: null,
      at,
      by: founder.application.installation,
      kind: 'genesis',
      member: founder.application,
      epoch: first.epoch
    }
    const text = entryText(genesis, founder.key)
    const { hash } = parseEntry(text)!
    const [stranger, newcomer] = [recoveryKeysOf(randomBytes(32)), person()]
    const draft: Draft = {
      at,
      by: newcomer.application.installation,
      kind: 'recover',
      member: newcomer.application,
      request: signRequest(hash, newcomer.application, newcomer.key),
      epoch: nextEpoch(hash, first.keys, stranger.public.mailbox).epoch
    }
    expect(
      readRoster([text, entryText(following({ head: { height: 1, hash } }, draft), stranger.signer)], hash, undefined)
    ).toEqual(refused('right'))
  })
})
