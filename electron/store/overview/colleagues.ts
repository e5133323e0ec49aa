/** Colleagues' decisions among the figures: their connections and messages have the numbers of this installation's where it has the same. */
import { createHash } from 'node:crypto'
import type { RecordConnection } from '#contract/history/records.ts'
import type { OperationId } from '#contract/verification/operations.ts'
import type { ColleagueCase, ColleagueConnection, ColleagueEvent } from '#wire/history/colleagues.ts'
import { shortMessage } from '#wire/history/record-payloads.ts'
import type { CatalogueReader } from '../projections/catalogue-reader.ts'
import type { Dictionary } from '../projections/dictionary.ts'
import type { CaseEvent, Newest } from './decision-replay.ts'

/** Numbers of rows that no subject has. */
const firstRef = 2 ** 30
/** Numbers of connections from here downwards, where those of this installation do not come. */
const lastConnection = 65_535

/**
 * Applicants whose answer has the same message, from which on it is taken to name none of them: what colleagues know of an applicant
 * is not known here, but a value of one is not that of all.
 */
const ofNobody = 3

interface ReceivedMessage {
  readonly message: string
  readonly operation: OperationId
  /** Some of the cases that have it, by their rows. */
  readonly cases: Set<number>
  /** It contains an applicant's ID. */
  named: boolean
}

type ShownConnection = Pick<RecordConnection, 'id' | 'name' | 'mode'>

export class Colleagues {
  /** Of the last page; 0: nothing is known. */
  version = 0
  /** Messages that only colleagues have, by their numbers: they are the same whenever they are read again. */
  private readonly messages = new Map<number, ReceivedMessage>()
  /** Connections that only colleagues have, by their numbers. */
  readonly connections = new Map<number, ShownConnection>()
  private readonly dictionary: Dictionary
  private readonly catalogue: CatalogueReader
  private readonly connectionNumbers = new Map<string, number>()
  private readonly cases = new Map<string, number>()
  private readonly applicants: (string | undefined)[] = []

  constructor(dictionary: Dictionary, catalogue: CatalogueReader) {
    this.dictionary = dictionary
    this.catalogue = catalogue
  }

  forget(): void {
    this.version = 0
    for (const map of [this.messages, this.connections, this.connectionNumbers, this.cases]) map.clear()
    this.applicants.length = 0
  }

  has(ref: number): boolean {
    return ref >= firstRef
  }
  applicantOf(ref: number): string | undefined {
    return this.applicants[ref - firstRef]
  }
  refs(): readonly number[] {
    return [...this.cases.values()]
  }
  connectionRefs(id: string): readonly number[] {
    return [...this.connections].flatMap(([ref, connection]) => (connection.id === id ? [ref] : []))
  }

  /** A message that only colleagues have. `own`: it may contain a value of its applicant. */
  message(id: number): { readonly message?: string; readonly operation?: OperationId; readonly own: boolean } {
    const found = this.messages.get(id)
    if (!found) return { own: true }
    const { message, operation, cases, named } = found
    return { message, operation, own: named || cases.size < ofNobody }
  }

  /** A case's rows, and its events with numbers of this index. */
  read(
    { key, applicantId, events }: ColleagueCase,
    numbers: { reviewer(operator: string): number; message(id: number): number }
  ): { readonly ref: number; readonly events: readonly CaseEvent[] } {
    const ref = this.cases.get(key) ?? firstRef + this.cases.size
    this.cases.set(key, ref)
    this.applicants[ref - firstRef] = applicantId
    const read = [...events]
      .sort((a, b) => a.at - b.at || a.place - b.place)
      .map((event, seq): CaseEvent => {
        const { at } = event
        if (event.kind === 'evidence')
          return { seq, at, kind: 'evidence', record: seq, newest: this.newest(event, ref, numbers.message) }
        const { decision, operator, evidence } = event
        const reviewer = numbers.reviewer(operator)
        return { seq, at, kind: 'decided', decision, reviewer, evidence, due: null, set: 0 }
      })
    return { ref, events: read }
  }

  private newest(
    { connection, operation, status = 0, message }: Extract<ColleagueEvent, { readonly kind: 'evidence' }>,
    ref: number,
    numberOf: (id: number) => number
  ): Newest {
    return {
      connection: connection ? this.connection(connection) : 0,
      message: message === undefined ? 0 : numberOf(this.messageId(operation, status, message, ref))
    }
  }

  private messageId(operation: OperationId, status: number, message: string, ref: number): number {
    const own = this.catalogue.numberOf(operation, status, message, shortMessage)
    if (own !== undefined) return own
    const digest = createHash('sha256')
      .update(JSON.stringify([operation, status, message]))
      .digest()
    const id = -1 - digest.readUIntBE(0, 6)
    const known = this.messages.get(id) ?? { message, operation, cases: new Set<number>(), named: false }
    this.messages.set(id, known)
    if (known.cases.size < ofNobody) known.cases.add(ref)
    known.named ||= message.toLowerCase().includes((this.applicantOf(ref) ?? message).toLowerCase())
    return id
  }

  /** A connection with the same name to the same service is one: each installation has an ID of its own for it. */
  private connection({ name, origin, mode }: ColleagueConnection): number {
    for (const [ref, each] of this.dictionary.connections)
      if (each.name === name && each.origin === origin && each.mode === mode) return ref
    const what = JSON.stringify([name, origin, mode])
    const known = this.connectionNumbers.get(what)
    if (known !== undefined) return known
    const number = lastConnection - this.connectionNumbers.size
    const id = createHash('sha256').update(what).digest('hex').slice(0, 32)
    this.connectionNumbers.set(what, number)
    this.connections.set(number, { id, name, mode })
    return number
  }
}
