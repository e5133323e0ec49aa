/**
 * Prints the list of components of a release (SBOM, CycloneDX 1.5): what is in its files, and nothing else.
 *
 * `node scripts/sbom.ts --resources dist/linux-unpacked/resources` after a build: the packages come from the build's own records
 * (`out/bundled`), the runtime's versions from the packaged program itself, and each native module, font and verifier is
 * listed with its digest.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BundledPackage } from './build/record-bundled.ts'
import type { Lockfile } from './checks/supply-chain.ts'

interface Hash {
  readonly alg: 'SHA-256' | 'SHA-512'
  readonly content: string
}
export interface Component {
  readonly 'type': 'application' | 'file' | 'framework' | 'library'
  readonly 'bom-ref': string
  readonly 'name': string
  readonly 'version'?: string
  readonly 'purl'?: string
  readonly 'hashes'?: readonly Hash[]
  readonly 'licenses'?: readonly ({ readonly license: { readonly id: string } } | { readonly expression: string })[]
}
export interface Sbom {
  readonly bomFormat: 'CycloneDX'
  readonly specVersion: '1.5'
  readonly version: 1
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

/** Everything that the list is made from. */
export interface SbomInputs {
  readonly name: string
  readonly version: string
  readonly lockfile: Lockfile
  readonly bundled: readonly BundledPackage[]
  /** What the runtime brings, by name: `electron`, `chromium`, `node`; SQLite with its encryption. Absent if not known. */
  readonly versions: Readonly<Record<string, string>>
  /** Files that are not code of the product: path in the archive, and SHA-256. */
  readonly files: readonly { readonly path: string; readonly sha256: string }[]
}

/** Packages that are installed as they are, not bundled: those with native modules, by the folder's name. */
const installedOn = (system: string): readonly string[] => [
  'keytar',
  'better-sqlite3-multiple-ciphers',
  ...(system.startsWith('win32-') ? ['native-reg'] : [])
]
/** Licences of what the runtime brings. */
export const runtimeLicences: Readonly<Record<string, string>> = {
  chromium: 'BSD-3-Clause',
  node: 'MIT',
  sqlite: 'blessing',
  sqlite3mc: 'MIT'
}

const licensed = (licence: string): Component['licenses'] => [
  / (?:AND|OR) /.test(licence) ? { expression: licence } : { license: { id: licence } }
]

/** The list, the same for the same inputs. Throws if a package is not pinned by digest. */
export function sbom({ name, version, lockfile, bundled, versions, files }: SbomInputs): Sbom {
  const pinned = new Map<string, Lockfile['packages'][string]>(
    Object.entries(lockfile.packages).map(([path, entry]) => [
      `${entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 13)}@${entry.version}`,
      entry
    ])
  )
  const fromNpm = (each: BundledPackage): Component => {
    const key = `${each.name}@${each.version}`
    const digest = /^sha512-(.+)$/.exec(pinned.get(key)?.integrity ?? '')?.[1]
    if (digest === undefined) throw new Error(`${key} is not in the lockfile, or has no digest there`)
    const purl = `pkg:npm/${each.name.replace('@', '%40')}@${each.version}`
    return {
      'type': each.name === 'electron' ? 'framework' : 'library',
      'bom-ref': purl,
      ...each,
      purl,
      'hashes': [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }],
      'licenses': licensed(pinned.get(key)?.license ?? 'NOASSERTION')
    }
  }
  const electron = lockfile.packages['node_modules/electron']?.version ?? ''
  const runtime = Object.entries(versions)
    .filter(([part]) => part in runtimeLicences)
    .map(([part, at]): Component => ({
      'type': 'framework',
      'bom-ref': `pkg:generic/${part}@${at}`,
      'name': part,
      'version': at,
      'purl': `pkg:generic/${part}@${at}`,
      'licenses': licensed(runtimeLicences[part] ?? '')
    }))
  const own = files.map(({ path, sha256 }): Component => ({
    'type': 'file',
    'bom-ref': `file:${path}`,
    'name': path,
    'hashes': [{ alg: 'SHA-256', content: sha256 }]
  }))
  const components = [
    ...bundled.map(fromNpm),
    fromNpm({ name: 'electron', version: electron }),
    ...runtime,
    ...own
  ].sort((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1))
  const ref = `pkg:generic/${name}@${version}`
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { 'type': 'application', 'bom-ref': ref, name, version, 'licenses': licensed('MIT') } },
    components,
    dependencies: [{ ref, dependsOn: components.map((each) => each['bom-ref']) }]
  }
}

