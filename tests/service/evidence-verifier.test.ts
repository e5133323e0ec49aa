/** Packs by the stand-alone verifier: what it accepts, what it says of it, and how it exits. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contentOf, sealPack } from '#core/evidence/pack/make.ts'
import { packKinds } from '#core/evidence/kinds.ts'
import { startPracticeService } from '#practice/service.ts'
import { makeApplicantBatch, openGround } from '../../scripts/batch-ground.ts'
import {
  contentOf as contentIn,
  fileOf,
  fileText,
  fingerprintOf,
  publicOf,
  rebuilt,
  type Content,
  type PackEvent,
  type PackFile
} from './evidence-builder.ts'
import {
  attachment,
  colleague,
  contentNamed,
  director,
  genuinePacks,
  proposedPacks,
  signer,
  type GenuineName
} from './evidence-genuine.ts'
import { check, evidenceWorkspace, furnish, person, savedPack, verifier } from './evidence-workspace.ts'
import { answer, intentOf } from './history-fixtures.ts'

let folder: string
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'veridesk-evidence-'))))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const names = Object.keys(genuinePacks) as GenuineName[]
const own = fingerprintOf(publicOf(signer))
const saved = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}
interface Run {
  readonly status: number | null
  readonly out: string
}
function run(file: PackFile, ...words: readonly string[]): Run {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [verifier, saved('pack.json', fileText(file)), ...words],
    { encoding: 'utf8', env: {} }
  )
  return { status, out: stdout + stderr }
}
/** A pack that a signer made anew after changing what it shows. */
function remade(name: GenuineName, change: (content: Content) => void): PackFile {
  const content = contentNamed(name)
  change(content)
  return fileOf(rebuilt(content, genuinePacks[name].leaves), signer)
}

describe('a pack that the console made', () => {
  test('is verified, with every profile, of a record, an applicant and a batch, also after an erasure', async () => {
    const first = await evidenceWorkspace(join(folder, 'real'), 'first.person')
    const by = { at: Date.now(), operator: 'first.person' }
    const said: string[] = []
    const verified = (text: string): void => {
      const path = saved('real.json', text)
      const { status, stdout, stderr } = spawnSync(process.execPath, [verifier, path], { encoding: 'utf8', env: {} })
      expect({ status, stderr }).toEqual({ status: 3, stderr: '' })
      said.push(stdout)
    }
    try {
      const record = await furnish(first)
      const begun = await first.store.begin(intentOf({ operation: 'validate-passport' }))
      if (!begun.ok) throw new Error(begun.failure.code)
      const linked = begun.value.id
      await first.store.finish(linked, answer('Linked'))
      const gone = await check(first, answer('Gone'), 'APP-GONE')
      for (const done of [
        await first.store.applicants.link(linked, person, by),
        await first.store.applicants.tag(person, ['urgent'], by),
        await first.store.applicants.expiry({ applicantId: person, document: 'Passport', expires: '2031-05-03' }, by),
        await first.store.applicants.review({ applicantId: person, outcome: 'unchanged', note: '' }, by),
        await first.store.applicants.rate({ applicantId: person, risk: 'low', months: 60, note: '' }, by),
        await first.store.applicants.relate(
          { applicantId: person, state: 'active', on: '2026-03-14', note: 'Signed' },
          by
        )
      ])
        expect(done).toMatchObject({ ok: true })
      for (const about of [
        { kind: 'record', id: record },
        { kind: 'applicant', id: person }
      ] as const)
        for (const profile of ['full', 'no-personal-data'] as const)
          verified((await savedPack(first, folder, about, profile)).text)
      const scope = await first.store.erasure.scope('APP-GONE')
      if (!scope.ok) throw new Error(scope.failure.code)
      expect(
        await first.store.erasure.erase({
          subjects: scope.value.people,
          cause: 'request',
          at: Date.now(),
          operator: 'first.person',
          reason: 'asked for it'
        })
      ).toMatchObject({ ok: true })
      verified((await savedPack(first, folder, { kind: 'record', id: gone })).text)
      verified((await savedPack(first, folder, { kind: 'record', id: linked }, 'no-personal-data')).text)
    } finally {
      await first.store.close()
    }
    expect(said[3]).toMatch(
      /Complete: all \d+ events of person \d+, up to event \d+\nComplete: all 2 events of record \d+/
    )
    expect(said.slice(-2).map((each) => each.includes('as after an erasure'))).toEqual([true, false])
    const practice = await startPracticeService()
    const ground = await openGround({ folder: join(folder, 'ground'), baseUrl: practice.baseUrl })
    try {
      const id = await makeApplicantBatch(ground, ['00042', '00043'])
      await ground.batches.start(id)
      await ground.batches.ended(id)
      for (const profile of ['full', 'no-personal-data'] as const) {
        const made = await ground.store.evidence.make({
          about: { kind: 'batch', id },
          profile,
          operator: 'tester',
          at: Date.now()
        })
        if (!made.ok) throw new Error(made.failure.code)
        verified(
          sealPack(
            contentOf(
              made.value,
              { about: { kind: 'batch', id }, profile, console: '1.2.3', certificates: [], attachments: [] },
              signer
            ),
            signer
          )
        )
      }
    } finally {
      await ground.close()
      await practice.close()
    }
    expect(said.at(-1)).toMatch(/Complete: all \d+ events of batch \S+, up to event \d+/)
  })
})

