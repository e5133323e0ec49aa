/** All test vectors of evidence packs, by a verifier in Python that was written from the documents and vectors alone. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..', '..')
const vectors = resolve(root, 'docs', 'evidence', 'vectors')
const hasPython = spawnSync('python3', ['--version']).status === 0

test.skipIf(!hasPython)('agrees on every vector', () => {
  const { stdout, stderr } = spawnSync(
    'python3',
    ['-B', resolve(root, 'tests', 'second-verifier', 'run_vectors.py'), vectors],
    { encoding: 'utf8' }
  )
  const count = (JSON.parse(readFileSync(resolve(vectors, 'vectors.json'), 'utf8')) as unknown[]).length
  expect(stdout.trim(), stderr).toBe(`agreed ${count}, disagreed 0, skipped 0`)
})
