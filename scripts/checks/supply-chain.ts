/**
 * Rules for the lockfile: reviewed install scripts, allowed licences, digests, no hosts. Pure, so that tests can break
 * each rule.
 */

export interface Lockfile {
  readonly packages: Readonly<Record<string, LockedPackage>>
}

interface LockedPackage {
  /** Only if it differs from the folder's name (an alias). */
  readonly name?: string
  readonly version?: string
  readonly integrity?: string
  readonly resolved?: string
  readonly license?: string
  readonly hasInstallScript?: boolean
  /** Included in the tarball of its parent package, under the parent's digest. */
  readonly inBundle?: boolean
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly dev?: boolean
  readonly devOptional?: boolean
}

/** The reviewed lists in supply-chain.json, each entry with a reason. */
export interface SupplyPolicy {
  readonly installScripts: Readonly<Record<string, string>>
  readonly licences: readonly string[]
  /** Packages whose licence is not on the list; a name may end in `*`. They may not be shipped. */
  readonly exceptions: Readonly<Record<string, string>>
  readonly leastVersions: Readonly<Record<string, string>>
}

const nameOf = (path: string, entry: LockedPackage): string =>
  entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 13)

/** Whether the allowed licences satisfy a licence expression: one side of OR, both sides of AND. */
export function licenceAllowed(expression: string, allowed: readonly string[]): boolean {
  const plain = expression.replace(/[()]/g, ' ').trim()
  return plain
    .split(/\s+OR\s+/)
    .some((choice) => choice.split(/\s+AND\s+/).every((each) => allowed.includes(each.trim())))
}

function olderThan(version: string, least: string): boolean {
  const numbers = (text: string): number[] => text.split(/[.-]/).slice(0, 3).map(Number)
  const [have, want] = [numbers(version), numbers(least)]
  const at = want.findIndex((number, index) => number !== have[index])
  return at !== -1 && (have[at] ?? 0) < (want[at] ?? 0)
}

const excepted = (name: string, policy: SupplyPolicy): boolean =>
  Object.keys(policy.exceptions).some((rule) =>
    rule.endsWith('*') ? name.startsWith(rule.slice(0, -1)) : name === rule
  )

/** The errors of a lockfile, one sentence each; empty if there are none. */
export function supplyFaults(lockfile: Lockfile, policy: SupplyPolicy): string[] {
  const packages = Object.entries(lockfile.packages)
    .filter(([path]) => path !== '')
    .map(([path, entry]) => ({ ...entry, name: nameOf(path, entry), path }))
  const names = new Set(packages.map(({ path }) => path.slice(path.lastIndexOf('node_modules/') + 13)))
  const scripted = packages.filter((entry) => entry.hasInstallScript).map(({ name }) => name)
  return [
    ...packages
      .filter(({ integrity, inBundle }) => !inBundle && !integrity?.startsWith('sha512-'))
      .map(({ path }) => `${path} has no SHA-512 digest`),
    ...packages.filter(({ resolved }) => resolved !== undefined).map(({ path }) => `${path} names a host`),
    // npm ci refuses a lockfile that lacks the binaries of other systems; npm omits them if a registry lacks them.
    ...packages.flatMap(({ path, optionalDependencies }) =>
      Object.keys(optionalDependencies ?? {})
        .filter((name) => !names.has(name))
        .map((name) => `${path} asks for ${name}, which is not pinned`)
    ),
    ...scripted
      .filter((name) => !(name in policy.installScripts))
      .map((name) => `${name} has an install script that nobody reviewed`),
    ...Object.keys(policy.installScripts)
      .filter((name) => !scripted.includes(name))
      .map((name) => `${name} was reviewed, but has no install script any more`),
    ...packages
      .filter(
        ({ name, license, dev }) =>
          !licenceAllowed(license ?? 'none', policy.licences) && !(dev && excepted(name, policy))
      )
      .map(({ name, license }) => `${name} has the licence ${license ?? 'none'}`),
    ...Object.entries(policy.leastVersions).flatMap(([name, least]) => {
      const found = packages.filter((entry) => entry.name === name)
      if (found.length === 0) return [`${name} is missing`]
      return found
        .filter(({ version }) => olderThan(version ?? '0', least))
        .map(({ version }) => `${name} ${version} is older than ${least}`)
    })
  ]
}
