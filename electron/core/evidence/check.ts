/** Verifies an evidence pack, whichever version of the format it has. */
import type { EvidenceFinding } from '#contract/evidence/evidence.ts'
import { checkFormat1 } from './format-1/check.ts'
import type { Pack } from './format-1/pack.ts'
import { viewOf as viewOfFormat1 } from './format-1/view.ts'
import { checkFormat2, type Countersigning } from './format-2/check.ts'
import type { OpenedPack } from './format-2/pack.ts'
import { viewOf as viewOfFormat2 } from './format-2/view.ts'
import { finding } from './refusal.ts'
import type { PackView } from './view.ts'

export interface CheckedPack {
  /** Nothing is wrong with it; it may lack countersignatures that it must have. */
  readonly intact: boolean
  readonly verified: boolean
  readonly findings: readonly EvidenceFinding[]
  /** Number of withheld values. */
  readonly withheld: number
  /** As it is in the file; absent if the text is not a pack. */
  readonly pack?: Pack | OpenedPack
  /** What can be shown of it; present if it is intact. */
  readonly view?: PackView
  /** How many second persons must agree and do; packs of version 1 do not say. */
  readonly countersigning?: Countersigning
}

/** Checks everything in a pack; never throws. */
export function checkPack(text: string): CheckedPack {
  switch (versionOf(text)) {
    case 1: {
      const { verified, pack, ...checked } = checkFormat1(text)
      return {
        ...checked,
        intact: verified,
        verified,
        ...(pack && { pack }),
        ...(pack && verified && { view: viewOfFormat1(pack) })
      }
    }
    case 2: {
      const { made, head, pack, ...checked } = checkFormat2(text)
      return {
        ...checked,
        ...(pack && { pack }),
        ...(pack && made && head && { view: viewOfFormat2(pack, made, head) })
      }
    }
    default:
      return { intact: false, verified: false, withheld: 0, findings: [finding('other-version')] }
  }
}

/** The version of a pack's file, which its other members follow from; a file that is not one is checked as version 1. */
function versionOf(text: string): unknown {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null && 'version' in json ? json.version : 1
  } catch {
    return 1
  }
}
