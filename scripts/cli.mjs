/** `npm run cli -- COMMAND [options]`: runs the command line, rebuilt first if a source has changed. */
import { ensureBuild } from './setup/build.mjs'
import { commandLineStart } from './setup/command-line.mjs'
import { endWith, handOver } from './setup/ground.mjs'
import { onToolsNode } from './setup/node.mjs'
import { ensurePackages } from './setup/packages.mjs'

// Setup and build messages go to standard error, since a program may read the command's output.
console.log = console.error

try {
  await onToolsNode()
  await ensurePackages()
  await ensureBuild()
  process.exit(
    await handOver(process.execPath, [...commandLineStart.args, ...process.argv.slice(2)], {
      env: { ...process.env, ...commandLineStart.environment }
    })
  )
} catch (problem) {
  endWith(problem)
}
