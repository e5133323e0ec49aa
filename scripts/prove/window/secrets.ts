/**
 * Credentials in every place where a careless program leaves them: files, exports, crash dumps, outputs, processes.
 * Not a test: it crashes programs and reads what is left of them, for minutes.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { credentialIds, credentials, type CredentialValues } from '#contract/connections/credentials.ts'
import { redactionProfileIds, verifierForms } from '#contract/evidence/evidence.ts'
import { family } from '../../../tests/app/fixtures/ending.ts'
import { savesInto } from '../../../tests/app/fixtures/files.ts'
import {
  hostEnvironment,
  startHost,
  type HostName,
  type Place,
  type Session
} from '../../../tests/app/fixtures/hosts.ts'
import { readPdf } from '../../../tests/app/fixtures/pdf.ts'
import { ask, useService } from '../../../tests/app/fixtures/workspace.ts'
import { commandLine } from '../../../tests/service/support/program.ts'
import { inPlace } from '../../bench/window/place.ts'
import type { Measured, SectionRun } from '../../figures/section.ts'
import { inProofFolder } from '../../../tests/service/support/proof-folder.ts'
import { searchFolders, textHolds } from '../../../tests/service/support/secret-forms.ts'
import { hostsHere } from './electron-here.ts'

const random = (): string => randomBytes(24).toString('base64url')
const made = (): CredentialValues => ({
  'api-key': `Canary+key/${random()}=`,
  'api-secret': `Canary "secret" ${random()}`,
  'authorization': `Bearer Canary.${random()}`
})

/** The ways in which the service gives credentials back or fails, by the number of the request. */
const answers: readonly ((
  echo: string,
  values: readonly string[]
) => {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
  readonly cut?: true
})[] = [
  (echo) => ({ status: 200, body: JSON.stringify({ message: 'valid', echo }) }),
  (echo) => ({ status: 401, body: JSON.stringify({ message: `not accepted: ${echo}` }) }),
  (_echo, values) => ({
    status: 200,
    headers: {
      'x-echo': values[0] ?? '',
      'location': `https://elsewhere.invalid/?k=${encodeURIComponent(values[1] ?? '')}`
    },
    body: '{"message":"m"}'
  }),
  (_echo, values) => ({
    status: 302,
    headers: { location: `https://elsewhere.invalid/?k=${encodeURIComponent(values[2] ?? '')}` },
    body: ''
  }),
  (echo) => ({ status: 500, headers: { 'content-type': 'text/html' }, body: `<p>${echo}</p>` }),
  (_echo, values) => ({
    status: 200,
    body: JSON.stringify({ message: values.map((value) => Buffer.from(value).toString('base64')).join(' ') })
  }),
  (_echo, values) => ({ status: 200, body: JSON.stringify({ message: values.map(encodeURIComponent).join('&') }) }),
  (echo) => ({ status: 200, body: `{"message":"${JSON.stringify(echo).slice(1, -1)}`, cut: true })
]

