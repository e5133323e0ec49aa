/**
 * Gives the database again what it has lost of this installation: events between others, without which nobody can read on,
 * and the keys of the current epoch for its members. Repeating it changes nothing.
 */
import type { Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { KnownHead } from '#wire/history/audit-walk.ts'
import { sealBox } from '#team/keys/boxes.ts'
import { bodyKey, openBody } from './body.ts'
import type { TeamTables } from '#team/log/database.ts'
import type { Members, OwnHistory, TeamKeys } from '#team/thread/ports.ts'
import { segmentLimits, segmentOf, type Sealing } from './segments.ts'

type Answer<T> = Promise<Result<T, Failure>>

interface LostParts extends Omit<Sealing, 'keys'> {
  readonly tables: TeamTables
  readonly history: Pick<OwnHistory, 'read'>
  readonly keys: TeamKeys
  readonly members: Pick<Members, 'mailboxes'>
}

/**
 * Sends events again that the database has lost between others. Failures: the line's; those of the history and `segmentOf`.
 *
 * @param shared The last event that the database has.
 * @returns How many.
 */
export async function sendAgain(parts: LostParts, shared: KnownHead): Answer<number> {
  const { tables, history, signingKey, team, installation } = parts
  const gaps = shared.seq === 0 ? ok([]) : await tables.missing(installation, shared.seq)
  if (!gaps.ok) return gaps
  let sent = 0
  for (const { first, last } of gaps.value) {
    const epoch = await epochBefore(parts, last + 1)
    if (!epoch.ok) return epoch
    for (let after = first - 1; after < Math.min(last, shared.seq);) {
      const read = await history.read({
        after,
        events: Math.min(segmentLimits.events, last - after),
        bytes: segmentLimits.bytes
      })
      if (!read.ok) return read
      const {
        before = '',
        events: [event, ...rest]
      } = read.value
      if (!event) break
      const segment = segmentOf([event, ...rest], Buffer.from(before, 'hex'), {
        keys: { current: () => epoch.value },
        signingKey,
        team,
        installation
      })
      if (!segment.ok) return segment
      const appended = await tables.append(segment.value)
      if (!appended.ok) return appended
      after += segment.value.hashes.length
      sent += segment.value.hashes.length
    }
  }
  return ok(sent)
}

/**
 * The epoch for events that are missing before one: readers refuse an older key after a newer one, so it is that of the next
 * event. What the database says about it is not enough: with an older number, it could have later events sealed for somebody
 * who was removed. It counts if the event of the history opens with it; otherwise it is the current one.
 */
async function epochBefore(
  { tables, history, keys, team, installation }: LostParts,
  seq: number
): Answer<ReturnType<TeamKeys['current']>> {
  const [rows, read] = [
    await tables.events(installation, seq - 1),
    await history.read({ after: seq, events: 0, bytes: 0 })
  ]
  if (!rows.ok) return rows
  if (!read.ok) return read
  const row = rows.value.find((each) => each.seq === seq)
  const key = row?.hash.toString('hex') === read.value.before && row ? keys.of(row.epoch) : undefined
  const isOwn =
    row && key && openBody(bodyKey(key, { team, installation }), { team, installation, ...row }, row.body) !== undefined
  return ok(isOwn ? { epoch: row.epoch, key } : keys.current())
}

/**
 * Gives the keys of the current epoch to members for whom the database has lost them, whoever gave them first: who lost them
 * has no keys any more, and who gave them may have left. Failures: the line's.
 *
 * @returns How many.
 */
export async function giveAgain({ tables, keys, members, team }: LostParts): Answer<number> {
  const [current, vault] = [keys.current(), keys.vault()]
  if (current?.epoch !== vault?.number || !current || !vault) return ok(0)
  const boxes = await tables.boxes(current.epoch)
  if (!boxes.ok) return boxes
  const there = new Set(boxes.value.map(({ installation, author }) => `${installation} ${author}`))
  let given = 0
  for (const { installation, mailbox, keysBy } of members.mailboxes()) {
    const box = there.has(`${installation} ${keysBy}`)
      ? undefined
      : sealBox({ number: current.epoch, content: current.key, vault: vault.vault }, { team, installation }, mailbox)
    if (!box?.ok) continue
    const done = await tables.giveBox(current.epoch, installation, box.value)
    if (!done.ok) return done
    given += 1
  }
  return ok(given)
}
