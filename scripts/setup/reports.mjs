/** Reads the test runners' reports of a stage: number of passed tests, and failed tests with reasons. */
import { readFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import { inRoot } from './ground.mjs'

/** The path of a runner's report for a stage. */
export const reportFile = (name) => inRoot('.cache', 'test', `${name}.json`)

/** A runner's report, or undefined if there is none that can be read. */
export function readReport(name) {
  try {
    return JSON.parse(readFileSync(reportFile(name), 'utf8'))
  } catch {
    return undefined
  }
}

/** A suite that failed without a failed test (a crash, a file that cannot be loaded) counts as one failure. */
export function counted(code, counts) {
  if (!counts || (code !== 0 && counts.failed === 0))
    return { passed: counts?.passed ?? 0, failed: 1, skipped: counts?.skipped ?? 0 }
  return counts
}

const withinRoot = (path) => path.replace(inRoot() + '/', '')

/** Vitest's report: `testResults` has an entry per file with its tests, and a message if the file did not load. */
export const vitestReport = {
  counts: (report) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests
  }),
  failures: (report) =>
    report.testResults.flatMap((file) => {
      const failed = file.assertionResults.filter((test) => test.status === 'failed')
      if (failed.length === 0 && file.status === 'failed')
        return [{ name: withinRoot(file.name), reason: file.message }]
      return failed.map((test) => ({
        name: `${withinRoot(file.name)} › ${test.fullName}`,
        reason: test.failureMessages.join('\n')
      }))
    })
}

/** The text of a test's output, or of an error. */
const textOf = ({ text, message }) => text ?? message ?? ''

/** Playwright's report: suites contain suites and specs, a spec its tests, a test the results of its attempts. */
export const playwrightReport = {
  counts: ({ stats }) => ({ passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped }),
  failures: (report) => {
    const below = (suite, path) => [
      ...(suite.specs ?? []).flatMap((spec) =>
        spec.tests
          .filter((test) => test.status === 'unexpected' || test.status === 'flaky')
          .map((test) => ({
            name: [...path, spec.title].join(' › '),
            // Its output comes first, since it shows a figure that missed its limit.
            reason: test.results
              .flatMap((result) => [...result.stdout.map(textOf), ...result.errors.map(textOf)])
              .join('\n')
          }))
      ),
      ...(suite.suites ?? []).flatMap((inner) => below(inner, [...path, inner.title]))
    ]
    const outside = report.errors.map((error) => ({ name: 'outside of any test', reason: textOf(error) }))
    return [...outside, ...report.suites.flatMap((suite) => below(suite, [`tests/app/${suite.title}`]))]
  }
}

const longestReason = 12

/** A failure in a few lines for the end of a run's output, which may be all that is shown. */
export function failureLines({ name, reason }) {
  const lines = stripVTControlCharacters(reason)
    .split('\n')
    .filter((line) => line.trim() !== '')
  const left = lines.length - longestReason
  return [
    `✘ ${name}`,
    ...lines.slice(0, longestReason).map((line) => `    ${line}`),
    ...(left > 0 ? [`    … ${left} more lines above`] : [])
  ]
}
