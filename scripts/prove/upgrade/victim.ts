/**
 * Opens a history and is killed (SIGKILL) in between: `node victim.ts FOLDER KEY NOW POINT`. Its points are the calls of the file
 * system and of SQLite that may change a file; it is killed before the one with this number, counted from 1. Without a number
 * it opens the history, closes it and prints its points; `opening` on standard output says that it begins.
 */
import Database from 'better-sqlite3-multiple-ciphers'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const [folder = '', masterKey = '', now = '0', last = '0'] = process.argv.slice(2)
const points: string[] = []
/** Loading the code reads files, too. */
let begun = false

/** Makes each call of a method a point. */
function watch<Holder extends object>(holder: Holder, names: readonly (keyof Holder & string)[]): void {
  for (const name of names) {
    const whole = holder[name] as (...given: unknown[]) => unknown
    const watched = function (this: unknown, ...given: unknown[]): unknown {
      if (!begun) return whole.apply(this, given)
      const what = name === 'run' ? (this as { readonly source: string }).source : String(given[0])
      points.push(`${name} ${what.trim().split('\n', 1)[0]?.slice(0, 60) ?? ''}`)
      if (points.length === Number(last)) process.kill(process.pid, 'SIGKILL')
      return whole.apply(this, given)
    }
    Object.defineProperty(holder, name, { value: watched })
  }
}

watch(fs, ['copyFileSync', 'fsyncSync', 'linkSync', 'mkdirSync', 'openSync', 'renameSync', 'rmSync'])
syncBuiltinESMExports()
watch(Database.prototype, ['exec', 'pragma', 'close'])
const memory = new Database(':memory:')
watch(Object.getPrototypeOf(memory.prepare('SELECT 1')) as { run(): unknown }, ['run'])

const { openEngine } = await import('#store/engine/opening.ts')
begun = true
fs.writeSync(1, 'opening\n')
const result = openEngine({ folder, masterKey, now: Number(now) })
if (!result.ok) throw new Error(result.failure.code)
result.value.engine.close()
fs.writeSync(1, JSON.stringify(points))
