/**
 * The long proofs, with the fault really injected; each rewrites its own part of docs/proof.md.
 *
 *   npm run prove -- [--only NAME[,NAME]] [--kills 1000] [--times N] [--no-write]
 *
 * NAME is one of the sections below. --kills is the number for the section of that name, --times for every other;
 * without them each does its damage as often as docs/proof.md is to show. Ends with 1 where anything was not as it must be.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { machine } from './bench/measure.ts'
import { withSection } from './bench/page.ts'
import { erasureSection } from './prove/erasure.ts'
import { exportsSection } from './prove/exports.ts'
import { filesSection } from './prove/files.ts'
import { historySection } from './prove/history.ts'
import { keysSection } from './prove/keys.ts'
import { killsSection } from './prove/kills-section.ts'
import { largeExportsSection } from './prove/large-exports.ts'
import { packsSection } from './prove/packs.ts'
import { sectionText, type Section } from './prove/section.ts'
import { walkSection } from './prove/trail-speed.ts'
import { trailSection } from './prove/trail.ts'

const sections: readonly Section[] = [killsSection, trailSection, walkSection, packsSection, historySection, filesSection, exportsSection, largeExportsSection, erasureSection, keysSection]

const page = new URL('../docs/proof.md', import.meta.url)
const head = '# Proof\n\nWritten by `npm run prove`, a section at a time; never by hand. What each must reach is in the words above its table.\n'
const { values } = parseArgs({
  options: { 'only': { type: 'string' }, 'kills': { type: 'string' }, 'times': { type: 'string' }, 'no-write': { type: 'boolean', default: false } }
})

function chosen(): readonly Section[] {
  if (values.only === undefined) return sections
  const names = values.only.split(',').map((name) => name.trim())
  const strange = names.find((name) => !sections.some((section) => section.name === name))
  if (strange === undefined) return sections.filter(({ name }) => names.includes(name))
  console.error(`There is no section “${strange}”. Choose from: ${sections.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}

/** Puts a section in the place of its earlier self. */
function rewrite(text: string): void {
  let before = head
  try {
    before = readFileSync(page, 'utf8')
  } catch {
    // The first proof makes the page.
  }
  writeFileSync(page, withSection(before, text))
}

for (const section of chosen()) {
  const { name } = section
  const given = Number((name === 'kills' ? values.kills : undefined) ?? values.times ?? section.times)
  if (!Number.isSafeInteger(given) || given < 1) throw new RangeError(`${name}: not a number of times`)
  const where = machine()
  const from = performance.now()
  const proof = await section.run(given, (done) => void (process.stderr.isTTY && process.stderr.write(`\r${name}: ${done.toLocaleString('en')}`)))
  const text = sectionText(proof, { day: new Date().toISOString().slice(0, 10), seconds: (performance.now() - from) / 1000, machine: where })
  process.stdout.write(`${text}\n`)
  if (proof.faults.length > 0) process.exitCode = 1
  if (!values['no-write']) rewrite(text)
}
