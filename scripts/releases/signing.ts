/**
 * What a release signs with, by its system: the variables that it takes, what the builder is told, and what is done to the files and asked
 * of the system afterwards. A release stops before it builds if a variable is missing, and afterwards if one file does not pass.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

/** A way to sign: the variables that it needs, and the builder's options that are made of them. */
interface Way {
  readonly name: string
  readonly variables: readonly string[]
  readonly options: Readonly<Record<string, string>>
}

const azure: Way = {
  name: 'Azure Trusted Signing',
  // The first three are read by Microsoft's own module (EnvironmentCredential).
  variables: [
    ...['AZURE_TENANT_ID', 'AZURE_CLIENT_ID', 'AZURE_CLIENT_SECRET'],
    ...['WIN_SIGNING_ENDPOINT', 'WIN_SIGNING_ACCOUNT', 'WIN_SIGNING_PROFILE', 'WIN_PUBLISHER']
  ],
  options: {
    'win.azureSignOptions.endpoint': 'WIN_SIGNING_ENDPOINT',
    'win.azureSignOptions.codeSigningAccountName': 'WIN_SIGNING_ACCOUNT',
    'win.azureSignOptions.certificateProfileName': 'WIN_SIGNING_PROFILE',
    'win.azureSignOptions.publisherName': 'WIN_PUBLISHER'
  }
}
/** A certificate in the store of Windows, whose key may be in a token, a card or a cloud’s key store provider. */
const store: Way = {
  name: 'a certificate in the store of Windows',
  variables: ['WIN_CERTIFICATE_SHA1'],
  options: { 'win.signtoolOptions.certificateSha1': 'WIN_CERTIFICATE_SHA1' }
}
/** Developer ID for the application and for the installer, and the key of notarisation: the builder reads all of them itself. */
const apple: Way = {
  name: 'Developer ID and notarisation',
  variables: [
    ...['CSC_LINK', 'CSC_KEY_PASSWORD', 'CSC_INSTALLER_LINK', 'CSC_INSTALLER_KEY_PASSWORD'],
    ...['APPLE_API_KEY', 'APPLE_API_KEY_ID', 'APPLE_API_ISSUER']
  ],
  options: {}
}

export interface Signing {
  /** What signs; undefined on Linux, whose packages are verified by the signed notice. */
  readonly by?: string
  /** Variables that are not set; then nothing may be built. */
  readonly missing: readonly string[]
  /** Arguments for electron-builder. */
  readonly options: readonly string[]
}

/** How a release of this system is signed. On Windows it is the certificate in the store if one is named. */
export function signingOf(platform: string, environment: Environment): Signing {
  if (platform !== 'win32' && platform !== 'darwin') return { missing: [], options: [] }
  const way = platform === 'darwin' ? apple : environment['WIN_CERTIFICATE_SHA1'] ? store : azure
  return {
    by: way.name,
    missing: way.variables.filter((name) => !environment[name]),
    options: [
      '-c.forceCodeSigning=true',
      // The builder signs no image by default; notarisation is of what is signed.
      ...(platform === 'darwin' ? ['-c.dmg.sign=true'] : []),
      ...Object.entries(way.options).map(([option, name]) => `-c.${option}=${environment[name] ?? ''}`)
    ]
  }
}

export interface Command {
  readonly program: string
  readonly args: readonly string[]
}

const command = (program: string, ...args: string[]): Command => ({ program, args })

/** Applications that are in the builder's folders of a system, beside the installers. */
const unpacked = (folder: string, pattern: RegExp, program: string): string[] =>
  readdirSync(folder)
    .filter((name) => pattern.test(name))
    .map((name) => join(folder, name, program))
    .filter((path) => existsSync(path))

/** Apple notarised application and package in the build, which leaves the image; then Gatekeeper is asked about all three, offline. */
function forApple(folder: string, environment: Environment): Command[] {
  const files = readdirSync(folder).map((name) => join(folder, name))
  const images = files.filter((path) => path.endsWith('.dmg'))
  const packages = files.filter((path) => path.endsWith('.pkg'))
  const programs = unpacked(folder, /^mac(?:-arm64)?$/, 'Veridesk.app')
  const key = (name: string): string => environment[name] ?? ''
  const sign = [
    ...['--key', key('APPLE_API_KEY'), '--key-id', key('APPLE_API_KEY_ID'), '--issuer', key('APPLE_API_ISSUER')]
  ]
  return [
    ...images.flatMap((path) => [
      command('xcrun', 'notarytool', 'submit', path, ...sign, '--wait'),
      // Fails without a ticket, so also where the submission was refused.
      command('xcrun', 'stapler', 'staple', path)
    ]),
    ...[...programs, ...packages, ...images].map((path) => command('xcrun', 'stapler', 'validate', path)),
    ...programs.flatMap((path) => [
      command('codesign', '--verify', '--deep', '--strict', path),
      command('spctl', '--assess', '--type', 'execute', path)
    ]),
    ...packages.flatMap((path) => [
      command('pkgutil', '--check-signature', path),
      command('spctl', '--assess', '--type', 'install', path)
    ]),
    ...images.flatMap((path) => [
      command('codesign', '--verify', path),
      command('spctl', '--assess', '--type', 'open', '--context', 'context:primary-signature', path)
    ])
  ]
}

/** A signature without the time of an authority ends with its certificate. */
const authenticode = (path: string): Command =>
  command(
    'powershell',
    ...['-NoProfile', '-NonInteractive', '-Command'],
    `$found = Get-AuthenticodeSignature -LiteralPath '${path.replaceAll("'", "''")}'; ` +
      `if ($found.Status -ne 'Valid' -or -not $found.TimeStamperCertificate) { Write-Host $found.StatusMessage; exit 1 }`
  )

/**
 * What is run on the files of a release, in this order, each of which must end with 0. Throws if there is no file of a kind that
 * the system's release has: nothing would be verified.
 */
export function afterBuild(platform: string, folder: string, environment: Environment): readonly Command[] {
  const kinds = { win32: ['.exe', '.msi'], darwin: ['.dmg', '.pkg'] }[platform] ?? []
  const names = readdirSync(folder)
  for (const kind of kinds)
    if (!names.some((name) => name.endsWith(kind))) throw new Error(`There is no *${kind} in ${folder}.`)
  if (platform === 'darwin') return forApple(folder, environment)
  return [
    ...names.filter((name) => kinds.some((kind) => name.endsWith(kind))).map((name) => join(folder, name)),
    ...(platform === 'win32' ? unpacked(folder, /^win(?:-arm64)?-unpacked$/, 'Veridesk.exe') : [])
  ].map(authenticode)
}

/** Runs one command after the other, until one does not end with 0. Returns what is wrong; undefined if nothing is. */
export function incomplete(commands: readonly Command[], environment: Environment): string | undefined {
  for (const { program, args } of commands) {
    const { status, error } = spawnSync(program, args, { stdio: 'inherit', env: { ...environment } })
    // The key’s ID and issuer are among the arguments of notarisation.
    const [first = '', second = ''] = args
    if (status !== 0) return `“${program} ${first} ${second}” ended with ${error?.message ?? status ?? 'a signal'}`
  }
  return undefined
}
