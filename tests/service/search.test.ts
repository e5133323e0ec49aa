/** Search finds what people see: queries on a real store, on texts of many scripts, indexed and not indexed yet. */
import { afterAll, describe, expect, it } from 'vitest'
import type { Engine } from '#store/engine/engine.ts'
import { add, answer, inFolder, opened } from './history-fixtures.ts'

const engine = opened()
afterAll(() => engine.close())
/** The name of each record, and its seq. */
const at: Record<string, number> = {}
const put = (name: string, message: string, applicant = `APP-${name}`, body?: string): void => {
  add(engine, { applicant, url: 'https://files.example.com/x.jpg' }, answer(message, 200, body))
  at[name] = engine.records
}
put('spanish', 'Jose\u0301 Nun\u0303ez verified')
put('turkish', 'İSTANBUL ŞİŞLİ ISPARTA', 'İŞL-0001')
put('german', 'Müller-Lüdenscheidt lives in the Große Straße')
put('vietnamese', 'Nguyễn Thị Hằng')
put('wide', 'Number ＡＢＣ－１２３４５')
put('arabic', 'مُحَمَّد بن مُوسَى')
put('greek', 'ΓΙΏΡΓΟΣ ΠΑΠΑΔΌΠΟΥΛΟΣ')
put('chinese', '申请人 王伟 已验证')
put('korean', '신청인 김철수 확인')
put('japanese', '申請者 ｶﾞｽﾄﾝ 佐々木')
put('polish', 'Łukasz Żółć')
put('nordic', 'Søren Åkesson æble')
put('russian', 'Пётр Ёлкин')
put('hebrew', 'שָׁלוֹם')
put('irish', 'O’Brien–Smith')
put('hidden', 'Ada\u200b Love\u00adlace')
put('escaped', 'ok', 'APP-escaped', '{"message":"ok","name":"\\u674e\\u5a1c","city":"Z\\u00fcrich"}')
put('decomposed', 'plain', 'A\u0301NGEL-7')
put('short', 'plain', 'ÄB')
put('rare', 'ideograph 𠮷野')
put('ascii', 'Mueller from Suez')

const queries: readonly (readonly [query: string, ...names: string[]])[] = [
  ['José', 'spanish'],
  ['JOSÉ', 'spanish'],
  ['jose', 'spanish'],
  ['Nuñez', 'spanish'],
  ['nun\u0303ez', 'spanish'],
  ['istanbul', 'turkish'],
  ['İstanbul', 'turkish'],
  ['şişli', 'turkish'],
  ['ısparta', 'turkish'],
  ['işl-0001', 'turkish'],
  ['ISL-0001', 'turkish'],
  ['muller', 'german'],
  ['Müller', 'german', 'ascii'],
  ['mueller', 'german', 'ascii'],
  ['MUELLER', 'german', 'ascii'],
  ['mu\u0308ller', 'german', 'ascii'],
  ['strasse', 'german'],
  ['STRASSE', 'german'],
  ['große', 'german'],
  ['GROSSE', 'german'],
  ['Nguyen Thi Hang', 'vietnamese'],
  ['nguyễn', 'vietnamese'],
  ['ABC-12345', 'wide'],
  ['ａｂｃ－１２３', 'wide'],
  ['محمد', 'arabic'],
  ['مُحَمَّد', 'arabic'],
  ['موسي', 'arabic'],
  ['ΠΑΠΑΔΟΠΟΥΛΟΣ', 'greek'],
  ['γιώργος', 'greek'],
  ['παπαδόπουλος', 'greek'],
  ['王伟', 'chinese'],
  ['申请人', 'chinese'],
  ['김철', 'korean'],
  ['김철수', 'korean'],
  ['철수', 'korean'],
  ['ガス', 'japanese'],
  ['ｶﾞｽ', 'japanese'],
  ['佐々', 'japanese'],
  ['申請', 'japanese'],
  ['lukasz zolc', 'polish'],
  ['soren', 'nordic'],
  ['Soeren', 'nordic'],
  ['akesson', 'nordic'],
  ['AEBLE', 'nordic'],
  ['петр', 'russian'],
  ['елкин', 'russian'],
  ['שלום', 'hebrew'],
  ["o'brien-smith", 'irish'],
  ['ada lovelace', 'hidden'],
  ['李娜', 'escaped'],
  ['zürich', 'escaped'],
  ['ÁNGEL-7', 'decomposed'],
  ['angel-7', 'decomposed'],
  ['äb', 'short'],
  ['𠮷野', 'rare'],
  ['SUEZ', 'ascii'],
  // Nothing has these, and a query that cannot be answered leaves nothing instead of everything.
  ['李明'],
  ['はん'],
  ['zz'],
  ['王'],
  ['x'],
  ['--'],
  ['\u0301'],
  ['\u0301\u0301\u0301'],
  ['\u200b\u200b\u200b'],
  ['%%%'],
  ['" OR "']
]

