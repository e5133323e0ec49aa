/** Unfinished input: sealed on disk, there again after a restart, and gone when personal data is removed. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RemovalCause } from '#contract/ipc/ipc.ts'
import { createDrafts, type Drafts } from '#core/drafts/drafts.ts'
import { ownFiles } from '#wire/files/own-names.ts'
import { createSessionSecrets } from '#core/secrets/session-secrets.ts'

const text = '{"texts":[["tag APP-SECRET-7","vip"]]}'
let folder: string
let keychain: ReturnType<typeof createSessionSecrets>
let removals: ((cause: RemovalCause) => void)[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'veridesk-drafts-'))
  keychain = createSessionSecrets()
  removals = []
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = (lasting = true): Drafts =>
  createDrafts({ folder, keychain, lasting: () => lasting, onRemoval: (empty) => void removals.push(empty) })
const path = (): string => join(folder, ownFiles.drafts)
async function kept(drafts: Drafts): Promise<void> {
  const { round } = await drafts.read()
  expect(await drafts.keep(round, text)).toBe(true)
}

describe('drafts', () => {
  it('are sealed in the data folder and read again after a restart', async () => {
    await kept(open())
    expect(readFileSync(path()).includes('APP-SECRET-7')).toBe(false)
    expect((await open().read()).text).toBe(text)
  })

  it('are gone with file and key once personal data was removed, and earlier ones are refused', async () => {
    const drafts = open()
    await kept(drafts)
    const { round } = await drafts.read()
    const sealed = readFileSync(path())
    const before = await keychain.get('history/master-key-drafts')
    expect(before).toMatchObject({ ok: true, value: expect.stringMatching(/^[0-9a-f]{64}$/) as string })
    for (const empty of removals) empty('erased')
    expect(existsSync(path())).toBe(false)
    expect(await keychain.get('history/master-key-drafts')).toEqual({ ok: true, value: undefined })
    // A window that has not heard of it yet.
    expect(await drafts.keep(round, text)).toBe(false)
    expect(existsSync(path())).toBe(false)
    expect((await drafts.read()).text).toBeUndefined()
    // What is written afterwards has another key.
    await kept(drafts)
    expect(await keychain.get('history/master-key-drafts')).not.toEqual(before)
    expect(readFileSync(path()).equals(sealed)).toBe(false)
  })

  it('are removed when the last one is empty', async () => {
    const drafts = open()
    await kept(drafts)
    await drafts.keep((await drafts.read()).round, '')
    expect(existsSync(path())).toBe(false)
  })

  it('stay in memory while the history is kept for the session only', async () => {
    const drafts = open(false)
    await kept(drafts)
    expect(existsSync(path())).toBe(false)
    expect((await drafts.read()).text).toBe(text)
  })

  it('that were changed or belong to another key are not read', async () => {
    await kept(open())
    keychain = createSessionSecrets()
    expect((await open().read()).text).toBeUndefined()
  })

  it('keep what core needs to go on with them, which no window is told, until nothing else is left', async () => {
    const drafts = open()
    await drafts.remember('/home/anna/APP-SECRET-7.csv')
    await kept(drafts)
    expect(readFileSync(path()).includes('APP-SECRET-7')).toBe(false)
    const again = open()
    expect(await again.recall()).toBe('/home/anna/APP-SECRET-7.csv')
    expect((await again.read()).text).toBe(text)
    await again.keep((await again.read()).round, '')
    expect(await again.recall()).toBeUndefined()
    await again.remember('once more')
    for (const empty of removals) empty('erased')
    expect(await again.recall()).toBeUndefined()
    expect(existsSync(path())).toBe(false)
  })
})
