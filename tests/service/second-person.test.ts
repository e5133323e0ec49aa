/** Four-eyes approval requires two people: the name of the pack's creator or the decision's author does not count. */
import { generateKeyPairSync } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { verifyEvidence } from '../../electron/cli/evidence.ts'
import { checkPack } from '#core/evidence/check.ts'
import { keyOfSigner, signWith } from '#core/evidence/keys.ts'
import { countersignedText, packDigest, packText, type Pack } from '#core/evidence/format-1/pack.ts'
import { check, evidenceWorkspace, loadVerifier, person, savedPack, verifier, type Alone, type Workspace } from './evidence-workspace.ts'

const about = { kind: 'applicant', id: person } as const
/** Other spellings of the same name. */
const spellings = ['first.person', ' First.Person ', 'FIRST.PERSON', 'ｆｉｒｓｔ．ｐｅｒｓｏｎ', 'first.\u200bperson', 'first.person\u00a0']

let folder: string
let first: Workspace
let alone: Alone
const others: Workspace[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'veridesk-eyes-'))
  alone = await loadVerifier()
  first = await evidenceWorkspace(folder, 'first.person')
  await check(first)
  await decide('decider')
})
afterAll(async () => {
  for (const { store } of [first, ...others]) await store.close()
  rmSync(folder, { recursive: true, force: true })
})

async function decide(operator: string): Promise<void> {
  const shown = await first.store.applicants.show(person)
  if (!shown.ok) throw new Error(sentencesOf(shown.failure).what)
  const draft = { applicantId: person, decision: 'approve' as const, reasons: [], note: '', evidence: shown.value.evidence }
  const made = await first.store.applicants.decide(draft, { at: Date.now(), operator })
  if (!made.ok) throw new Error(sentencesOf(made.failure).what)
}

/** Another installation, with its own history and key. */
async function another(operator: string): Promise<Workspace> {
  const workspace = await evidenceWorkspace(join(folder, String(others.length)), operator)
  others.push(workspace)
  return workspace
}

/** Signed with a separate key under any name, as a program could that does not check names. */
function signedAs(pack: Pack, by: string, agrees = true): Pack {
  const { privateKey } = generateKeyPairSync('ed25519')
  const words = { agrees, at: 1_760_000_000_000, by, key: keyOfSigner(privateKey), note: '' }
  const signature = signWith(privateKey, countersignedText(packDigest(pack), words))
  return { ...pack, countersignatures: [...pack.countersignatures, { ...words, signature }] }
}

function saved(pack: Pack): string {
  const path = join(folder, 'signed.veridesk-evidence.json')
  writeFileSync(path, packText(pack))
  return path
}

const says = async (path: string): Promise<{ console: string; commandLine: string; alone: string; status: number | null }> => {
  const text = readFileSync(path, 'utf8')
  const finding = checkPack(text).findings.find(({ what }) => what === 'countersignatures')
  const run = spawnSync(process.execPath, [verifier, path], { encoding: 'utf8', env: {} })
  const { out = '' } = await verifyEvidence([path], {})
  return { console: `${finding?.warning ? 'warning' : 'passed'}: ${finding?.detail}`, commandLine: out, alone: run.stdout, status: run.status }
}

describe('countersigning', () => {
  test.each([...spellings, 'decider', 'Decider'])('is refused to %j, the author of the case or of its decision', async (name) => {
    const workspace = await another(name)
    workspace.open = (await savedPack(first, folder, about)).path
    workspace.save = join(folder, 'never.json')
    const opened = await workspace.cases.open()
    expect(opened).toMatchObject({ ok: true, value: { verdict: { verified: true }, refusal: { code: 'case-own-name' } } })
    if (opened.ok && opened.value) expect(await workspace.cases.countersign(opened.value.caseId, true, '')).toMatchObject({ failure: { code: 'case-own-name' } })
  })

  test('is refused where the pack withholds the names', async () => {
    const workspace = await another('second.person')
    workspace.open = (await savedPack(first, folder, about, 'for-applicant')).path
    const opened = await workspace.cases.open()
    if (!opened.ok || !opened.value) throw new Error('the case was not opened')
    expect(await workspace.cases.countersign(opened.value.caseId, true, '')).toMatchObject({ failure: { code: 'case-names-withheld' } })
  })

  test('uses the current decision: the author of an earlier one may approve another person’s', async () => {
    await decide('later.decider')
    const workspace = await another('decider')
    workspace.open = (await savedPack(first, folder, about)).path
    workspace.save = join(folder, 'approved.json')
    const opened = await workspace.cases.open()
    if (!opened.ok || !opened.value) throw new Error('the case was not opened')
    expect(await workspace.cases.countersign(opened.value.caseId, true, '')).toMatchObject({ ok: true })
    await decide('decider')
  })
})

