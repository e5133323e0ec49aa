/** Packs of version 1 by the console and by the stand-alone verifier, which share no code: both must say the same. */
import { describe, expect, test } from 'vitest'
import { evidenceFindingText } from '#contract/failures/sentences.ts'
import { checkPack } from '#core/evidence/pack/check.ts'
import { seeded, type Random } from './support/random.ts'
import { batchId, happened, person, recordId, sealed, AuditTrail } from '../unit/support/audit-trail.ts'
import { contentOf, fileOf, fileText, rebuilt, type Content, type PackFile } from './evidence-builder.ts'
import { genuinePacks, proposedPacks, signer, type GenuineName } from './evidence-genuine.ts'
import { loadVerifier } from './evidence-workspace.ts'

interface Answer {
  readonly status: string
  readonly why?: string
}
const alone = async (text: string): Promise<Answer> =>
  (await loadVerifier()).verifyPack(text) as unknown as Promise<Answer>
/** What the console found wrong; empty if nothing is. */
const faults = (text: string): string[] =>
  checkPack(text)
    .findings.filter(({ passed }) => !passed)
    .map(evidenceFindingText)

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
interface Place {
  readonly old: Json
  put(next: Json | undefined): void
}

function placesIn(value: Json, found: Place[] = []): Place[] {
  if (Array.isArray(value))
    for (const [index, old] of value.entries()) {
      found.push({ old, put: (next) => void (next === undefined ? value.splice(index, 1) : (value[index] = next)) })
      placesIn(old, found)
    }
  else if (typeof value === 'object' && value !== null)
    for (const [name, old] of Object.entries(value)) {
      found.push({
        old,
        put: (next) => {
          if (next === undefined) delete value[name]
          else value[name] = next
        }
      })
      placesIn(old, found)
    }
  return found
}

function another(old: Json, random: Random): Json {
  if (typeof old === 'number') return old + [1, -1, 0.5][random(3)]!
  if (typeof old === 'string') return random(2) ? old.slice(1) : old.replace(/[0-9a-f]/, '0')
  if (typeof old === 'boolean') return !old
  if (old === null) return [0, '', [], {}, 1][random(5)]!
  if (Array.isArray(old)) return random(2) ? [...old].reverse() : [...old, ...old.slice(-1)]
  return { ...old, more: 1 }
}

/** A lie about one place of a content: left out, taken from another place, or changed. */
function lie(content: Content, random: Random): Content {
  const changed = structuredClone(content)
  const places = placesIn(changed as unknown as Json)
  const { old, put } = places[random(places.length)]!
  const kind = random(4)
  put(kind === 0 ? undefined : kind === 1 ? structuredClone(places[random(places.length)]!.old) : another(old, random))
  return changed
}

describe('both accept', () => {
  test.each(Object.keys(genuinePacks) as GenuineName[])('a genuine pack: %s', async (name) => {
    const text = fileText(genuinePacks[name].file)
    expect(faults(text)).toEqual([])
    expect((await alone(text)).status).toBe('intact')
  })

  test('what the console makes', async () => {
    for (const about of [
      { kind: 'applicant', id: person },
      { kind: 'record', id: recordId(1) },
      { kind: 'batch', id: batchId }
    ] as const)
      for (const profile of ['full', 'no-personal-data'] as const) {
        const auditTrail = new AuditTrail(happened())
        auditTrail.make(about, profile)
        expect(await alone(sealed(auditTrail.content(about, profile))), `${about.kind}, ${profile}`).toMatchObject({
          status: 'intact'
        })
      }
  })
})

test.each(Object.keys(proposedPacks) as (keyof typeof proposedPacks)[])('both miss an approval: %s', async (name) => {
  const text = fileText(proposedPacks[name].file)
  expect(checkPack(text)).toMatchObject({ intact: true, verified: false })
  expect((await alone(text)).status).toBe('approval-missing')
})

test('an answer that arrived after newer evidence is named as void, and as none that agrees', () => {
  const { findings } = checkPack(fileText(proposedPacks['proposed-after-newer-evidence'].file))
  const said = findings.flatMap((each) => ('code' in each ? [[each.code, each.details] as const] : []))
  expect(said.filter(([code]) => code.startsWith('approval'))).toEqual([
    ['approvals-void', { held: 1 }],
    ['approval-missing', { required: 1, agreeing: 0, against: 0 }]
  ])
})

test(
  'of 600 packs with a lie at any place, signed and with a tree that fits, both refuse the same',
  { timeout: 300_000 },
  async () => {
    const random = seeded(11)
    const names = Object.keys(genuinePacks) as GenuineName[]
    const signed = (content: Content): PackFile => fileOf(content, signer)
    const answers = { refused: 0, intact: 0 }
    for (let turn = 0; turn < 600; turn += 1) {
      const name = names[turn % names.length]!
      let content = lie(contentOf(genuinePacks[name].file), random)
      try {
        if (random(3) > 0) content = rebuilt(content, genuinePacks[name].leaves)
      } catch {
        // The lie left nothing that a tree could be built over.
      }
      const text = fileText(signed(content))
      const [{ intact }, { status, why = '' }] = [checkPack(text), await alone(text)]
      expect(`${turn} ${intact}`, `${name}: the console: ${faults(text).join()}; alone: ${status} ${why}`).toBe(
        `${turn} ${status !== 'refused'}`
      )
      answers[intact ? 'intact' : 'refused'] += 1
    }
    // A value of an event can be anything that was recorded; everything else is refused.
    expect(answers.refused).toBeGreaterThan(300)
    expect(answers.intact).toBeGreaterThan(50)
  }
)
