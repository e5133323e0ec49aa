/** The supply chain: what the lockfiles pin is reviewed, and each rule can fail. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { licenceAllowed, supplyFaults, type Lockfile, type SupplyPolicy } from '../../scripts/checks/supply-chain.ts'
import { counted, times } from '../service/support/times.ts'

type Locked = Lockfile['packages'][string]
const root = resolve(import.meta.dirname, '..', '..')
const read = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'))
const policy = read('scripts/checks/supply-chain.json') as SupplyPolicy
const digest = 'sha512-AAAA'

describe('the lockfiles', () => {
  it('pin reviewed packages only', () => {
    expect(supplyFaults(read('package-lock.json') as Lockfile, policy)).toEqual([])
  })

  it('pin the Node of the tools by digest', () => {
    const bare = { ...policy, installScripts: {}, leastVersions: {} }
    expect(supplyFaults(read('scripts/setup/node/package-lock.json') as Lockfile, bare)).toEqual([])
  })

  it('are installed without scripts', () => {
    expect(readFileSync(join(root, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m)
  })

  it('pin exact versions of what is asked for', () => {
    const { dependencies, devDependencies } = read('package.json') as Record<
      'dependencies' | 'devDependencies',
      Record<string, string>
    >
    const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([, version]) => !/^(npm:@?[\w/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)
    )
    expect(loose).toEqual([])
  })
})

describe('the rules', () => {
  const axios = { version: '1.21.1', integrity: digest, license: 'MIT' }
  const faultsOf = (packages: Lockfile['packages']) =>
    supplyFaults({ packages: { '': {}, 'node_modules/axios': axios, ...packages } }, { ...policy, installScripts: {} })

  it('find nothing wrong with a good lockfile', () => {
    expect(faultsOf({})).toEqual([])
  })

  it.each([
    ['no digest', { 'node_modules/a': { version: '1.0.0', license: 'MIT' } }, 'has no SHA-512 digest'],
    [
      'a weak digest',
      { 'node_modules/a': { version: '1.0.0', license: 'MIT', integrity: 'sha1-AAAA' } },
      'has no SHA-512 digest'
    ],
    [
      'binaries of another system that are not pinned',
      { 'node_modules/a': { integrity: digest, license: 'MIT', optionalDependencies: { 'a-win32': '1' } } },
      'a-win32, which is not pinned'
    ],
    [
      'a host',
      { 'node_modules/a': { integrity: digest, license: 'MIT', resolved: 'https://example.com/a.tgz' } },
      'names a host'
    ],
    [
      'an install script',
      { 'node_modules/a': { integrity: digest, license: 'MIT', hasInstallScript: true } },
      'nobody reviewed'
    ],
    ['a licence', { 'node_modules/a': { integrity: digest, license: 'GPL-3.0' } }, 'has the licence GPL-3.0'],
    ['a missing licence', { 'node_modules/a': { integrity: digest } }, 'has the licence none'],
    [
      'an exception that would be shipped',
      { 'node_modules/axe-core': { integrity: digest, license: 'MPL-2.0' } },
      'has the licence MPL-2.0'
    ],
    ['an old axios', { 'node_modules/axios': { ...axios, version: '1.20.9' } }, 'is older than 1.21.1'],
    [
      'an old axios below another package',
      { 'node_modules/b/node_modules/axios': { ...axios, version: '0.30.0' } },
      'is older than 1.21.1'
    ]
  ])('refuse %s', (_what, packages, sentence) => {
    expect(faultsOf(packages).join('\n')).toContain(sentence)
  })

  const lockfile = read('package-lock.json') as Lockfile
  const isExcepted = (path: string, { dev }: Locked): boolean =>
    dev === true && Object.keys(policy.exceptions).some((name) => path.includes(name.replace(/\*$/, '')))
  it.for<readonly [string, (entry: Locked) => Locked, (path: string, entry: Locked) => boolean]>([
    ['without a digest', ({ integrity: _gone, ...entry }) => entry, (_path, { inBundle }) => inBundle === true],
    [
      'with a weak digest',
      (entry) => ({ ...entry, integrity: 'sha1-AAAA' }),
      (_path, { inBundle }) => inBundle === true
    ],
    ['with a host', (entry) => ({ ...entry, resolved: 'https://registry.invalid/package.tgz' }), () => false],
    [
      'with an install script',
      (entry) => ({ ...entry, hasInstallScript: true }),
      (_path, { hasInstallScript }) => hasInstallScript === true
    ],
    // Tools with an exception may have a licence that is not on the list.
    ['with a licence that is not on the list', (entry) => ({ ...entry, license: 'SSPL-1.0' }), isExcepted]
  ])('refuse any package %s', { timeout: 60_000 }, ([, change, isNone], { task }) => {
    const packages = Object.entries(lockfile.packages).filter(([path, entry]) => path !== '' && !isNone(path, entry))
    // All of them in a proof.
    const tried = times === 1 ? packages.filter((_, at) => at % 50 === 0) : packages
    const passed = tried.filter(
      ([path, entry]) =>
        supplyFaults({ packages: { ...lockfile.packages, [path]: change(entry) } }, policy).length === 0
    )
    expect(passed.map(([path]) => path)).toEqual([])
    counted(task, { number: tried.length, wrong: passed.length })
  })

  it('refuse a review that is out of date', () => {
    expect(supplyFaults({ packages: { 'node_modules/axios': axios } }, policy).join('\n')).toContain(
      'no install script any more'
    )
  })

  it('read licence expressions', () => {
    expect(licenceAllowed('(GPL-3.0 OR MIT)', policy.licences)).toBe(true)
    expect(licenceAllowed('GPL-3.0 AND MIT', policy.licences)).toBe(false)
  })
})
