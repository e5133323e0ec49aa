/**
 * `npm test`: performs missing setup, then checks and tests everything with real parts. `npm test -- PART …` runs
 * parts: check (lint, types, rules, unused, docs), unit, service, app (preview, electron, packaged).
 */
import { ensureBuild } from './setup/build.mjs'
import { ensureElectron } from './setup/electron.mjs'
import { endWith, say, SetupProblem } from './setup/ground.mjs'
import { onToolsNode } from './setup/node.mjs'
import { ensurePackages } from './setup/packages.mjs'
import { failureLines } from './setup/reports.mjs'
import { requiredParts, withoutPart } from './setup/required.mjs'
import { nothingPassed, runStage, stages } from './setup/stages.mjs'
import { ensureSystem, hasProgram } from './setup/system.mjs'

function chosenStages(names) {
  const known = [...new Set(stages.flatMap((stage) => stage.parts))]
  const unknown = names.find((name) => !known.includes(name))
  if (unknown) throw new SetupProblem(`there is no part called “${unknown}”.`, `Choose from: ${known.join(', ')}`)
  return names.length === 0 ? stages : stages.filter((stage) => stage.parts.some((part) => names.includes(part)))
}

/** An installed Chromium, Chrome or Edge makes the system's package unnecessary. */
async function withoutNeedlessBrowser(needs) {
  const { findBrowser } = await import('../electron/hosts/node/chromium/browser.ts')
  return findBrowser() ? needs.filter((need) => need !== 'browser') : needs
}

/** Why there is no keyring for the tests, if there is none. */
function noKeyring() {
  if (process.platform !== 'linux') return undefined
  const missing = ['dbus-run-session', 'gnome-keyring-daemon'].find((name) => !hasProgram(name))
  return missing && `${missing} is not installed`
}

async function main() {
  const required = requiredParts()
  await onToolsNode()
  await ensurePackages()
  const chosen = chosenStages(process.argv.slice(2).filter((argument) => argument !== '--'))
  const rows = []
  let electron
  if (chosen.some((stage) => stage.electron)) electron = await ensureElectron()
  const running = chosen.filter((stage) => !stage.electron || (electron && 'program' in electron))

  const needs = await withoutNeedlessBrowser([...new Set(running.flatMap((stage) => stage.needs))])
  const missing = needs.length > 0 ? await ensureSystem(needs) : undefined
  // Continue: the stages that need what is missing will fail with a message.
  if (missing) say(missing)
  let buildProblem
  const build = async () => {
    if (running.some((stage) => stage.build)) await ensureBuild().catch((problem) => (buildProblem = problem))
  }

  const perform = async (stage, show) => {
    if (!running.includes(stage)) {
      console.log(`\n=== ${stage.name}: not run, because Electron is not here (${electron.reason}) ===`)
      return withoutPart(stage.name, 'electron', electron.reason, required)
    }
    const keyringReason = required.has('keyring') && stage.needs.includes('testKeychain') && noKeyring()
    if (keyringReason) return withoutPart(stage.name, 'keyring', keyringReason, required)
    console.log(`\n=== ${stage.name} ===`)
    const began = Date.now()
    if (stage.build && buildProblem) console.error(buildProblem.message)
    const unbuilt = stage.build && buildProblem
    const result = unbuilt
      ? { ...nothingPassed, failures: [{ name: stage.name, reason: unbuilt.message }] }
      : await runStage(stage, show, running)
    const seconds = (Date.now() - began) / 1000
    console.log(`--- ${stage.name}: ${result.failed === 0 ? 'passed' : 'FAILED'} in ${seconds.toFixed(1)} s`)
    return { name: stage.name, note: stage.note ?? '', seconds, ...result }
  }
  const inTurn = async (some, show) => {
    for (const stage of some) rows[chosen.indexOf(stage)] = await perform(stage, show)
  }
  // Deadline tests mostly wait, so unit tests run in parallel to them. What follows uses both cores; the checks go on beside it.
  const lane = (name) => chosen.filter((stage) => stage.lane === name)
  await build()
  const checks = inTurn(lane('checks'), false)
  await Promise.all([inTurn(lane('deadlines'), true), inTurn(lane('unit'), false)])
  await inTurn(lane(undefined), true)
  await checks

  // Repeated at the end, since a build machine often shows only that.
  const failures = rows.flatMap((row) => row.failures.map((each) => ({ ...each, name: `[${row.name}] ${each.name}` })))
  if (failures.length > 0) console.log(`\n=== what failed ===\n${failures.flatMap(failureLines).join('\n')}`)

  console.log('\nStage                  passed  failed  skipped      time')
  for (const row of rows) {
    const cells = [row.passed, row.failed, row.skipped].map((number) => String(number).padStart(8)).join('')
    console.log(`${row.name.padEnd(21)}${cells} ${`${row.seconds.toFixed(1)} s`.padStart(9)}  ${row.note}`.trimEnd())
  }
  const sum = (key) => rows.reduce((total, row) => total + row[key], 0)
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`)
  return sum('failed') === 0 ? 0 : 1
}

try {
  process.exitCode = await main()
} catch (problem) {
  endWith(problem)
}
