/** Colleagues' decisions among the figures: their connections and messages have the numbers of this installation's where it has the same. */
import { createHash } from 'node:crypto'
import type { RecordConnection } from '#contract/history/records.ts'
import type { OperationId } from '#contract/verification/operations.ts'
import type { ColleagueCase, ColleagueConnection, ColleagueEvent } from '#wire/history/colleagues.ts'
import { shortMessage } from '#wire/history/record-payloads.ts'
import type { CatalogueReader } from '../projections/catalogue-reader.ts'
import type { Dictionary } from '../projections/dictionary.ts'
import { lookedBits, type CaseEvent, type Newest } from './decision-replay.ts'

/** Numbers of rows that no subject has. */
const firstRef = 2 ** 30
/** Numbers of connections from here downwards, where those of this installation do not come. */
const lastConnection = 65_535

type ShownConnection = Pick<RecordConnection, 'id' | 'name' | 'mode'>

export class Colleagues {
  /** Of the last page; 0: nothing is known. */
  version = 0
  /** Messages that only colleagues have, by their numbers: they are the same whenever they are read again. */
  readonly messages = new Map<number, { readonly message: string; readonly operation: OperationId }>()
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

  /** A case's rows, and its events with numbers of this index. */
  read(
    { key, applicantId, events }: ColleagueCase,
    numbers: { reviewer(operator: string): number; message(id: number): number }
  ): { readonly ref: number; readonly events: readonly CaseEvent[] } {
    const ref = this.cases.get(key) ?? firstRef + this.cases.size
    this.cases.set(key, ref)
    this.applicants[ref - firstRef] = applicantId
    const inOrder = [...events].sort(
      (a, b) => a.at - b.at || a.place - b.place || Number(a.kind === 'answered') - Number(b.kind === 'answered')
    )
    const numberAt = new Map(inOrder.flatMap(({ kind, place }, seq) => (kind === 'decided' ? [[place, seq]] : [])))
    const read = inOrder.map((event, seq): CaseEvent => {
      const { at } = event
      if (event.kind === 'evidence')
        return { seq, at, kind: 'evidence', record: seq, newest: this.newest(event, numbers.message) }
      if (event.kind === 'challenged') return { seq, at, kind: 'challenged' }
      if (event.kind === 'answered')
        return {
          seq,
          at,
          kind: 'answered',
          decision: numberAt.get(event.decision) ?? -1,
          agrees: event.agrees,
          signer: event.by
        }
      const { decision, operator, evidence, proposed, seen, set } = event
      const reviewer = numbers.reviewer(operator)
      const made = { decision, reviewer, evidence, due: null, set: 0, proposed, looked: lookedBits(seen, set) }
      return { seq, at, kind: 'decided', ...made }
    })
    return { ref, events: read }
  }

  private newest(
    { connection, operation, status = 0, message }: Extract<ColleagueEvent, { readonly kind: 'evidence' }>,
    numberOf: (id: number) => number
  ): Newest {
    return {
      connection: connection ? this.connection(connection) : 0,
      message: message === undefined ? 0 : numberOf(this.messageId(operation, status, message))
    }
  }

  private messageId(operation: OperationId, status: number, message: string): number {
    const own = this.catalogue.numberOf(operation, status, message, shortMessage)
    if (own !== undefined) return own
    const digest = createHash('sha256')
      .update(JSON.stringify([operation, status, message]))
      .digest()
    const id = -1 - digest.readUIntBE(0, 6)
    this.messages.set(id, { message, operation })
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
