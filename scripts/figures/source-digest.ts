/** A digest of source code, to detect figures that are older than the code without git history. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The files below a path, in order; hidden ones belong to tests or editors and are excluded. */
function filesBelow(root: string, path: string): string[] {
  if (statSync(join(root, path)).isFile()) return [path]
  return readdirSync(join(root, path), { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(root, `${path}/${entry.name}`) : [`${path}/${entry.name}`]))
}

/**
 * SHA-256 over names and texts of files and folders, and over the runtime packages' versions.
 *
 * @param root The repository.
 * @param paths Relative to it, with slashes. Throws if one does not exist.
 */
export function sourceDigest(root: string, paths: readonly string[]): string {
  const digest = createHash('sha256')
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { dependencies?: unknown }
  digest.update(`${JSON.stringify(dependencies)}\n`)
  for (const path of paths.flatMap((each) => filesBelow(root, each))) {
    // A checkout may use other line endings. Names and lengths keep two files from being confused.
    const text = readFileSync(join(root, path), 'latin1').replaceAll('\r\n', '\n')
    digest.update(`${path}\n${text.length}\n`).update(text, 'latin1')
  }
  return digest.digest('hex')
}
