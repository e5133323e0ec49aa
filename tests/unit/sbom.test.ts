/** The list of components (SBOM) of a release names everything that is shipped, with digests. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Lockfile } from '../../scripts/checks/supply-chain.ts'
import { notices } from '../../scripts/notices.ts'
import { sbom } from '../../scripts/sbom.ts'

const root = resolve(import.meta.dirname, '..', '..')
const lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lockfile
const made = sbom()
const held = new Set(made.components.map(({ name, version }) => `${name}@${version}`))

describe('the SBOM', () => {
  it('is CycloneDX, and the same in every run', () => {
    expect(made).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, metadata: { component: { type: 'application', name: 'veridesk' } } })
    expect(JSON.stringify(sbom())).toBe(JSON.stringify(made))
  })

  it('has every package whose licence is shipped, and Electron', () => {
    expect(notices().filter(({ name, version }) => !held.has(`${name}@${version}`))).toEqual([])
    expect([...held].filter((each) => each.startsWith('electron@'))).toHaveLength(1)
  })

  it('has every package that is installed for the program, also those that a tool needs as well', () => {
    const installed = Object.entries(lockfile.packages).filter(([path, { dev }]) => path !== '' && !dev && !('optional' in (lockfile.packages[path] ?? {})))
    expect(installed.length).toBeGreaterThan(40)
    const names = installed.map(([path, { name, version }]) => `${name ?? path.slice(path.lastIndexOf('node_modules/') + 13)}@${version}`)
    expect(names.filter((name) => !held.has(name))).toEqual([])
  })

  it('names each by purl, digest and licence, once', () => {
    expect(held.size).toBe(made.components.length)
    for (const { purl, hashes, licenses, name } of made.components) {
      expect(purl).toMatch(/^pkg:npm\/(%40[\w-]+\/)?[\w.-]+@\d/)
      expect(hashes, name).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) as string }])
      expect(licenses, name).toHaveLength(1)
    }
  })

  it('is the one that a release has', () => {
    expect(readFileSync(join(root, '.github', 'workflows', 'release.yml'), 'utf8')).toMatch(/run: node scripts\/sbom\.ts > dist\/veridesk-sbom\.cdx\.json$/m)
  })
})