const searched = (store: Engine, search: string): readonly number[] =>
  store.queries
    .page({ filter: { search }, limit: 100 })
    .records.map(({ seq }) => seq)
    .reverse()

describe.each(['before', 'after'])('%s the index has them', (when) => {
  it.each(queries)('“%s” finds %s', (query, ...names) => {
    if (when === 'after') engine.indexer.drain()
    const expected = names.map((name) => at[name])
    expect(searched(engine, query)).toEqual(expected)
    expect(engine.queries.counts({ search: query }).total).toBe(expected.length)
    // With a filter, the texts themselves are compared.
    engine.queries.finder.tuning = { patience: 1, rare: 100, far: 0, misses: 0 }
    const narrowed = engine.queries.page({ filter: { search: query, statuses: [200] }, limit: 100 })
    expect(narrowed.records.map(({ seq }) => seq).reverse()).toEqual(expected)
  })
})

it('narrows by operators and phrases, alone and together, and says where a phrase was found', () => {
  const store = opened()
  const by = { at: 1_760_000_000_000, operator: 'tester' }
  const day = (text: string): number => new Date(`${text}T12:00:00`).getTime()
  const [november, other] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b']
  add(
    store,
    { applicant: 'APP-1', operator: 'Jonas Berg (jberg)', startedAt: day('2026-11-01'), batchId: november },
    answer('The photo expired', 404)
  )
  add(
    store,
    { applicant: 'APP-2', operator: 'Mira Rahn (mira)', startedAt: day('2026-11-02') },
    answer('Fine', 200, '{"message":"Fine","address":{"town":"Bergen photo expired"}}')
  )
  add(
    store,
    { applicant: 'APP-3', operator: 'Mira Rahn (mira)', startedAt: day('2026-11-03'), batchId: other },
    answer('The photo expired: unauthorized', 401)
  )
  const found = (search: string, more: object = {}): number[] => {
    const filter = { search, ...more }
    const seqs = store.queries.page({ filter, limit: 50 }).records.map(({ seq }) => seq)
    expect(store.queries.counts(filter).total, search).toBe(seqs.length)
    expect(store.queries.page({ filter, limit: 50, order: { by: 'time' } }).total, search).toBe(seqs.length)
    return seqs
  }
  expect(found('status:404')).toEqual([1])
  expect(found('status:404 status:200')).toEqual([2, 1])
  expect(found('status:404', { statuses: [200] })).toEqual([])
  expect(found('"photo expired"')).toEqual([3, 2, 1])
  // A message that the catalogue does not hold, of a technical error, is read.
  expect(found('message:"photo expired"')).toEqual([3, 1])
  expect(found('message:"photo expired" unauthorized')).toEqual([3])
  expect(found('message:ok')).toEqual([])
  expect(found('"photo expired" "Bergen"')).toEqual([2])
  expect(found('by:rahn')).toEqual([3, 2])
  expect(found('by:rahn by:berg before:2026-11-03')).toEqual([2, 1])
  expect(found('by:BERG "photo expired"')).toEqual([1])
  expect(found(`batch:${november}`)).toEqual([1])
  expect(found('batch:00000000')).toEqual([3, 1])
  expect(found('after:2026-11-01')).toEqual([3, 2])
  expect(found('after:2026-11-01 before:2026-11-03')).toEqual([2])
  expect(found('after:2026-11-03')).toEqual([])
  // What cannot be answered lists nothing, whatever stands beside it.
  for (const search of ['colour:red photo', 'status:4 photo', '"photo', 'ab "photo expired"'])
    expect(found(search), search).toEqual([])
  const [third, second, first] = store.queries.page({ filter: { search: 'photo expired' }, limit: 5 }).records
  expect(second?.found).toEqual({ in: 'address.town', text: 'Bergen photo expired' })
  expect([third?.found?.in, first?.found?.in]).toEqual(['message', 'message'])
  expect(store.queries.page({ filter: {}, limit: 1 }).records[0]).not.toHaveProperty('found')

  const messages = store.catalogue.page({ limit: 5 }).messages
  const expired = messages.find(({ status }) => status === 404)?.id ?? 0
  store.commit([
    (writer) => writer.catalogue.read(writer, store.catalogue, { id: expired, means: 'bad', note: '' }, by)
  ])
  expect(found('', { meanings: ['bad'] })).toEqual([1])
  expect(found('', { meanings: ['unreviewed'] })).toEqual([2])
  expect(found('', { messages: [expired] })).toEqual([1])
  expect(found('', { batches: [november, other] })).toEqual([3, 1])
  expect(found('', { operators: ['Mira Rahn (mira)'], statuses: [401] })).toEqual([3])
  const counts = store.queries.counts({ batches: [november] })
  expect(counts.batches.map(({ value, count }) => [value, count]).sort()).toEqual([
    [november, 1],
    [other, 1]
  ])
  expect(counts.operators).toEqual([{ value: 'Jonas Berg (jberg)', label: 'Jonas Berg (jberg)', count: 1 }])
  expect(counts.messages).toEqual([{ value: expired, label: 'The photo expired', count: 1 }])
  expect(counts.meanings).toEqual({ bad: 1 })
  store.close()
})