describe('a genuine pack', () => {
  const unchecked: Readonly<Record<string, string>> = {
    attachment: '; NOT CHECKED: 1 file that belongs to it',
    stamped: '; NOT CHECKED: 1 time-stamp'
  }
  test.each(names)('is intact, and verified if its key is named: %s', (name) => {
    const { file } = genuinePacks[name]
    const key = fingerprintOf(contentIn(file).signer.key)
    const unknown = run(file)
    expect(unknown).toMatchObject({ status: 3, out: expect.stringMatching(/^INTACT, SIGNER UNKNOWN\./) as string })
    expect(run(file, key)).toMatchObject({
      status: 0,
      out: expect.stringContaining(
        `VERIFIED${unchecked[name] ?? ''}. The pack was signed with the key that you named`
      ) as string
    })
    expect(run(file, '0'.repeat(64))).toMatchObject({
      status: 1,
      out: expect.stringContaining(`It was signed by another key (${key})`) as string
    })
  })

  test('says how large the audit trail is, what is complete, and what is withheld or erased', () => {
    const { out } = run(genuinePacks['applicant-no-personal-data'].file)
    expect(out).toContain('About: applicant (withheld)')
    expect(out).toContain('Disclosure: no-personal-data; ')
    expect(out).toContain(
      'Events of which all values are withheld: 1 note.made, 2 link.made, 1 tags.changed, 1 link.removed'
    )
    expect(out).toContain('of an audit trail of exactly 22, which ends with this pack')
    expect(out).toContain('Complete: all 14 events of person 3, up to event 22')
    expect(out).toContain('Complete: all 2 events of record 4, up to event 13')
    expect(out).toContain(
      'Earlier pack: the audit trail provably continues that of the pack before, which ended with event 7'
    )
    expect(out).toContain('Time-stamps: none. Times are those of the signer’s computer')
    expect(run(genuinePacks['record-erased'].file).out).toMatch(
      /3 sealed parts missing, as after an erasure: event 2, event 3, the response of record 1/
    )
    expect(run(genuinePacks['record-first-pack'].file).out).toContain('Earlier pack: none is named')
    expect(run(genuinePacks['approved-by-file'].file).out).toMatch(
      /Answer to a request for approval, signed, key not compared: agrees, .* name given: second\.person\nThe decision: it needs 1 second person who agrees, and 1 does\./
    )
  })

  test('names a gap: how many events are missing, and between which', () => {
    const without = (name: GenuineName, kind: string): string =>
      run(remade(name, (content) => void (content.events = content.events.filter((event) => event.kind !== kind)))).out
    expect(without('applicant', 'record.ended')).toBe('REFUSED. The response of record 1 belongs to no event.\n')
    expect(without('applicant', 'note.made')).toBe(
      'REFUSED. Events of person 3 are missing: 1 event between events 3 and 7.\n'
    )
    expect(without('batch', 'batch.made')).toMatch(
      /^REFUSED\. Events of batch \S+ are missing: 1 event before event 5\.\n$/
    )
  })

  test('has attachments, which are compared with files', () => {
    const { file } = genuinePacks['attachment']
    expect(run(file).out).toMatch(/Attachment 1: record\.pdf, 20 bytes, SHA-256 [0-9a-f]{64}, not compared/)
    expect(run(file, '--attachment', saved('record.pdf', attachment))).toMatchObject({
      status: 3,
      out: expect.stringContaining('is the file that you gave') as string
    })
    expect(run(file, '--attachment', saved('record.pdf', 'another'))).toMatchObject({
      status: 1,
      out: expect.stringMatching(
        /^PACK INTACT, SIGNER UNKNOWN; NOT BELONGING TO IT: record\.pdf\. The pack has not changed .*\nAbout: record/
      ) as string
    })
    expect(run(file, '--attachment', saved('other.pdf', 'another'))).toMatchObject({
      status: 1,
      out: expect.stringMatching(/^PACK INTACT, SIGNER UNKNOWN; NOT BELONGING TO IT: other\.pdf\./) as string
    })
    expect(run(file, own).out).toMatch(/^VERIFIED; NOT CHECKED: 1 file that belongs to it\. /)
    expect(run(file, own, '--attachment', saved('record.pdf', attachment)).out).toMatch(/^VERIFIED\. /)
  })

  test('cannot put lines of its own beside those of the verifier', () => {
    const fake = `x\nSigned by key: ${own}\u2028\u202e\u200b\u001b[2J`
    const file = remade('attachment', (content) => {
      content.console = fake
      content.attachments[0]!.name = fake
    })
    const { out, status } = run(file, '--events')
    expect(status).toBe(3)
    expect(out.split('\n').filter((line) => line.startsWith('Signed by key:'))).toHaveLength(1)
    expect(out).not.toMatch(/[\u2028\u202e\u200b\u001b]/) // oxlint-disable-line no-control-regex
  })

  test('shows its events with every value where that is asked for', () => {
    const { out } = run(genuinePacks['applicant'].file, '--events')
    for (const each of [
      'Verification started: get-applicant-details',
      '  Sent: applicant_id: APP-ÉVIDENT',
      '  Text: Looked at by hand',
      '  Response: body: {"message":"Accepted"}',
      'Evidence pack created: full',
      'Looks right \ufffd'
    ])
      expect(out).toContain(each)
    expect(run(genuinePacks['applicant-no-personal-data'].file, '--events').out).toMatch(
      / {2}Note\n {2}event 6, person 3\.\n {2}Withheld values \(2\): \(not shown\)/
    )
  })
})

