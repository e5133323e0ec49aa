/** Colleagues with real histories in memory, whose events arrive in one file of received events. */
import { likeness } from '#kit/text/folding.ts'
import type { RecordEnding } from '#contract/history/records.ts'
import type { TeamActivity, TeamActivityQuery, TeamEntry } from '#contract/team/activity.ts'
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import type { Engine } from '#store/engine/engine.ts'
import type { Write } from '#store/engine/engine.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { TeamReading } from '#exchange/activity/reading.ts'
import { openReceived } from '#team/log/received-schema.ts'
import { Received } from '#exchange/log/received.ts'
import { receive } from '#exchange/log/receive.ts'
import { add, answer, opened, type IntentParts } from '../../service/history-fixtures.ts'
import {
  installed,
  keys,
  membersOf,
  rowsOf,
  segment,
  team,
  valueOf,
  type Draft,
  type Installation
} from './team-log.ts'

/** What one installation has received. */
export interface Here {
  readonly db: Db
  readonly store: Received
  readonly reading: TeamReading
  readonly names: Map<string, string>
  /** Gives the subjects of an installation's events their state and key. */
  subject(
    of: Installation,
    number: number,
    given: { readonly key?: Buffer | null; readonly applicant?: string | null; readonly state?: 0 | 1 | 2 }
  ): void
  /** What is new of an installation arrives. */
  take(one: Installation): void
  page(query?: Partial<TeamActivityQuery>): TeamActivity
  /** All entries, in small pages. */
  walk(query?: Partial<TeamActivityQuery>): readonly TeamEntry[]
  about(applicantId: string, limit?: number): readonly TeamEntry[]
}

export function here(): Here {
  const db = valueOf(openReceived('', undefined))
  const store = new Received(db)
  const reading = new TeamReading(db)
  const names = new Map<string, string>()
  const page: Here['page'] = (query = {}) => reading.activity({ limit: 200, ...query }, names)
  return {
    db,
    store,
    reading,
    names,
    page,
    subject(of, number, { key = null, applicant = null, state = 1 }) {
      db.prepare(
        'INSERT OR REPLACE INTO subject (ref, number, key, applicant, likeness, state) SELECT ref, ?, ?, ?, ?, ? FROM installation WHERE id = ?'
      ).run(number, key, applicant, applicant === null ? null : likeness(applicant), state, of.installation)
    },
    take(one) {
      for (
        let from = store.head(one.installation).seq;
        from < one.events.head.seq;
        from = store.head(one.installation).seq
      ) {
        const rows = rowsOf(segment(one, from + 1, Math.min(from + 256, one.events.head.seq)))
        const { failure } = receive(
          rows,
          { store, team, installation: one.installation, keys, members: membersOf(one) },
          0
        )
        if (failure) throw new Error(JSON.stringify(failure))
      }
    },
    walk(query = {}) {
      const entries: TeamEntry[] = []
      for (let after: TeamActivity['next']; ;) {
        const { entries: found, next } = page({ limit: 3, ...query, ...(after && { after }) })
        entries.push(...found)
        if (!next) return entries
        after = next
      }
    },
    about: (applicantId, limit = 200) => reading.applicant({ applicantId, limit }, { names }).entries
  }
}

/** A colleague with a real history. */
export interface Colleague extends Installation {
  readonly engine: Engine
  readonly name: string
  write<T>(work: Write<T>): T
  check(parts?: IntentParts, ending?: RecordEnding | null): string
  /** What was done arrives at an installation; without `keys`, they are still awaited. */
  share(to: Here, keys?: boolean): void
}

export const by = (at: number, operator = 'operator'): { readonly at: number; readonly operator: string } => ({
  at,
  operator
})

export function colleague(name: string): Colleague {
  const engine = opened()
  const one = installed()
  const write = <T>(work: Write<T>): T => valueOf(engine.commit([work])[0] as Result<T, Failure>)
  return {
    ...one,
    engine,
    name,
    write,
    check: (parts, ending = answer()) => add(engine, parts, ending),
    share(to, withKeys = true) {
      one.events.all.push(
        ...engine.outgoing.page({ after: one.events.head.seq, events: 1e6, bytes: 1e9, kept: [] }, engine.last).events
      )
      to.names.set(one.installation, name)
      to.take(one)
      const subjects = engine.dbs.subjects.prepare('SELECT ref, key, applicant FROM subject').all() as {
        readonly ref: number
        readonly key: Buffer
        readonly applicant: string | null
      }[]
      if (withKeys) for (const { ref, key, applicant } of subjects) to.subject(one, ref, { key, applicant })
    }
  }
}

/** A colleague who appends whatever it likes. Its subject 7 has the key of its events. */
export function hostile(
  to: Here,
  drafts: readonly Draft[] | ((key: Buffer) => readonly Draft[]),
  applicant: string | null = 'APP-1'
): Installation {
  const one = installed()
  for (const draft of typeof drafts === 'function' ? drafts(one.events.key) : drafts) one.events.append(draft)
  to.names.set(one.installation, 'Mallory')
  to.take(one)
  to.subject(one, 7, { key: one.events.key, applicant })
  return one
}
