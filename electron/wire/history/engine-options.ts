/** How the history is opened. */
import type { MasterKey } from '#kit/sealing/seal.ts'
import type { KnownHead } from './audit-walk.ts'

export interface EngineOptions {
  readonly folder: string
  /** 32 bytes, or 64 hex digits; undefined keeps everything in memory for this session. */
  readonly masterKey: MasterKey | undefined
  /** Wall clock at opening, in Unix milliseconds. */
  readonly now: number
  /** The head stored in the keychain. */
  readonly anchor?: KnownHead
}
