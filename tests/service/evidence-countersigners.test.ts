/** Anyone may add a countersignature to a genuine pack or remove one: only keys that the reader names count. */
import type { KeyObject } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EvidenceVerdict } from '#contract/evidence/evidence.ts'
import { exitCodes } from '../../electron/hosts/cli/exit.ts'
import { verifyEvidence } from '../../electron/hosts/cli/evidence.ts'
import { parseCommandLine } from '../../electron/hosts/cli/parse.ts'
import {
  countersigned as withStatement,
  fileText,
  fingerprintOf,
  keyNamed,
  publicOf,
  type PackFile
} from './evidence-builder.ts'
import { applicant, colleague, director, genuinePacks, signer as signingKey } from './evidence-genuine.ts'
import { verifier } from './evidence-workspace.ts'

const pack = genuinePacks['applicant'].file
const fingerprint = (key: KeyObject): string => fingerprintOf(publicOf(key))
const signer = fingerprint(signingKey)
const stranger = keyNamed('a stranger')
let folder: string

beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'veridesk-countersigners-'))))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const countersigned = (to: PackFile, key: KeyObject, by: string, agrees = true, at = 1_760_000_000_000): PackFile =>
  withStatement(to, key, { agrees, at, by, note: agrees ? '' : 'The portrait is another person' })

interface Told {
  readonly status: number | null
  readonly out: string
}
/** The same request to the stand-alone verifier and to the command line; both must give the same answer. */
async function ask(of: PackFile, ...words: readonly string[]): Promise<{ readonly alone: Told; readonly cli: Told }> {
  const path = join(folder, 'asked.json')
  writeFileSync(path, fileText(of))
  const run = spawnSync(process.execPath, [verifier, path, signer, ...words], { encoding: 'utf8', env: {} })
  const parsed = parseCommandLine(['evidence', 'verify', path, '--key', signer, ...words])
  if (!parsed.ok) throw new Error(parsed.failure)
  const { exit, out, error } = await verifyEvidence(parsed.value.operands, parsed.value.options)
  return {
    alone: { status: run.status, out: run.stdout + run.stderr },
    cli: { status: exitCodes[exit].code, out: `${out ?? ''}${error ?? ''}` }
  }
}

