/** Loaded into a process before its own code: writes the peak resident memory in MB at exit. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'

const folder = process.env.BENCH_MEMORY
if (isMainThread && folder !== undefined) {
  delete process.env.BENCH_MEMORY
  process.on('exit', () => writeFileSync(join(folder, String(process.pid)), String((process.resourceUsage().maxRSS * 1024) / 1e6)))
}
