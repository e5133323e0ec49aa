/**
 * A plugin of the build that writes down which packages it put into its files: `out/bundled/NAME.json`, from the build's
 * own modules and assets. The list of components (SBOM) of a release is made from it, since package.json says neither
 * what was left out nor what was drawn in.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin, Rollup } from 'vite'

export interface BundledPackage {
  readonly name: string
  readonly version: string
}

/** Modules that tools of the build add under names of their own. */
const addedBy: readonly (readonly [prefix: string, name: string])[] = [
  ['\0vite/', 'vite'],
  ['\0rolldown/', 'rolldown'],
  ['\0plugin-vue:', '@vitejs/plugin-vue']
]

/** The folder of a package in node_modules that a module belongs to; undefined for the product's own. */
export function packageFolderOf(id: string): string | undefined {
  const path = id.replace(/^\0/, '').replace(/\?.*$/, '').replaceAll('\\', '/')
  const at = path.lastIndexOf('/node_modules/')
  if (at === -1) return undefined
  const [scope = '', name = ''] = path.slice(at + 14).split('/')
  return path.slice(0, at + 14) + (scope.startsWith('@') ? `${scope}/${name}` : scope)
}

/** The modules of a build that are in its files: code that was kept, and every asset and style sheet. */
export function keptModules(bundle: Rollup.OutputBundle): string[] {
  return Object.values(bundle).flatMap((file) => {
    if (file.type === 'asset') return file.originalFileNames
    return Object.entries(file.modules).flatMap(([id, { renderedLength }]) =>
      renderedLength > 0 || /\.css(?:\?|$)/.test(id) ? [id] : []
    )
  })
}

/** Packages without modules of their own in the build: Tailwind makes the style sheet, in which its variables remain. */
const named = (bundle: Rollup.OutputBundle): string[] =>
  Object.values(bundle).some(
    (file) => file.type === 'asset' && file.fileName.endsWith('.css') && String(file.source).includes('--tw-')
  )
    ? ['tailwindcss']
    : []

function manifestOf(folder: string): BundledPackage {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as BundledPackage
  return { name, version }
}

/**
 * @param root The repository.
 * @param part What is built: `main`, `preload` or a part of the window.
 */
export function recordBundled(root: string, part: string): Plugin {
  return {
    name: 'record-bundled',
    generateBundle(_options, bundle) {
      const kept = keptModules(bundle).map((id) =>
        id.startsWith('\0') || /^(?:\/|[a-z]:)/i.test(id) ? id : join(root, 'renderer', id)
      )
      const folders = new Set(kept.flatMap((id) => packageFolderOf(id) ?? []))
      for (const [prefix, name] of addedBy)
        if (kept.some((id) => id.startsWith(prefix))) folders.add(join(root, 'node_modules', name))
      for (const name of named(bundle)) folders.add(join(root, 'node_modules', name))
      const found = new Map(
        [...folders]
          .filter((folder) => existsSync(join(folder, 'package.json')))
          .map(manifestOf)
          .map((each) => [`${each.name}@${each.version}`, each])
      )
      const file = join(root, 'out', 'bundled', `${part}.json`)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(
        file,
        `${JSON.stringify(
          [...found.keys()].sort().map((key) => found.get(key)),
          null,
          2
        )}\n`
      )
    }
  }
}
