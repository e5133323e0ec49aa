/**
 * The licence texts of everything that is shipped, which most licences require: `out/THIRD-PARTY-NOTICES.txt`,
 * generated before installers are built, from the imports of the product's own sources, and from what the build recorded
 * that it took in (`out/bundled`): tools add code of their own, and some packages load others only if they are there.
 */
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join } from 'node:path'
import type { BundledPackage } from './build/record-bundled.ts'
import type { Lockfile } from './checks/supply-chain.ts'

const root = join(import.meta.dirname, '..')
/** Folders whose code is packaged; the preview is not. */
const shipped = [
  'contract/**/*.ts',
  'kit/**/*.ts',
  'electron/{core,wire,store,exchange,team,keychain}/**/*.ts',
  'electron/hosts/{main,preload,node,cli}/**/*.ts',
  'practice/**/*.ts',
  'renderer/**/*.{ts,vue,css}'
]

/** The package of a bare import; undefined for files, aliases and Node's own modules. */
export function packageOf(specifier: string): string | undefined {
  if (/^[.#/]|^node:|^[a-z]+:\/\//.test(specifier) || builtinModules.includes(specifier)) return undefined
  const [scope = '', name = ''] = specifier.split('/')
  return scope.startsWith('@') ? `${scope}/${name}` : scope
}

/** Packages imported by a source text, except type-only imports, which are not shipped. */
export function importsOf(source: string): string[] {
  const patterns = [
    /^\s*(?:import|export)\s+(?!type\b)[^'";]*?from\s+'([^']+)'/gm,
    /^\s*(?:import|@import)\s+'([^']+)'/gm,
    /\b(?:import|require|createRequire\(import\.meta\.url\))\('([^']+)'\)/g,
    /\burl\('(@[^']+)'\)/g
  ]
  const found = patterns.flatMap((pattern) => [...source.matchAll(pattern)].map((match) => packageOf(match[1] ?? '')))
  return [...new Set(found.filter((name) => name !== undefined))]
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly dependencies?: Readonly<Record<string, string>>
}

/** What the last build took in; empty before there is one. */
const bundled = (): BundledPackage[] =>
  globSync('out/bundled/*.json', { cwd: root }).flatMap(
    (file) => JSON.parse(readFileSync(join(root, file), 'utf8')) as BundledPackage[]
  )

/** The folder of a package as Node would resolve it from another folder. */
function folderOf(name: string, from: string): string | undefined {
  for (let place = from; ; place = dirname(place)) {
    const folder = join(place, 'node_modules', name)
    if (existsSync(join(folder, 'package.json'))) return folder
    if (place === dirname(place)) return undefined
  }
}

/** Every shipped package once, with the text of its licence. Throws if a package or a text is missing. */
export function notices(): {
  readonly name: string
  readonly version: string
  readonly licence: string
  readonly text: string
}[] {
  const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lockfile
  const found = new Map<string, { name: string; version: string; licence: string; text: string }>()
  const visit = (name: string, from: string, alone = false): void => {
    const folder = folderOf(name, from)
    if (!folder) throw new Error(`${name} is imported, but not installed`)
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
    const key = `${manifest.name}@${manifest.version}`
    if (found.has(key)) return
    const file = readdirSync(folder).find((each) => /^(licen[cs]e|copying)/i.test(each))
    // pdf.js contains fonts, encodings and decoders of others.
    const parts = globSync('{cmaps,standard_fonts,wasm}/LICENSE*', { cwd: folder }).filter(
      (each) => !/quickjs|qcms/i.test(each)
    )
    const text = [...(file ? [file] : []), ...parts.sort()]
      .map((each) => readFileSync(join(folder, each), 'utf8').trim())
      .join('\n\n')
    found.set(key, { name: manifest.name, version: manifest.version, licence: manifest.license ?? 'see text', text })
    // What the build took in is recorded package by package; the rest of a tool's own dependencies are not shipped.
    if (!alone) for (const dependency of Object.keys(manifest.dependencies ?? {})) visit(dependency, folder)
  }
  for (const file of shipped.flatMap((pattern) => globSync(pattern, { cwd: root })))
    // Electron brings its own notices; the build's style sheets come from Tailwind.
    for (const name of importsOf(readFileSync(join(root, file), 'utf8'))) if (name !== 'electron') visit(name, root)
  for (const { name, version } of bundled()) {
    const place = Object.entries(locked.packages).find(
      ([path, entry]) =>
        entry.version === version && (entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 13)) === name
    )?.[0]
    if (place !== undefined) visit(place.slice(place.lastIndexOf('node_modules/') + 13), join(root, place, '..'), true)
  }
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name))
}

if (import.meta.main) {
  const all = notices()
  const parts = all.map(
    ({ name, version, licence, text }) =>
      `${name} ${version} (${licence})\n${'-'.repeat(60)}\n${text || 'No licence file is in the package; its licence is named above.'}\n`
  )
  mkdirSync(join(root, 'out'), { recursive: true })
  writeFileSync(
    join(root, 'out', 'THIRD-PARTY-NOTICES.txt'),
    `Veridesk contains, or is built from, these packages.\n\n${parts.join('\n\n')}`
  )
  console.log(`${all.length} packages in out/THIRD-PARTY-NOTICES.txt`)
}
