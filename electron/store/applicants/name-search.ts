/** Finds applicants by part of their name or date of birth, as the newest answer with details has them. */
import type { ApplicantNames } from '#contract/applicants/names.ts'
import { folded } from '#kit/text/folding.ts'
import type { NamesProjection } from '../projections/names.ts'
import { TextBlocks } from './text-blocks.ts'

/** Names opened at a time: each has to be decrypted. */
const namesPerStep = 1000

/**
 * What a search compares with: the name as it is folded and, if it is spelled with ae, oe or ue, without those: `Muller`
 * finds `Mueller`, too.
 */
export function lineOf({ name = '', birthDate = '' }: ApplicantNames): string {
  const own = folded(name)
  const short = own.replace(/([aou])e/gu, '$1')
  return [own, ...(short === own ? [] : [short]), folded(birthDate)].join('\u0001')
}

export class NameSearch {
  private readonly texts = new TextBlocks()
  private readonly names: NamesProjection
  /** The event of the last name that is in memory. */
  private last = 0
  /** Of the projection, when the texts were read. */
  private version = 0

  constructor(names: NamesProjection) {
    this.names = names
  }

  /** Drops everything; the next search reads it again. After an erasure, nothing of the person may stay in memory. */
  forget(): void {
    this.texts.forget()
    this.last = 0
  }

  /** Reads the next names, for some milliseconds; true if there may be more. */
  warm(): boolean {
    if (this.version !== this.names.version) this.forget()
    this.version = this.names.version
    const read = this.names.after(this.last, namesPerStep)
    this.texts.add(read.map(({ subject, names }) => [subject, lineOf(names)]))
    this.last = read.at(-1)?.event ?? this.last
    return read.length === namesPerStep
  }

  /**
   * Subjects with one of the folded texts in their name or date of birth; undefined if there are more than `most`. Those
   * that once had it may be among them.
   */
  holding(needles: readonly string[], most: number): ReadonlySet<number> | undefined {
    while (this.warm());
    return this.texts.holding(needles, most)
  }
}
