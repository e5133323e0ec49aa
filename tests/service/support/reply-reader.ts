/**
 * A process that verifies against a service and reports the memory used by the replies: `node --expose-gc
 * reply-reader.ts ORIGIN AT-ONCE`. The first reply, which is not measured, must be harmless.
 */
import { setTimeout } from 'node:timers/promises'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { operationOf } from '#contract/verification/operations.ts'
import type { RecordEnding } from '#contract/history/records.ts'
import { directRoute } from '#core/client/proxy.ts'
import { sendVerification } from '#core/client/send.ts'
import { createTrustStore } from '#wire/trust.ts'

/** The report of such a process, as one line of JSON. */
export interface ReaderReport {
  readonly endings: readonly {
    readonly outcome: string
    readonly code?: string
    readonly bytes?: number
    readonly message?: string
    /** Characters of the body that was kept. */
    readonly kept?: number
    readonly truncated?: boolean
  }[]
  /** Peak resident memory while the replies were read, minus the memory before; bytes. */
  readonly memory: number
}

async function send(origin: string): Promise<RecordEnding> {
  const trust = await createTrustStore().trust('')
  if (!trust.ok) throw new Error(sentencesOf(trust.failure).what)
  return sendVerification({
    origin,
    path: operationOf('validate-passport').path,
    body: { id_url: 'https://files.example.com/passport.jpg' },
    credentials: {
      'api-key': 'reader-key-5f1c9e',
      'api-secret': 'reader-secret-77ab',
      'authorization': 'Bearer reader-token-03d2'
    },
    limits: { connectTimeout: 30, totalTimeout: 120, maxReplyBytes: 1024 * 1024 },
    route: directRoute,
    trust: trust.value,
    signal: new AbortController().signal,
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
    onPhase: () => undefined
  })
}

if (import.meta.main) {
  const [origin = '', atOnce = '1'] = process.argv.slice(2)
  await send(origin)
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  let most = before
  let reading = true
  const watching = (async () => {
    while (reading) {
      most = Math.max(most, process.memoryUsage.rss())
      await setTimeout(5)
    }
  })()
  const endings = await Promise.all(Array.from({ length: Number(atOnce) }, () => send(origin)))
  most = Math.max(most, process.memoryUsage.rss())
  reading = false
  await watching
  const report: ReaderReport = {
    endings: endings.map(({ outcome, failure, reply, message }) => ({
      outcome,
      code: failure?.code,
      bytes: reply?.bytes,
      message: message?.slice(0, 40),
      kept: reply?.body.length,
      truncated: reply?.truncated
    })),
    memory: most - before
  }
  console.log(JSON.stringify(report))
}
