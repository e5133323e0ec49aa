/** All test vectors of evidence packs, by a verifier in Python that was written from the documents and vectors alone. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { packKinds } from '#core/evidence/kinds.ts'
// @ts-expect-error The stand-alone verifier is plain JavaScript.
import { columns } from '../../verifier/source/events.mjs'

const root = resolve(import.meta.dirname, '..', '..')
const vectors = resolve(root, 'docs', 'evidence', 'vectors')
/** By kind, the names of its values in `plain` and in `sealed`. */
const columnsOf = Object.fromEntries(
  Object.entries(packKinds).flatMap(([kind, of]) =>
    of ? [[kind, [of.plain, of.sealed].map((names) => Object.keys(names).join(' '))]] : []
  )
)
const hasPython = spawnSync('python3', ['--version']).status === 0

test.skipIf(!hasPython)('knows the tables of the format', () => {
  const { stdout, stderr } = spawnSync(
    'python3',
    ['-B', '-c', 'import json, verify; print(json.dumps(verify.COLUMNS))'],
    {
      cwd: resolve(root, 'tests', 'second-verifier'),
      encoding: 'utf8'
    }
  )
  expect(JSON.parse(stdout || '{}'), stderr).toEqual(columnsOf)
  expect(columns).toEqual(columnsOf)
})

test.skipIf(!hasPython)('agrees on every vector', () => {
  const { stdout, stderr } = spawnSync(
    'python3',
    ['-B', resolve(root, 'tests', 'second-verifier', 'run_vectors.py'), vectors],
    { encoding: 'utf8' }
  )
  const count = (JSON.parse(readFileSync(resolve(vectors, 'vectors.json'), 'utf8')) as unknown[]).length
  expect(stdout.trim(), stderr).toBe(`agreed ${count}, disagreed 0, skipped 0`)
})
