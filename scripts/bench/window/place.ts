/** A keyring, a data folder and a practice service for measured windows. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPracticeService, type PracticeOptions, type PracticeService } from '#practice/service.ts'
import { inKeyring } from '../../../tests/app/fixtures/workspace.ts'
import type { Place } from '../../../tests/app/fixtures/hosts.ts'
import setup from '../../../tests/app/fixtures/setup.ts'
import { startKeyring, type Keyring } from '../../../tests/service/support/keyring.ts'

export interface MeasuredPlace {
  readonly place: Place
  readonly keyring: Keyring
  readonly service: PracticeService
}

/** Builds outdated outputs, and calls `work` with a temporary workspace. */
export async function inPlace<T>(options: PracticeOptions, work: (all: MeasuredPlace) => Promise<T>): Promise<T> {
  setup()
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-bench-window-'))
  const home = join(folder, 'home')
  mkdirSync(home)
  const keyring = await startKeyring()
  const service = await startPracticeService(options)
  try {
    return await work({
      place: { dataFolder: join(folder, 'data'), home, environment: inKeyring(keyring) },
      keyring,
      service
    })
  } finally {
    await service.close()
    await keyring.end()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}
