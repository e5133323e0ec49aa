/**
 * Erases one applicant and dies at a chosen statement: `node erasure-victim.ts FOLDER KEY APPLICANT FILE STATEMENT N
 * [LIST]` kills itself before FILE runs STATEMENT for the N-th time; LIST is the list of destroyed keys. A real
 * process and a real kill, at a moment that random kills hit once in thousands.
 */
import { flushCompileCache } from 'node:module'
import Database from 'better-sqlite3-multiple-ciphers'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { openEngine } from '#store/engine/opening.ts'
import { die } from './die.ts'

const [folder = '', masterKey = '', applicant = '', file = '', statement = '', nth = '', list] = process.argv.slice(2)
let left = Number(nth)
const { exec } = Database.prototype
Database.prototype.exec = function (this: InstanceType<typeof Database>, sql: string) {
  if (sql === statement && (this as unknown as { readonly name: string }).name.endsWith(file) && (left -= 1) === 0)
    die()
  return exec.call(this, sql)
}

const opened = openEngine({ folder, masterKey, now: 1_770_000_000_000 })
if (!opened.ok) throw new Error(sentencesOf(opened.failure).what)
// What this process has compiled is there for the next one: killed, it writes nothing at its end.
flushCompileCache()
const { engine } = opened.value
const scope = engine.erasure.scope(applicant)
if (!scope.ok) throw new Error(sentencesOf(scope.failure).what)
const decided = {
  cause: 'request',
  reason: 'asked for by letter',
  at: 1_770_000_000_000,
  operator: 'tester',
  subjects: scope.value.people
} as const
const intent = engine.erasure.intend(decided)
if (!intent.ok) throw new Error(sentencesOf(intent.failure).what)
const erased = engine.erasure.erase({ ...decided, intent: intent.value, ...(list !== undefined && { list }) })
if (!erased.ok) throw new Error(sentencesOf(erased.failure).what)
const cleared = engine.erasure.cleared(intent.value, {
  at: decided.at,
  operator: 'tester',
  backupsRewritten: 2,
  copiesNotReached: [],
  documentsNotDeleted: 0
})
if (!cleared.ok) throw new Error(sentencesOf(cleared.failure).what)
engine.close()