it.each([
  ['before', false],
  ['after', true]
])(
  'finds them by whatever was written with a class, a relationship, a review or an approval, %s the index has it',
  (_, indexed) => {
    const store = opened()
    const by = { at: 1_760_000_000_000, operator: 'tester' }
    add(store, { applicant: 'APP-1' })
    const { applicants, approvals } = store
    const applicantId = 'APP-1'
    const named = ['b'.repeat(32), 1, 'c'.repeat(64)] as const
    const signed = { scope: 'a'.repeat(64), asked: named, agrees: true, salt: 'a', signer: 'a', signature: 'a' }
    const { evidence = 0 } = applicants.read.find(applicantId) ?? {}
    const jobs: Parameters<typeof store.commit>[0] = [
      (writer) => applicants.rate(writer, { applicantId, risk: 'high', months: 12, note: 'rated: shell company' }, by),
      (writer) =>
        applicants.relate(writer, { applicantId, state: 'active', on: '2026-01-31', note: 'branch in Riga' }, by),
      (writer) => applicants.review(writer, { applicantId, outcome: 'unchanged', note: 'reviewed by telephone' }, by),
      (writer) => applicants.challenge(writer, { applicantId, text: 'that is not my passport' }, by),
      (writer) => approvals.answer(writer, { ...signed, applicantId, note: 'agreed at the counter' }, by),
      (writer) =>
        approvals.receive(
          writer,
          [{ ...signed, applicantId, answer: named, at: 1, by: 'Ada', note: 'colleague saw the original' }],
          by
        )
    ]
    const decided = store.commit([
      (writer) => applicants.decide(writer, { applicantId, decision: 'approve', reasons: [], note: '', evidence }, by)
    ])
    const done = [...decided, ...store.commit(jobs)]
    expect(done.filter((each) => !each.ok)).toEqual([])
    if (indexed) store.indexer.drain()
    const wanted = ['shell company', 'Riga', 'telephone', 'not my passport', 'counter', 'the original']
    const found = (search: string) => store.queries.page({ filter: { search }, limit: 5 }).records.length
    expect(wanted.map((search) => [search, found(search)])).toEqual(wanted.map((search) => [search, 1]))

    const scope = store.erasure.scope(applicantId)
    if (!scope.ok) throw new Error(scope.failure.code)
    const order = {
      operator: 'tester',
      at: 1,
      reason: 'asked',
      cause: 'request',
      subjects: scope.value.subjects
    } as const
    expect(store.erasure.erase(order)).toMatchObject({ ok: true })
    const left = store.dbs.search.prepare('SELECT count(*) FROM trigram WHERE trigram MATCH ? AND rowid < 0').pluck()
    expect(wanted.map((search) => [found(search), left.get(`"${search}"`)])).toEqual(wanted.map(() => [0, 0]))
    store.close()
  }
)