describe('countersigners', () => {
  test('are not counted by the second of two numbers: the request is refused', () => {
    const path = join(folder, 'twice.json')
    writeFileSync(path, fileText(pack))
    const twice = ['--countersignatures', '1', '--countersignatures', '0']
    const run = spawnSync(process.execPath, [verifier, path, signer, ...twice], { encoding: 'utf8', env: {} })
    expect([run.status, run.stdout]).toEqual([2, ''])
    expect(run.stderr).toMatch(/^node verify\.mjs FILE/)
    expect(parseCommandLine(['evidence', 'verify', path, ...twice])).toMatchObject({ ok: false })
  })

  test('without a named key are shown as such, with the name that they claim', async () => {
    const { alone, cli } = await ask(countersigned(pack, stranger, 'Head of Compliance'))
    for (const { status, out } of [alone, cli]) {
      expect(status).toBe(0)
      expect(out).toMatch(/key not compared: agrees, .*Head of Compliance/)
      expect(out).not.toMatch(/countersignatures? fit/)
    }
    expect(alone.out).toContain(
      'The key of 1 countersignature was not compared: anyone could have added it, under any name.'
    )
    expect(cli.out).toContain('Keys were not compared.')
  })

  test('who disagree are named in the answer itself', async () => {
    const both = countersigned(countersigned(pack, colleague, 'second.person'), director, 'third.person', false)
    const { alone, cli } = await ask(both)
    expect(alone.out).toMatch(/^VERIFIED\..* Of 2 countersignatures, 1 does NOT AGREE\./)
    expect(cli.out).toMatch(/WARNING {2}countersignatures .*2, of which 1 agree and 1 do NOT\./)
    for (const { out } of [alone, cli])
      expect(out).toMatch(/DOES NOT AGREE, .*third\.person.*The portrait is another person/)
  })

  test('who were named must have countersigned and agree', async () => {
    const named = ['--countersigner', fingerprint(colleague), '--countersigner', fingerprint(director)]
    const one = countersigned(pack, colleague, 'second.person')
    const agreed = countersigned(one, director, 'third.person')
    const refused = countersigned(one, director, 'third.person', false)
    const forged = countersigned(one, stranger, 'third.person')
    const expected: readonly (readonly [
      of: PackFile,
      words: readonly string[],
      alone: number,
      cli: number,
      says: RegExp
    ])[] = [
      [agreed, named, 0, 0, /key named by you: agrees, .*third\.person/],
      // Removed, replaced by one with the same name, or by one that disagrees.
      [pack, named, 1, 11, /0 agree and 2 must/],
      [one, named, 1, 11, new RegExp(`1 agree and 2 must: ${fingerprint(director)} did not countersign`)],
      [forged, named, 1, 11, new RegExp(`1 agree and 2 must: ${fingerprint(director)} did not countersign`)],
      [refused, named, 1, 11, new RegExp(`1 agree and 2 must: ${fingerprint(director)} does not agree`)],
      [one, [...named, '--countersignatures', '1'], 0, 0, /key named by you: agrees, .*second\.person/],
      // The last countersignature of a key counts, whatever its position.
      [countersigned(agreed, director, 'third.person', false, 1_770_000_000_000), named, 1, 11, /1 agree and 2 must/],
      [
        countersigned(refused, director, 'third.person', true, 1_770_000_000_000),
        named,
        0,
        0,
        /key named by you: agrees, .*third\.person/
      ],
      [countersigned(agreed, director, 'third.person', false), named, 1, 11, /1 agree and 2 must/],
      // One key in two spellings counts once.
      [
        one,
        [
          '--countersigner',
          fingerprint(colleague),
          '--countersigner',
          fingerprint(colleague)
            .toUpperCase()
            .replace(/(.{4})/g, '$1 '),
          '--countersignatures',
          '2'
        ],
        2,
        64,
        /cannot be required from 1 named keys|at most the number of keys/
      ],
      [one, ['--countersigner', 'nobody'], 2, 64, /64 hexadecimal digits/],
      [one, ['--countersignatures', '1'], 2, 64, /cannot be required from 0 named keys|at most the number of keys/],
      [
        one,
        [...named, '--countersignatures', 'all'],
        2,
        64,
        /cannot be required from 2 named keys|at most the number of keys/
      ]
    ]
    for (const [at, [of, words, alone, cli, says]] of expected.entries()) {
      const told = await ask(of, ...words)
      expect(told.alone.out, `case ${at}`).toMatch(says)
      expect(told.cli.out, `case ${at}`).toMatch(says)
      expect([told.alone.status, told.cli.status], `case ${at}`).toEqual([alone, cli])
    }
  })

  test('are in the JSON, each with whether its key was compared', async () => {
    const both = countersigned(countersigned(pack, colleague, 'second.person'), stranger, 'Head of Compliance', false)
    const path = join(folder, 'json.json')
    writeFileSync(path, fileText(both))
    const { out = '' } = await verifyEvidence([path], {
      key: signer,
      countersigner: [fingerprint(colleague)],
      json: true
    })
    expect(JSON.parse(out) as EvidenceVerdict).toMatchObject({
      verified: true,
      signerCompared: true,
      profile: 'full',
      about: { kind: 'applicant', id: applicant },
      madeBy: 'first.person',
      erased: [],
      countersignatures: [
        { by: 'second.person', key: fingerprint(colleague), agrees: true, keyCompared: true, secondPerson: 'yes' },
        {
          by: 'Head of Compliance',
          key: fingerprint(stranger),
          agrees: false,
          keyCompared: false,
          note: 'The portrait is another person'
        }
      ]
    })
  })

  test('without the signer’s key the pack is intact and its signer unknown, with an exit code of its own', async () => {
    const path = join(folder, 'unknown.json')
    writeFileSync(path, fileText(countersigned(pack, colleague, 'second.person')))
    const words = ['--countersigner', fingerprint(colleague)]
    const run = spawnSync(process.execPath, [verifier, path, ...words], { encoding: 'utf8', env: {} })
    expect([run.status, run.stdout.slice(0, 23)]).toEqual([3, 'INTACT, SIGNER UNKNOWN.'])
    expect(await verifyEvidence([path], { countersigner: [fingerprint(colleague)] })).toMatchObject({
      exit: 'signerUnknown',
      out: expect.stringMatching(/^INTACT, SIGNER UNKNOWN\.\n/) as string
    })
    expect(exitCodes.signerUnknown.code).toBe(16)
  })
})
