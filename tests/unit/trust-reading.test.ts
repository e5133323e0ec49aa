/** What the window shows of a trust file: the one in force, and one that is opened. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { failed } from '#contract/failures/failures.ts'
import { ok } from '#contract/failures/result.ts'
import { createTrustReading } from '#core/evidence/trust-reading.ts'
import { createSessionSecrets } from '#core/secrets/session-secrets.ts'
import { after, day, fileOf, issued, keeper, signed, version } from './support/trust-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'veridesk-trust-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const [ann, ben, cat] = [keeper(), keeper(), keeper()]
const first = version([ann, ben], {
  signers: [{ from: issued, key: ann.id, name: 'Ann', roles: ['approver', 'pack'], until: null }]
})
const second = after(first, [ann, cat])
const versions = [signed(first, [ann, ben]), signed(second, [ann, ben, cat])] as const
let path: string | undefined
let chosen: string | undefined
const reading = createTrustReading({
  keychain: createSessionSecrets(),
  chooseFile: async () => chosen,
  trustFile: () => ok(path)
})
const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const inForce = async () => {
  const answer = await reading.inForce()
  if (!answer.ok) throw new Error(answer.failure.code)
  return answer.value
}
beforeEach(() => (path = chosen = undefined))

it('is nothing in force without a policy, and this installation has a key', async () => {
  const found = await inForce()
  expect(found).toMatchObject({ own: { fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) as string } })
  expect(found).not.toHaveProperty('path')
})

it('is the file of the policy as it is now, or why it does not count', async () => {
  path = write('one', fileOf(versions[0]))
  expect(await inForce()).toMatchObject({ path, file: { version: 1, waitsFor: 0 }, text: fileOf(versions[0]) })
  write('one', fileOf(...versions))
  expect(await inForce()).toMatchObject({ file: { version: 2 } })
  write('one', fileOf(signed(first, [ann])))
  const waiting = await inForce()
  expect(waiting).toMatchObject({ path, fault: { code: 'trust-file-refused', details: { reason: 'waiting' } } })
  expect(waiting).not.toHaveProperty('file')
})

it('says of each keeper who they are, whether they signed and whether they hand over', async () => {
  const read = await reading.read({ text: fileOf(versions[0], signed(second, [ann])) })
  expect(read).toMatchObject({ ok: true, value: { version: 2, waitsFor: 2, expires: issued + 365 * day } })
  const keepers = read.ok ? read.value.keepers : []
  expect(new Map(keepers.map(({ fingerprint, signed: has, former }) => [fingerprint, [has, former]]))).toEqual(
    new Map([
      [ann.id, [true, false]],
      [cat.id, [false, false]],
      [ben.id, [false, true]]
    ])
  )
  // Names come from the signers of the same version.
  const before = await reading.read({ text: fileOf(versions[0]) })
  expect(before.ok && before.value.keepers.find(({ fingerprint }) => fingerprint === ann.id)?.name).toBe('Ann')
})

it.each([
  ['none', undefined, [versions[0]]],
  ['same', [versions[0]], [versions[0]]],
  ['next', [versions[0]], [...versions]],
  ['earlier', [...versions], [versions[0]]],
  ['apart', [...versions], [versions[0], signed(after(first, [ann, ben]), [ann, ben])]],
  ['other', [versions[0]], [signed(version([ben, cat]), [ben, cat])]]
] as const)('stands to the file in force as %s', async (relation, held, opened) => {
  path = held && write('held', fileOf(...held))
  expect(await reading.read({ text: fileOf(...opened) })).toMatchObject({ ok: true, value: { relation } })
})

it('is chosen by its place, and refused if it is none', async () => {
  expect(await reading.choose()).toEqual({ ok: true, value: null })
  chosen = write('sent.json', fileOf(versions[0]))
  expect(await reading.choose()).toEqual({ ok: true, value: { name: 'sent.json', text: fileOf(versions[0]) } })
  chosen = join(folder, 'gone')
  expect(await reading.choose()).toMatchObject({ failure: { code: 'file-unreadable' } })
  expect(await reading.read({ text: 'none' })).toMatchObject(failed('trust-file-refused', { reason: 'form' }))
})
