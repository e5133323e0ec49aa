/**
 * Redacted packs of format 1 compared with a fuller one: each false redaction verifies by itself, and the fuller pack contradicts
 * it.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyEvidence } from '../../electron/hosts/cli/evidence.ts'
import { checkPack } from '#core/evidence/check.ts'
import { comparePacks } from '#core/evidence/format-1/compare.ts'
import { inclusionPath, leafHash, overLeaves, rootOf } from '#kit/hashing/merkle.ts'
import {
  fieldCommitment,
  fixture,
  honestPacks,
  packText,
  signPack,
  type Pack,
  type PackContent,
  type PackEvent
} from './evidence-1-packs.ts'

type Mutable<T> = T extends object ? { -readonly [K in keyof T]: Mutable<T[K]> } : T
type Draft = Mutable<PackContent>

const key = generateKeyPairSync('ed25519').privateKey
const honest = honestPacks()
/** Signed with the forger's key, as someone who can sign for an installation could do. */
const full = signPack(honest.full.content, key)
let folder: string

beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'veridesk-beside-'))))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function lie(change: (content: Draft) => void, of: Pack = honest.redacted): Pack {
  const draft = structuredClone(of.content) as Draft
  change(draft)
  const made = signPack(draft as PackContent, key)
  expect(checkPack(packText(made)).findings.at(-1), 'it verifies by itself').toMatchObject({ passed: true })
  expect(packText(made)).not.toBe(packText(signPack(of.content, key)))
  return made
}
const eventOf = (content: Draft, kind: string): Mutable<PackEvent> => {
  const found = content.events.find((event) => event.kind === kind)
  if (!found) throw new Error(`no event ${kind}`)
  return found
}

/** The forger's own tree: the disclosed events keep their hashes, the others are invented. */
function forked(content: Draft, size: number): void {
  const hashes = Array.from({ length: size }, () => randomBytes(32).toString('hex'))
  for (const { seq, hash, previous } of content.events) {
    hashes[seq - 1] = hash
    if (seq > 1) hashes[seq - 2] = previous
  }
  const tree = overLeaves(hashes.map((hash) => leafHash(Buffer.from(hash, 'hex'))))
  for (const event of content.events)
    event.path = inclusionPath(tree, event.seq - 1, size).map((each) => each.toString('hex'))
  content.chain = { seq: size, hash: hashes[size - 1]! }
  content.tree = { size, root: rootOf(tree, size).toString('hex') }
}

const withheld = (content: Draft): void => {
  for (const { fields } of [...content.events, ...content.bodies])
    for (const field of fields) if (field.name !== 'plain.reply') Object.assign(field, { salt: null, value: null })
}

const lies: readonly (readonly [name: string, change: (content: Draft) => void, differing: RegExp])[] = [
  [
    'a decision dated a year earlier',
    (content) => void (eventOf(content, 'decision.made').at -= 365 * 86_400_000),
    /^event \d+, at$/
  ],
  [
    'a decision relabelled as a note',
    (content) => void (eventOf(content, 'decision.made').kind = 'note.made'),
    /^event \d+, kind$/
  ],
  [
    'a decision of no person',
    (content) => void (eventOf(content, 'decision.made').subject = null),
    /^event \d+, subject$/
  ],
  [
    'a decision about another record',
    (content) => void (eventOf(content, 'decision.made').record = 3),
    /^event \d+, record$/
  ],
  [
    'all fields of a decision dropped',
    (content) => void (eventOf(content, 'decision.made').fields = []),
    /^event \d+, plain\.decision$/
  ],
  [
    'a sealed part dropped',
    (content) => {
      const note = eventOf(content, 'note.made')
      note.fields = note.fields.filter(({ name }) => name.startsWith('plain.'))
    },
    /^event \d+, text$/
  ],
  [
    'a commitment beside withheld words',
    (content) => void (eventOf(content, 'decision.made').commitment = '11'.repeat(32)),
    /^event \d+, commitment$/
  ],
  [
    'another event before it',
    (content) => {
      const after = content.events.find(
        ({ seq, plain }) => seq > 1 && plain === null && !content.events.some((event) => event.seq === seq - 1)
      )
      if (!after) throw new Error('no event whose predecessor is not shown')
      after.previous = '11'.repeat(32)
    },
    /^event \d+, previous$/
  ],
  [
    'a value invented',
    (content) => {
      const salt = '0'.repeat(32)
      eventOf(content, 'decision.made').fields.push({
        name: 'plain.approved',
        salt,
        value: 'yes',
        commitment: fieldCommitment(salt, 'plain.approved', 'yes')
      })
    },
    /^event \d+, plain\.approved$/
  ],
  [
    'another root at the same size',
    (content) => forked(content, content.tree.size),
    /^the audit trail between events \d+ and \d+$/
  ],
  [
    'a fork that is longer',
    (content) => forked(content, content.tree.size + 7),
    /^the audit trail between events \d+ and \d+$/
  ],
  [
    'a fork that is shorter',
    (content) => forked(content, content.tree.size - 1),
    /^the audit trail between events \d+ and \d+$/
  ],
  [
    'another head of the same tree',
    (content) => void (content.chain.hash = '11'.repeat(32)),
    /^the audit trail between events \d+ and \d+$/
  ],
  [
    'everything withheld, about somebody else',
    (content) => {
      withheld(content)
      content.about.id = 'X'
    },
    /^what it is about$/
  ]
]

describe('compared with a fuller pack', () => {
  test('a genuine redaction is confirmed, including its subject', () => {
    const found = comparePacks(honest.redacted, full)
    expect(found).toMatchObject({
      events: honest.redacted.content.events.length,
      alone: 0,
      named: true,
      trails: 'same',
      differing: []
    })
    expect(found.given).toBeGreaterThan(10)
  })

  test.each(lies.map(([name], index) => [name, index] as const))('a false one is contradicted: %s', (_name, index) => {
    const [, change, differing] = lies[index]!
    const found = comparePacks(lie(change), full)
    expect(
      found.differing.some((each) => differing.test(each)),
      found.differing.join('; ')
    ).toBe(true)
  })

  test('a later pack is confirmed, and the audit trail in between is shown to continue, or reported as open', async () => {
    const later = fixture('applicant-later-for-applicant')
    expect(later.content.tree.size).toBeGreaterThan(honest.full.content.tree.size)
    const found = comparePacks(later, honest.full)
    expect(found).toMatchObject({ alone: 0, named: true, differing: [] })
    expect(['continued', 'open']).toContain(found.trails)
    const beside = [join(folder, 'later.json'), join(folder, 'full.json')] as const
    writeFileSync(beside[0], packText(later))
    writeFileSync(beside[1], packText(honest.full))
    const told = await verifyEvidence([beside[0]], { beside: beside[1] })
    expect(told.out).toMatch(
      /The other pack bears out \d+ values of \d+ events that both hold: \d+ shown and \d+ withheld\./
    )
    expect(told.out?.includes('Whether one audit trail continues the other cannot be determined')).toBe(
      found.trails === 'open'
    )
  })

  test('the command line refuses a false one', async () => {
    const [path, fuller] = [join(folder, 'lie.json'), join(folder, 'fuller.json')]
    writeFileSync(fuller, packText(full))
    for (const [name, change] of lies) {
      writeFileSync(path, packText(lie(change)))
      expect(await verifyEvidence([path], { beside: fuller }), name).toMatchObject({
        exit: 'refused',
        out: expect.stringMatching(/REFUSED +beside +The other pack shows something else/) as string
      })
    }
  })
})
