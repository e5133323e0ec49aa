/** Kills the atomic writer during its work: the file is completely the old one or the new one. */
import { fork } from 'node:child_process'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sweepAbandoned } from '#wire/files/write.ts'
import { inProofFolder } from './proof-folder.ts'

const letters = 1_000_000
const writer = fileURLToPath(new URL('../../../electron/wire/files/write.ts', import.meta.url))
/** Writes indefinitely; every other time in pieces, as exports are written. */
const program = `import { writeAtomically } from ${JSON.stringify(writer)}
process.send('writing')
for (let round = 0; ; round += 1) {
  const text = String.fromCharCode(97 + (round % 26)).repeat(${letters / 10})
  async function* pieces() { for (let n = 0; n < 10; n += 1) yield text; yield '.' }
  await writeAtomically(process.argv[2], round % 2 ? pieces() : text.repeat(10) + '.')
}
`

export interface WriterKills {
  readonly kills: number
  /** Kills after which a file existed. */
  readonly seen: number
  /** Distinct texts that were found, which shows that the writer made progress between kills. */
  readonly texts: number
  /** Kills that left a temporary file, which shows that they came during a write. */
  readonly inTheMiddle: number
  readonly faults: readonly string[]
}

/** Kills the writer at random moments (SIGKILL) and reads the file. */
export function killWriter(kills: number): Promise<WriterKills> {
  return inProofFolder(async (folder) => {
    const path = join(folder, 'data.json')
    const script = join(folder, 'writer.mjs')
    writeFileSync(script, program)
    const faults: string[] = []
    const texts = new Set<string>()
    let [seen, inTheMiddle, left] = [0, 0, 0]
    const temporaries = (): number => readdirSync(folder).filter((name) => name.startsWith('.data.json.new-')).length
    for (let round = 0; round < kills; round += 1) {
      const child = fork(script, [path], { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
      const ended = new Promise((resolve) => child.once('exit', resolve))
      await new Promise((resolve) => child.once('message', resolve))
      await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 60))
      child.kill('SIGKILL')
      await ended
      if (temporaries() > left) inTheMiddle += 1
      left = temporaries()
      const text = readdirSync(folder).includes('data.json') ? readFileSync(path, 'utf8') : undefined
      if (text !== undefined) {
        seen += 1
        texts.add(text.slice(0, 1))
        if (text !== `${text.slice(0, 1).repeat(letters)}.`)
          faults.push(`kill ${round}: a partial file of ${text.length} letters`)
      }
    }
    await sweepAbandoned(path, Date.now() + 120_000)
    if (temporaries() > 0) faults.push(`${temporaries()} temporary files stay`)
    return { kills, seen, texts: texts.size, inTheMiddle, faults }
  })
}
