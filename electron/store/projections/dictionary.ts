/** Numbers for values that repeat in every record: operations, and snapshots of connections. */
import type { RecordConnection } from '#contract/history/records.ts'
import type { Db } from '#wire/sqlite/files.ts'

const snapshotText = ({ id, name, origin, mode, colour, mark }: RecordConnection): string =>
  JSON.stringify({ id, name, origin, mode, colour, mark })

interface OperatorRow {
  readonly ref: number
  readonly name: string
}

export class Dictionary {
  readonly operations = new Map<string, number>()
  readonly operationNames = new Map<number, string>()
  readonly connections = new Map<number, RecordConnection>()
  readonly operatorNames = new Map<number, string>()
  private readonly operators = new Map<string, number>()
  private readonly bySnapshot = new Map<string, number>()
  private readonly byId = new Map<string, number[]>()
  private readonly db: Db

  constructor(db: Db) {
    this.db = db
    this.reload()
  }

  /** Reads everything again: at start, and after a transaction was rolled back. */
  reload(): void {
    const maps = [this.operations, this.operationNames, this.connections, this.bySnapshot, this.byId]
    for (const map of [...maps, this.operatorNames, this.operators]) map.clear()
    for (const { ref, name } of this.db.prepare('SELECT ref, name FROM operator').all() as OperatorRow[])
      this.rememberOperator(ref, name)
    const operations = this.db.prepare('SELECT ref, id FROM operation').all() as { ref: number; id: string }[]
    for (const { ref, id } of operations) this.rememberOperation(ref, id)
    const connections = this.db.prepare('SELECT ref, snapshot FROM connection ORDER BY ref').all() as {
      ref: number
      snapshot: string
    }[]
    for (const { ref, snapshot } of connections) this.rememberConnection(ref, snapshot)
  }

  private rememberOperation(ref: number, id: string): void {
    this.operations.set(id, ref)
    this.operationNames.set(ref, id)
  }

  private rememberConnection(ref: number, text: string): void {
    const snapshot = JSON.parse(text) as RecordConnection
    this.connections.set(ref, snapshot)
    this.bySnapshot.set(text, ref)
    this.byId.set(snapshot.id, [...(this.byId.get(snapshot.id) ?? []), ref])
  }

  /** The operation's number, assigned if it is new. Within a transaction. */
  operation(id: string): number {
    const known = this.operations.get(id)
    if (known !== undefined) return known
    const ref = Number(this.db.prepare('INSERT INTO operation (id) VALUES (?)').run(id).lastInsertRowid)
    this.rememberOperation(ref, id)
    return ref
  }

  private rememberOperator(ref: number, name: string): void {
    this.operators.set(name, ref)
    this.operatorNames.set(ref, name)
  }

  /** The number of an operator's name, assigned if it is new. Within a transaction. */
  operator(name: string): number {
    const known = this.operators.get(name)
    if (known !== undefined) return known
    const ref = Number(this.db.prepare('INSERT INTO operator (name) VALUES (?)').run(name).lastInsertRowid)
    this.rememberOperator(ref, name)
    return ref
  }

  /** The snapshot's number; calls `note` with its text if it is new. Within a transaction. */
  connection(snapshot: RecordConnection, note: (ref: number, text: string) => void): number {
    const text = snapshotText(snapshot)
    const known = this.bySnapshot.get(text)
    if (known !== undefined) return known
    const ref = Number(
      this.db.prepare('INSERT INTO connection (id, snapshot) VALUES (?, ?)').run(snapshot.id, text).lastInsertRowid
    )
    note(ref, text)
    this.rememberConnection(ref, text)
    return ref
  }

  operationRefs = (id: string): readonly number[] => {
    const ref = this.operations.get(id)
    return ref === undefined ? [] : [ref]
  }

  connectionRefs = (id: string): readonly number[] => this.byId.get(id) ?? []
}
