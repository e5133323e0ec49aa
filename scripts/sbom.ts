/**
 * Prints the list of components of a release (SBOM, CycloneDX 1.5): every package that is shipped, and Electron, with the
 * digests of the lockfile.
 *
 * `npm sbom --omit dev` leaves out each package that a tool needs as well, and those that are built into the window.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Lockfile } from './checks/supply-chain.ts'
import { notices } from './notices.ts'

export interface Component {
  readonly 'type': 'framework' | 'library'
  readonly 'bom-ref': string
  readonly 'name': string
  readonly 'version': string
  readonly 'purl': string
  readonly 'hashes': readonly { readonly alg: 'SHA-512'; readonly content: string }[]
  readonly 'licenses': readonly ({ readonly license: { readonly id: string } } | { readonly expression: string })[]
}
export interface Sbom {
  readonly bomFormat: 'CycloneDX'
  readonly specVersion: '1.5'
  readonly version: 1
  readonly metadata: { readonly component: { readonly type: 'application'; readonly name: string; readonly version: string } }
  readonly components: readonly Component[]
}

const read = (file: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, '..', file), 'utf8'))

/** The components of the installed packages. Throws if one is not pinned by digest. */
export function sbom(): Sbom {
  const { packages } = read('package-lock.json') as Lockfile
  const pinned = new Map(
    Object.entries(packages).map(([path, entry]) => [`${entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 13)}@${entry.version}`, entry] as const)
  )
  const component = (name: string, version: string, licence: string): Component => {
    const digest = /^sha512-(.+)$/.exec(pinned.get(`${name}@${version}`)?.integrity ?? '')?.[1]
    if (digest === undefined) throw new Error(`${name} ${version} is not in the lockfile, or has no digest there`)
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
    return {
      'type': name === 'electron' ? 'framework' : 'library', 'bom-ref': purl, name, version, purl,
      'hashes': [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }],
      'licenses': [/ (?:AND|OR) /.test(licence) ? { expression: licence } : { license: { id: licence } }]
    }
  }
  const electron = packages['node_modules/electron']
  const shipped = notices().map(({ name, version, licence }) => component(name, version, licence))
  const all = [...shipped, component('electron', electron?.version ?? '', electron?.license ?? 'MIT')]
  const { name, version } = read('package.json') as { readonly name: string; readonly version: string }
  return {
    bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, metadata: { component: { type: 'application', name, version } },
    components: all.sort((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1))
  }
}

if (import.meta.main) console.log(JSON.stringify(sbom(), null, 2))
