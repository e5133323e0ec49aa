/** Packs that a console creates, for tests of what belongs in them. */
import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import type { EvidenceAbout } from '#contract/evidence/evidence.ts'
import { checkPack } from '#core/evidence/pack/check.ts'
import { loadVerifier } from '../evidence-workspace.ts'
import type { TestConsole } from './console.ts'

export interface ShownEvent {
  readonly kind: string
  readonly record: number | null
  readonly plain: Readonly<Record<string, unknown>>
}

/** The events of a full pack, which both verifiers accept. */
export async function packedEvents(console: TestConsole, about: EvidenceAbout): Promise<readonly ShownEvent[]> {
  console.save = console.fileAt(`${about.kind}.veridesk-evidence`)
  expect(await console.get('evidence.create', { about, profile: 'full', pdf: false })).not.toBeNull()
  const text = await readFile(console.save, 'utf8')
  const { pack, intact, findings } = checkPack(text)
  expect(intact, JSON.stringify(findings.filter(({ passed }) => !passed))).toBe(true)
  expect(await (await loadVerifier()).verifyPack(text)).toMatchObject({ status: 'intact' })
  return (pack?.content.events ?? []).map(({ kind, record, plain }) => ({
    kind,
    record,
    plain: Object.fromEntries(plain.shown.map(([, name, value]) => [name, value]))
  }))
}
