/** `npm run practice` as a process: its output, its options, and a ledger that survives a kill. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { credentials } from '#contract/connections/credentials.ts'
import { bodyDigest, readLedger } from '#practice/ledger.ts'
import { practiceCredentials, startPracticeService, type PracticeService } from '#practice/service.ts'
import { inputOf, plainSend, wellFormed, withApplicant } from './practice-client.ts'

const main = join(import.meta.dirname, '..', '..', 'practice', 'main.ts')
const started: ChildProcessWithoutNullStreams[] = []
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

interface Run {
  readonly child: ChildProcessWithoutNullStreams
  out(): string
  err(): string
  readonly ended: Promise<number | null>
}

function run(...options: string[]): Run {
  const child = spawn(process.execPath, [main, ...options])
  started.push(child)
  const text = { out: '', err: '' }
  child.stdout.on('data', (part: Buffer) => (text.out += part.toString()))
  child.stderr.on('data', (part: Buffer) => (text.err += part.toString()))
  return {
    child,
    out: () => text.out,
    err: () => text.err,
    ended: new Promise((resolve) => child.once('exit', resolve))
  }
}

/** The printed address, as a service to send to. */
async function printed({ out }: Run): Promise<Pick<PracticeService, 'baseUrl' | 'credentials'> & PracticeService> {
  await expect.poll(out, { timeout: 10_000 }).toContain('Ctrl+C')
  const baseUrl = /^Practice service at (http:\/\/127\.0\.0\.1:\d+)$/m.exec(out())?.[1] ?? ''
  return { baseUrl, credentials: practiceCredentials, ledger: () => [], close: async () => {} }
}

describe('practice/main.ts', () => {
  it('prints its address and credentials, serves, and ends well on Ctrl+C', async () => {
    const one = run('--port', '0')
    const service = await printed(one)
    for (const { id, header } of credentials)
      expect(one.out()).toMatch(new RegExp(`${header}: +${practiceCredentials[id]}`))
    expect((await plainSend(service.baseUrl, wellFormed(service, withApplicant, inputOf(withApplicant)))).status).toBe(
      200
    )
    const sample = /http:\S+\.png/.exec(one.out())?.[0] ?? ''
    expect(
      (await plainSend(service.baseUrl, { method: 'GET', path: new URL(sample).pathname })).headers['content-type']
    ).toBe('image/png')
    one.child.kill('SIGINT')
    expect(await one.ended).toBe(0)
  })

  it('keeps every request in the ledger when it is killed, and appends at the next start', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'practice-'))
    const file = join(folder, 'ledger.jsonl')
    try {
      const digests: string[] = []
      for (const round of [1, 2]) {
        const one = run('--port', '0', '--ledger', file, '--latency', '1-5')
        const service = await printed(one)
        for (let index = 0; index < 20; index++) {
          const request = wellFormed(
            service,
            withApplicant,
            inputOf(withApplicant, { applicant: `A-${round}-${index}` })
          )
          digests.push(bodyDigest(request.body ?? ''))
          await plainSend(service.baseUrl, request)
        }
        one.child.kill('SIGKILL')
        await one.ended
      }
      expect(readLedger(file).map(({ digest }) => digest)).toEqual(digests)
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it.each([['--port', 'x'], ['--port', '65536'], ['--latency', '9-3'], ['--latency', '1.5'], ['--bogus'], ['stray']])(
    'refuses %s %s with how it is used',
    async (...options) => {
      const one = run(...options)
      expect(await one.ended).toBe(2)
      expect(one.err()).toContain('Usage: npm run practice')
      expect(one.out()).toBe('')
    }
  )

  it('says so where the port is taken or the ledger cannot be written', async () => {
    const holder = await startPracticeService()
    try {
      const taken = run('--port', new URL(holder.baseUrl).port)
      expect(await taken.ended).toBe(1)
      expect(taken.err()).toMatch(/^Port \d+ is in use\. Nothing was started\./)
      const unwritable = run('--port', '0', '--ledger', join(tmpdir(), 'no-such-folder', 'ledger'))
      expect(await unwritable.ended).toBe(1)
      expect(unwritable.err()).toContain('ENOENT')
    } finally {
      await holder.close()
    }
  })
})
