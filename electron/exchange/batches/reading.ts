/** Reads shared batches from the file of received events: what was shared, its rows, and their outcomes at colleagues. */
import type { Db } from '#wire/sqlite/files.ts'
import { ReceivedEvents, type ReceivedEvent } from '../activity/received-events.ts'
import { ShownEntries } from '../activity/shown.ts'
import { batchEvents } from '#team/log/batch-events.ts'
import { refOf, seqOf } from '#team/log/places.ts'
import { batchForms } from './forms.ts'
import type { GivenRows } from '#team/thread/batch-ports.ts'
import type { ReceivedBatch, ReceivedOutcome, ReceivedRow, SentTwice } from '#team/thread/batches.ts'

/** That a colleague runs a batch: the event, and the claims that it replaces. */
export interface ReceivedClaim {
  readonly installation: string
  /** Its run has not ended since. */
  readonly stands: boolean
  readonly event: number
  readonly at: number
  readonly over: Readonly<Record<string, number>>
}

export interface ReceivedBegun {
  readonly row: number
  readonly installation: string
  readonly event: number
}

interface EventRow {
  readonly ref: number
  readonly row: number
  readonly value: number
}

export class ReceivedBatches {
  private readonly events: ReceivedEvents
  private readonly shown: ShownEntries
  private readonly headers
  private readonly headersOf
  private readonly stretch
  private readonly after
  private readonly count
  private readonly ends
  private readonly changed
  private readonly news
  private readonly dropNews
  private readonly putTwice
  private readonly twiceIn
  private readonly twiceOf
  /** Batches of which everything has arrived: nothing of it goes again, and counting a million rows again and again takes long. */
  private readonly whole = new Set<string>()

  constructor(db: Db) {
    this.events = new ReceivedEvents(db)
    this.shown = new ShownEntries(db, this.events)
    const within = 'FROM batch_event WHERE batch = ? AND kind = ?'
    this.headers = db.prepare(
      `SELECT b.ref, b.row, b.value FROM batch_event b WHERE b.kind = ${batchEvents.header} AND b.row = 0`
    )
    this.headersOf = db.prepare(`SELECT ref, row, value ${within} AND row = 0 ORDER BY ref`)
    this.stretch = db.prepare(`SELECT ref, row, value ${within} AND row BETWEEN ? AND ? ORDER BY row, ref`)
    this.after = db.prepare(
      `SELECT ref, row, value ${within} AND row > ? AND ref = (SELECT ref FROM installation WHERE id = ?) ORDER BY row LIMIT ?`
    )
    this.count = db
      .prepare(`SELECT count(*) ${within} AND row > 0 AND ref = (SELECT ref FROM installation WHERE id = ?)`)
      .pluck()
    this.changed = db
      .prepare('SELECT value FROM batch_event WHERE batch = ? AND kind = ? AND row = 0 AND ref = ?')
      .pluck()
    this.news = db.prepare('SELECT batch, row FROM attempt_arrived ORDER BY batch, row LIMIT ?')
    this.dropNews = db.prepare('DELETE FROM attempt_arrived WHERE batch = ? AND row = ?')
    this.putTwice = db.prepare('INSERT OR REPLACE INTO sent_twice VALUES (?, ?, ?, ?, ?, ?)')
    this.twiceIn = db.prepare(
      `SELECT row, installation, record, other, other_record AS otherRecord FROM sent_twice WHERE batch = ?
        AND row BETWEEN ? AND ? ORDER BY row`
    )
    this.twiceOf = db.prepare('SELECT count(*) FROM sent_twice WHERE installation = ?').pluck()
    this.ends = db.prepare('SELECT begun, ended FROM check_end WHERE ref = ? AND record = ?')
  }

  /** All that colleagues shared, the newest first. */
  all(): readonly ReceivedBatch[] {
    const found = (this.headers.all() as EventRow[]).flatMap((row) => this.header(row) ?? [])
    return found.sort((a, b) => b.at - a.at)
  }

  /** Of two with one ID, neither counts: a member claims the batch of another one. */
  find(id: string): ReceivedBatch | undefined {
    const rows = this.headersOf.all(id, batchEvents.header) as EventRow[]
    const [first] = rows
    return first && rows.length === 1 ? this.header(first) : undefined
  }

