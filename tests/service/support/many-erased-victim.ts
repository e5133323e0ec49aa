/**
 * Erases groups of applicants, whom it reads as JSON from its input: `node many-erased-victim.ts FOLDER KEY`. Every second group is erased
 * in one step by retention, the others one after another. Writes `begin` once the history is open, and `end`; who started it kills it.
 */
import { flushCompileCache } from 'node:module'
import { text } from 'node:stream/consumers'
import { masterKeyAccount } from '#core/history/open.ts'
import { openWorkspace, store, value } from './erasure-workspace.ts'

// Until it is killed; without whom it was started by, it ends.
const { ppid } = process
setInterval(() => process.ppid === ppid || process.exit(1), 1000)

const [dataFolder = '', masterKey = ''] = process.argv.slice(2)
const groups = JSON.parse(await text(process.stdin)) as readonly (readonly string[])[]
const one = await openWorkspace(dataFolder, new Map([[masterKeyAccount, masterKey]]))
// What this process has compiled is there for the next one: killed, it writes nothing at its end.
flushCompileCache()
one.settings = { ...one.settings, retentionFrom: 'relationship', retentionYears: 5 }
const reason = 'asked for by letter'
process.stdout.write('begin\n')
await one.retention.resume()
for (const group of groups) {
  const left: string[] = []
  for (const id of group) if ((await store(one).applicants.show(id)).ok) left.push(id)
  if (Number(group[0]?.split('-').at(-2)) % 2 === 0)
    for (const id of left) await value(one.retention.erase(id, id, reason))
  else if (left.length > 0) {
    const by = { at: Date.now(), operator: 'tester' }
    for (const applicantId of left)
      await value(store(one).applicants.relate({ applicantId, state: 'ended', on: '2015-01-31', note: '' }, by))
    const { digest, subjects } = await value(one.retention.plan())
    if (subjects !== left.length) throw new Error(`${subjects} are due instead of ${left.length}`)
    await value(one.retention.run({ digest, reason }))
  }
}
process.stdout.write('end\n')
