/** `npm run cli -- COMMAND [options]`: the command line, built anew where a source has changed since. */
import { ensureBuild } from './setup/build.mjs'
import { endWith, handOver, inRoot } from './setup/ground.mjs'
import { onToolsNode } from './setup/node.mjs'
import { ensurePackages } from './setup/packages.mjs'

// What is set up or built on the way is told beside the command's own output, which may be read by a program.
console.log = console.error

try {
  await onToolsNode()
  await ensurePackages()
  await ensureBuild()
  process.exit(await handOver(process.execPath, [inRoot('out', 'preview', 'cli.js'), ...process.argv.slice(2)]))
} catch (problem) {
  endWith(problem)
}