describe('a returned case', () => {
  test.each([...spellings, 'decider', ''])('signed as %j is not imported', async (name) => {
    first.open = saved(signedAs((await savedPack(first, folder, about)).pack, name))
    expect(await first.cases.import()).toMatchObject({ failure: { code: 'case-same-person' } })
    expect(await first.cases.list(about)).toEqual({ ok: true, value: [] })
  })

  test('is not imported if redacted either: the history knows the names', async () => {
    for (const name of ['First.Person', 'decider']) {
      first.open = saved(signedAs((await savedPack(first, folder, about, 'for-applicant')).pack, name))
      expect(await first.cases.import()).toMatchObject({ failure: { code: 'case-same-person' } })
    }
  })

  test('is imported only with the countersignature of a second person', async () => {
    first.open = saved(signedAs(signedAs((await savedPack(first, folder, about)).pack, 'FIRST.person'), 'second.person', false))
    expect(await first.cases.import()).toMatchObject({ ok: true, value: { state: 'valid', countersignature: { by: 'second.person', agrees: false } } })
    expect(await first.cases.list(about)).toMatchObject({ ok: true, value: [{ state: 'valid' }] })
  })

  test('that an earlier version imported is labelled as such', async () => {
    const { pack } = await savedPack(first, folder, about)
    const of = { about, evidence: pack.content.events.at(-1)?.seq ?? 0, pack: packDigest(pack) }
    for (const by of ['First.Person', 'decider']) {
      const countersignature = { by, key: '00'.repeat(32), at: 1, agrees: true, note: '' }
      await first.store.evidence.addCase({ ...of, countersignature }, 'first.person', 5)
    }
    const listed = await first.cases.list(about)
    expect(listed.ok && listed.value.map(({ state }) => state)).toEqual(['same-person', 'same-person', 'valid'])
  })
})

describe('a verifier', () => {
  test.each([...spellings, 'decider'])('says of a case signed as %j that it is not a four-eyes approval, and that the pack verifies', async (name) => {
    const told = await says(saved(signedAs((await savedPack(first, folder, about)).pack, name)))
    expect(told.console).toMatch(/^warning: .*not a four-eyes approval/)
    expect(told.commandLine).toMatch(/^INTACT, SIGNER UNKNOWN\.[\s\S]*WARNING {2}countersignatures/)
    expect(told.alone).toMatch(/^INTACT, SIGNER UNKNOWN\. .* This is not a four-eyes approval: /)
    expect(told.alone).toContain('Countersigned under the name of the pack’s creator or the decision’s author, not a four-eyes approval, key not compared: agrees')
    expect(told.status).toBe(3)
  })

  test('says that it cannot be determined if a name is withheld or empty', async () => {
    for (const signed of [signedAs((await savedPack(first, folder, about, 'for-applicant')).pack, 'second.person'), signedAs((await savedPack(first, folder, about)).pack, '\u200b ')]) {
      const told = await says(saved(signed))
      expect(told.console).toMatch(/^warning: .*cannot be determined/)
      expect(told.alone).toMatch(/^INTACT, SIGNER UNKNOWN\. .* This is not a four-eyes approval: [\s\S]*Countersigned; whether by a second person/)
    }
  })

  test('gives no warning if a second person signed', async () => {
    const told = await says(saved(signedAs((await savedPack(first, folder, about)).pack, 'second.person')))
    expect(told.console).toBe('passed: Valid signatures: 1 of 1 countersignatures agree. Keys were not compared. 1 under another name than the maker’s and the decision’s author’s.')
    expect(told.commandLine).not.toContain('WARNING')
    expect(told.alone).not.toContain('four-eyes')
    expect(await alone.verifyPack(readFileSync(first.open ?? '', 'utf8'))).toMatchObject({ verified: true })
  })
})
