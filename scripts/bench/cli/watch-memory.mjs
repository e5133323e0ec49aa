/** Loaded into a process before its own code: writes the peak resident memory in MB at exit. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'

/**
 * Peak resident memory in bytes. On Linux of this program alone: the peak in `resourceUsage()` includes the process that
 * started it, which is copied for a moment before this program replaces the copy.
 */
function peak() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]) * 1024
}

const folder = process.env.BENCH_MEMORY
if (isMainThread && folder !== undefined) {
  delete process.env.BENCH_MEMORY
  process.on('exit', () => writeFileSync(join(folder, String(process.pid)), String(peak() / 1e6)))
}
