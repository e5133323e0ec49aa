/** Finds events of the audit trail by text, operator and what they are about. */
import type { AuditFilter } from '#contract/evidence/audit.ts'
import { wordsOf, type Names } from '#contract/evidence/event-sentences.ts'
import type { EventRow } from '../events/events.ts'
import type { Dictionary } from '../projections/dictionary.ts'
import { uuidBytes } from '#kit/bytes.ts'
import { finder, likeness } from '#kit/text/folding.ts'
import type { Db } from '#wire/sqlite/files.ts'
import type { Subjects } from '../storage/subjects.ts'

type Plain = Readonly<Record<string, unknown>>
interface RecordOfEvent {
  readonly subject: number
  readonly connection: number
  readonly batch: string | null
}
/** Whether an event is listed. */
export type Matches = (row: EventRow) => boolean

export class AuditMatcher {
  private readonly recordOf
  private readonly seqOf
  private readonly linkOf
  private readonly subjects: Subjects
  private readonly dictionary: Dictionary
  private readonly names: Names

  constructor(history: Db, subjects: Subjects, dictionary: Dictionary, names: Names) {
    this.subjects = subjects
    this.dictionary = dictionary
    this.names = names
    this.recordOf = history.prepare('SELECT subject, connection, batch FROM record WHERE seq = ?')
    this.seqOf = history.prepare('SELECT seq FROM record WHERE id = ?').pluck()
    this.linkOf = history.prepare('SELECT subject FROM applicant_link WHERE record = ?').pluck()
  }

  /** Undefined if every event of the chosen kinds is listed. */
  of({ search, operator, about }: AuditFilter): Matches | undefined {
    const [says, isNamed] = [finder(search), finder(operator)]
    const thing = about?.trim() ?? ''
    const tests: ((row: EventRow, plain: Plain) => boolean)[] = []
    if (isNamed) tests.push((_, plain) => typeof plain['operator'] === 'string' && isNamed(plain['operator']))
    if (thing !== '') tests.push(this.isAbout(thing))
    if (says) tests.push(({ kind }, plain) => says(kind) || says(wordsOf(kind, plain, this.names)))
    if (tests.length === 0) return undefined
    return (row) => {
      const plain = JSON.parse(row.plain) as Plain
      return tests.every((test) => test(row, plain))
    }
  }

  private isAbout(thing: string): (row: EventRow, plain: Plain) => boolean {
    const exact = this.subjects.ofApplicant(thing)
    const subjects = new Set(exact === undefined ? this.subjects.alike(likeness(thing)) : [exact])
    const bytes = uuidBytes(thing)
    const record = bytes && (this.seqOf.get(bytes) as number | undefined)
    const id = likeness(thing)
    const connections = new Set(
      [...this.dictionary.connections].flatMap(([ref, each]) =>
        each.id === id || likeness(each.name) === id ? [ref] : []
      )
    )
    return (row, plain) => {
      if (record !== undefined && row.record === record) return true
      if (row.subject !== null && subjects.has(row.subject)) return true
      if (row.record !== null) {
        const own = this.recordOf.get(row.record) as RecordOfEvent | undefined
        if (own && (own.batch === id || connections.has(own.connection))) return true
        if (
          subjects.size > 0 &&
          [own?.subject, this.linkOf.get(row.record)].some((each) => subjects.has(each as number))
        )
          return true
      }
      if (row.kind.startsWith('batch.') && plain['id'] === id) return true
      if (row.kind === 'connection.noted') return connections.has(plain['ref'] as number)
      return (
        plain['connectionId'] === id ||
        (typeof plain['connection'] === 'string' && likeness(plain['connection']) === id)
      )
    }
  }
}
