/**
 * Digests of verifications and documents that the index does not contain yet, so that the spend guard finds them
 * without waiting for the index.
 */
export class UnindexedDigests {
  private readonly records = new Map<string, number[]>()

  /** Adds the digests of a record. Adding one twice has no effect. */
  add(digests: readonly Buffer[], record: number): void {
    for (const digest of digests) {
      const key = digest.toString('hex')
      const known = this.records.get(key)
      if (!known) this.records.set(key, [record])
      else if (!known.includes(record)) known.push(record)
    }
  }

  /** Removes what the index now contains from memory, which a batch of many rows would otherwise fill. */
  remove(digests: readonly Buffer[], record: number): void {
    for (const digest of digests) {
      const key = digest.toString('hex')
      const left = this.records.get(key)?.filter((seq) => seq !== record) ?? []
      if (left.length === 0) this.records.delete(key)
      else this.records.set(key, left)
    }
  }

  /** The records with a digest, in the order in which they were added. */
  recordsOf(digest: Buffer): readonly number[] {
    return this.records.get(digest.toString('hex')) ?? []
  }
}