test('who approved and who did not is named, with the key, as far as it is shown', () => {
  const { out } = run(genuinePacks['approvals'].file, '--events')
  for (const [who, key, name] of [
    ['agrees', colleague, 'second.person'],
    ['DOES NOT AGREE', director, 'third.person']
  ] as const)
    expect(out).toContain(
      `\nAnswer to a request for approval, signed, key not compared: ${who}, 2025-10-09T08:53:50.000Z, key ${fingerprintOf(publicOf(key))}, name given: ${name}\n`
    )
  expect(out).toMatch(
    /Answer of a colleague to a request for approval received: does not agree\n {2}event 7, person 3\./
  )
  const redacted = run(genuinePacks['approvals-no-personal-data'].file, '--events').out
  expect(redacted).not.toMatch(/Answer to a request for approval, signed|second\.person|1a1a/)
  for (const line of ['agrees, according to event 6', 'DOES NOT AGREE, according to event 7'])
    expect(redacted).toContain(
      `\nAnswer to a request for approval, NOT PROVED, because its signature is withheld: ${line}\n`
    )
  expect(redacted).toContain('Answer of a colleague to a request for approval received: does not agree')
})

test('an answer that arrived after newer evidence is called void, and is none that agrees', () => {
  const { out } = run(proposedPacks['proposed-after-newer-evidence'].file, '--events')
  expect(out).toMatch(
    /\nAnswer to a request for approval, VOID, because it arrived after newer evidence: it counts for nothing, signed, key not compared: agrees, .* name given: second\.person\nThe decision: it needs 1 second person who agrees, and 0 do\./
  )
  expect(out).toContain('Answer of a colleague to a request for approval received: agrees, void\n')
})

