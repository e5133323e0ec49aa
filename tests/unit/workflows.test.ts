/**
 * The workflows are valid by GitHub's own parser, run code of others only as it was at one commit, and a release gets everything that it
 * signs with. The statement about known findings has its form.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { signingOf } from '../../scripts/releases/signing.ts'
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

/** What GitHub's parser says about a workflow: its form, its expressions and the order of its jobs. */
async function faultsOf(content: string): Promise<string[]> {
  // The package imports JSON without saying so, which Node refuses.
  const hooks = registerHooks({
    load: (url, context, next) =>
      next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context)
  })
  const parser = await import('@actions/workflow-parser').finally(() => hooks.deregister())
  const { context, value } = parser.parseWorkflow({ name: 'it', content }, new parser.NoOperationTraceWriter())
  const template = value && (await parser.convertWorkflowTemplate(context, value))
  return [
    ...context.errors.getErrors().map(({ message }) => message),
    ...(template?.errors ?? []).map((each) => each.Message)
  ]
}

it('every workflow is valid by GitHub’s parser, which refuses a wrong one, and states its permissions', async () => {
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), 'utf8')
    expect(await faultsOf(text), name).toEqual([])
    expect(text, name).toMatch(/^permissions:\n {2}contents: read$/m)
  }
  const release = read('.github/workflows/release.yml')
  for (const [from, to, fault] of [
    ['runs-on:', 'runs_on:', /Unexpected value 'runs_on'/],
    ["matrix.name == 'mac'", "matrix.name = 'mac'", /Unexpected symbol/],
    ['needs: build', 'needs: built', /unknown job 'built'/],
    ['secrets.RELEASE_KEY ', 'secret.RELEASE_KEY ', /Unrecognized named-value/]
  ] as const)
    expect((await faultsOf(release.replace(from, to))).join('\n'), to).toMatch(fault)
})

it('a release gets every variable that it signs with, each named in the guide, and fails without one', () => {
  const release = read('.github/workflows/release.yml')
  const [, step = ''] = /- run: npm run dist -- --release\n([^]*?)\n {6}- /.exec(release) ?? []
  const given = [...step.matchAll(/^ {10}(\w+):/gm)].map(([, name = '']) => name)
  const needed = [
    ...signingOf('darwin', {}).missing,
    ...signingOf('win32', {}).missing,
    ...signingOf('win32', { WIN_CERTIFICATE_SHA1: 'a' }).options.map(() => 'WIN_CERTIFICATE_SHA1')
  ]
  // Written by the step before, which fails without the secret.
  expect([...new Set(needed)].filter((name) => !given.includes(name))).toEqual(['APPLE_API_KEY'])
  expect(release).toMatch(/test -n "\$KEY"[^]*APPLE_API_KEY=\$RUNNER_TEMP/)
  const guide = read('docs/releasing.md')
  const named = [...release.matchAll(/(?:secrets|vars)\.(\w+)/g)].map(([, name = '']) => name)
  expect(named.length).toBeGreaterThan(12)
  expect(named.filter((name) => !guide.includes(`\`${name}\``))).toEqual([])
  // On each of the three systems the app tests run in the pinned Electron, or the run fails.
  for (const text of [release, read('.github/workflows/ci.yml')]) {
    expect(text).toMatch(/- run: npm test\n {8}env:\n {10}VERIDESK_REQUIRE: electron\n/)
    for (const system of ['ubuntu-24.04', 'macos-15', 'windows-2025']) expect(text).toContain(system)
  }
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