  private header({ ref, value }: EventRow): ReceivedBatch | undefined {
    const event = this.events.get(ref, seqOf(value))
    const plain = event && this.events.plain(event, batchForms.header)
    const connection = plain && this.shown.connection(ref, plain.connection)
    const installation = this.shown.installation(ref)
    if (!event || !plain || !connection || installation === undefined || plain.sharer !== installation) return undefined
    const { id, operation, atOnce, pace, rows, count, team, sharer } = plain
    const names = this.events.sealed(event, this.keyOf(event), batchForms.names)
    return {
      id,
      installation,
      at: event.at,
      operation,
      atOnce,
      pace,
      connection,
      shared: { rows, count, team, sharer },
      ...(names && { names })
    }
  }

  private keyOf({ ref, subject }: ReceivedEvent): Buffer | null {
    return subject === null ? null : this.events.subject(ref, subject).key
  }

  /** Whether the batch and all of its rows have arrived: what is missing here may be on its way. */
  private isWhole(id: string, sharer: string): boolean {
    const key = `${id} ${sharer}`
    if (this.whole.has(key)) return true
    const found = this.find(id)
    const isWhole = found?.installation === sharer && this.count.get(id, batchEvents.row, sharer) === found.shared.count
    if (isWhole) this.whole.add(key)
    return isWhole
  }

  /** Rows that can be sent, of a stretch, as an installation shared them; `awaited` until everything about them is here. */
  toSend(id: string, sharer: string, from: number, to: number): GivenRows {
    const events = (this.after.all(id, batchEvents.row, from - 1, sharer, to - from + 1) as EventRow[]).filter(
      ({ row }) => row <= to
    )
    const rows = this.rows(events)
    const waiting = rows.filter(({ state }) => state === 'waiting')
    // A row of another form may be one of a later version, which others can read.
    if (rows.length < events.length || waiting.some(({ closed }) => closed === 'awaited') || !this.isWhole(id, sharer))
      return { awaited: true, rows: [] }
    return {
      awaited: false,
      rows: waiting.flatMap(({ row, cells, applicantId, documents }) =>
        cells
          ? [{ row, cells, ...(applicantId !== undefined && { applicantId }), ...(documents && { documents }) }]
          : []
      )
    }
  }

  /** Whether the applicant of a row was erased. */
  isErased(id: string, sharer: string, row: number): boolean {
    const [found] = this.page(id, sharer, row - 1, 1)
    return found?.row === row && found.closed === 'erased'
  }

  /** Rows after a number, as they were shared, in the order of the file. */
  page(id: string, sharer: string, after: number, limit: number): readonly ReceivedRow[] {
    return this.rows(this.after.all(id, batchEvents.row, after, sharer, limit) as EventRow[])
  }

  private rows(found: readonly EventRow[]): readonly ReceivedRow[] {
    return found.flatMap(({ row, value }) => {
      const event = this.events.get(refOf(value), seqOf(value))
      const plain = event && this.events.plain(event, batchForms.row)
      if (!event || !plain) return []
      const subject = event.subject === null ? undefined : this.events.subject(event.ref, event.subject)
      const sealed = subject && this.events.sealed(event, subject.key, batchForms.cells)
      const { cells, applicantId, documents } = sealed ?? {}
      return [
        {
          row,
          state: plain.state,
          ...(cells && { cells }),
          ...(applicantId !== undefined && { applicantId }),
          ...(documents && { documents }),
          ...(!cells && { closed: subject?.closed ?? ('erased' as const) })
        }
      ]
    })
  }

  /** Claims of a batch at colleagues, the last one of each. */
  claims(id: string): readonly ReceivedClaim[] {
    return (this.stretch.all(id, batchEvents.taken, 0, 0) as EventRow[]).flatMap(({ ref, value }) => {
      const changed = this.changed.get(id, batchEvents.changed, ref) as number | undefined
      const installation = this.shown.installation(ref)
      if (installation === undefined) return []
      const event = this.events.get(ref, value)
      // One of another form replaces nobody, and stands.
      return [
        {
          installation,
          event: value,
          at: event?.at ?? 0,
          stands: changed === undefined || changed < value,
          over: (event && this.events.plain(event, batchForms.taken)?.over) ?? {}
        }
      ]
    })
  }