const root = join(import.meta.dirname, '..')
const read = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'))
const sha256 = (path: string): string =>
  createHash('sha256')
    .update(readFileSync(join(root, path)))
    .digest('hex')

/** The shipped files that come from others, or are used apart from the product: natives, fonts, images, the verifier. */
function shippedFiles(system: string): SbomInputs['files'] {
  const natives = globSync(
    `node_modules/{keytar/prebuilds/${system}/*.node,native-reg/prebuilds/${system}/*.node,better-sqlite3-multiple-ciphers/prebuilds/${system}.node}`,
    { cwd: root }
  )
  const others = globSync(['out/renderer/**/*.{woff2,wasm}', 'out/verifier/verify.{html,mjs}'], { cwd: root })
  return [...natives, ...others].map((path) => ({ path: path.replaceAll('\\', '/'), sha256: sha256(path) }))
}

/** SQLite and its encryption, which are inside a native module; nothing if it does not load here. */
async function databaseVersions(): Promise<Readonly<Record<string, string>>> {
  const { default: Database } = await import('better-sqlite3-multiple-ciphers')
  const database = new Database(':memory:')
  const found = database.prepare('SELECT sqlite_version() AS sqlite, sqlite3mc_version() AS ciphers').get() as {
    readonly sqlite: string
    readonly ciphers: string
  }
  database.close()
  return { sqlite: found.sqlite, sqlite3mc: /\d+\.\d+\.\d+/.exec(found.ciphers)?.[0] ?? found.ciphers }
}

/** The versions that a packaged program reports about itself. Throws if it does not. */
function runtimeVersions(resources: string): Readonly<Record<string, string>> {
  const windows = process.platform === 'win32'
  const launcher = join(resources, 'bin', windows ? 'veridesk.cmd' : 'veridesk')
  const ran = spawnSync(launcher, ['version', '--json'], { encoding: 'utf8', timeout: 60_000, shell: windows })
  if (ran.status !== 0) throw new Error(`${launcher} did not report its versions: ${ran.stderr}`)
  return JSON.parse(ran.stdout) as Record<string, string>
}

/**
 * What this checkout has built. Throws if it has not been built.
 *
 * @param resources The resources of the packaged program; without it the versions of Chromium and Node are not known.
 */
export async function builtInputs(
  resources?: string,
  system = `${process.platform}-${process.arch}`
): Promise<SbomInputs> {
  const folder = join(root, 'out', 'bundled')
  if (!existsSync(folder)) throw new Error('There is no build. Type: npm run build')
  const { name, version } = read('package.json') as BundledPackage
  const lockfile = read('package-lock.json') as Lockfile
  const natives = installedOn(system).map((each) => read(`node_modules/${each}/package.json`) as BundledPackage)
  const bundled = [
    ...readdirSync(folder).flatMap((file) => read(`out/bundled/${file}`) as BundledPackage[]),
    ...natives
  ]
  const once = [
    ...new Map(
      bundled.map((each) => [`${each.name}@${each.version}`, { name: each.name, version: each.version }])
    ).values()
  ]
  const versions = { ...(await databaseVersions()), ...(resources && runtimeVersions(resources)) }
  return { name, version, lockfile, bundled: once, versions, files: shippedFiles(system) }
}

if (import.meta.main) {
  const at = process.argv.indexOf('--resources')
  console.log(JSON.stringify(sbom(await builtInputs(at === -1 ? undefined : process.argv[at + 1])), null, 2))
}
