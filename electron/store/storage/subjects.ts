/** Subjects and their keys. A key is durable here before the record that uses it is written. */
import { keyDigest, newKey } from '#kit/sealing/seal.ts'
import type { Head } from '#wire/history/events.ts'
import { likeness } from '#kit/text/folding.ts'
import type { Db } from '#wire/sqlite/files.ts'

export interface Subject {
  readonly ref: number
  readonly key: Buffer
}

export interface KnownApplicant {
  readonly applicantId: string
  readonly key: Buffer
}

/** A key that is missing though no erasure took it is damage, and a verification must be able to tell the two apart. */
export const takenTables = `
  CREATE TABLE taken (subject INTEGER PRIMARY KEY) STRICT;
`

const maxCachedKeys = 20_000
/** People whose documents are being copied for their first record. */
const maxComing = 1000

/** Of an applicant, or of the key itself. */
const comingName = (applicantId: string | undefined, under = ''): string =>
  applicantId === undefined ? `key ${under}` : `applicant ${applicantId}`

/** Statements on subjects.db and a small cache of keys. */
export class Subjects {
  private readonly keys = new Map<number, Buffer>()
  /** Keys of people without a record yet, by `comingName`. They are stored with the first one, so a copy that leads to none leaves nothing. */
  private readonly coming = new Map<string, Buffer>()
  private readonly byApplicant
  private readonly byLikeness
  private readonly allApplicants
  private readonly insert
  private readonly keyOf
  private readonly idOf
  private readonly messageOf
  private readonly insertMessage
  private readonly setAnchor
  private readonly getAnchor
  private readonly given

  constructor(db: Db) {
    this.byApplicant = db.prepare('SELECT ref, key FROM subject WHERE applicant = ?')
    this.byLikeness = db.prepare('SELECT ref FROM subject WHERE likeness = ? ORDER BY ref').pluck()
    this.allApplicants = db.prepare(
      'SELECT applicant AS applicantId, key FROM subject WHERE applicant IS NOT NULL ORDER BY ref'
    )
    this.insert = db.prepare('INSERT INTO subject (key, applicant, likeness) VALUES (?, ?, ?)')
    this.keyOf = db.prepare('SELECT key FROM subject WHERE ref = ?').pluck()
    this.idOf = db.prepare('SELECT applicant FROM subject WHERE ref = ?').pluck()
    this.messageOf = db.prepare('SELECT subject FROM message WHERE digest = ?').pluck()
    this.insertMessage = db.prepare('INSERT INTO message VALUES (?, ?)')
    this.setAnchor = db.prepare(
      'INSERT INTO anchor VALUES (1, ?, ?) ON CONFLICT (one) DO UPDATE SET seq = excluded.seq, hash = excluded.hash'
    )
    this.getAnchor = db.prepare('SELECT seq, hash FROM anchor')
    this.given = db.prepare(`SELECT seq FROM sqlite_sequence WHERE name = 'subject'`).pluck()
  }

  /**
   * The applicant's subject, created if new; a verification without an applicant gets a subject of its own.
   *
   * @param under Digest of the key that `keyBefore` gave, for one without an applicant.
   */
  forCheck(applicantId: string | undefined, under?: string): Subject {
    const known = this.known(applicantId)
    if (known) return known
    const name = comingName(applicantId, under)
    const key = this.coming.get(name)
    this.coming.delete(name)
    return this.add(key ?? newKey(), applicantId)
  }

  /** The key that seals what belongs to an applicant, or to a verification without one, before its record begins. Writes nothing. */
  keyBefore(applicantId: string | undefined): Buffer {
    const known = this.known(applicantId)?.key ?? (applicantId && this.coming.get(comingName(applicantId)))
    if (known) return known
    const key = newKey()
    const [oldest] = this.coming.keys()
    if (this.coming.size >= maxComing && oldest !== undefined) this.coming.delete(oldest)
    this.coming.set(comingName(applicantId, keyDigest(key)), key)
    return key
  }

  /** Whether a record that begins now is sealed under the key with this digest: an erasure may have destroyed it. */
  isUnder(applicantId: string | undefined, under: string): boolean {
    const key = this.known(applicantId)?.key ?? this.coming.get(comingName(applicantId, under))
    return key !== undefined && keyDigest(key) === under
  }

  private known(applicantId: string | undefined): Subject | undefined {
    return applicantId === undefined ? undefined : (this.byApplicant.get(applicantId) as Subject | undefined)
  }

  /** Takes over an applicant who is not known here, with the key that another file of this history has. */
  adopt({ applicantId, key }: KnownApplicant): void {
    if (this.ofApplicant(applicantId) === undefined) this.add(key, applicantId)
  }

  /** Everybody who was not erased. */
  applicants(): readonly KnownApplicant[] {
    return this.allApplicants.all() as KnownApplicant[]
  }

  private add(key: Buffer, applicantId: string | undefined): Subject {
    const ref = Number(
      this.insert.run(key, applicantId ?? null, (applicantId && likeness(applicantId)) || null).lastInsertRowid
    )
    return { ref, key }
  }

  /** The applicant id of a subject, if it is an applicant and was not erased. */
  applicantOf(ref: number): string | undefined {
    return (this.idOf.get(ref) as string | null | undefined) ?? undefined
  }

  /** The subject of a message, by its keyed digest. */
  message(digest: Buffer): number | undefined {
    return this.messageOf.get(digest) as number | undefined
  }

  /** Creates a subject for a new message. */
  forMessage(digest: Buffer): Subject {
    const subject = this.forCheck(undefined)
    this.insertMessage.run(digest, subject.ref)
    return subject
  }

  /** The subject of exactly this applicant id. */
  ofApplicant(applicantId: string): number | undefined {
    return (this.byApplicant.get(applicantId) as Subject | undefined)?.ref
  }

  /** The subjects of all applicants with an ID of this likeness. */
  alike(likenessOfId: string): readonly number[] {
    return this.byLikeness.all(likenessOfId) as number[]
  }

  /** A subject's key, or undefined if it was erased. */
  key(ref: number): Buffer | undefined {
    const known = this.keys.get(ref)
    if (known) return known
    const key = this.keyOf.get(ref) as Buffer | undefined
    if (!key) return undefined
    if (this.keys.size >= maxCachedKeys) this.keys.clear()
    this.keys.set(ref, key)
    return key
  }

  /** The highest number ever given to a subject, erased or not. */
  get last(): number {
    return (this.given.get() as number | undefined) ?? 0
  }

  /** Removes keys from memory whose rows were destroyed. */
  forget(refs: readonly number[]): void {
    for (const ref of refs) {
      this.keys.get(ref)?.fill(0)
      this.keys.delete(ref)
    }
  }

  anchor(): Head | undefined {
    return this.getAnchor.get() as Head | undefined
  }

  rememberAnchor(head: Head): void {
    this.setAnchor.run(head.seq, head.hash)
  }
}
