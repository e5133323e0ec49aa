import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  contentSecurityPolicy,
  serveWindowFile,
  windowFilePath,
  workerSecurityPolicy
} from '../../electron/hosts/node/renderer-files.ts'

describe('the files of the window', () => {
  let folder: string
  let built: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'veridesk-files-'))
    built = join(folder, 'renderer')
    await mkdir(join(built, 'assets'), { recursive: true })
    await writeFile(join(built, 'index.html'), '<!doctype html>')
    await writeFile(join(built, 'assets', 'index-abc.js'), 'export {}')
    await writeFile(join(built, 'assets', 'document-worker-abc.js'), 'export {}')
    await writeFile(join(built, 'notes.txt'), 'not a part of the window')
    await writeFile(join(folder, 'secret.js'), 'outside')
    await symlink(join(folder, 'secret.js'), join(built, 'assets', 'link.js'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('are served with their type and the policy', async () => {
    const page = await serveWindowFile(built, 'GET', '/')
    expect(page.status).toBe(200)
    expect(page.headers['Content-Type']).toBe('text/html; charset=utf-8')
    expect(page.headers['Content-Security-Policy']).toBe(contentSecurityPolicy)
    expect(page.headers['Cache-Control']).toBe('no-store')
    const script = await serveWindowFile(built, 'GET', '/assets/index-abc.js')
    expect(script.status).toBe(200)
    expect(script.headers['Cache-Control']).toContain('immutable')
  })

  it('allow one policy for the address of a worker, and the worker has no network, no markup and no worker of its own', async () => {
    expect(contentSecurityPolicy.split('; ')).toEqual(
      expect.arrayContaining([
        "worker-src 'self'",
        "require-trusted-types-for 'script'",
        'trusted-types vue document-worker'
      ])
    )
    const worker = await serveWindowFile(built, 'GET', '/assets/document-worker-abc.js')
    expect(worker.headers['Content-Security-Policy']).toBe(workerSecurityPolicy)
    expect(workerSecurityPolicy).toBe(
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )
    // All others have the window's, which allows no WebAssembly and no evaluation.
    expect(contentSecurityPolicy).toContain("script-src 'self';")
    expect(contentSecurityPolicy).not.toMatch(/wasm|eval/)
    for (const path of ['/', '/assets/index-abc.js'])
      expect((await serveWindowFile(built, 'GET', path)).headers['Content-Security-Policy']).toBe(contentSecurityPolicy)
  })

  it('are the only ones: no other type, no folder, no link out of the folder', async () => {
    for (const path of ['/notes.txt', '/assets', '/assets/', '/assets/link.js', '/missing.js', '', 'index.html'])
      expect((await serveWindowFile(built, 'GET', path)).status, path).toBe(404)
  })

  it('can only be read', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'])
      expect((await serveWindowFile(built, method, '/')).status).toBe(405)
  })

  it('never lie outside of the folder, whatever the path', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom('..', '.', '%2e%2e', '\\', '/', '//', '\0', 'C:', 'assets', 'index.html', '.js', '..%2f')
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const path = windowFilePath(`/${pieces.join('/')}`)
        if (path === undefined) return
        expect(path).toMatch(/^[A-Za-z0-9._/-]+$/)
        expect(path.split('/')).not.toContain('..')
        expect(path.startsWith('/')).toBe(false)
      }),
      { numRuns: 2000 }
    )
  })
})
