/** The display for Electron's tests persists while one Electron ends and the next starts. */
import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const clients = fileURLToPath(new URL('./support/x-clients.ts', import.meta.url))
const stagesModule = new URL('../../scripts/setup/stages.mjs', import.meta.url).href

interface Stages {
  readonly stages: readonly { readonly name: string; readonly command: () => readonly string[] }[]
}

test('each of 500 clients in succession is accepted, although each was the only one', async ({ skip }) => {
  skip(
    spawnSync('sh', ['-c', 'command -v xvfb-run && command -v xauth']).status !== 0,
    'this machine has no virtual display'
  )
  const { stages } = (await import(/* @vite-ignore */ stagesModule)) as Stages
  const command = stages.find(({ name }) => name === 'app, electron')?.command() ?? []
  const display = command.slice(command.indexOf('xvfb-run'), command.lastIndexOf('-s') + 2)
  expect(display[0]).toBe('xvfb-run')
  const { stdout } = await promisify(execFile)('xvfb-run', [...display.slice(1), process.execPath, clients, '500'])
  expect(Number(stdout)).toBe(500)
})
