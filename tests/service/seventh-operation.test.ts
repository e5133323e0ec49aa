/**
 * A seventh operation: one entry in a copy of the table and one in a copy of the independent description, nothing else. Client,
 * record, command line and practice service of that copy know it.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { credentials } from '#contract/connections/credentials.ts'
import { operationIds } from '#contract/verification/operations.ts'
import type { startPracticeService as startPractice } from '#practice/service.ts'
import { commandLineSource } from './support/program.ts'

const root = join(import.meta.dirname, '..', '..')
const copied = [
  'contract',
  'electron',
  'kit',
  'practice',
  'renderer',
  'scripts',
  'tests',
  'package.json',
  'tsconfig.json'
]
const id = 'validate-proof-of-address'

const entry = `{
    id: '${id}',
    path: \`\${versionPath}/${id}\`,
    title: 'Validate proof of address',
    shortTitle: 'Proof of address',
    group: 'Applicants Identity Verification',
    summary: 'Validates the image of a proof of address.',
    fields: [
      applicantId,
      {
        name: 'address_url',
        kind: 'url',
        label: 'Proof URL',
        help: 'URL of the image.',
        example: 'https://files.example.com/bill.jpg',
        aliases: ['proof']
      }
    ],
    statedStatuses: []
  }
`
const described = {
  post: {
    operationId: 'validateProofOfAddress',
    summary: 'Validate proof of address',
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            additionalProperties: false,
            required: ['applicant_id', 'address_url'],
            properties: { applicant_id: { type: 'string' }, address_url: { type: 'string' } }
          }
        }
      }
    },
    responses: { default: { $ref: '#/components/responses/Message' } }
  }
}

/** The tests of the table and of the client's requests, without a build before them. */
const configuration = `export default {
  test: { pool: 'forks', include: ['tests/unit/table*.test.ts', 'tests/service/independent-mock.test.ts'] }
}
`

let tree: string
let data: string
beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'veridesk-seventh-'))
  data = join(tree, 'data')
  for (const name of copied.filter((each) => existsSync(join(root, each))))
    await cp(join(root, name), join(tree, name), { recursive: true })
  await symlink(join(root, 'node_modules'), join(tree, 'node_modules'))
  await writeFile(join(tree, 'vitest.config.ts'), configuration)
  const table = join(tree, relative(root, await tableFile()))
  const text = await readFile(table, 'utf8')
  const end = '\n] as const satisfies'
  expect(text.split(end)).toHaveLength(2)
  await writeFile(
    table,
    text.replace(end, () => `,\n  ${entry}${end.slice(1)}`)
  )
  const description = join(tree, 'tests', 'fixtures', 'openapi', 'ekyc.json')
  const api = JSON.parse(await readFile(description, 'utf8')) as { paths: Record<string, unknown> }
  api.paths[`/kyc-api/v1.0/kyc/${id}`] = described
  await writeFile(description, JSON.stringify(api))
})
afterAll(() => rm(tree, { recursive: true, force: true }))

/** Where this tree declares the table. */
function tableFile(): Promise<string> {
  return Promise.resolve(import.meta.resolve('../../contract/verification/operations.ts')).then(
    (url) => new URL(url).pathname
  )
}

/** Runs a file of the copy with Node. */
function run(words: readonly string[], input = ''): Promise<{ code: number | null; out: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, words, { cwd: tree, env: { ...process.env, VITEST: '' } })
    let out = ''
    child.stdout.on('data', (part: Buffer) => (out += part.toString()))
    child.stderr.on('data', (part: Buffer) => (out += part.toString()))
    child.on('close', (code) => resolve({ code, out }))
    child.stdin.end(input)
  })
}

const cli = (words: readonly string[], input?: string) =>
  run([relative(root, commandLineSource), ...words, '--data', data], input)

test('is valid in the table, in its form and schema, and its requests are accepted by the independent service', async () => {
  const { code, out } = await run(['node_modules/vitest/vitest.mjs', 'run', '--reporter=verbose', '--no-color'])
  expect(out).toContain(`${id} by the console’s client > is accepted with the hardest of values`)
  expect(out).toContain(`${id}: its own examples can be sent`)
  expect(code, out.slice(-4000)).toBe(0)
}, 120_000)

test.runIf(process.env['VERIDESK_KEYRING_PID'] !== undefined)(
  'is listed, sent to the practice service, recorded and found by the command line',
  async () => {
    expect(operationIds).not.toContain(id)
    expect((await cli(['help'])).out).toContain('--address-url')
    const { startPracticeService } = (await import(/* @vite-ignore */ join(tree, 'practice', 'service.ts'))) as {
      readonly startPracticeService: typeof startPractice
    }
    const practice = await startPracticeService()
    try {
      const headers = credentials.map((each) => `${each.header}: ${practice.credentials[each.id]}\n`).join('')
      const added = await cli(
        ['connection', 'add', 'Seventh', '--base-url', practice.baseUrl, '--credentials-stdin'],
        headers
      )
      expect(added.code, added.out).toBe(0)
      const input = ['--applicant-id', 'A-7', '--address-url', 'https://files.example.com/bill.jpg']
      const sent = await cli(['verify', id, ...input, '--connection', 'Seventh', '--json'])
      expect(sent.code, sent.out).toBe(0)
      expect(sent.out).toContain('Proof of address validated successfully.')
      expect((await cli(['history', 'search', '--operation', id, '--json'])).out).toContain(`"operation":"${id}"`)
      const refused = await cli(['verify', id, '--applicant-id', 'A-7', '--connection', 'Seventh'])
      expect(refused.out).toContain('--address-url')
    } finally {
      await practice.close()
    }
  }
)
