/** A failure that ends the pieces of a file. */
import type { Failure } from '#contract/failures/failures.ts'

/** Thrown while the pieces of a file are made, so that no file remains. */
export class StoreError extends Error {
  readonly failure: Failure
  constructor(why: Failure) {
    super(why.code)
    this.failure = why
  }
}
