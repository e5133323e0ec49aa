/** What the packaged product may and must contain; pure, so that a test can break each rule. */
import type { ArchivedFile } from './archive.ts'

/** Everything that the archive may contain. */
const allowed = [
  /^package\.json$/,
  /^LICENSE$/,
  /^out\/main\/[\w./-]+\.js$/,
  /^out\/preload\/index\.cjs$/,
  /^out\/renderer\/[\w./-]+\.(?:html|js|css|woff2|svg|png|ico)$/,
  /^out\/verifier\/verify\.(?:html|mjs)$/,
  /^practice\/samples\/[\w-]+\.png$/,
  /^node_modules\/(?:keytar|better-sqlite3-multiple-ciphers|native-reg)\/(?:package\.json|LICENSE(?:\.md)?|lib\/[\w./-]+\.js|prebuilds\/[\w./-]+\.node)$/
]

const required = [
  'package.json',
  'out/main/index.js',
  'out/main/history-worker.js',
  'out/main/keychain-worker.js',
  'out/main/team-worker.js',
  'out/main/workbook-worker.js',
  'out/main/sample-starter.js',
  'out/preload/index.cjs',
  'out/renderer/index.html',
  'out/verifier/verify.html',
  'out/verifier/verify.mjs'
]

/** The native modules of a system such as `linux-x64`. */
const nativeFiles = (system: string): string[] => [
  `node_modules/better-sqlite3-multiple-ciphers/prebuilds/${system}.node`,
  `node_modules/keytar/prebuilds/${system}/keytar.node`,
  ...(system.startsWith('win32-') ? [`node_modules/native-reg/prebuilds/${system}/node.napi.node`] : [])
]

/**
 * The errors of a packaged archive, one sentence each; empty if there are none.
 *
 * @param system Node's names of platform and architecture, joined: `linux-x64`, `darwin-arm64`, `win32-x64`.
 */
export function contentFaults(files: readonly ArchivedFile[], system: string): string[] {
  const paths = new Set(files.map(({ path }) => path))
  const natives = nativeFiles(system)
  return [
    ...files
      .filter(({ path }) => !allowed.some((rule) => rule.test(path)))
      .map(({ path }) => `${path} does not belong into the product`),
    ...[...required, ...natives].filter((path) => !paths.has(path)).map((path) => `${path} is missing`),
    ...files
      .filter(({ path }) => path.endsWith('.node') && !natives.includes(path))
      .map(({ path }) => `${path} is a native module of another system`),
    ...files
      .filter(({ path, unpacked }) => unpacked !== path.endsWith('.node'))
      .map(({ path, unpacked }) => `${path} is ${unpacked ? 'outside' : 'inside'} of the archive`),
    ...files.filter(({ unpacked, digested }) => !unpacked && !digested).map(({ path }) => `${path} has no digest`)
  ]
}
