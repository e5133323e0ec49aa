/** Nothing leaves a window by itself: counted in a network of its own, in which whatever leaves is seen, also over UDP and by name. */
import { join } from 'node:path'
import { inOwnNetwork, noOwnNetwork } from './fixtures/own-network.ts'
import { expect, inKeyring, test } from './fixtures/workspace.ts'
import type { Asked, WentOut } from './fixtures/window-outside.ts'
import { waysOut } from './fixtures/ways-out.ts'

const why = noOwnNetwork()
test.skip(why !== undefined, why)

const driver = join(import.meta.dirname, 'fixtures', 'window-outside.ts')

test(
  'nothing leaves by the start and work of the console, and no way leads out of its window',
  { tag: '@electron' },
  async ({ host, folder, dataFolder, home, workspace }) => {
    test.skip(!workspace.keyring, 'needs a keyring for tests')
    test.setTimeout(120_000)
    const went = await inOwnNetwork<WentOut>(
      driver,
      {
        host,
        place: { dataFolder, home, environment: workspace.keyring ? inKeyring(workspace.keyring) : {} }
      } satisfies Asked,
      folder
    )
    for (const packets of went.control) expect(packets).toBe(1)
    expect([went.start, went.work]).toEqual([0, 0])
    expect(Object.entries(went.ways).filter(([, packets]) => packets > 0)).toEqual([])
    expect(Object.keys(went.ways)).toHaveLength(waysOut.length + 3)
    // Electron has no means against a frame's own; there, the rule for all pages stops it.
    expect(went.peers).toEqual([false, host === 'electron'])
    if (host === 'electron') {
      expect(went.bare?.ruled).toBe(0)
      expect(went.bare?.lifted).toBeGreaterThan(0)
    }
  }
)

test('each of these ways leads out of a browser without our rules', async ({ folder, dataFolder, home }) => {
  test.setTimeout(120_000)
  const went = await inOwnNetwork<WentOut>(
    driver,
    { host: 'browser', place: { dataFolder, home } } satisfies Asked,
    folder
  )
  expect(Object.entries(went.ways).filter(([, packets]) => packets === 0)).toEqual([])
  expect(went.together).toBeGreaterThan(0)
  expect(went.peers).toEqual([true, true])
})