/** Calls `work` beside a service that knows the credentials only from the requests. */
async function besideEcho<T>(work: (address: string, received: () => number) => Promise<T>): Promise<T> {
  let received = 0
  const server = createServer((request, response) => {
    const values = credentials.map(({ header }) => String(request.headers[header.toLowerCase()] ?? ''))
    const answer = answers[received++ % answers.length]?.(values.join(' and '), values) ?? { status: 200, body: '' }
    request.resume().on('end', () => {
      response.writeHead(answer.status, {
        'content-type': 'application/json',
        ...answer.headers,
        ...('cut' in answer && { 'content-length': Buffer.byteLength(answer.body) + 99 })
      })
      response.write(answer.body)
      if ('cut' in answer) setTimeout(() => response.destroy(), 20)
      else response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, () => received)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** A session's work with every kind of file; a failure of one request is part of it. */
async function work(page: Page, address: string, values: CredentialValues, operations: number): Promise<void> {
  const { id: connectionId } = await useService(
    page,
    { baseUrl: address, credentials: values },
    { name: 'Canary service' }
  )
  const tried = (done: Promise<unknown>): Promise<unknown> => done.catch(() => undefined)
  // Values that are refused, with a credential in them.
  for (const id of credentialIds)
    for (const bad of [`${values[id]}\r\nx: y`, `${values[id]}é`, `${values[id]}\0`])
      await tried(ask(page, 'credentials.set', { connectionId, credential: id, value: bad }))
  let record = ''
  for (let nth = 0; nth < operations; nth += 1) {
    const ending = await ask(page, 'verification.run', {
      runId: crypto.randomUUID(),
      connectionId,
      operation: 'get-applicant-details',
      input: { applicant_id: `APP-${nth}` },
      repeatAnyway: true
    })
    if (ending.kind === 'recorded') record = ending.record.id
  }
  await tried(ask(page, 'connections.reach', { id: connectionId }))
  // The same connection at an address that refuses: the credentials are cleared with it, so it is another one.
  const refusing = await useService(
    page,
    { baseUrl: 'http://127.0.0.1:9', credentials: values },
    { name: 'Refusing service' }
  )
  await tried(
    ask(page, 'verification.run', {
      runId: crypto.randomUUID(),
      connectionId: refusing.id,
      operation: 'get-applicant-details',
      input: { applicant_id: 'APP-1' },
      repeatAnyway: true
    })
  )
  const { checkId } = await ask(page, 'batches.checkText', {
    name: 'rows.csv',
    text: ['applicant_id', ...Array.from({ length: 16 }, (_, at) => `ROW-${at}`)].join('\n'),
    reading: { operations: ['get-applicant-details'] }
  })
  const batch = await ask(page, 'batches.create', {
    checkId,
    connectionId,
    name: 'Canary batch',
    atOnce: 2,
    pace: 0,
    skipDuplicates: true,
    skipRecent: false
  })
  await ask(page, 'batches.start', { id: batch.id })
  for (
    let tries = 0;
    tries < 300 && (await ask(page, 'batches.show', { id: batch.id })).state === 'running';
    tries += 1
  )
    await page.waitForTimeout(100)
  for (const format of ['csv', 'jsonl'] as const) {
    await ask(page, 'exports.history', { exportId: crypto.randomUUID(), filter: {}, format })
    await ask(page, 'exports.applicants', { exportId: crypto.randomUUID(), format })
  }
  await ask(page, 'batches.save', { id: batch.id, file: 'results' })
  for (const profile of redactionProfileIds)
    for (const about of [
      { kind: 'record', id: record },
      { kind: 'applicant', id: 'APP-0' },
      { kind: 'batch', id: batch.id }
    ] as const)
      await ask(page, 'evidence.create', { about, profile, pdf: profile === 'full' })
  for (const form of verifierForms) await ask(page, 'evidence.saveVerifier', { form })
  await ask(page, 'evidence.savePublicKey')
  await ask(page, 'backups.create')
  await ask(page, 'erasure.run', { applicantId: 'APP-1', confirmation: 'APP-1', reason: 'Asked for' })
}

/** Command lines and environments of a process and all that it started. */
const processTexts = (session: Session): string =>
  family(session.process.pid ?? 0)
    .flatMap((pid) =>
      ['cmdline', 'environ'].map((name) => {
        try {
          return readFileSync(`/proc/${pid}/${name}`, 'latin1')
        } catch {
          return ''
        }
      })
    )
    .join('\n')

/** Everything that the window holds in its own storage and shows. */
const windowText = (page: Page): Promise<string> =>
  page.evaluate(() =>
    [
      document.documentElement.outerHTML,
      JSON.stringify({ ...localStorage }),
      JSON.stringify({ ...sessionStorage })
    ].join('\n')
  )

/** The commands, with what is typed into them. */
const commandRuns = (values: CredentialValues): readonly (readonly [readonly string[], string?])[] => {
  const typed = credentials.map(({ id, header }) => `${header}: ${values[id]}`).join('\n')
  return [
    [['connection', 'list', '--json']],
    [['connection', 'add', 'Typed', '--base-url', 'http://127.0.0.1:9', '--credentials-stdin'], typed],
    [['connection', 'add', 'Bad', '--base-url', 'http://127.0.0.1:9', '--credentials-stdin'], `${typed}é`],
    [['connection', 'add', 'Worse', '--base-url', 'http://127.0.0.1:9', '--credentials-stdin'], `nonsense ${typed}`],
    [
      [
        'verify',
        'get-applicant-details',
        '--applicant-id',
        'CLI-1',
        '--connection',
        'Canary service',
        '--json',
        '--repeat'
      ]
    ],
    [
      [
        'verify',
        'get-applicant-details',
        '--applicant-id',
        'CLI-2',
        '--connection',
        'Canary service',
        '--repeat',
        '--credentials-stdin'
      ],
      typed
    ],
    [['verify', 'get-applicant-details', '--applicant-id', 'CLI-3', '--connection', 'Typed', '--json']],
    [
      ['verify', 'get-applicant-details', '--applicant-id', 'CLI-4', '--connection', 'Nobody', '--credentials-stdin'],
      typed
    ],
    [['history', 'search', '--json', '--limit', '50']],
    [
      [
        'batch',
        'run',
        'rows.csv',
        '--operation',
        'get-applicant-details',
        '--connection',
        'Canary service',
        '--repeat',
        '--credentials-stdin'
      ],
      typed
    ],
    [['audit', 'verify', '--json']],
    [['backup']],
    [['connection', 'remove', 'Typed']]
  ]
}

function runTyped(place: Place, words: readonly string[], typed = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [commandLine, ...words, '--data', place.dataFolder], {
      cwd: place.home,
      env: hostEnvironment(place),
      stdio: ['pipe', 'pipe', 'pipe']
    })
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
    child.once('error', reject)
    child.once('close', () => resolve(text))
    child.stdin.on('error', () => undefined)
    child.stdin.end(typed)
  })
}

/** The texts of the PDFs below a folder, without spaces. */
const pdfTexts = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.pdf'))
    .map((name) => readPdf(readFileSync(join(folder, name))).text)

/** The search must find a credential that is there, in each kind of place. */
function control(folder: string): string[] {
  const secret = `Canary control/${random()}=`
  mkdirSync(folder)
  writeFileSync(join(folder, 'a'), `x${Buffer.from(`{"key":${JSON.stringify(secret)}}`).toString('base64')}`)
  writeFileSync(join(folder, 'b'), `?key=${encodeURIComponent(secret)}`)
  writeFileSync(join(folder, 'c'), Buffer.concat([Buffer.alloc(5_000_000), Buffer.from(secret, 'utf16le')]))
  return searchFolders([folder], [secret]).hits.length === 3 && textHolds(`"${secret}"`, [secret])
    ? []
    : ['the search does not find a credential that is there']
}

interface Searches {
  readonly rows: (string | number)[][]
  readonly faults: string[]
}

/** One host: a session that ends by a crash of the page and then of the program, and the command line on its data. */
const inHost = (host: HostName, operations: number): Promise<Searches> =>
  inPlace({}, ({ place: usual }) =>
    inProofFolder(async (temporary) =>
      besideEcho(async (address, received) => {
        const values = made()
        const secrets = [...Object.values(values), values.authorization.replace('Bearer ', '')]
        const [rows, faults]: [(string | number)[][], string[]] = [[], []]
        const label = host === 'electron' ? 'Electron' : 'preview'
        const say = (what: string, count: number, hits: readonly string[]): void => {
          rows.push([`${label}: ${what}`, count, hits.length])
          faults.push(...hits.map((hit) => `${label}, ${what}: ${hit}`))
        }
        const holds = (what: string, text: string): void =>
          say(what, 1, textHolds(text, secrets) ? ['a credential'] : [])
        const place: Place = {
          ...usual,
          environment: { ...usual.environment, TMPDIR: temporary, ELECTRON_ENABLE_LOGGING: '1' }
        }
        mkdirSync(join(place.home, 'Downloads'))
        const session = await startHost(host, place)
        await savesInto(session, join(place.home, 'Downloads'))
        await work(session.page, address, values, operations)
        if (received() < operations)
          faults.push(`${label}: the service received ${received()} requests instead of ${operations}`)
        holds('command lines and environments of its processes', processTexts(session))
        holds('page and storage of the window', await windowText(session.page))
        if (session.electron) {
          const dumps = await session.electron.evaluate(({ app }) => app.getPath('crashDumps'))
          await session.electron.evaluate(({ BrowserWindow }) =>
            BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer()
          )
          await new Promise((resolve) => setTimeout(resolve, 1000))
          const ended = once(session.process, 'exit', { signal: AbortSignal.timeout(30_000) }).catch(() => undefined)
          await session.electron.evaluate(() => setTimeout(() => process.crash(), 100)).catch(() => undefined)
          // Only then: closing asks the program to quit, which it may do before it crashes.
          await ended
          await session.electron.close().catch(() => undefined)
          if (!session.process.exitCode && !session.process.signalCode)
            faults.push(`${label}: the program did not crash`)
          const { files, hits } = searchFolders([dumps], secrets)
          say('crash dumps, after page and program crashed', files, hits)
        } else {
          session.process.kill('SIGABRT')
          await session.page
            .context()
            .browser()
            ?.close()
            .catch(() => undefined)
        }
        await new Promise((resolve) => setTimeout(resolve, 1000))
        holds('output of the program', session.output())
        writeFileSync(join(place.home, 'rows.csv'), 'applicant_id\nCLI-5\nCLI-6\nCLI-7\n')
        const texts: string[] = []
        const before = received()
        for (const [words, typed] of commandRuns(values)) texts.push(await runTyped(place, words, typed))
        if (received() < before + 4) faults.push(`${label}: the command line sent ${received() - before} requests`)
        say(
          'outputs of the command line',
          texts.length,
          texts.flatMap((text, at) => (textHolds(text, secrets) ? [`command ${at + 1}`] : []))
        )
        for (const [what, folder] of [
          ['data folder', place.dataFolder],
          ['home, with every export, pack and result', place.home],
          ['temporary files', temporary]
        ] as const) {
          const { files, hits } = searchFolders([folder], secrets)
          say(what, files, hits)
        }
        const pdfs = pdfTexts(join(place.home, 'Downloads'))
        if (pdfs.length === 0) faults.push(`${label}: no PDF was written`)
        say(
          'texts of the PDFs',
          pdfs.length,
          pdfs.flatMap((text, at) =>
            textHolds(
              text,
              secrets.map((secret) => secret.replaceAll(' ', ''))
            )
              ? [`PDF ${at + 1}`]
              : []
          )
        )
        return { rows, faults }
      })
    )
  )

/** Searches for credentials after sessions that echo them and crash. Errors: every place that holds one. */
export async function proveSecrets({ sized, progress }: SectionRun): Promise<Measured> {
  const { hosts, notRun, versions } = hostsHere('the window, crash dumps and processes of Electron')
  const rows: (string | number)[][] = []
  const faults = await inProofFolder((folder) => control(join(folder, 'control')))
  for (const host of hosts) {
    const found = await inHost(host, sized(400, answers.length * 2))
    rows.push(...found.rows)
    faults.push(...found.faults)
    progress(host)
  }
  return { table: { columns: ['searched', 'files or texts', 'with a credential'], rows }, notRun, faults, versions }
}
