/** Electron's security checklist on the running console. */
import { startHost } from '../../../tests/app/fixtures/hosts.ts'
import { checklist, type ChecklistItem } from '../../../tests/app/fixtures/checklist.ts'
import { startTrap } from '../../../tests/app/fixtures/trap.ts'
import { inPlace } from '../../bench/window/place.ts'
import type { Measured, SectionRun } from '../../figures/section.ts'
import { electronHere } from './electron-here.ts'

const table = (rows: readonly (readonly (string | number)[])[]): NonNullable<Measured['table']> => ({
  columns: ['item', 'times', 'held'],
  rows: rows.map((row) => [...row])
})

/** Goes through the list in fresh consoles. Errors: items that do not hold. */
export async function proveChecklist({ sized, progress }: SectionRun): Promise<Measured> {
  const here = electronHere()
  const sandbox = {
    name: 'the system’s sandbox around the page’s process',
    why: 'the run belongs to root, to whom Chromium refuses it'
  }
  const packaged = {
    name: 'the list on the packaged program',
    why: 'it refuses every flag by which a test could look into it; what can be asked of it from outside is in its own section'
  }
  if ('why' in here) return { table: table([]), notRun: [{ name: 'the checklist', why: here.why }] }
  const rounds = sized(5)
  const all: ChecklistItem[] = []
  for (let round = 1; round <= rounds; round += 1) {
    all.push(
      ...(await inPlace({}, async ({ place }) => {
        const trap = await startTrap()
        const session = await startHost('electron', place)
        try {
          return await checklist(session, trap)
        } finally {
          await session.close()
          trap.end()
        }
      }))
    )
    progress(`${round} of ${rounds} consoles`)
  }
  const items = [...Map.groupBy(all, ({ number, name }) => `${number}. ${name}`)]
  return {
    table: table(
      items.map(([name, times]) => [name, times.length, times.filter(({ faults }) => faults.length === 0).length])
    ),
    notRun: [...(process.getuid?.() === 0 ? [sandbox] : []), packaged],
    faults: all.flatMap(({ number, name, faults }) => faults.map((fault) => `${number}. ${name}: ${fault}`)),
    versions: { electron: here.electron }
  }
}
