/**
 * The files of copies, by the names that this history gave them: which there are, what a check found of each, and the keys that it needs.
 * An erasure deletes their rows with the keys, so what is recorded of a file here is never about an erased one.
 */
import { createHash } from 'node:crypto'
import type { CopyFault, FaultyCopy } from '#contract/documents/documents.ts'
import { uuidText } from '#kit/bytes.ts'
import type { CheckedCounts, CheckedFile, FoundFile } from '#wire/history/copies.ts'
import type { FilesCondition, TypicalCopy } from '#wire/history/store.ts'
import type { Db } from '#wire/sqlite/files.ts'
import type { Subjects } from '../storage/subjects.ts'
import type { Writer } from './writer.ts'
import { copyKeys } from './document-copies.ts'

interface FileRow {
  readonly name: string
  readonly subject: number
}

interface FaultyRow {
  readonly id: Buffer
  readonly field: string
  readonly at: number
  readonly fault: CopyFault
}

/** The names of all files of a history, as the manifest of a backup has them: SHA-256 (hex) over the sorted names, a line each. */
export function namedFiles(history: Db): { readonly count: number; readonly bytes: number; readonly names: string } {
  const hash = createHash('sha256')
  let [count, sum] = [0, 0]
  const rows = history.prepare('SELECT name, bytes FROM document_file ORDER BY name').iterate()
  for (const { name, bytes } of rows as IterableIterator<{ readonly name: string; readonly bytes: number }>) {
    hash.update(`${name}\n`)
    count += 1
    sum += bytes
  }
  return { count, bytes: sum, names: hash.digest('hex') }
}

export class DocumentFiles {
  private readonly subjects
  private readonly inPart
  private readonly byName
  private readonly due
  private readonly found
  private readonly lost
  private readonly back
  private readonly totals
  private readonly faulty
  private readonly mean

  constructor({ history, subjects }: { readonly history: Db; readonly subjects: Subjects }) {
    this.subjects = subjects
    this.inPart = history.prepare('SELECT name, fault FROM document_file WHERE name >= ? AND name < ? ORDER BY name')
    this.byName = history.prepare('SELECT name, subject FROM document_file WHERE name = ?')
    this.due = history.prepare(
      'SELECT name, subject FROM document_file WHERE name > ? AND (checked_at < ? OR checked_at > ?) ORDER BY name LIMIT ?'
    )
    this.found = history.prepare('UPDATE document_file SET fault = ?, checked_at = ? WHERE name = ?')
    this.lost = history.prepare(`UPDATE document_file SET fault = 'missing' WHERE name = ? AND fault IS NOT 'missing'`)
    this.back = history.prepare(
      `UPDATE document_file SET fault = NULL, checked_at = 0 WHERE name = ? AND fault = 'missing'`
    )
    this.totals =
      history.prepare(`SELECT count(*) AS files, coalesce(sum(bytes), 0) AS bytes, min(checked_at) AS checkedAt,
      coalesce(sum(fault IS 'missing'), 0) AS missing,
      coalesce(sum(fault IS 'damaged'), 0) AS damaged,
      (SELECT coalesce(sum(copies_missed), 0) FROM batch
        WHERE missed_event > (SELECT coalesce(max(event), 0) FROM document_file)) AS unstored FROM document_file`)
    this.mean = history.prepare(
      'SELECT avg(bytes) AS bytes, avg(took) AS took FROM (SELECT bytes, took FROM document_file ORDER BY event DESC LIMIT 500)'
    )
    this.faulty = history.prepare(`SELECT r.id, e.plain ->> 'field' AS field, e.at, f.fault FROM document_file f
      JOIN event e ON e.seq = f.event JOIN record r ON r.seq = e.record WHERE f.fault IS NOT NULL ORDER BY f.event LIMIT ?`)
  }

  namesIn(part: string): { readonly names: readonly string[]; readonly missing: readonly string[] } {
    // No name of hex digits comes after.
    const rows = this.inPart.all(part, `${part}g`) as { readonly name: string; readonly fault: CopyFault | null }[]
    const missing = rows.filter(({ fault }) => fault === 'missing')
    return { names: rows.map(({ name }) => name), missing: missing.map(({ name }) => name) }
  }

  filesOf(names: readonly string[]): readonly CheckedFile[] {
    return this.withKeys(names.flatMap((name) => (this.byName.get(name) as FileRow | undefined) ?? []))
  }

  toCheck(
    { before, now }: { readonly before: number; readonly now: number },
    after: string,
    limit: number
  ): { readonly files: readonly CheckedFile[]; readonly last?: string } {
    const rows = this.due.all(after, before, now, limit) as FileRow[]
    const last = rows.length < limit ? undefined : rows.at(-1)?.name
    return { files: this.withKeys(rows), ...(last !== undefined && { last }) }
  }

  checked(_: Writer, found: readonly FoundFile[], at: number): CheckedCounts {
    const still = found.filter(({ name, fault }) => this.found.run(fault ?? null, Math.trunc(at), name).changes > 0)
    const of = (fault: CopyFault): number => still.filter((each) => each.fault === fault).length
    return { checked: still.length, missing: of('missing'), damaged: of('damaged') }
  }

  compared(_: Writer, missing: readonly string[], back: readonly string[]): number {
    for (const name of back) this.back.run(name)
    return missing.filter((name) => this.lost.run(name).changes > 0).length
  }

  condition(limit: number): FilesCondition {
    const { checkedAt, ...totals } = this.totals.get() as Omit<FilesCondition, 'faulty' | 'checkedAt'> & {
      readonly checkedAt: number | null
    }
    const rows = this.faulty.all(limit) as FaultyRow[]
    const faulty = rows.map(({ id, ...copy }): FaultyCopy => ({ recordId: uuidText(id), ...copy }))
    return { ...totals, ...(checkedAt !== null && { checkedAt }), faulty }
  }

  typical(): TypicalCopy {
    return this.mean.get() as TypicalCopy
  }

  private withKeys(rows: readonly FileRow[]): readonly CheckedFile[] {
    return rows.flatMap(({ name, subject }) => {
      const key = this.subjects.key(subject)
      return key ? [{ name, keys: copyKeys(key) }] : []
    })
  }
}
