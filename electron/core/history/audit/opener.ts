/** Starts the thread that opens sealed parts beside the history's own. */
import { Worker } from 'node:worker_threads'
import type { OpenerMemory } from './opener-memory.ts'

export type LaunchOpener = (memory: OpenerMemory) => void

/**
 * @param history Address of the history's own entry. The opener's lies beside it where a build made them, and in this
 *   folder as source.
 * @returns Starts an opener over a memory. One that cannot be started, or breaks, is gone; that is no failure.
 */
export const openerBeside = (history: string): LaunchOpener => (memory) => {
  try {
    // Nothing that a thread prints may reach the console's own output, and none keeps its process from ending.
    const worker = new Worker(new URL(history.endsWith('.ts') ? '../audit/opener-worker.ts' : './audit-opener-worker.js', history), {
      workerData: memory.shared, execArgv: [], stdout: true, stderr: true,
      resourceLimits: { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 64 }
    })
    worker.on('error', () => memory.leave())
    worker.on('exit', () => memory.leave())
    worker.unref()
  } catch {
    memory.leave()
  }
}
