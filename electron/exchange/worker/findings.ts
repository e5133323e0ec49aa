/** Findings of an open team: as members see them, and with which of them a supervisor here has dealt. */
import { failed } from '#contract/failures/failures.ts'
import { ok } from '#contract/failures/result.ts'
import type { TeamFinding } from '#contract/team/activity.ts'
import type { KnownMembers } from '../log/known-members.ts'
import type { Received } from '../log/received.ts'
import { holdsSharedWork } from '#team/log/standing.ts'
import type { Served } from '#wire/rpc.ts'
import type { TeamWorker } from '#team/thread/thread.ts'
import { onReceived } from '#team/storage/on-received.ts'

export interface OpenFindings extends Served<TeamWorker['findings']> {
  /** Throws SQLite's errors. */
  about(installation: string): readonly TeamFinding[]
}

interface FindingParts {
  readonly store: Received
  readonly names: KnownMembers
  /** Number of this one. */
  readonly installation: string
  changed(): void
}

export function openFindings({ store, names, installation: own, changed }: FindingParts): OpenFindings {
  return {
    about(installation) {
      const members = names.all()
      return store.findings.of(installation).map((finding) => {
        const { failure, acknowledged } = finding
        if (!acknowledged) return { failure, holds: holdsSharedWork(finding) }
        const { by, operator, at, reason } = acknowledged
        return {
          failure,
          holds: false,
          acknowledged: {
            installation: by,
            member: members.find((each) => each.installation === by)?.name ?? '',
            operator,
            at,
            reason
          }
        }
      })
    },
    acknowledgeable({ installation, finding }) {
      const read = onReceived(() => ({
        members: names.all(),
        found: store.findings.of(installation).find(({ failure: { code } }) => code === finding)
      }))
      if (!read.ok) return read
      const { members, found } = read.value
      if (members.find((member) => member.installation === own)?.role !== 'supervisor')
        return failed('team-change-refused', { reason: 'right' })
      return members.some((member) => member.installation === installation)
        ? ok(found?.failure)
        : failed('team-change-refused', { reason: 'absent' })
    },
    acknowledge({ installation, finding, reason }, { operator, at, seq }) {
      const done = onReceived(() => store.acknowledge(installation, finding, { by: own, operator, at, reason }, seq))
      if (!done.ok) return done
      changed()
      return ok(null)
    }
  }
}
