/** What the lockfiles pin, what the list of components of a release names, and that each rule refuses what breaks it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { supplyFaults, type Lockfile, type SupplyPolicy } from '../checks/supply-chain.ts'
import type { Measured, SectionRun } from '../figures/section.ts'
import { notices } from '../notices.ts'
import { builtInputs, sbom } from '../sbom.ts'

const root = join(import.meta.dirname, '..', '..')
const read = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'))

type Locked = Lockfile['packages'][string]
/** One thing that must be refused of any package; the second says where that would not be a fault. */
const breaks: readonly (readonly [
  name: string,
  change: (entry: Locked) => Locked,
  isNone: (path: string, entry: Locked, policy: SupplyPolicy) => boolean
])[] = [
  ['without a digest', ({ integrity: _gone, ...entry }) => entry, (_path, { inBundle }) => inBundle === true],
  [
    'with a digest that is too weak',
    (entry) => ({ ...entry, integrity: 'sha1-AAAA' }),
    (_path, { inBundle }) => inBundle === true
  ],
  ['with a host of its own', (entry) => ({ ...entry, resolved: 'https://registry.invalid/package.tgz' }), () => false],
  [
    'with an install script',
    (entry) => ({ ...entry, hasInstallScript: true }),
    (_path, { hasInstallScript }) => hasInstallScript === true
  ],
  // Tools with an exception may have a licence that is not on the list.
  [
    'with a licence that is not on the list',
    (entry) => ({ ...entry, license: 'SSPL-1.0' }),
    (path, { dev }, { exceptions }) =>
      dev === true && Object.keys(exceptions).some((name) => path.includes(name.replace(/\*$/, '')))
  ]
]

/** Reads what is pinned and shipped, and breaks the lockfile at each package in each way. */
export async function proveSupplyChain({ progress }: SectionRun): Promise<Measured> {
  const policy = read('scripts/checks/supply-chain.json') as SupplyPolicy
  const [lockfile, ofTools] = [
    read('package-lock.json') as Lockfile,
    read('scripts/setup/node/package-lock.json') as Lockfile
  ]
  const packages = Object.entries(lockfile.packages).filter(([path]) => path !== '')
  const found = [
    ...supplyFaults(lockfile, policy),
    ...supplyFaults(ofTools, { ...policy, installScripts: {}, leastVersions: {} })
  ]
  const scripted = packages.filter(([, { hasInstallScript }]) => hasInstallScript)
  const unreviewed = found.filter((each) => each.includes('install script'))
  if (!/^ignore-scripts=true$/m.test(readFileSync(join(root, '.npmrc'), 'utf8')))
    found.push('packages are installed with their scripts')
  const inputs = await builtInputs()
  const listed = new Set(sbom(inputs).components.map(({ name, version }) => `${name}@${version}`))
  const noticed = new Set(notices().map(({ name, version }) => `${name}@${version}`))
  const shipped = inputs.bundled.map(({ name, version }) => `${name}@${version}`)
  const missing = shipped.filter((each) => !listed.has(each) || !noticed.has(each))
  const faults = [
    ...found,
    ...missing.map((each) => `${each} is shipped, and not in the SBOM or without the text of its licence`)
  ]
  const rows: (string | number)[][] = [
    [
      'packages that are pinned by digest, with a licence on the list',
      packages.length + Object.keys(ofTools.packages).length - 1,
      found.length
    ],
    ['install scripts, which are reviewed and do not run', scripted.length, unreviewed.length],
    [
      'packages in the built files, in the SBOM (CycloneDX) and with the text of their licence',
      shipped.length,
      missing.length
    ]
  ]
  for (const [name, change, isNone] of breaks) {
    const tried = packages.filter(([path, entry]) => !isNone(path, entry, policy))
    const passed = tried.filter(
      ([path, entry]) =>
        supplyFaults({ packages: { ...lockfile.packages, [path]: change(entry) } }, policy).length === 0
    )
    faults.push(...passed.map(([path]) => `a lockfile with ${path} ${name} was not refused`))
    rows.push([`lockfiles with one package ${name}, refused`, tried.length, passed.length])
    progress(name)
  }
  return { table: { columns: ['what', 'number', 'wrong'], rows }, faults }
}
