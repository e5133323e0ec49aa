/** The stand-alone verifier is one readable file, made of the parts in verifier/source, and the page contains it. */
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { verifierPage, verifierProgram } from '../../scripts/verifier.ts'

const folder = resolve(import.meta.dirname, '..', '..', 'verifier')
const program = verifierProgram()

test('verify.html contains verify.mjs', () => {
  expect(verifierPage(program)).toContain(program.replaceAll('</script', '<\\/script'))
})

test('verify.mjs contains every part, with its comments', () => {
  const parts = readdirSync(resolve(folder, 'source')).filter((name) => name !== 'page.mjs')
  expect([...program.matchAll(/^\/\/ --- ([a-z0-9-]+\.mjs) -+$/gm)].map(([, name]) => name).sort()).toEqual(
    parts.sort()
  )
  for (const name of parts)
    expect(program, name).toContain(
      /^\/\*\*[^]*?\*\//.exec(readFileSync(resolve(folder, 'source', name), 'utf8'))?.[0] ?? 'no introduction'
    )
})

test('verify.mjs needs nothing but Node, and has no network', () => {
  expect(
    [...program.matchAll(/import\('([^']+)'\)/g)].map(([, name]) => name).every((name) => name?.startsWith('node:'))
  ).toBe(true)
  expect(program).not.toMatch(/^import |\bfetch\(|XMLHttpRequest|WebSocket|\beval\(|\brequire\(/m)
})
