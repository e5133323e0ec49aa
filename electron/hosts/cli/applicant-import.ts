/** `applicant import`. */
import { readFile } from 'node:fs/promises'
import { maxImportText, type ApplicantsImported } from '#contract/applicants/import.ts'
import { fieldFaultSentence } from '#contract/failures/sentences.ts'
import { failureEnding, usage, type Context, type Ending } from './context.ts'
import { count, number, print, sizeText } from './print-text.ts'

/** The text of a file; undefined if it cannot be read, is too large or is not UTF-8. */
async function textOf(path: string): Promise<string | undefined> {
  try {
    const bytes = await readFile(path)
    return bytes.length > maxImportText ? undefined : new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const lineCount = (of: number): string => count(of, 'line', 'lines')

function faultLines({ lines, faults, faulty }: ApplicantsImported): string {
  const more = faulty > faults.length ? [`and ${number(faulty - faults.length)} more`] : []
  return [
    ...faults.map(({ line, column, fault }) => `Line ${line}, ${column}: ${fieldFaultSentence(fault)}`),
    ...more,
    `${number(faulty)} of ${lineCount(lines)} cannot be imported. Nothing was changed. Correct the file, then import it again.`
  ].join('\n')
}

/** Enters what a file says of applicants, or with `--dry-run` says what it would change. */
export async function importApplicants(context: Context): Promise<Ending> {
  const [path, ...more] = context.operands
  if (path === undefined || more.length > 0) return usage('Name one file: applicant import FILE')
  const text = await textOf(path)
  if (text === undefined)
    return {
      exit: 'failed',
      error: `${path} cannot be read as UTF-8 of at most ${sizeText(maxImportText)}. Nothing was changed.`
    }
  const dryRun = context.options['dry-run'] === true
  const imported = await context.ask('applicants.import', { text, dryRun })
  if (!imported.ok) return failureEnding(imported.failure)
  const { lines, changed, same, faulty } = imported.value
  if (faulty > 0)
    return {
      exit: 'failed',
      ...(context.options.json === true && { out: print(true, imported.value, []) }),
      error: faultLines(imported.value)
    }
  const summary = dryRun
    ? `Would change ${number(changed)} of ${count(lines, 'applicant', 'applicants')}; ${number(same)} already so. Nothing was changed.`
    : `Changed ${number(changed)} of ${count(lines, 'applicant', 'applicants')}; ${number(same)} already so.`
  return { exit: 'done', out: print(context.options.json, imported.value, [summary]) }
}
