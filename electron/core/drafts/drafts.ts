/**
 * Unfinished input, sealed in a file of the data folder with a key of its own in the keychain. Without a keychain it
 * stays in memory. When personal data is removed, it goes as a whole, file and key: nobody knows whom it is about.
 */
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { KeptDrafts } from '#contract/app/channels.ts'
import type { RemovalCause } from '#contract/ipc/ipc.ts'
import { ownFiles } from '#wire/files/own-names.ts'
import { ownFileBytes, readRegular } from '#wire/files/regular.ts'
import { writeAtomically } from '#wire/files/write.ts'
import { masterKeyAccount } from '#core/history/open.ts'
import { seal, unseal } from '#kit/sealing/seal.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { freshKey } from '#kit/sealing/key-memory.ts'
import { keepKey, keyUnder } from '#core/secrets/key-bytes.ts'

/** Begins with the history's account: each data folder has its own. */
const keyAccount = `${masterKeyAccount}-drafts`
const purpose = 'drafts'

export interface Drafts {
  read(): Promise<KeptDrafts>
  /** Keeps the drafts of this round; false if personal data was removed since. */
  keep(round: string, text: string): Promise<boolean>
  /** Remembers what core itself needs to go on with a draft, such as the path of a file, which no window is told. */
  remember(fact: string | undefined): Promise<void>
  recall(): Promise<string | undefined>
}

/** What the file holds: the window's drafts and core's fact. */
interface Content {
  readonly text: string
  readonly fact?: string
}
const nothing: Content = { text: '' }

/** The content of the file; without a fact it is the window's text alone. */
function contentOf(payload: string): Content {
  const at = payload.indexOf('\0')
  return at < 0 ? { text: payload } : { text: payload.slice(0, at), fact: payload.slice(at + 1) }
}
/** JSON has no NUL, so one separates the parts. */
const payloadOf = ({ text, fact }: Content): string => (fact === undefined ? text : `${text}\0${fact}`)

export interface DraftParts {
  readonly folder: string
  readonly keychain: SecretStore
  /** Whether what is written now lasts: not while the history is kept for this session only. */
  readonly lasting: () => boolean
  readonly onRemoval: (empty: (cause: RemovalCause) => void) => void
}

export function createDrafts({ folder, keychain, lasting, onRemoval }: DraftParts): Drafts {
  const path = join(folder, ownFiles.drafts)
  let round: string = randomUUID()
  /** What was kept last; undefined until the file has been read. */
  let kept: Content | undefined
  /** The key, once the keychain has returned it. */
  let key: Buffer | undefined
  let turn: Promise<unknown> = Promise.resolve()

  /** A keychain that does not answer must not hold up others that need it. */
  const usable = (): boolean => lasting() && keychain.state() === 'ready'
  async function storedKey(): Promise<Buffer | undefined> {
    if (key || !usable()) return key
    const found = await keyUnder(keychain, keyAccount)
    if (found.ok) key = found.value
    return key
  }
  async function madeKey(): Promise<Buffer | undefined> {
    const stored = await storedKey()
    if (stored || !usable()) return stored
    const made = freshKey()
    const set = await keepKey(keychain, keyAccount, made)
    return set.ok ? (key = made) : undefined
  }
  async function fromFile(): Promise<Content> {
    const sealed = await readRegular(path, ownFileBytes).catch(() => undefined)
    const opener = sealed && (await storedKey())
    const payload = sealed && opener && unseal(opener, purpose, sealed)?.payload
    return payload ? contentOf(payload) : nothing
  }
  function remove(): void {
    try {
      rmSync(path, { force: true })
    } catch {
      // A file that cannot be removed is useless: after a removal of data its key is destroyed, and otherwise it is replaced.
    }
  }

  onRemoval((cause) => {
    if (cause === 'locked') return void inTurn(rest)
    round = randomUUID()
    kept = nothing
    remove()
    key?.fill(0)
    key = undefined
    void keychain.remove(keyAccount)
  })

  /** One after another, in the order of the requests. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work)
    turn = done.catch(() => undefined)
    return done
  }

  /** Drops what can be read again after a lock: drafts in memory only would be lost. */
  async function rest(): Promise<void> {
    if (!usable() || !key) return
    kept = undefined
    key.fill(0)
    key = undefined
  }

  /** What is kept in this round, from the file if it has not been read. */
  async function current(mine: string): Promise<Content> {
    const content = kept ?? (await fromFile())
    if (mine === round) kept = content
    return content
  }
  /** Writes what is kept now; false if personal data was removed meanwhile. */
  async function write(mine: string, content: Content): Promise<boolean> {
    kept = content
    if (content.text === '' && content.fact === undefined) {
      remove()
      return true
    }
    const sealer = await madeKey()
    if (!sealer || mine !== round) return mine === round
    await writeAtomically(path, seal(sealer, purpose, payloadOf(content)).sealed)
    // Personal data may have been removed while the file was written.
    if (mine !== round) remove()
    return mine === round
  }

  return {
    read: () =>
      inTurn(async () => {
        const mine = round
        const { text } = await current(mine)
        return { round, ...(text && { text }) }
      }),
    keep: (of, text) =>
      inTurn(async () => {
        if (of !== round) return false
        const { fact } = await current(of)
        if (of !== round) return false
        // Without drafts, nothing is left to go on with.
        return write(of, text === '' || fact === undefined ? { text } : { text, fact })
      }),
    remember: (fact) =>
      inTurn(async () => {
        const mine = round
        const { text } = await current(mine)
        if (mine === round) await write(mine, fact === undefined ? { text } : { text, fact })
      }),
    recall: () => inTurn(async () => (await current(round)).fact)
  }
}
