/**
 * A console in a process of its own that opens a document and reports the memory that it takes: `node --expose-gc
 * document-reader.ts ORDINARY-URL URL TIMES`. The ordinary document is opened first, and is the baseline.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { startTestConsole } from './console.ts'

/** The report of such a process, as one line of JSON. */
export interface DocumentReport {
  /** How each opening ended: a code of a failure, or `opened`. */
  readonly endings: readonly string[]
  /** Peak resident memory, minus that after the ordinary document; bytes. */
  readonly memory: number
}

/** The peak of a process's resident memory since it was last asked to begin; undefined where the system has none. */
export const peakOf = (pid: number | 'self') => ({
  begin(): void {
    try {
      writeFileSync(`/proc/${pid}/clear_refs`, '5')
    } catch {
      // Sampling remains.
    }
  },
  bytes(): number | undefined {
    try {
      const kibibytes = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      return kibibytes === undefined ? undefined : Number(kibibytes) * 1024
    } catch {
      return undefined
    }
  }
})

if (import.meta.main) {
  const [ordinary = '', url = '', times = '1'] = process.argv.slice(2)
  const console_ = await startTestConsole()
  const connectionId = (await console_.get('practice.start')).id
  const open = async (url: string): Promise<string> => {
    const answer = await console_.ask('documents.open', { connectionId, field: 'photo_url', url })
    return answer.ok ? 'opened' : answer.failure.code
  }
  const peak = peakOf('self')
  await open(ordinary)
  await open(ordinary)
  globalThis.gc?.()
  await setTimeout(200)
  const baseline = process.memoryUsage.rss()
  peak.begin()
  let most = 0
  const watching = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5)
  const endings: string[] = []
  for (let left = Number(times); left > 0; left -= 1) endings.push(await open(url))
  clearInterval(watching)
  const report: DocumentReport = {
    endings,
    memory: Math.max(most, process.memoryUsage.rss(), peak.bytes() ?? 0) - baseline
  }
  process.stdout.write(`${JSON.stringify(report)}\n`)
  await console_.dispose()
}
