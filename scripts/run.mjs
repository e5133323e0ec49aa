/**
 * Runs a script of the project, or a tool of its packages, with the tools' Node: `node scripts/run.mjs scripts/seed.ts
 * 1000`, `node scripts/run.mjs electron-vite build`.
 */
import { endWith, handOver, inRoot, SetupProblem } from './setup/ground.mjs'
import { onToolsNode } from './setup/node.mjs'
import { commandOf, ensurePackages } from './setup/packages.mjs'

/** Tools whose package has another name. */
const packages = { depcruise: 'dependency-cruiser', playwright: '@playwright/test', tsc: 'typescript' }

try {
  await onToolsNode()
  const [what, ...args] = process.argv.slice(2)
  if (!what) throw new SetupProblem('nothing was named to run.', 'Type: node scripts/run.mjs FILE-OR-TOOL [ARGUMENTS]')
  await ensurePackages()
  const script = /\.[mc]?[jt]s$/.test(what) ? inRoot(what) : commandOf(packages[what] ?? what, what)
  process.exit(await handOver(process.execPath, [script, ...args]))
} catch (problem) {
  endWith(problem)
}