it.each([
  ['before', false],
  ['after', true]
])('finds the records of an applicant by name and notes, %s the index has them', (_, indexed) =>
  inFolder((folder) => {
    let store = opened(folder)
    const by = { at: 1_760_000_000_000, operator: 'tester' }
    const details = (applicant: string, name: string): string =>
      add(
        store,
        { operation: 'get-applicant-details', applicant },
        answer('Found', 200, JSON.stringify({ message: 'Found', name, date_of_birth: '1990-08-12' }))
      )
    const write = (job: Parameters<typeof store.commit>[0][number]): void => {
      const [done] = store.commit([job])
      expect(done).toMatchObject({ ok: true })
    }
    const rows = (search: string, more: object = {}) => {
      const filter = { search, ...more }
      const { records } = store.queries.page({ filter, limit: 50 })
      expect(store.queries.counts(filter).total, search).toBe(records.length)
      expect(store.queries.page({ filter, limit: 50, order: { by: 'time' } }).total, search).toBe(records.length)
      return records
    }
    const found = (search: string, more: object = {}): number[] => rows(search, more).map(({ seq }) => seq)

    details('APP-1', 'Zoë Müller') // 1
    add(store, { applicant: 'APP-1' }, answer('The document expired', 404)) // 2
    add(store, { applicant: 'APP-2' }) // 3
    const alone = add(store, { operation: 'validate-kyc-photo' }) // 4
    details('APP-2', 'Avery Nobody') // 5
    details('APP-2', 'Avery Specimen') // 6
    write((writer) => store.applicants.link(writer, alone, 'APP-1', by))
    write((writer) => store.applicants.note(writer, 'APP-2', 'Zoe Mueller called 王伟 on Monday', by))
    write((writer) => store.applicants.note(writer, 'APP-2', 'Nothing more to say', by))
    if (indexed) store.indexer.drain()

    expect(found('mueller')).toEqual([6, 5, 4, 3, 2, 1])
    expect(found('called')).toEqual([6, 5, 3])
    expect(found('王伟')).toEqual([6, 5, 3])
    expect(found('mueller', { statuses: [404] })).toEqual([2])
    expect(found('mueller status:404 message:expired')).toEqual([2])
    expect(found('"Zoë Müller" "expired"')).toEqual([2])
    expect(found('called before:1990-01-01')).toEqual([])
    // Neither the date of birth nor an earlier name is the applicant's name.
    expect(found('1990-08-12')).toEqual([6, 5, 1])
    expect(found('Nobody')).toEqual([5])
    expect(rows('mueller').map((row) => row.found)).toEqual([
      { in: 'note', text: 'Zoe Mueller called 王伟 on Monday' },
      { in: 'note', text: 'Zoe Mueller called 王伟 on Monday' },
      { in: 'linked applicant', text: 'Zoë Müller' },
      { in: 'note', text: 'Zoe Mueller called 王伟 on Monday' },
      { in: 'applicant', text: 'Zoë Müller' },
      { in: 'name', text: 'Zoë Müller' }
    ])

    // The index of the file answers until the columns are loaded.
    store.close()
    store = opened(folder)
    expect(store.queries.page({ filter: { search: 'called' }, limit: 2 }).records.map(({ seq }) => seq)).toEqual([6, 5])
    expect(store.columns.isWhole).toBe(false)

    const scope = store.erasure.scope('APP-2')
    if (!scope.ok) throw new Error(scope.failure.code)
    store.nameSearch.forget()
    const { subjects } = scope.value
    const order = { operator: 'tester', at: 1, reason: 'asked', cause: 'request' } as const
    expect(store.erasure.erase({ ...order, subjects })).toMatchObject({ ok: true })
    expect([found('called'), found('王伟'), found('specimen'), found('mueller')]).toEqual([[], [], [], [4, 2, 1]])
    const left = store.dbs.search.prepare('SELECT count(*) FROM trigram WHERE trigram MATCH ? AND rowid < 0').pluck()
    expect([left.get('called'), left.get('Nothing')]).toEqual([0, 0])
    for (const table of ['trigram', 'pair'])
      store.dbs.search.prepare(`INSERT INTO ${table}(${table}) VALUES ('integrity-check')`).run()
    store.close()
  })
)