  /** Whether a colleague's run has ended with nothing left to send. */
  isFinished(id: string): boolean {
    return (this.stretch.all(id, batchEvents.changed, 0, 0) as EventRow[]).some(({ ref, value }) => {
      const event = this.events.get(ref, value)
      return event !== undefined && this.events.plain(event, batchForms.changed)?.to === 'finished'
    })
  }

  /** Rows of a stretch that colleagues have begun since the batch was shared, each with the event of it. */
  begun(id: string, from: number, to: number): readonly ReceivedBegun[] {
    return this.attempts(id, from, to).flatMap(({ ref, row, begun }) => {
      const installation = this.shown.installation(ref)
      return installation === undefined ? [] : [{ row, installation, event: begun }]
    })
  }

  /** Attempts to send rows, without those from before the batch was shared. */
  private attempts(id: string, from: number, to: number): readonly (EventRow & { readonly begun: number })[] {
    const shared = new Map(
      (this.headersOf.all(id, batchEvents.header) as EventRow[]).map(({ ref, value }) => [ref, seqOf(value)])
    )
    return (this.stretch.all(id, batchEvents.attempt, from, to) as EventRow[]).flatMap((row) => {
      const begun =
        (this.ends.get(row.ref, row.value) as { readonly begun: number } | undefined)?.begun ?? Number.MAX_SAFE_INTEGER
      return begun < (shared.get(row.ref) ?? 0) ? [] : [{ ...row, begun }]
    })
  }

  /** Rows that somebody has begun, in order, and of which it was not looked at whether somebody else has, too: those of one batch. */
  arrived(limit: number): { readonly id: string; readonly rows: readonly number[] } | undefined {
    const found = this.news.all(limit) as { readonly batch: string; readonly row: number }[]
    const [first] = found
    return first && { id: first.batch, rows: found.filter(({ batch }) => batch === first.batch).map(({ row }) => row) }
  }

  /** These were looked at, and some of them were sent twice. */
  noteTwice(id: string, rows: readonly number[], twice: readonly SentTwice[]): void {
    for (const { row, installation, record, other, otherRecord } of twice)
      this.putTwice.run(id, row, installation, record, other, otherRecord)
    for (const row of rows) this.dropNews.run(id, row)
  }

  /** Rows of a stretch that two installations have sent. */
  twice(id: string, from: number, to: number): readonly SentTwice[] {
    return this.twiceIn.all(id, from, to) as SentTwice[]
  }

  /** Of all batches, how many of another installation's rows this one has sent, too. */
  countTwice(installation: string): number {
    return this.twiceOf.get(installation) as number
  }

  /** How rows of a stretch went at colleagues. Of two that sent one row, which no rule allows, both are there. */
  outcomes(id: string, from: number, to: number): readonly ReceivedOutcome[] {
    return this.attempts(id, from, to).flatMap((row) => this.outcome(row) ?? [])
  }

  private outcome({ ref, row, value }: EventRow): ReceivedOutcome | undefined {
    const ends = this.ends.get(ref, value) as { readonly begun: number; readonly ended: number | null } | undefined
    const begun = ends && this.events.get(ref, ends.begun)
    const plain = begun && this.events.plain(begun, batchForms.begun)
    const installation = this.shown.installation(ref)
    if (!ends || !begun || !plain || installation === undefined) return undefined
    const ended = ends.ended === null ? undefined : this.events.get(ref, ends.ended)
    const ending = ended && this.events.plain(ended, batchForms.ended)
    const message = ended && this.events.sealed(ended, this.keyOf(ended), batchForms.message)?.message
    const { status } = ending?.reply ?? {}
    return {
      row,
      installation,
      recordId: plain.id,
      startedAt: begun.at,
      state: ending?.outcome ?? 'open',
      ...(status !== undefined && { status }),
      ...(ending?.took !== undefined && { took: ending.took }),
      ...(message !== undefined && { message })
    }
  }
}
