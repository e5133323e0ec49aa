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
  return [own, ...(short === own ? [] : [short]), folded(birthDate)].join(parted)
}
const parted = '\u0001'
/** Whether a place in lines is in the name, which a sign ends, and not in the date after it. */
function isInName(lines: string, at: number): boolean {
  const end = lines.indexOf(parted, at)
  return end >= 0 && end < lines.indexOf('\n', at)
}

export class NameSearch {
  private readonly texts = new TextBlocks()
  private readonly names: NamesProjection
  /** The event of the last name that is in memory. */
  private last = 0
  /** Of the projection, when the texts were read. */
  private version = 0
  /** The event of the last name when the texts began to be read, and who got a name later: they may have had another before. */
  private begun: number | undefined
  private readonly later = new Set<number>()

  constructor(names: NamesProjection) {
    this.names = names
  }

  /** Drops everything; the next search reads it again. After an erasure, nothing of the person may stay in memory. */
  forget(): void {
    this.texts.forget()
    this.later.clear()
    this.begun = undefined
    this.last = 0
  }

  /** Reads the next names, for some milliseconds; true if there may be more. */
  warm(): boolean {
    if (this.version !== this.names.version) this.forget()
    this.version = this.names.version
    const begun = (this.begun ??= this.names.lastEvent())
    const read = this.names.after(this.last, namesPerStep)
    for (const { subject, event } of read) if (event > begun) this.later.add(subject)
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

  /** Exactly the subjects with one of the folded texts in their name. */
  named(needles: readonly string[]): ReadonlySet<number> {
    while (this.warm());
    const found = this.texts.all(needles, isInName)
    for (const subject of this.later) {
      if (!found.has(subject)) continue
      const { name = '' } = this.names.of(subject) ?? {}
      if (!needles.some((needle) => lineOf({ name }).includes(needle))) found.delete(subject)
    }
    return found
  }
}
