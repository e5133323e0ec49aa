/** Approvals of a team in an evidence pack: each is in the series of its applicant, and can be verified with the reviewer's key alone. */
import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkPack } from '#core/evidence/pack/check.ts'
import { signAnswer } from '#wire/evidence/approval-signature.ts'
import { fingerprintOf, publicOf } from './evidence-builder.ts'
import { evidenceWorkspace, furnish, loadVerifier, person, savedPack } from './evidence-workspace.ts'

const [here, there, scope] = ['1a'.repeat(16), '2b'.repeat(16), '3c'.repeat(32)]
const at = 1_760_000_003_000

test('a pack about an applicant shows what was asked for and what a colleague signed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-approvals-'))
  const workspace = await evidenceWorkspace(folder, 'first.person')
  const reviewer = generateKeyPairSync('ed25519').privateKey
  const { approvals, applicants } = workspace.store
  try {
    await furnish(workspace)
    const shown = await applicants.show(person)
    const by = { at, operator: 'first.person' }
    const decided = await applicants.decide(
      {
        applicantId: person,
        decision: 'approve',
        reasons: ['documents-in-order'],
        note: '',
        evidence: shown.ok ? shown.value.evidence : 0
      },
      by
    )
    const decision = decided.ok ? (decided.value.decision?.seq ?? 0) : 0
    const asked = await approvals.ask(
      {
        applicantId: person,
        decision,
        installation: here,
        scope,
        evidence: [[there, 4, 'ab'.repeat(32)]],
        note: 'Please look'
      },
      by
    )
    const seq = asked.ok ? asked.value.seq : 0
    const own = await approvals.own({ evidenceOf: [person], hashesOf: [] })
    const request = [here, seq, own.ok ? (own.value.asks[0]?.hash ?? '') : ''] as const
    const answer = { scope, asked: request, agrees: true, at: at + 1, salt: '5a'.repeat(16) }
    const signature = signAnswer(reviewer, { ...answer, by: 'second.person' })
    const signer = publicOf(reviewer)
    expect(
      await approvals.receive(
        [
          {
            ...answer,
            applicantId: person,
            answer: [there, 9, 'cd'.repeat(32)],
            by: 'second.person',
            note: 'Compared both images',
            signer,
            signature
          }
        ],
        { at: at + 2, operator: 'first.person' }
      )
    ).toEqual({ ok: true, value: { kept: 1, void: 0 } })
    expect(
      await approvals.answer(
        {
          applicantId: person,
          scope,
          salt: '5b'.repeat(16),
          asked: [there, 7, 'ef'.repeat(32)],
          agrees: false,
          note: 'Another person',
          signer,
          signature
        },
        by
      )
    ).toMatchObject({ ok: true })

    const {
      pack: { content },
      text
    } = await savedPack(workspace, folder, { kind: 'applicant', id: person })
    expect(await (await loadVerifier()).verifyPack(text)).toMatchObject({ status: 'intact' })
    const valuesOf = (kind: string): Record<string, unknown> => {
      const event = content.events.find((each) => each.kind === kind)
      if (!event || !('version' in event)) throw new Error(`no ${kind}`)
      return {
        ...event,
        ...Object.fromEntries(
          [...event.plain.shown, ...(event.sealed && 'shown' in event.sealed ? event.sealed.shown : [])].map(
            ([, name, value]) => [name, value]
          )
        )
      }
    }
    expect(valuesOf('approval.asked')).toMatchObject({
      operator: 'first.person',
      decision: [here, decision, expect.any(String)],
      note: 'Please look'
    })
    expect(valuesOf('approval.answered')).toMatchObject({
      operator: 'first.person',
      agrees: false,
      note: 'Another person',
      applicantId: person
    })
    const received = valuesOf('approval.received')
    expect(received).toMatchObject({ agrees: true, by: 'second.person', note: 'Compared both images' })

    // As docs/evidence-format.md says, from the pack alone: the request is the event shown, and the key's owner signed the answer to it.
    const line = JSON.stringify([
      'veridesk/approval',
      1,
      received['scope'],
      received['asked'],
      received['agrees'],
      received['at'],
      createHash('sha256')
        .update(JSON.stringify([received['salt'], 'by', received['by']]))
        .digest('hex')
    ])
    expect(received['asked']).toEqual([here, seq, valuesOf('approval.asked')['hash']])
    const key = createPublicKey({
      key: Buffer.from(`302a300506032b6570032100${String(received['signer'])}`, 'hex'),
      format: 'der',
      type: 'spki'
    })
    expect(fingerprintOf(String(received['signer']))).toBe(fingerprintOf(signer))
    expect(verify(null, Buffer.from(line), key, Buffer.from(String(received['signature']), 'hex'))).toBe(true)

    // Who approved, and which installations a team has, is withheld with its staff.
    const redacted = await savedPack(workspace, folder, { kind: 'applicant', id: person }, 'no-personal-data')
    const shownNames = redacted.pack.content.events
      .filter(({ kind }) => kind.startsWith('approval.'))
      .map((event) => [event.kind, event.plain.shown.map(([, name]) => name)])
    expect(shownNames).toEqual([
      ['approval.asked', []],
      ['approval.received', ['agrees']],
      ['approval.answered', ['agrees']]
    ])
    for (const secret of ['second.person', 'Please look', 'Compared both', here, there, scope, signer])
      expect(Buffer.from(JSON.stringify(redacted.pack.content)).includes(secret), secret).toBe(false)
    expect(await (await loadVerifier()).verifyPack(redacted.text)).toMatchObject({ status: 'intact' })
    expect(checkPack(redacted.text).findings).toContainEqual(
      expect.objectContaining({ code: 'approvals-unproved', details: { held: 1, against: 0 } })
    )
  } finally {
    await workspace.store.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