it('lists of applicants, messages, waiting items and events compare in the same way', () => {
  const applicants = (search: string): readonly string[] =>
    engine.applicants.read.list({ search, limit: 50 }).applicants.map(({ id }) => id)
  expect(applicants('Ángel-7')).toEqual(['A\u0301NGEL-7'])
  expect(applicants('isl')).toEqual(['İŞL-0001'])
  expect(applicants('\u0301')).toEqual([])
  const messages = (search: string): number => engine.catalogue.page({ search, limit: 50 }).messages.length
  expect([messages('MUELLER'), messages('김철'), messages('\u0301')]).toEqual([2, 1, 0])
  const waiting = (search: string): number => engine.queue.page({ filter: { search }, limit: 50 }, Date.now()).total
  expect([waiting('ＡＮＧＥＬ-7'), waiting('王'), waiting('\u0301')]).toEqual([1, 1, 0])
  const events = (filter: object): number => engine.audit.page({ ...filter, limit: 5 }).events.length
  expect([events({ operator: 'TÉSTER' }), events({ search: '\u0301' })]).toEqual([5, 0])
  expect(events({ about: 'angel-7' })).toBe(2)
  // Signs are letters like others: none of them means anything, and a search for nothing that is there has no rows.
  for (const signs of ['%', '_', '*', '%%', '^', '((', '"*"', '\\', '\u0301\u0308', '\u200d'])
    expect([
      signs,
      applicants(signs).length,
      messages(signs),
      waiting(signs),
      events({ search: signs }),
      events({ about: signs }),
      searched(engine, signs).length
    ]).toEqual([signs, 0, 0, 0, 0, 0, 0])
})

it('has IDs as they were entered, however they are found', () => {
  const [found] = engine.queries.page({ filter: { search: 'angel-7' }, limit: 1 }).records
  expect(found?.input['applicant_id']).toBe('A\u0301NGEL-7')
})

it('survives closing, and an erasure leaves no term of it in either table', () =>
  inFolder((folder) => {
    const first = opened(folder)
    for (const applicant of ['A-王伟', 'A-李娜']) add(first, { applicant }, answer(`Müller ${applicant} 已验证`))
    first.close()
    const again = opened(folder)
    const terms = (): Record<string, readonly unknown[]> =>
      Object.fromEntries(
        ['trigram', 'pair'].map((table) => {
          again.dbs.search.exec(`CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, ${table}, row)`)
          const all = again.dbs.search.prepare('SELECT term FROM temp.terms').pluck().all()
          again.dbs.search.exec('DROP TABLE temp.terms')
          return [table, all]
        })
      )
    expect(searched(again, '王伟')).toEqual([1])
    expect(terms()).toMatchObject({ pair: expect.arrayContaining(['王伟', '李娜', '已验']) })
    const scope = again.erasure.scope('A-王伟')
    if (!scope.ok) throw new Error(scope.failure.code)
    const { subjects } = scope.value
    const erased = again.erasure.erase({ subjects, operator: 'tester', at: 1, reason: 'asked', cause: 'request' })
    expect(erased).toMatchObject({ ok: true })
    const { trigram, pair } = terms()
    expect(pair).toEqual(expect.arrayContaining(['李娜', '已验']))
    expect(pair).not.toContain('王伟')
    expect(trigram).not.toContain('-王伟')
    expect(searched(again, '王伟')).toEqual([])
    expect(searched(again, '李娜')).toEqual([2])
    for (const table of ['trigram', 'pair'])
      expect(
        again.dbs.search.prepare(`INSERT INTO ${table}(${table}) VALUES ('integrity-check')`).run().changes
      ).toBeGreaterThanOrEqual(0)
    again.close()
  }))
