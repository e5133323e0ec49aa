/** Compares the list of components (SBOM) with what a packaged archive holds; pure, so that a test can break each rule. */
import { runtimeLicences, type Sbom } from '../sbom.ts'
import type { ArchivedFile } from './archive.ts'
import { licenceAllowed } from './supply-chain.ts'

/** Files that others made, or that are used apart from the product: each is listed with its digest. */
const listedFile = /\.(?:node|woff2|wasm)$|^out\/verifier\//

export interface ComponentInputs {
  readonly list: Sbom
  readonly files: readonly ArchivedFile[]
  /** `name@version` of the packages whose licence text is shipped. */
  readonly noticed: readonly string[]
  readonly allowedLicences: readonly string[]
}

/** The differences, one sentence each; empty if there are none. */
export function componentFaults({ list, files, noticed, allowedLicences }: ComponentInputs): string[] {
  const listed = new Map(list.components.map((each) => [each['bom-ref'], each]))
  const shipped = files.filter(({ path }) => listedFile.test(path))
  const named = new Set(list.components.map(({ name }) => name))
  const packages = new Set(files.flatMap(({ path }) => /^node_modules\/([^/]+)/.exec(path)?.[1] ?? []))
  return [
    ...shipped
      .filter(({ path }) => !listed.has(`file:${path}`))
      .map(({ path }) => `${path} is in the archive and not in the SBOM`),
    ...shipped
      .filter(
        ({ path, sha256 }) => listed.has(`file:${path}`) && listed.get(`file:${path}`)?.hashes?.[0]?.content !== sha256
      )
      .map(({ path }) => `${path} has another digest in the SBOM`),
    ...list.components
      .filter(({ type, name }) => type === 'file' && !shipped.some(({ path }) => path === name))
      .map(({ name }) => `${name} is in the SBOM and not in the archive`),
    ...['electron', 'chromium', 'node', 'sqlite', 'sqlite3mc']
      .filter((name) => !named.has(name))
      .map((name) => `the SBOM does not name ${name}`),
    // keytar is installed under the name that it is used by.
    ...[...packages]
      .map((name) => (name === 'keytar' ? '@github/keytar' : name))
      .filter((name) => !named.has(name))
      .map((name) => `${name} is in the archive and not in the SBOM`),
    ...list.components
      .filter(({ type, name, version }) => type === 'library' && !noticed.includes(`${name}@${version}`))
      .map(({ name, version }) => `${name}@${version} is shipped without the text of its licence`),
    ...list.components.flatMap(({ name, licenses }) =>
      (licenses ?? [])
        .map((each) => ('expression' in each ? each.expression : each.license.id))
        .filter((licence) => licence !== runtimeLicences[name] && !licenceAllowed(licence, allowedLicences))
        .map((licence) => `${name} is shipped under ${licence}, which is not on the list`)
    )
  ]
}
