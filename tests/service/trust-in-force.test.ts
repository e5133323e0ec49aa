/** Verify pack and the company's trust file: known by its content, and read anew for each verification. */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fingerprintOf, keyOfSigner } from '#wire/evidence/keys.ts'
import { day, fileOf, keeper, signed, version, type Members } from '../unit/support/trust-files.ts'
import { evidenceWorkspace, furnish, person, savedPack, type Workspace } from './evidence-workspace.ts'

let folder: string
let workspace: Workspace
let pack: string
let own: string
const [ann, ben] = [keeper(), keeper()]
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'veridesk-trust-'))
  workspace = await evidenceWorkspace(folder, 'first.person')
  await furnish(workspace)
  pack = (await savedPack(workspace, folder, { kind: 'applicant', id: person })).path
  const key = await workspace.evidence.signingKey()
  if (!key.ok) throw new Error(key.failure.code)
  own = fingerprintOf(keyOfSigner(key.value))
})
afterAll(async () => {
  await workspace.store.close()
  rmSync(folder, { recursive: true, force: true })
})
/** Writes a trust file that names this installation's key in a role, as a policy's file is replaced. */
function write(name: string, role: 'approver' | 'pack', more: Members = {}): string {
  const at = Date.now() - 1000 * day
  const payload = version([ann, ben], {
    issued: Date.now() - day,
    expires: Date.now() + 100 * day,
    signers: [{ from: at, key: own, name: 'Cat', roles: [role], until: null }],
    ...more
  })
  writeFileSync(join(folder, name), fileOf(signed(payload, [ann, ben])))
  return join(folder, name)
}
async function verify(...chosen: readonly string[]) {
  const left = [...chosen]
  Object.defineProperty(workspace, 'open', { get: () => left.shift(), configurable: true })
  const answer = await workspace.evidence.check()
  if (!answer.ok || !answer.value) throw new Error(answer.ok ? 'cancelled' : answer.failure.code)
  return answer.value
}

it('follows a file of the policy that is replaced between two verifications', async () => {
  workspace.trust = write('company.veridesk-trust', 'pack')
  expect(await verify(pack)).toMatchObject({ intact: true, signerKnown: true })
  write('company.veridesk-trust', 'approver')
  expect(await verify(pack)).toMatchObject({ intact: true, signerKnown: false })
  writeFileSync(workspace.trust, 'half')
  expect(await workspace.evidence.checkText('pack', '')).toMatchObject({ failure: { code: 'trust-file-refused' } })
  delete workspace.trust
  expect((await verify(pack)).signerKnown).toBeUndefined()
})

it('knows a trust file by its content, whatever it is called', async () => {
  expect(await verify(write('sent.json', 'pack'), pack)).toMatchObject({ intact: true, signerKnown: true })
  const misnamed = join(folder, 'pack.veridesk-trust')
  copyFileSync(pack, misnamed)
  expect(await verify(misnamed)).toMatchObject({ intact: true })
})
