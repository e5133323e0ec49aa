/** Serves the built window, for both windowed hosts: only its own files, each with one strict policy. */
import { readFile, realpath } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'

/** Everything is blocked except the window's own files; blob: is for documents that core has fetched. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'none'",
  // One script, made by the policy `document-worker` alone.
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  // Only Vue's policy may create markup from text, and only the other one the address of a worker.
  "require-trusted-types-for 'script'",
  'trusted-types vue document-worker'
].join('; ')

/**
 * The worker that reads PDF documents: it loads scripts of the program, and can do nothing else with a network. It alone may
 * start WebAssembly, and it takes that of its two decoders (`assembly.ts`).
 */
export const workerSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'"
].join('; ')

/** The only file that a worker can be. */
export const documentWorkerFile = /^assets\/document-worker-[\w-]+\.js$/

const deniedFeatures = [
  'accelerometer',
  'autoplay',
  'bluetooth',
  'camera',
  'clipboard-read',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'gamepad',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'web-share',
  'window-management',
  'xr-spatial-tracking'
]

/**
 * Headers of every response to the window. Without Cross-Origin-Opener-Policy: nothing opens this window and it opens none, so the
 * policy would separate it from nobody, but it makes Chromium start a second process at each start and drop the first.
 */
export const windowHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': contentSecurityPolicy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': deniedFeatures.map((feature) => `${feature}=()`).join(', ')
}

// Files of any other type are not part of the window and are not served.
const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2'
}

export interface ServedFile {
  readonly status: 200 | 404 | 405
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer>
}

const nothing = (status: 404 | 405): ServedFile => ({
  status,
  headers: { ...windowHeaders, 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  body: new Uint8Array()
})

/**
 * The path of a built file relative to the window's folder, or undefined if the address names none. Letters, digits,
 * `.`, `_`, `-` and single slashes only: encodings, `..`, drives and backslashes are rejected.
 */
export function windowFilePath(pathname: string): string | undefined {
  const path = pathname === '/' ? '/index.html' : pathname
  if (!/^(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$/.test(path)) return undefined
  if (!(extname(path) in contentTypes)) return undefined
  return path.slice(1)
}

/** The response to the window's request for one of its files. Anything else is 404, whatever exists on disk. */
export async function serveWindowFile(folder: string, method: string, pathname: string): Promise<ServedFile> {
  if (method !== 'GET') return nothing(405)
  const path = windowFilePath(pathname)
  if (path === undefined) return nothing(404)
  try {
    const root = await realpath(folder)
    // A link that leads out of the folder is not a file of the window.
    const file = await realpath(join(root, path))
    if (!file.startsWith(root + sep)) return nothing(404)
    const type = contentTypes[extname(path)] ?? 'application/octet-stream'
    // Names of built assets contain a digest of their content; the page's name does not.
    const cache = path.startsWith('assets/') ? 'max-age=31536000, immutable' : 'no-store'
    return {
      status: 200,
      headers: {
        ...windowHeaders,
        ...(documentWorkerFile.test(path) && { 'Content-Security-Policy': workerSecurityPolicy }),
        'Content-Type': type,
        'Cache-Control': cache
      },
      body: new Uint8Array(await readFile(file))
    }
  } catch {
    return nothing(404)
  }
}
