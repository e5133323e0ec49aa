/**
 * Makes the signed notice of a release, which an update feed serves, and signatures of its other files:
 *
 *   node scripts/release-metadata.ts create-key --secret FILE --public FILE
 *   node scripts/release-metadata.ts sign FOLDER --base-url URL --notes URL --out FILE [--key FILE] [--channel stable|beta] [--days 90]
 *   node scripts/release-metadata.ts renew FILE --out FILE [--key FILE] [--days 90]
 *   node scripts/release-metadata.ts sign-file FILE [--key FILE]
 *
 * The secret key is read from `--key`, or from the environment as VERIDESK_RELEASE_KEY; its password from
 * VERIDESK_RELEASE_KEY_PASSWORD, or from standard input. Neither is ever an argument. A key without a password is accepted from the
 * environment only, where the store of a CI's secrets protects it. `docs/releasing.md` says how the keys are kept.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { releaseChannels, type Release } from '#contract/updates/releases.ts'
import { readRelease } from '#core/updates/notice.ts'
import { minisignKey } from '#core/updates/minisign.ts'
import { bytesOf, noticeOf, renewed } from './releases/notice.ts'
import { createKey, KeyProblem, openKey, signatureOf, signed, type SecretKey } from './releases/secret-key.ts'

const usage =
  'Type: create-key --secret FILE --public FILE | sign FOLDER --base-url URL --notes URL --out FILE | renew FILE --out FILE | sign-file FILE'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'secret': { type: 'string' },
    'public': { type: 'string' },
    'key': { type: 'string' },
    'out': { type: 'string' },
    'base-url': { type: 'string' },
    'notes': { type: 'string' },
    'version': { type: 'string' },
    'channel': { type: 'string', default: 'stable' },
    'days': { type: 'string', default: '90' },
    'sequence': { type: 'string' }
  }
})

function needed(name: keyof typeof values): string {
  const value = values[name]
  if (value === undefined || value === '') throw new KeyProblem(`--${name} is missing. ${usage}`)
  return value
}

function password(): string | undefined {
  const given = process.env['VERIDESK_RELEASE_KEY_PASSWORD']
  if (given !== undefined || process.stdin.isTTY) return given
  return readFileSync(0, 'utf8').split(/\r?\n/)[0]
}

function secretKey(): SecretKey {
  const file = values.key
  const text = file === undefined ? process.env['VERIDESK_RELEASE_KEY'] : readFileSync(file, 'utf8')
  if (!text) throw new KeyProblem('There is no secret key: name its file with --key, or set VERIDESK_RELEASE_KEY.')
  const key = openKey(text, password())
  if (file !== undefined && !key.encrypted)
    throw new KeyProblem('The file of the secret key has no password. “minisign -C” sets one.')
  return key
}

/** By default the seconds since 1970, which rise by themselves. */
function sequence(now: number): number {
  const given = values.sequence === undefined ? Math.floor(now / 1000) : Number(values.sequence)
  if (!Number.isSafeInteger(given) || given < 1) throw new KeyProblem('--sequence takes a whole number above 0.')
  return given
}

/** The oldest systems that the pinned Electron runs on (see its README). */
function minimumSystem(): Release['minimumSystem'] {
  const builder = readFileSync(resolve(import.meta.dirname, '..', 'electron-builder.yml'), 'utf8')
  const macos = /minimumSystemVersion: '([\d.]+)'/.exec(builder)?.[1]
  return { windows: 'Windows 10', ...(macos !== undefined && { macos: `macOS ${macos}` }) }
}

function write(release: Release, key: SecretKey): void {
  const out = needed('out')
  const file = signed(
    bytesOf(release),
    key,
    `${release.product} ${release.release} ${release.channel} ${release.sequence}`
  )
  // What is published has passed the rules of those who read it.
  const own = minisignKey(key.publicLine)
  const read = readRelease(file, own ? [own] : [])
  if (!read.ok) throw new KeyProblem(`The notice would be refused: ${read.failure.code}.`)
  writeFileSync(out, file)
  console.log(
    `${out}: Veridesk ${release.release}, ${release.channel}, number ${release.sequence}, valid until ${release.expiresAt}, signed by the key ${key.id}.`
  )
}

const own = (): string =>
  (JSON.parse(readFileSync(resolve(import.meta.dirname, '..', 'package.json'), 'utf8')) as { readonly version: string })
    .version

const commands: Readonly<Record<string, (operand: string) => void>> = {
  'create-key': () => {
    const [secret, open] = [needed('secret'), needed('public')]
    const made = createKey(password() ?? '')
    // Never over a key that exists: what it signed could not be renewed any more.
    writeFileSync(secret, made.secret, { flag: 'wx', mode: 0o600 })
    writeFileSync(open, made.public, { flag: 'wx' })
    console.log(`The public key ${made.key.id}:\n${made.key.publicLine}`)
  },
  'sign': (folder) => {
    const channel = releaseChannels.find((each) => each === values.channel)
    if (!channel) throw new KeyProblem(`--channel takes one of ${releaseChannels.join(', ')}.`)
    const now = Date.now()
    write(
      noticeOf({
        folder,
        version: values.version ?? own(),
        channel,
        sequence: sequence(now),
        now,
        days: Number(values.days),
        baseUrl: needed('base-url'),
        notes: needed('notes'),
        minimumSystem: minimumSystem()
      }),
      secretKey()
    )
  },
  'renew': (file) => {
    const key = secretKey()
    const trusted = minisignKey(key.publicLine)
    const read = readRelease(readFileSync(file), trusted ? [trusted] : [])
    if (!read.ok) throw new KeyProblem(`${file} is not a notice that this key signed: ${read.failure.code}.`)
    const now = Date.now()
    write(renewed(read.value.release, { sequence: sequence(now), now, days: Number(values.days) }), key)
  },
  'sign-file': (file) => {
    const name = basename(file)
    const body = readFileSync(file)
    writeFileSync(`${file}.minisig`, signatureOf(body, secretKey(), `Veridesk ${own()} ${name}`))
    console.log(`${file}.minisig`)
  }
}

try {
  const [word = '', operand = '', ...more] = positionals
  const command = commands[word]
  if (!command || more.length > 0 || (operand === '') !== (word === 'create-key')) throw new KeyProblem(usage)
  command(operand)
} catch (problem) {
  const code = (problem as NodeJS.ErrnoException).code
  if (!(problem instanceof KeyProblem) && code === undefined) throw problem
  console.error(problem instanceof KeyProblem ? problem.message : (problem as Error).message)
  process.exitCode = 1
}
