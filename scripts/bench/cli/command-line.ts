/**
 * The response time of the command line, and the time of a batch as a whole process, including its start and reading
 * the file.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { credentials } from '#contract/connections/credentials.ts'
import { operationOf } from '#contract/verification/operations.ts'
import { practiceCredentials } from '#practice/service.ts'
import { inKeyring } from '../../../tests/app/fixtures/workspace.ts'
import setup from '../../../tests/app/fixtures/setup.ts'
import { startKeyring } from '../../../tests/service/support/keyring.ts'
import { rowOf } from '../../figures/row.ts'
import type { Measured } from '../../figures/section.ts'
import type { BenchRun } from '../bench-run.ts'
import { startService, type Service } from '../child.ts'
import { inTurn } from '../side-by-side.ts'
import { commandLineStart, newPlace, runNode, type ProcessRun } from './process.ts'

/** Milliseconds more than a bare start of Node; ratio to a bare pool's process; MB. */
const aims = { help: 200, list: 500, ratio: 1.15, memory: 250 }

const pool = fileURLToPath(new URL('./bare-pool.mjs', import.meta.url))
const { path } = operationOf('get-applicant-details')
const sentHeaders = {
  ...Object.fromEntries(credentials.map(({ id, header }) => [header, practiceCredentials[id]])),
  'content-type': 'application/json'
}
const nothing = ['--input-type=module', '--eval', '']

/** Measures `help`, `connection list`, and batches of 2,000 and 20,000 rows, each compared with a minimal process. */
export async function measureCommandLine({ sized, progress }: BenchRun): Promise<Measured> {
  setup()
  const start = await commandLineStart()
  const keyring = await startKeyring()
  const place = newPlace()
  const environment = inKeyring(keyring)
  const cli = (
    words: readonly string[],
    options: { readonly input?: string; readonly watched?: boolean } = {}
  ): Promise<ProcessRun> =>
    runNode({
      args: [...start.args, ...words, '--data', place.dataFolder],
      environment: { ...environment, ...start.environment },
      ...options
    })
  const services: Service[] = []
  const rows = []
  let batches = 0
  try {
    const rounds = sized(15, 2)
    const bareStart = async (): Promise<number> => (await runNode({ args: nothing, environment })).took
    const quick = { slow: await startService(20), fast: await startService(0) }
    services.push(quick.slow, quick.fast)
    for (const [name, { baseUrl }] of Object.entries(quick)) {
      const headers = credentials.map(({ id, header }) => `${header}: ${practiceCredentials[id]}\n`).join('')
      await cli(['connection', 'add', name, '--base-url', baseUrl, '--credentials-stdin'], { input: headers })
    }
    const help = await inTurn(
      rounds,
      async () => (await runNode({ args: [...start.args, 'help'], environment })).took,
      bareStart
    )
    rows.push(
      rowOf({
        name: '`help`',
        unit: 'ms',
        samples: help.ours,
        beside: { what: 'bare start of Node', samples: help.beside },
        aims: { difference: aims.help }
      })
    )
    progress('help')
    const list = await inTurn(rounds, async () => (await cli(['connection', 'list'])).took, bareStart)
    rows.push(
      rowOf({
        name: '`connection list`',
        unit: 'ms',
        samples: list.ours,
        beside: { what: 'bare start of Node', samples: list.beside },
        aims: { difference: aims.list }
      })
    )
    progress('connection list')

    /** A file with new IDs: IDs that were answered before would be recognised. */
    const fileOf = (count: number): string => {
      batches += 1
      const path = join(place.folder, `rows-${batches}.csv`)
      writeFileSync(
        path,
        `${['applicant_id', ...Array.from({ length: count }, (_, index) => `B${batches}-${index}`)].join('\n')}\n`
      )
      return path
    }
    const batch = async (connection: string, count: number, watched = false): Promise<ProcessRun> => {
      const run = await cli(
        [
          'batch',
          'run',
          fileOf(count),
          '--operation',
          'get-applicant-details',
          '--connection',
          connection,
          '--concurrency',
          '8'
        ],
        { watched }
      )
      const end = JSON.parse(run.out.trim().split('\n').at(-1) ?? '') as {
        readonly counts?: { readonly answered?: number }
      }
      if (end.counts?.answered !== count) throw new Error(`not every row was answered: ${run.out.slice(-300)}`)
      return run
    }
    const bare = ({ baseUrl }: Service, count: number, watched = false): Promise<ProcessRun> =>
      runNode({
        args: [pool, JSON.stringify({ file: fileOf(count), baseUrl, path, headers: sentHeaders })],
        environment,
        watched
      })

    const some = sized(2000, 100)
    const whole = await inTurn(
      sized(5, 1),
      async () => (await batch('slow', some)).took,
      async () => (await bare(quick.slow, some)).took
    )
    rows.push(
      rowOf({
        name: `batch of ${some.toLocaleString('en')} rows, 20 ms service, whole process`,
        unit: 'ms',
        samples: whole.ours,
        beside: { what: 'bare pool, whole process', samples: whole.beside },
        aims: { ratio: aims.ratio }
      })
    )
    progress('a batch, whole process')
    const many = sized(20_000, 500)
    const memory = await inTurn(
      sized(2, 1),
      async () => (await batch('fast', many, true)).memory,
      async () => (await bare(quick.fast, many, true)).memory
    )
    rows.push(
      rowOf({
        name: `batch of ${many.toLocaleString('en')} rows, most memory`,
        unit: 'MB',
        samples: memory.ours,
        beside: { what: 'bare pool', samples: memory.beside },
        aims: { largest: aims.memory }
      })
    )
    return { rows }
  } finally {
    for (const { process: service } of services) service.kill()
    await keyring.end()
    place.dispose()
  }
}
