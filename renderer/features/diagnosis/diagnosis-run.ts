/** Runs network diagnoses for a page: the steps as they end, the result, and cancelling. */
import { onScopeDispose, ref, shallowRef } from 'vue'
import type { DiagnosisReport, DiagnosisStep } from '#contract/connections/diagnosis.ts'
import { diagnosisSentence } from '#contract/connections/diagnosis-text.ts'
import type { Failure } from '#contract/failures/failures.ts'
import { ask, listen } from '../../bridge.ts'
import { useApp } from '../shell/app-store.ts'
import { words } from './words.ts'

/** What is diagnosed: a connection, or an address. */
export type DiagnosisTarget = { readonly id: string } | { readonly baseUrl: string }

export function useDiagnosis() {
  const app = useApp()
  const running = ref<string>()
  const steps = shallowRef<readonly DiagnosisStep[]>([])
  const report = shallowRef<DiagnosisReport>()
  /** The id of the report, for saving it. */
  const reported = ref('')
  const failure = shallowRef<Failure>()

  const endListening = listen((event) => {
    if (event.kind === 'diagnosis-step' && event.diagnosisId === running.value)
      steps.value = [...steps.value, event.step]
  })

  function clear(): void {
    steps.value = []
    report.value = undefined
    failure.value = undefined
  }
  async function run(target: DiagnosisTarget): Promise<void> {
    clear()
    const diagnosisId = crypto.randomUUID()
    running.value = diagnosisId
    const answer = await ask('diagnosis.run', { diagnosisId, ...target })
    // Another one has been started, or the page was left.
    if (running.value !== diagnosisId) return
    running.value = undefined
    if (!answer.ok) return void (failure.value = answer.failure)
    report.value = answer.value
    reported.value = diagnosisId
    steps.value = answer.value.steps
    app.announce(diagnosisSentence(answer.value))
  }
  function stop(): void {
    if (running.value !== undefined) void ask('diagnosis.stop', { diagnosisId: running.value })
  }
  async function save(): Promise<void> {
    const answer = await ask('diagnosis.save', { diagnosisId: reported.value })
    if (!answer.ok) failure.value = answer.failure
    else if (answer.value) app.showToast(words.networkDiagnosisSavedAsPath({ path: answer.value.path }))
  }
  onScopeDispose(() => {
    stop()
    running.value = undefined
    endListening()
  })
  return { running, steps, report, failure, run, stop, save, clear }
}
