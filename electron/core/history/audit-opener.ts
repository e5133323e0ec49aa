/** Starts the thread that opens sealed parts beside the history's own. */
import { Worker } from 'node:worker_threads'
import type { OpenerMemory } from './audit-opener-memory.ts'

export type LaunchOpener = (memory: OpenerMemory) => void

/**
 * @param history Address of the history's own entry: the opener's lies beside it, as source or as the build made it.
 * @returns Starts an opener over a memory. One that cannot be started, or breaks, is gone; that is no failure.
 */
export const openerBeside = (history: string): LaunchOpener => (memory) => {
  try {
    // Nothing that a thread prints may reach the console's own output, and none keeps its process from ending.
    const worker = new Worker(new URL(`./audit-opener-worker.${history.endsWith('.ts') ? 'ts' : 'js'}`, history), {
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
