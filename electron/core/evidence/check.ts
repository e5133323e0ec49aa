/** Verifies an evidence pack, whichever version of the format it has. */
import { checkFormat1, type CheckedPack } from './format-1/check.ts'

export type { CheckedPack } from './format-1/check.ts'

/** Checks everything in a pack; never throws. */
export const checkPack = (text: string): CheckedPack => checkFormat1(text)
