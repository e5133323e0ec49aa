/** An upgrade of the deb while its program runs a batch, by dpkg itself: the program is asked to end, and the batch is paused. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type * as Builder from 'electron-builder'
import { credentials } from '#contract/connections/credentials.ts'
import { startPracticeService, type PracticeService } from '#practice/service.ts'
import { runCommand } from './support/cli.ts'
import { commandLine } from './support/program.ts'

const root = resolve(import.meta.dirname, '..', '..')
const support = (name: string): string => join(import.meta.dirname, 'support', name)
const spaces = ['--mount', '--propagation', 'private', '--pid', '--fork', '--mount-proc']
/** Debian's own tools, and a user who may have layers above their folders. */
const possible =
  process.platform === 'linux' &&
  spawnSync('dpkg', ['--version']).status === 0 &&
  spawnSync('unshare', [
    ...spaces,
    'sh',
    '-c',
    'mount -t tmpfs none /mnt && mkdir /mnt/u /mnt/w && mount -t overlay o -o lowerdir=/opt,upperdir=/mnt/u,workdir=/mnt/w /opt'
  ]).status === 0

describe.skipIf(!possible)('an upgrade by dpkg', () => {
  let folder: string
  let practice: PracticeService
  const at = (...names: string[]): string => join(folder, ...names)
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'veridesk-upgrade-'))
    practice = await startPracticeService({ latency: 20 })
    // The program is Node itself, which runs the command line as it was built.
    for (const name of ['program/resources/bin', 'bin']) mkdirSync(at(name), { recursive: true })
    copyFileSync(process.execPath, at('program', 'veridesk'))
    writeFileSync(at('program', 'chrome-sandbox'), '')
    copyFileSync(join(root, 'build/command-line/veridesk'), at('program/resources/bin/veridesk'))
    writeFileSync(at('bin', 'sleep'), '#!/bin/sh\nexec /bin/sleep 0.01\n', { mode: 0o755 })
    const { build, Platform, Arch } = createRequire(import.meta.url)('electron-builder') as typeof Builder
    process.env['CUSTOM_FPM_PATH'] = support('fpm.sh')
    await build({
      projectDir: root,
      prepackaged: at('program'),
      publish: 'never',
      targets: Platform.LINUX.createTarget('deb', Arch.x64),
      config: { directories: { output: at('built') } }
    }).finally(() => delete process.env['CUSTOM_FPM_PATH'])
    execFileSync(
      'sh',
      [
        '-c',
        'cp built/*.deb first.deb && dpkg-deb -R first.deb unpacked && sed -i "s/^Version: .*/Version: 99.0.0/" unpacked/DEBIAN/control && dpkg-deb -Znone -b unpacked second.deb'
      ],
      { cwd: folder }
    )
    const lines = credentials.map(({ id, header }) => `${header}: ${practice.credentials[id]}\n`).join('')
    writeFileSync(at('input'), lines)
    await runCommand(['connection', 'add', 'Bench', '--base-url', practice.baseUrl, '--credentials-stdin'], {
      data: at('data'),
      input: lines
    })
  }, 120_000)
  afterAll(async () => {
    await practice.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('has the scripts, the dependencies and the processor that are configured', () => {
    const control = (name: string): string =>
      execFileSync('dpkg-deb', ['-I', at('first.deb'), name], { encoding: 'utf8' })
    const asks = readFileSync(join(root, 'build/linux/before-upgrade.sh'), 'utf8')
    expect([control('preinst'), control('prerm')]).toEqual([asks, asks])
    expect(control('postinst')).toContain('/opt/Veridesk/resources/bin/veridesk')
    expect(control('control')).toMatch(
      /^Package: veridesk$[^]*^Architecture: amd64$[^]*^Depends: .*libc6 \(>= 2\.\d\d\)/m
    )
  })

  it('asks the program to end, which pauses its batch; what it began in a group of its own is asked too; one that does not end is ended; another process is not asked', async () => {
    writeFileSync(
      at('rows.csv'),
      ['applicant_id', ...Array.from({ length: 400 }, (_, row) => `R-${row}`), ''].join('\n')
    )
    const before = practice.ledger().length
    const words = ['batch', 'run', at('rows.csv'), '--operation', 'get-applicant-details', '--connection', 'Bench']
    const child = spawn(
      'unshare',
      [
        ...spaces,
        'bash',
        support('upgrade.sh'),
        folder,
        commandLine,
        ...words,
        '--concurrency',
        '4',
        '--credentials-stdin',
        '--without-history',
        '--data',
        at('data')
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] }
    )
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (said += text))
    const code = await new Promise((ended) => child.once('close', ended))
    expect(code, said).toBe(0)
    const [, upgrade = '', removal = ''] = said.split(/^--- \w+$/m)
    expect(upgrade).toMatch(
      /Veridesk is open \(process [\d ]+\)\. It is asked to end[^]*ended with 143\nwindow ended with 143/
    )
    expect(upgrade).not.toContain('is ended.')
    expect(readFileSync(at('sample'), 'utf8')).toBe('open\nasked\n')
    const sent = practice.ledger().length - before
    expect(sent).toBeLessThan(400)
    expect(JSON.parse(readFileSync(at('out'), 'utf8').trim().split('\n').at(-1) ?? '')).toMatchObject({
      event: 'end',
      state: 'paused',
      counts: { unknown: 0, answered: sent }
    })
    expect(removal).toMatch(
      /open \(process [\d ]+\)[^]*did not end within 20 seconds[^]*ended with 137[^]*the other was not asked/
    )
    expect(readFileSync(at('deaf'), 'utf8')).toBe('deaf\nasked\n')
  })
})
