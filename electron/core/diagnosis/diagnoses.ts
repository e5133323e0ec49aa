/** The diagnoses of a console: runs them, cancels them, and saves the last report of each window as text. */
import type { DiagnosisReport } from '#contract/connections/diagnosis.ts'
import { diagnosisText } from '#contract/connections/diagnosis-text.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { Settings } from '#contract/settings/settings.ts'
import type { Network } from '#core/client/network.ts'
import type { ChosenFiles } from '#core/files/unfinished.ts'
import type { HostPorts } from '#core/ports/host.ts'

export interface Diagnoses {
  /** Diagnoses an address; announces each step as it ends. */
  run(diagnosisId: string, address: string): Promise<Result<DiagnosisReport, Failure>>
  /** Cancels one that is running; nothing otherwise. */
  stop(diagnosisId: string): void
  /** Saves a finished report where the user chooses; null if the user cancels. Failures: `diagnosis-gone`, those of writing. */
  save(diagnosisId: string): Promise<Result<{ readonly path: string } | null, Failure>>
}

export interface DiagnosesParts {
  readonly host: Pick<HostPorts, 'announce' | 'clock' | 'version' | 'kind' | 'chooseSavePath'>
  readonly network: Network
  readonly settings: () => Settings
  readonly files: ChosenFiles
}

/** Reports that can be saved: those of the windows, which are at most a few. */
const kept = 4

export function createDiagnoses({ host, network, settings, files }: DiagnosesParts): Diagnoses {
  const running = new Map<string, AbortController>()
  const reports = new Map<string, DiagnosisReport>()
  return {
    async run(diagnosisId, address) {
      const { diagnose } = await import('./diagnose.ts')
      const controller = new AbortController()
      running.set(diagnosisId, controller)
      const report = await diagnose({
        address,
        network,
        settings: settings(),
        clock: host.clock,
        version: host.version,
        platform: `${host.kind} on ${process.platform}`,
        cancel: controller.signal,
        onStep: (step) => host.announce({ kind: 'diagnosis-step', diagnosisId, step })
      }).finally(() => running.delete(diagnosisId))
      reports.set(diagnosisId, report)
      for (const old of [...reports.keys()].slice(0, -kept)) reports.delete(old)
      return ok(report)
    },
    stop: (diagnosisId) => running.get(diagnosisId)?.abort(),
    async save(diagnosisId) {
      const report = reports.get(diagnosisId)
      if (!report) return failed('diagnosis-gone')
      const place = report.address
        .replace(/^https?:\/\//i, '')
        .replace(/[^\w.-]+/g, '-')
        .slice(0, 100)
      const path = await host.chooseSavePath('Save the network diagnosis', `network-diagnosis-${place}.txt`, ['txt'])
      if (path === undefined) return ok(null)
      const written = await files.write(path, `${diagnosisText(report)}\n`)
      return written.ok ? ok({ path }) : written
    }
  }
}
