/** Keys shared by a user's data folders: however many first starts coincide, one of each is created. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { failure } from '#contract/failures/failures.ts'
import { signingKey, signingKeyAccount } from '#core/evidence/signing-key.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { keptOrMade } from '#core/secrets/made-once.ts'
import { secretsInMemory } from './history-fixtures.ts'
import type { Given } from './support/first-asker.ts'
import { keychainIn, startKeyring } from './support/keyring.ts'

const asker = fileURLToPath(new URL('./support/first-asker.ts', import.meta.url))
const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of open.splice(0).reverse()) await end()
})

/** A separate process in a keyring's session; returns its answer to each request. */
async function startAsker(env: Readonly<Record<string, string>>): Promise<() => Promise<Given>> {
  const child = spawn(process.execPath, [asker], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit']
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  open.push(() => (child.stdin.end(), ended))
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const line = async (): Promise<string> => {
    const next = await lines.next()
    if (next.done) throw new Error('the process has ended')
    return next.value
  }
  expect(await line()).toBe('ready')
  return async () => {
    child.stdin.write('\n')
    return JSON.parse(await line()) as Given
  }
}

describe('in a real keychain', () => {
  it('processes that make their first request at the same time all get the same, permanent keys', async () => {
    const keyring = await startKeyring()
    open.push(() => keyring.end())
    const { keychain } = keychainIn(keyring.env, { limitMs: 60_000 })
    open.push(() => keychain.close())
    const askers = await Promise.all([1, 2, 3].map(() => startAsker(keyring.env)))
    const seen = new Set<string>()
    for (let round = 0; round < 12; round += 1) {
      for (const account of [signingKeyAccount, 'fingerprint-key'])
        expect(await keychain.remove(account)).toEqual({ ok: true, value: null })
      const given = await Promise.all(askers.map((ask) => ask()))
      // Later requests get the same keys.
      given.push(await askers[0]!())
      expect(new Set(given.map(({ signing }) => signing)), `round ${round}`).toEqual(
        new Set([expect.stringMatching(/^[0-9a-f]{64}$/)])
      )
      expect(new Set(given.map(({ fingerprint }) => fingerprint)).size, `round ${round}`).toBe(1)
      seen.add(`${given[0]?.signing} ${given[0]?.fingerprint}`)
    }
    // The entries were really removed before each round.
    expect(seen.size).toBe(12)
  }, 120_000)
})

describe('a key that is made once', () => {
  const make = (): string => 'made'
  const any = (): boolean => true

  it('is created by one of many simultaneous requests in one process', async () => {
    const secrets = secretsInMemory()
    let made = 0
    const given = await Promise.all(
      Array.from({ length: 8 }, () => keptOrMade(secrets, 'a', any, () => `made ${(made += 1)}`))
    )
    expect(new Set(given.map((one) => one.ok && one.value))).toEqual(new Set(['made 1']))
    expect([made, secrets.entries.get('a')]).toEqual([1, 'made 1'])
  })

  it('is not returned if the keychain returns another one, refuses, or is unavailable', async () => {
    const secrets = secretsInMemory()
    const broken = (more: Partial<SecretStore>): SecretStore => ({ ...secrets, ...more })
    const refused = async () => ({ ok: false as const, failure: failure('keychain-locked') })
    let asked = 0
    const forgetful = broken({ set: async () => ({ ok: true, value: null }) })
    expect(await keptOrMade(forgetful, 'a', any, make)).toMatchObject({ failure: { code: 'keychain-denied' } })
    expect(await keptOrMade(broken({ get: refused }), 'a', any, make)).toMatchObject({
      failure: { code: 'keychain-locked' }
    })
    expect(await keptOrMade(broken({ set: refused }), 'a', any, make)).toMatchObject({
      failure: { code: 'keychain-locked' }
    })
    const late = broken({ get: async (account) => ((asked += 1) > 2 ? refused() : secrets.get(account)) })
    expect(await keptOrMade(late, 'a', any, make)).toMatchObject({ failure: { code: 'keychain-locked' } })
    // None of them still holds the lock, and the value that one has written counts.
    expect(await keptOrMade(secrets, 'a', any, () => 'another')).toEqual({ ok: true, value: 'made' })
  })

  it('is created again if the stored value is invalid; a signing key is not', async () => {
    const secrets = secretsInMemory()
    await secrets.set('a', 'unfit')
    expect(await keptOrMade(secrets, 'a', (value) => value !== 'unfit', make)).toEqual({ ok: true, value: 'made' })
    await secrets.set(signingKeyAccount, 'no key')
    expect(await signingKey(secrets)).toMatchObject({ failure: { code: 'evidence-refused' } })
    expect(secrets.entries.get(signingKeyAccount)).toBe('no key')
  })
})
