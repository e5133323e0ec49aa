/**
 * The data folders in tests/fixtures, one for each released schema, made by scripts/data-folder.ts: each opens with everything
 * that its version read from it. What is special about the one of version 0.1 is in data-folder-0.1.test.ts.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keptFolder, keptFolders, presentName } from '../../scripts/prove/upgrade/kept-folders.ts'
import { isOld } from '../../scripts/prove/upgrade/kills.ts'
import { readAuditTrail, readFolder, readTeam } from './support/folder-readings.ts'
import { onCopy } from './support/kept-folder.ts'

interface Expected {
  readonly signer: string
  readonly erased: { readonly applicant: string }
  readonly auditTrail: Awaited<ReturnType<typeof readAuditTrail>>
  readonly readings: Awaited<ReturnType<typeof readFolder>>
  readonly team: Awaited<ReturnType<typeof readTeam>>
}

test(`${presentName} has the present schema; if not, run: node scripts/run.mjs scripts/data-folder.ts --again`, async () => {
  expect(keptFolders().map(({ name }) => name)).toContain(presentName)
  expect(await isOld(keptFolder(presentName).history)).toBe(false)
})

test.each(keptFolders().filter(({ name }) => name !== 'data-folder-0.1'))(
  '$name opens with everything that was in it, and verifies',
  { timeout: 60_000 },
  async (kept) => {
    const expected = JSON.parse(readFileSync(join(kept.place, 'expected.json'), 'utf8')) as Expected
    await onCopy(kept, async ({ start }) => {
      const { get, ask } = await start()
      expect((await get('app.state')).history).toMatchObject({
        state: 'ready',
        kept: 'file',
        recordsAtOpening: expected.readings.records.length
      })
      // First, because viewing is recorded.
      expect(await readAuditTrail(get, expected.auditTrail.length)).toEqual(expected.auditTrail)
      const found = await readFolder(get)
      for (const part of Object.keys(expected.readings) as (keyof typeof found)[])
        expect(found[part], part).toMatchObject(expected.readings[part])
      expect(expected.team.activity.length).toBeGreaterThan(0)
      // From the file of what was received: the database of this team is gone.
      expect(await readTeam(get)).toEqual(expected.team)
      expect(await get('audit.verify')).toMatchObject({ intact: true })
      expect((await get('evidence.publicKey')).fingerprint).toBe(expected.signer)
      expect(await ask('applicants.show', { applicantId: expected.erased.applicant })).toMatchObject({
        ok: false,
        failure: { code: 'applicant-missing' }
      })
      for (const { id } of expected.readings.backups)
        expect(await get('backups.check', { id })).toMatchObject({ state: 'whole' })
    })
  }
)
