/** A network diagnosis as text, to copy, to save and for the command line. */
import type { CertificateFacts, DiagnosisReport, DiagnosisStep } from './diagnosis.ts'
import type { Failure } from '../failures/failures.ts'
import { visible } from '../text/hidden-text.ts'
import { diagnosisFixers, fixerNames } from './diagnosis-sentences.ts'
import { certificateStoreText, diagnosisFactNames, diagnosisFactText, diagnosisStepNames } from './diagnosis-words.ts'
import { phraseOf, sentencesOf } from '../failures/sentences.ts'

/** Who can fix it, or nothing for a code of a later version. */
export const fixerText = ({ code }: Failure): string =>
  code in diagnosisFixers ? fixerNames[diagnosisFixers[code as keyof typeof diagnosisFixers]] : ''

/** The result in one sentence. */
export function diagnosisSentence({ end, failure }: DiagnosisReport): string {
  if (end === 'cancelled') return 'The diagnosis was cancelled.'
  return failure ? sentencesOf(failure).what : 'Nothing is wrong: the service can be reached, and it answers.'
}

function certificateLines(certificate: CertificateFacts, index: number): string[] {
  return [
    `    Certificate ${index + 1}: ${certificate.subject}${certificate.selfIssued ? ' (self-issued)' : ''}, ${certificateStoreText(certificate.store)}`,
    `      Issuer: ${certificate.issuer}`,
    ...(certificate.names.length > 0 ? [`      Names: ${certificate.names.join(', ')}`] : []),
    `      Valid: ${certificate.validFrom} to ${certificate.validTo}`,
    `      SHA-256: ${certificate.fingerprint}`
  ]
}

/** The name of a step, with the proxy that it leads to. TLS to the service goes through one, and leads to the service. */
export const stepTitle = ({ step, proxy }: Pick<DiagnosisStep, 'step' | 'proxy'>): string =>
  `${diagnosisStepNames[step]}${proxy === undefined || step === 'tls' ? '' : ` (proxy ${proxy})`}`

function stepLines(step: DiagnosisStep): string[] {
  return [
    `${step.state === 'passed' ? 'passed' : 'FAILED'}  ${stepTitle(step)}, ${step.took} ms`,
    ...(step.failure ? [`    ${phraseOf(step.failure)}`] : []),
    ...step.facts.map((fact) => `    ${diagnosisFactNames[fact.name]}: ${diagnosisFactText(fact)}`),
    ...(step.certificates ?? []).flatMap(certificateLines)
  ]
}

/** The whole report as lines of text. Contains what the report contains: no secrets. */
export function diagnosisText(report: DiagnosisReport): string {
  const { failure } = report
  const result = failure
    ? [
        `Result: ${sentencesOf(failure).what}`,
        `Who can fix it: ${fixerText(failure)}`,
        `Impact: ${sentencesOf(failure).impact}`,
        `Next step: ${sentencesOf(failure).nextStep}`,
        `Code: ${failure.code}`
      ]
    : [`Result: ${diagnosisSentence(report)}`]
  return visible(
    [
      `Network diagnosis of ${report.address}`,
      `${new Date(report.startedAt).toISOString()}, ${report.took} ms, Veridesk ${report.version}, ${report.platform}`,
      '',
      ...result,
      '',
      ...report.steps.flatMap(stepLines)
    ].join('\n')
  )
}
