/** Four-eyes approval requires two people: the name of the pack's creator or the decision's author does not count. */
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { evidenceFindingText, sentencesOf } from '#contract/failures/sentences.ts'
import type { RedactionProfile } from '#contract/evidence/evidence.ts'
import { verifyEvidence } from '../../electron/hosts/cli/evidence.ts'
import { checkPack } from '#core/evidence/pack/check.ts'
import { countersigned } from '#core/evidence/pack/countersignatures.ts'
import { check, evidenceWorkspace, person, savedPack, type SavedPack, type Workspace } from './evidence-workspace.ts'

const about = { kind: 'applicant', id: person } as const
/** Other spellings of the same name. */
const spellings = [
  'first.person',
  ' First.Person ',
  'FIRST.PERSON',
  'ｆｉｒｓｔ．ｐｅｒｓｏｎ',
  'first.\u200bperson',
  'first.person\u00a0',
  'Somebody Else (first.person)'
]

let folder: string
let first: Workspace
let recordOfPerson: string
const others: Workspace[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'veridesk-eyes-'))
  first = await evidenceWorkspace(folder, 'first.person')
  recordOfPerson = await check(first)
  await decide('decider')
})
afterAll(async () => {
  for (const { store } of [first, ...others]) await store.close()
  rmSync(folder, { recursive: true, force: true })
})

async function decide(operator: string): Promise<void> {
  const shown = await first.store.applicants.show(person)
  if (!shown.ok) throw new Error(sentencesOf(shown.failure).what)
  const draft = {
    applicantId: person,
    decision: 'approve' as const,
    reasons: [],
    note: '',
    evidence: shown.value.evidence
  }
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
function signedAs({ text }: { readonly text: string }, by: string, agrees = true): { readonly text: string } {
  const { pack } = checkPack(text)
  if (!pack) throw new Error('not a pack')
  return {
    text: countersigned(
      pack,
      { agrees, at: 1_760_000_000_000, by, note: '' },
      generateKeyPairSync('ed25519').privateKey
    )
  }
}

function saved({ text }: { readonly text: string }): string {
  const path = join(folder, 'signed.veridesk-evidence')
  writeFileSync(path, text)
  return path
}
const made = (profile?: RedactionProfile): Promise<SavedPack> => savedPack(first, folder, about, profile)

const says = async (path: string): Promise<{ console: string; commandLine: string }> => {
  const finding = checkPack(readFileSync(path, 'utf8')).findings.find(({ what }) => what === 'countersignatures')
  const { out = '' } = await verifyEvidence([path], {})
  return {
    console: `${finding?.warning ? 'warning' : 'passed'}: ${finding && evidenceFindingText(finding)}`,
    commandLine: out
  }
}

describe('countersigning', () => {
  test.each([...spellings, 'decider', 'Decider'])(
    'is refused to %j, the author of the case or of its decision',
    async (name) => {
      const workspace = await another(name)
      workspace.open = (await savedPack(first, folder, about)).path
      workspace.save = join(folder, 'never.json')
      const opened = await workspace.cases.open()
      expect(opened).toMatchObject({
        ok: true,
        value: { verdict: { verified: true }, refusal: { code: 'case-own-name' } }
      })
      if (opened.ok && opened.value)
        expect(
          await workspace.cases.countersign({
            caseId: opened.value.caseId,
            signer: opened.value.verdict.signedBy ?? '',
            agrees: true,
            note: ''
          })
        ).toMatchObject({ failure: { code: 'case-own-name' } })
    }
  )

  test('is refused where the pack withholds the names', async () => {
    const workspace = await another('second.person')
    workspace.open = (await savedPack(first, folder, about, 'no-personal-data')).path
    const opened = await workspace.cases.open()
    if (!opened.ok || !opened.value) throw new Error('the case was not opened')
    expect(
      await workspace.cases.countersign({
        caseId: opened.value.caseId,
        signer: opened.value.verdict.signedBy ?? '',
        agrees: true,
        note: ''
      })
    ).toMatchObject({ failure: { code: 'case-names-withheld' } })
  })

  test('uses the current decision: the author of an earlier one may approve another person’s', async () => {
    await decide('later.decider')
    const workspace = await another('decider')
    workspace.open = (await savedPack(first, folder, about)).path
    workspace.save = join(folder, 'approved.json')
    const opened = await workspace.cases.open()
    if (!opened.ok || !opened.value) throw new Error('the case was not opened')
    expect(
      await workspace.cases.countersign({
        caseId: opened.value.caseId,
        signer: opened.value.verdict.signedBy ?? '',
        agrees: true,
        note: ''
      })
    ).toMatchObject({ ok: true })
    await decide('decider')
  })
})

describe('a returned case', () => {
  test.each([...spellings, 'decider', ''])('signed as %j is not imported', async (name) => {
    first.open = saved(signedAs(await made(), name))
    expect(await first.cases.import()).toMatchObject({ failure: { code: 'case-same-person' } })
    expect(await first.cases.list(about)).toEqual({ ok: true, value: [] })
  })

  test('is not imported if redacted either: the key is of this account', async () => {
    const redacted = await savedPack(first, folder, { kind: 'record', id: recordOfPerson }, 'no-personal-data')
    first.open = saved(signedAs(redacted, 'First.Person'))
    expect(await first.cases.import()).toMatchObject({ failure: { code: 'case-same-person' } })
  })

  test('is imported only with the countersignature of a second person', async () => {
    first.open = saved(signedAs(signedAs(await made(), 'FIRST.person'), 'second.person', false))
    expect(await first.cases.import()).toMatchObject({
      ok: true,
      value: { state: 'valid', countersignature: { by: 'second.person', agrees: false } }
    })
    expect(await first.cases.list(about)).toMatchObject({ ok: true, value: [{ state: 'valid' }] })
  })
})

describe('a verifier', () => {
  test.each([...spellings, 'decider'])(
    'says of a case signed as %j that it is not a four-eyes approval, and that the pack is verified',
    async (name) => {
      const told = await says(saved(signedAs(await made(), name)))
      expect(told.console).toMatch(/^warning: .*not a four-eyes approval/)
      expect(told.commandLine).toMatch(/^INTACT, SIGNER UNKNOWN\.[\s\S]*WARNING {2}countersignatures/)
    }
  )

  test('says that it cannot be determined if a name is withheld or empty', async () => {
    for (const signed of [
      signedAs(await made('no-personal-data'), 'second.person'),
      signedAs(await made(), '\u200b ')
    ]) {
      const told = await says(saved(signed))
      expect(told.console).toMatch(/^warning: .*cannot be determined/)
    }
  })

  test('gives no warning if a second person signed', async () => {
    const told = await says(saved(signedAs(await made(), 'second.person')))
    expect(told.console).toBe(
      'passed: Valid countersignatures: 1, of which 1 agree, each under another name than the maker’s and the decision’s author’s. Keys were not compared.'
    )
    expect(told.commandLine).not.toContain('WARNING')
  })
})
