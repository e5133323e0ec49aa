/** Shows that the projects in tsconfig/ can fail: each side of the product has the globals of its own place alone. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** What the compiler says about one more file of a project. */
function faultsOf(project: string, path: string, text: string): string[] {
  const file = join(root, 'tsconfig', `${project}.json`)
  const read = ts.parseJsonConfigFileContent(ts.readConfigFile(file, ts.sys.readFile).config, ts.sys, dirname(file))
  expect(read.errors).toEqual([])
  expect(read.fileNames.some((name) => dirname(name) === dirname(join(root, path)))).toBe(true)
  const added = join(root, path)
  const declarations = read.fileNames.filter((name) => name.endsWith('.d.ts'))
  const host = ts.createCompilerHost(read.options)
  const sourceOf = host.getSourceFile
  host.getSourceFile = (name, ...more) =>
    name === added ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2023) : sourceOf(name, ...more)
  const program = ts.createProgram([...declarations, added], { ...read.options, composite: false }, host)
  return program
    .getSemanticDiagnostics(program.getSourceFile(added))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
}

/** Every package that the window imports: the types of one could bring those of Node along. */
const packagesOfTheWindow = (): string =>
  [
    ...new Set(
      globSync('renderer/**/*.{ts,vue}', { cwd: root }).flatMap((path) =>
        [...readFileSync(join(root, path), 'utf8').matchAll(/^import .* from '([^.#'][^'?]*)'$/gm)].map(
          ([, name]) => name
        )
      )
    )
  ]
    .map((name) => `import '${name}'\n`)
    .join('')

it('core has no document', { timeout: 60_000 }, () => {
  expect(faultsOf('main', 'electron/core/added.ts', 'export const title: string = document.title')).toEqual([
    expect.stringContaining("Cannot find name 'document'")
  ])
  expect(faultsOf('main', 'electron/core/added.ts', 'export const name: string = process.version')).toEqual([])
})

it('the window has no process', { timeout: 60_000 }, () => {
  const packages = packagesOfTheWindow()
  expect(packages).toContain("import 'vue'")
  const faults = faultsOf('window', 'renderer/added.ts', `${packages}export const name: string = process.version`)
  expect(faults).toEqual([expect.stringContaining("Cannot find name 'process'")])
  expect(faultsOf('window', 'renderer/added.ts', 'export const title: string = document.title')).toEqual([])
})

it('the contract has neither', { timeout: 60_000 }, () => {
  for (const name of ['document', 'process', 'Buffer'])
    expect(faultsOf('contract', 'contract/text/added.ts', `export const it: unknown = ${name}`)).toEqual([
      expect.stringContaining(`Cannot find name '${name}'`)
    ])
  expect(
    faultsOf('contract', 'contract/text/added.ts', "export const host = new URL('https://a.example').host")
  ).toEqual([])
})
