/** The bundled practice service, started on first request, at one address for the session. */
import { codeOf } from '#wire/files/write.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'

export interface PracticeAddress {
  readonly baseUrl: string
  readonly credentials: Readonly<Record<string, string>>
}

export interface PracticeStarter {
  start(): Promise<Result<PracticeAddress, Failure>>
  close(): Promise<void>
}

/** Starts the service at most once; a failed start may be retried. */
export function practiceStarter(): PracticeStarter {
  let running: Promise<PracticeAddress & { close(): Promise<void> }> | undefined
  return {
    start: async () => {
      // Loaded on demand: most sessions never need it, and it must not slow down the start.
      running ??= import('#practice/service.ts').then((service) => service.startPracticeService({}))
      try {
        const { baseUrl, credentials } = await running
        return ok({ baseUrl, credentials })
      } catch (error) {
        running = undefined
        return failed(
          'practice-unavailable',
          codeOf(error) === 'unknown'
            ? { reason: 'error', error: error instanceof Error ? error.name : 'unknown error' }
            : { errno: codeOf(error) }
        )
      }
    },
    close: async () => {
      const service = await running?.catch(() => undefined)
      await service?.close()
    }
  }
}
