/** The test vectors and schemas in docs/evidence, by the stand-alone verifier and by the command line. */
import { spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { approvalText } from '#core/evidence/approval-file.ts'
import { checkPack } from '#core/evidence/pack/check.ts'
import { signAnswer } from '#wire/evidence/approval-signature.ts'
import { keyOfSigner } from '#wire/evidence/keys.ts'
import { verifyEvidence } from '../../electron/hosts/cli/evidence.ts'
import { evidenceVectors, type Vector } from '../../scripts/evidence-vectors.ts'
import { textIn, type PackFile } from './evidence-builder.ts'
import { genuinePacks } from './evidence-genuine.ts'
import { verifier } from './evidence-workspace.ts'

const folder = resolve(import.meta.dirname, '..', '..', 'docs', 'evidence')
const at = (name: string): string => join(folder, 'vectors', name)
const vectors = JSON.parse(readFileSync(at('vectors.json'), 'utf8')) as Vector[]
const named = vectors.map((vector) => [`${vector.file} ${JSON.stringify(vector.options)}`, vector] as const)
const exits = {
  'verified': 0,
  'intact': 3,
  'approval-missing': 4,
  'other-file': 1,
  'refused': 1,
  'not-verified': 2
} as const

test('the vectors are those that `node scripts/evidence-vectors.ts` writes', () => {
  const { index, files } = evidenceVectors()
  expect(vectors).toEqual(index)
  expect(readdirSync(join(folder, 'vectors')).sort()).toEqual([...Object.keys(files), 'vectors.json'].sort())
  for (const [name, content] of Object.entries(files))
    expect(readFileSync(at(name)).equals(Buffer.from(content)), name).toBe(true)
})

test.each(named)('verify.mjs says what it must: %s', (_name, { file, options, verdict }) => {
  const {
    fingerprint,
    trusted = [],
    revocations = [],
    attachments = [],
    compare = [],
    authorities = [],
    timestampAuthorities = [],
    trust = []
  } = options
  const words = [
    ...(fingerprint ? [fingerprint] : []),
    ...trusted.flatMap((each) => ['--may-revoke', each]),
    ...revocations.flatMap((each) => ['--revocation', at(each)]),
    ...attachments.flatMap((each) => ['--attachment', at(each)]),
    ...compare.flatMap((each) => ['--compare', at(each)]),
    ...authorities.flatMap((each) => ['--ca', at(each)]),
    ...timestampAuthorities.flatMap((each) => ['--tsa-ca', at(each)]),
    ...trust.flatMap((each) => ['--trust', at(each)])
  ]
  const { status, stdout, stderr } = spawnSync(process.execPath, [verifier, at(file), ...words], {
    encoding: 'utf8',
    env: {}
  })
  expect(status, stdout + stderr).toBe(exits[verdict])
})

test('the console says the same where nothing but the pack is given', async () => {
  for (const { file, verdict } of vectors.filter((each) => Object.keys(each.options).length === 0)) {
    const { intact, verified } = checkPack(readFileSync(at(file), 'utf8'))
    expect({ file, intact, verified }).toEqual({ file, intact: verdict !== 'refused', verified: verdict === 'intact' })
    const ending = {
      'intact': 'signerUnknown',
      'approval-missing': 'secondPersonMissing',
      'other-file': 'refused',
      'refused': 'refused',
      'verified': 'done',
      'not-verified': 'failed'
    }[verdict]
    expect(await verifyEvidence([at(file)], {}), file).toMatchObject({ exit: ending })
  }
})

test.each(
  named.filter(
    ([
      ,
      {
        options: { trusted, revocations, attachments, fingerprint, authorities, timestampAuthorities, compare, trust }
      }
    ]) =>
      compare === undefined &&
      (trusted ?? revocations ?? attachments ?? fingerprint ?? authorities ?? timestampAuthorities ?? trust)
  )
)('the command line refuses the same: %s', async (_name, { file, options, verdict }) => {
  const {
    fingerprint,
    trusted = [],
    revocations = [],
    attachments = [],
    authorities = [],
    timestampAuthorities = [],
    trust: [company] = []
  } = options
  const ending = await verifyEvidence([at(file)], {
    ...(fingerprint && { key: fingerprint }),
    'may-revoke': [...trusted],
    'revocation': revocations.map(at),
    'attachment': attachments.map(at),
    'ca': authorities.map(at),
    'tsa-ca': timestampAuthorities.map(at),
    ...(company !== undefined && { trust: at(company) })
  })
  expect(ending.exit === 'refused', ending.out).toBe(verdict === 'refused' || verdict === 'other-file')
  if (verdict === 'not-verified') expect(ending.exit).toBe('failed')
  if (verdict === 'intact') expect(ending.exit).toBe('signerUnknown')
  if (verdict === 'verified') expect(ending.exit).toBe('done')
})

describe('the schemas', () => {
  const ajv = new Ajv2020({ strict: true, strictTuples: false, allowUnionTypes: true, keywords: [], formats: {} })
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.schema.json')))
    ajv.addSchema(JSON.parse(readFileSync(join(folder, name), 'utf8')) as object, name)
  const faults = (schema: string, value: unknown): unknown =>
    ajv.validate(`${schema}.schema.json`, value) ? undefined : ajv.errors

  test('describe base64 in its only spelling', () => {
    const { file } = genuinePacks.record
    const content = JSON.parse(textIn(file.envelope)) as { readonly signer: object }
    expect(faults('file', { ...file, timestamps: ['AAA='] })).toBeUndefined()
    expect(faults('file', { ...file, timestamps: ['AAB='] })).toBeDefined()
    expect(faults('content', { ...content, signer: { ...content.signer, certificates: ['AAB='] } })).toBeDefined()
  })

  test.each(Object.entries(genuinePacks))('describe each part of a genuine pack: %s', (_name, { file }) => {
    expect(faults('file', file)).toBeUndefined()
    expect(faults('content', JSON.parse(textIn(file.envelope)))).toBeUndefined()
  })

  test('describe an answer to a request for approval', () => {
    const key = generateKeyPairSync('ed25519').privateKey
    const [scope, asked] = ['ab'.repeat(32), ['cd'.repeat(16), 7, 'ef'.repeat(32)] as const]
    const signed = { scope, asked, agrees: true, at: 1_760_000_000_000, by: 'second.person', salt: '5a'.repeat(16) }
    const signature = signAnswer(key, signed)
    const answer = { ...signed, answer: asked, note: '', signer: keyOfSigner(key), signature }
    const envelope = JSON.parse(approvalText(answer, key)) as PackFile['envelope']
    expect(faults('approval-file', envelope)).toBeUndefined()
    expect(faults('approval', JSON.parse(textIn(envelope)))).toBeUndefined()
    expect(faults('approval', { ...answer, salt: 'no' })).toBeDefined()
  })

  test('describe each line of an export of the audit trail', () => {
    const exported = readdirSync(join(folder, 'vectors')).filter(
      (name) => name.endsWith('.jsonl') && !name.includes('cut')
    )
    expect(exported.length).toBeGreaterThan(5)
    for (const name of exported)
      for (const line of readFileSync(at(name), 'utf8').trimEnd().split('\n'))
        expect(faults('audit-export', JSON.parse(line)), `${name}: ${line}`).toBeUndefined()
    for (const wrong of [
      { seq: 0, hash: '0'.repeat(64) },
      { seq: 1, hash: 'X' },
      { end: false, rows: 1 },
      { format: 'veridesk-audit-trail', version: 2 }
    ])
      expect(faults('audit-export', wrong)).toBeDefined()
  })

  test('describe a revocation', () => {
    const revocation = JSON.parse(readFileSync(at('revocation-after-time-stamp.json'), 'utf8')) as Pick<
      PackFile,
      'envelope'
    >
    expect(faults('revocation-file', revocation)).toBeUndefined()
    expect(faults('revocation', JSON.parse(textIn(revocation.envelope)))).toBeUndefined()
  })

  test('refuse what has another structure', () => {
    const wrong = vectors.filter(({ because }) => because.startsWith('This is not an evidence pack'))
    expect(wrong.length).toBeGreaterThan(0)
    for (const { file } of wrong) {
      const pack = JSON.parse(readFileSync(at(file), 'utf8')) as PackFile
      const parts = [faults('file', pack), faults('content', JSON.parse(textIn(pack.envelope)))]
      expect(
        parts.some((each) => each !== undefined),
        basename(file)
      ).toBe(true)
    }
  })
})
