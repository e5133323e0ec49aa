/** Works on a copy of a data folder that tests/fixtures keeps, with a real keyring that contains its entries. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sentencesOf } from '#contract/failures/sentences.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { startPracticeService, type PracticeService } from '#practice/service.ts'
import { besideKeyring } from '../../../scripts/prove/console-workspace.ts'
import { accountIn, type KeptFolder } from '../../../scripts/prove/upgrade/kept-folders.ts'
import { startTestConsole, type TestConsole } from './console.ts'

export interface CopyOfFolder {
  readonly dataFolder: string
  readonly practice: PracticeService
  readonly keychain: SecretStore
  /** Starts a console on the copy; it is closed in any case at the end. */
  start(): Promise<TestConsole>
}

export function onCopy(
  { place, keychain: { entries } }: KeptFolder,
  work: (copy: CopyOfFolder) => Promise<void>
): Promise<void> {
  return besideKeyring(async (keychain) => {
    const dataFolder = mkdtempSync(join(tmpdir(), 'veridesk-kept-'))
    cpSync(join(place, 'folder'), dataFolder, { recursive: true })
    for (const [account, value] of Object.entries(entries)) {
      const set = await keychain.set(accountIn(dataFolder, account), value)
      if (!set.ok) throw new Error(sentencesOf(set.failure).what)
    }
    const practice = await startPracticeService()
    const started: TestConsole[] = []
    const start = async (): Promise<TestConsole> => {
      const console = await startTestConsole({ dataFolder, practice })
      started.push(console)
      return console
    }
    try {
      await work({ dataFolder, practice, keychain, start })
    } finally {
      for (const console of started) await console.close()
      await practice.close()
      rmSync(dataFolder, { recursive: true, force: true })
    }
  })
}