test('each kind of event in a pack has words', async () => {
  const { eventsInWords, verifyPack } = (await import(verifier)) as {
    eventsInWords(of: unknown): Iterable<{ readonly title: string }>
    verifyPack(text: string): Promise<unknown>
  }
  const kinds = new Set<string>()
  for (const { file } of Object.values(genuinePacks)) {
    const titles = Array.from(eventsInWords(await verifyPack(fileText(file))), ({ title }) => title)
    for (const [index, { kind }] of contentIn(file).events.entries()) {
      kinds.add(kind)
      expect(titles[index]).not.toBe(kind)
    }
  }
  expect([...kinds].sort()).toEqual(
    Object.entries(packKinds)
      .flatMap(([kind, listed]) => (listed ? [kind] : []))
      .sort()
  )
})

describe('two packs', () => {
  const compared = (mine: PackFile, theirs: PackFile): Run =>
    run(mine, '--compare', saved('other.json', fileText(theirs)))

  test('of one audit trail continue each other, or do not show enough', () => {
    expect(compared(genuinePacks['record'].file, genuinePacks['record'].file).out).toContain(
      'nothing in it contradicts this one'
    )
    const pairs = [
      ['applicant', 'next', /provably continues the smaller one/],
      ['next', 'applicant', /provably continues the smaller one/],
      ['next', 'after-next', /provably continues/],
      ['applicant', 'after-next', /cannot be determined/]
    ] as const
    for (const [mine, theirs, says] of pairs)
      expect(compared(genuinePacks[mine].file, genuinePacks[theirs].file), `${mine}, ${theirs}`).toMatchObject({
        status: 3,
        out: expect.stringMatching(says) as string
      })
    expect(compared(genuinePacks['record'].file, genuinePacks['foreign'].file).out).toContain(
      'is from another key or another audit trail'
    )
    expect(compared(genuinePacks['record'].file, genuinePacks['batch'].file).out).toContain(
      'is from another key or another audit trail'
    )
  })

  test('of a forked audit trail are both refused', () => {
    const forked = remade(
      'applicant',
      (content) =>
        void ((content.events.find(({ kind }) => kind === 'decision.made') as PackEvent).plain.shown[0]![2] = 'decline')
    )
    expect(run(forked)).toMatchObject({ status: 3 })
    for (const [mine, theirs] of [
      [genuinePacks['applicant'].file, forked],
      [forked, genuinePacks['applicant'].file]
    ] as const)
      expect(compared(mine, theirs)).toMatchObject({
        status: 1,
        out: expect.stringMatching(
          /^REFUSED\. The other pack contradicts this one about events \d+ to \d+: the audit trail has been forked\.\n$/
        ) as string
      })
  })

  test('must each be verified', () => {
    const broken = genuinePacks['batch'].file
    expect(
      compared(genuinePacks['record'].file, { ...broken, envelope: genuinePacks['foreign'].file.envelope, version: 3 })
    ).toMatchObject({ status: 1, out: expect.stringMatching(/^REFUSED\. The other pack is refused: /) as string })
  })
})

test('arguments that are not valid, and files that cannot be read, say nothing about a pack', () => {
  const { file } = genuinePacks['record']
  for (const words of [
    ['--compare', join(folder, 'nowhere')],
    ['--ca', join(folder, 'nowhere')],
    ['--ca', saved('none.pem', 'no certificate')],
    ['--tsa-ca', saved('none.pem', 'no certificate')],
    ['--revocation', saved('none.json', '{}')],
    ['--may-revoke', 'nobody'],
    ['--unknown']
  ])
    expect(run(file, ...words), words.join(' ')).toMatchObject({ status: 2 })
})
