/** The last event of a member that counts when it is removed. */
import type { Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { TeamPlace } from '#team/membership/store.ts'
import type { LastEvent, TeamMember } from '#team/roster/state.ts'
import { isSignedBy } from '#team/log/signature.ts'

/** Signed events that are looked at: a database that shows more false ones has shown that it is not to be believed. */
const most = 64

/**
 * The last event that the database has with the member’s own signature; null if there is none. The database can hide the
 * newest ones, but neither name a false one, which would make others refuse what the member did, nor keep the removal
 * from being signed. Failures: the line’s.
 */
export async function lastSignedEvent(
  { line, team }: TeamPlace,
  { installation, identity }: Pick<TeamMember, 'installation' | 'identity'>
): Promise<Result<LastEvent | null, Failure>> {
  const rows = await line.query<{ readonly seq: unknown; readonly hash: unknown; readonly sig: unknown }>(
    `SELECT seq, hash, sig FROM veridesk.event WHERE installation = $1 AND sig IS NOT NULL ORDER BY seq DESC LIMIT ${most}`,
    [Buffer.from(installation, 'hex')]
  )
  if (!rows.ok) return rows
  for (const { seq, hash, sig } of rows.value) {
    const number = typeof seq === 'string' && /^\d{1,13}$/.test(seq) ? Number(seq) : 0
    if (
      number > 0 &&
      Buffer.isBuffer(hash) &&
      Buffer.isBuffer(sig) &&
      isSignedBy(identity, { team, installation, seq: number, hash }, sig)
    )
      return ok({ seq: number, hash: hash.toString('hex') })
  }
  return ok(null)
}
