/** The list of components (SBOM) of a release, and its comparison with an archive. `npm run dist -- --check` does both with a real one. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Rollup } from 'vite'
import type { ArchivedFile } from '../../scripts/checks/archive.ts'
import { componentFaults, type ComponentInputs } from '../../scripts/checks/components.ts'
import type { Lockfile, SupplyPolicy } from '../../scripts/checks/supply-chain.ts'
import { keptModules, packageFolderOf } from '../../scripts/build/record-bundled.ts'
import { sbom, type SbomInputs } from '../../scripts/sbom.ts'

const root = resolve(import.meta.dirname, '..', '..')
const read = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'))
const lockfile = read('package-lock.json') as Lockfile
const pinned = (name: string) => ({ name, version: lockfile.packages[`node_modules/${name}`]?.version ?? '' })
const digest = 'a'.repeat(64)
const native = 'node_modules/keytar/prebuilds/linux-x64/keytar.node'
const inputs: SbomInputs = {
  name: 'veridesk',
  version: '1.0.0',
  lockfile,
  bundled: [
    pinned('vue-router'),
    pinned('zod'),
    { name: '@github/keytar', version: lockfile.packages['node_modules/keytar']?.version ?? '' }
  ],
  versions: {
    veridesk: '1.0.0',
    electron: '45.0.0',
    chromium: '150.0.1.2',
    node: '24.1.0',
    v8: '15',
    sqlite: '3.53.4',
    sqlite3mc: '2.4.0'
  },
  files: [{ path: native, sha256: digest }]
}
const list = sbom(inputs)

describe('the SBOM', () => {
  it('names packages with the digests of the lockfile, the runtime, SQLite and files, and is the same in every run', () => {
    expect(list).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      version: 1,
      metadata: { component: { type: 'application', name: 'veridesk' } }
    })
    expect(JSON.stringify(sbom(inputs))).toBe(JSON.stringify(list))
    expect(list.components.map(({ name }) => name).sort()).toEqual([
      '@github/keytar',
      'chromium',
      'electron',
      'node',
      native,
      'sqlite',
      'sqlite3mc',
      'vue-router',
      'zod'
    ])
    for (const { purl, hashes, type } of list.components.filter((each) => each.purl?.startsWith('pkg:npm/'))) {
      expect(purl).toMatch(/^pkg:npm\/(%40[\w-]+\/)?[\w.-]+@\d/)
      expect([type, hashes]).toEqual([
        expect.stringMatching(/library|framework/),
        [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) as string }]
      ])
    }
  })

  it('names no package that is not pinned', () => {
    expect(() => sbom({ ...inputs, bundled: [{ name: 'left-pad', version: '1.0.0' }] })).toThrow(
      /left-pad@1.0.0 is not in the lockfile/
    )
  })

  it('is made in a release from the packaged program, checked by its schema and attested', () => {
    const workflow = readFileSync(join(root, '.github', 'workflows', 'release.yml'), 'utf8')
    for (const part of [
      'node scripts/sbom.ts --resources',
      'node scripts/checks/sbom-schema.ts',
      'actions/attest-sbom@',
      'actions/attest-build-provenance@'
    ])
      expect(workflow).toContain(part)
  })
})

describe('its comparison with an archive', () => {
  const { licences } = read('scripts/checks/supply-chain.json') as SupplyPolicy
  const files: ArchivedFile[] = [
    { path: native, unpacked: true, digested: false, sha256: digest },
    { path: 'out/main/index.js', unpacked: false, digested: true, sha256: 'b' }
  ]
  const good: ComponentInputs = {
    list,
    files,
    noticed: inputs.bundled.map(({ name, version }) => `${name}@${version}`),
    allowedLicences: licences
  }

  it('finds nothing wrong with a good one', () => {
    expect(componentFaults(good)).toEqual([])
  })

  it.each<readonly [string, Partial<ComponentInputs>, string]>([
    [
      'a file that is not listed',
      { files: [...files, { path: 'out/renderer/assets/a.woff2', unpacked: false, digested: true, sha256: 'c' }] },
      'a.woff2 is in the archive and not in the SBOM'
    ],
    ['a file with another digest', { files: files.map((each) => ({ ...each, sha256: 'd' })) }, 'has another digest'],
    ['a file that is not shipped', { files: [] }, 'is in the SBOM and not in the archive'],
    [
      'a package that is not listed',
      { files: [...files, { path: 'node_modules/other/index.js', unpacked: false, digested: true }] },
      'other is in the archive and not in the SBOM'
    ],
    ['a runtime without its versions', { list: sbom({ ...inputs, versions: {} }) }, 'the SBOM does not name chromium'],
    ['a package without its licence text', { noticed: [] }, 'is shipped without the text of its licence'],
    ['a licence that is not on the list', { allowedLicences: ['MIT'] }, 'which is not on the list']
  ])('refuses %s', (what, change, sentence) => {
    const changed =
      what === 'a licence that is not on the list'
        ? {
            list: {
              ...list,
              components: list.components.map((each) =>
                each.name === 'zod' ? { ...each, licenses: [{ license: { id: 'SSPL-1.0' } }] } : each
              )
            }
          }
        : change
    expect(componentFaults({ ...good, ...changed }).join('\n')).toContain(sentence)
  })
})

describe('what a build took in', () => {
  it('is found by the folder of its package', () => {
    expect(packageFolderOf('/r/node_modules/@a/b/dist/x.js')).toBe('/r/node_modules/@a/b')
    expect(packageFolderOf('\0/r/node_modules/c/node_modules/d/i.js?commonjs-proxy')).toBe(
      '/r/node_modules/c/node_modules/d'
    )
    expect(packageFolderOf('/r/electron/hosts/main/index.ts')).toBeUndefined()
  })

  it('has the code that was kept and every asset, but no code that was dropped', () => {
    const bundle = {
      'a.js': {
        type: 'chunk',
        modules: {
          '/r/node_modules/a/i.js': { renderedLength: 9 },
          '/r/node_modules/b/i.js': { renderedLength: 0 },
          '/r/node_modules/c/s.css': { renderedLength: 0 }
        }
      },
      'f.woff2': { type: 'asset', originalFileNames: ['../node_modules/f/f.woff2'] }
    } as unknown as Rollup.OutputBundle
    expect(keptModules(bundle)).toEqual([
      '/r/node_modules/a/i.js',
      '/r/node_modules/c/s.css',
      '../node_modules/f/f.woff2'
    ])
  })
})
