/** The workflows run code of others only as it was at one commit, and the statement about known findings has its form. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import type { Lockfile } from '../../scripts/checks/supply-chain.ts'

const root = resolve(import.meta.dirname, '..', '..')
const folder = join(root, '.github', 'workflows')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

it('every action is pinned by its commit, with the version beside it, and the same everywhere', () => {
  const used = readdirSync(folder).flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(/uses: (\S+)(.*)/g)].map(([, action = '', rest = '']) => ({
      action,
      rest
    }))
  )
  expect(used.length).toBeGreaterThan(8)
  expect(
    used.filter(({ action, rest }) => !/^[\w./-]+@[0-9a-f]{40}$/.test(action) || !/^ # v\d+\.\d+\.\d+$/.test(rest))
  ).toEqual([])
  const commits = new Map<string, Set<string>>()
  for (const { action } of used) {
    const [repository = '', commit = ''] = [
      action.split('@')[0]?.split('/').slice(0, 2).join('/'),
      action.split('@')[1]
    ]
    commits.set(repository, (commits.get(repository) ?? new Set()).add(commit))
  }
  expect([...commits].filter(([, each]) => each.size > 1)).toEqual([])
})

it('every workflow states its permissions, and a release fails if a file would not be signed', () => {
  for (const name of readdirSync(folder))
    expect(readFileSync(join(folder, name), 'utf8'), name).toMatch(/^permissions:\n {2}contents: read$/m)
  expect(read('.github/workflows/release.yml')).toContain('npm run dist -- --release')
  expect(read('scripts/dist.mjs')).toContain("release ? ['-c.forceCodeSigning=true']")
})

it('the key of notices is in one step of a release, which runs no script of a dependency', () => {
  const release = read('.github/workflows/release.yml')
  expect(release.split('secrets.RELEASE_KEY ').length).toBe(2)
  const job = release.slice(release.indexOf('\n  notice:'), release.indexOf('\n  draft:'))
  expect(job).toContain('VERIDESK_RELEASE_KEY: ${{ secrets.RELEASE_KEY }}')
  expect(job).toContain('npm ci --ignore-scripts')
  expect(job).not.toMatch(/contents: write|id-token/)
  expect(release).toContain('needs: [build, notice]')
})

interface Statement {
  readonly vulnerability: { readonly name: string }
  readonly products: readonly { readonly '@id': string }[]
  readonly status: string
  readonly justification?: string
  readonly status_notes?: string
}

it('docs/openvex.json speaks of packages that are pinned, in the words of OpenVEX', () => {
  const vex = JSON.parse(read('docs/openvex.json')) as {
    readonly '@context': string
    readonly 'timestamp': string
    readonly 'version': number
    readonly 'statements': readonly Statement[]
  }
  const locked = Object.entries((JSON.parse(read('package-lock.json')) as Lockfile).packages).map(
    ([path, { name, version }]) =>
      `pkg:npm/${(name ?? path.slice(path.lastIndexOf('node_modules/') + 13)).replace('@', '%40')}@${version}`
  )
  expect(vex).toMatchObject({ '@context': 'https://openvex.dev/ns/v0.2.0', 'version': expect.any(Number) as number })
  expect(Number.isNaN(Date.parse(vex.timestamp))).toBe(false)
  const justifications = [
    'component_not_present',
    'vulnerable_code_not_present',
    'vulnerable_code_not_in_execute_path',
    'vulnerable_code_cannot_be_controlled_by_adversary',
    'inline_mitigations_already_exist'
  ]
  for (const { vulnerability, products, status, justification } of vex.statements) {
    expect(vulnerability.name).toMatch(/^(?:CVE-\d{4}-\d{4,}|GHSA(?:-[0-9a-z]{4}){3})$/)
    expect(['not_affected', 'affected', 'fixed', 'under_investigation']).toContain(status)
    if (status === 'not_affected') expect(justifications).toContain(justification)
    expect(products.map((each) => each['@id']).filter((id) => !locked.includes(id))).toEqual([])
  }
})
