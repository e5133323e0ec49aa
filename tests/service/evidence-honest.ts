/** Genuine packs from real histories, as a forger would start from. */
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { packContent, signPack, type Pack } from '#core/evidence/format-1/pack.ts'
import { startPracticeService } from '#practice/service.ts'
import { makeApplicantBatch, openGround } from '../../scripts/batch-ground.ts'
import { check, countersignedPack, furnish, savedPack, type Workspace } from './evidence-workspace.ts'
import type { Honest } from './evidence-forgeries.ts'
import { answer } from './history-fixtures.ts'

const subject = 'APP-\u00c9VIDENT'

/**
 * A batch of two verifications that the practice service answered, before and after one of the two people was erased.
 */
async function batchPacks(folder: string): Promise<{ readonly batch: Pack; readonly halfErased: Pack }> {
  const practice = await startPracticeService()
  const ground = await openGround({ folder: join(folder, 'ground'), baseUrl: practice.baseUrl })
  try {
    const id = await makeApplicantBatch(ground, ['00042', '00043'])
    await ground.batches.start(id)
    await ground.batches.ended(id)
    const about = { kind: 'batch', id } as const
    const pack = async (): Promise<Pack> => {
      const collected = await ground.store.evidence.collect(about)
      if (!collected.ok) throw new Error(sentencesOf(collected.failure).what)
      const order = { about, profile: 'full', at: 1, operator: 'tester', consoleVersion: '1' } as const
      return signPack(packContent(collected.value, order), generateKeyPairSync('ed25519').privateKey)
    }
    const batch = await pack()
    const { erasure } = ground.store
    const scope = await erasure.scope('00042')
    if (!scope.ok) throw new Error(sentencesOf(scope.failure).what)
    const erased = await erasure.erase({ subjects: scope.value.people, cause: 'request', at: Date.now(), operator: 'tester', reason: 'asked for it' })
    if (!erased.ok) throw new Error(sentencesOf(erased.failure).what)
    return { batch, halfErased: await pack() }
  } finally {
    await ground.close()
    await practice.close()
  }
}

async function decide({ store }: Workspace, applicantId: string): Promise<void> {
  const by = { at: Date.now(), operator: 'first.person' }
  await store.applicants.note(applicantId, `A note about ${applicantId} \ufffd`, by)
  const shown = await store.applicants.show(applicantId)
  if (!shown.ok) throw new Error(sentencesOf(shown.failure).what)
  const { evidence } = shown.value
  const decided = await store.applicants.decide({ applicantId, decision: 'approve', reasons: ['reviewed-by-hand'], note: '', evidence }, by)
  if (!decided.ok) throw new Error(sentencesOf(decided.failure).what)
}

/** Fills two empty histories and creates packs from them. Throws if that fails, since nothing could be proved. */
export async function honestPacks(folder: string, first: Workspace, second: Workspace): Promise<Honest> {
  const begins = await check(first, answer('The first of all'), 'APP-FIRST')
  await furnish(first)
  const recordId = await check(first, answer('One answer'), subject)
  await check(first, answer('Another answer'), subject)
  await check(first, answer('Their own answer'), 'APP-OTHER')
  for (const person of [subject, 'APP-OTHER']) await decide(first, person)
  const foreign = await check(second, answer('Elsewhere'), 'APP-ELSEWHERE')
  const about = { kind: 'applicant', id: subject } as const
  const pack = async (...[workspace, what, profile]: [Workspace, Parameters<typeof savedPack>[2], Parameters<typeof savedPack>[3]?]) => (await savedPack(workspace, folder, what, profile)).pack
  const countersigned = await countersignedPack(second, folder, (await savedPack(first, folder, about)).path)
  const full = await pack(first, about)
  return {
    full, marked: full,
    redacted: await pack(first, about, 'for-applicant'),
    other: await pack(first, { kind: 'applicant', id: 'APP-OTHER' }),
    record: await pack(first, { kind: 'record', id: recordId }),
    first: await pack(first, { kind: 'record', id: begins }),
    foreign: await pack(second, { kind: 'record', id: foreign }),
    ...(await batchPacks(folder)),
    countersigned: JSON.parse(readFileSync(countersigned, 'utf8')) as Pack
  }
}
