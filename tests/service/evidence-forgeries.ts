/**
 * Packs by forgers: changed files, content that was changed and signed again with the same key, and signers
 * who lie and compute every hash anew. Each has the sentence with which the stand-alone verifier must refuse it.
 */
import { approvalRows } from './evidence-approval-forgeries.ts'
import { identity } from './evidence-authorities.ts'
import {
  canonical,
  contentOf,
  envelopeOf,
  erased,
  fileOf,
  fileText,
  fingerprintOf,
  isErased,
  packType,
  partOf,
  rebuilt,
  rootOf,
  valueDigest,
  withTree,
  type Content,
  type Json,
  type PackEvent,
  type PackFile
} from './evidence-builder.ts'
import {
  add,
  bodyOf,
  borrow,
  countAnew,
  drop,
  eraseAll,
  last,
  linksOfNothing,
  mixedOrderPack,
  eventOf,
  put,
  remade,
  salt,
  sealedOf,
  seriesOf,
  statedSeries,
  take,
  withhold,
  zeros,
  type Change,
  type Row
} from './evidence-changes.ts'
import { director, genuinePacks, recordId, signer } from './evidence-genuine.ts'

const unrecorded = /^Sealed data of \S.* is missing, but no later event that is shown records that it was erased/

export interface Forgery {
  readonly name: string
  readonly text: string
  /** The text of the refusal, without the full stop. */
  readonly why: RegExp
}

const [notRecorded, notInTree] = [/^Event \d+ is not what was recorded/, /^Event \d+ is not in the tree/]
const badForm = /^This is not an evidence pack/
const badLinks = /^The links of event \d+ are not those of its kind/
const person = 3

/** Changes of the content that leave the hashes as they are. */
const signedAgain: readonly Row[] = [
  [
    'signed',
    'a value changed',
    'applicant',
    (content) => put(eventOf(content, 'decision.made').plain, 'decision', 'decline'),
    notRecorded
  ],
  [
    'signed',
    'a sealed value changed',
    'applicant',
    (content) => put(sealedOf(eventOf(content, 'note.made')), 'text', 'all is well'),
    notRecorded
  ],
  [
    'signed',
    'a salt changed',
    'applicant',
    (content) => void (eventOf(content, 'decision.made').plain.shown[0]![0] = salt),
    notRecorded
  ],
  [
    'signed',
    'a value added',
    'applicant',
    (content) => add(eventOf(content, 'decision.made').plain, 'approved', true),
    notRecorded
  ],
  [
    'signed',
    'a value left out',
    'applicant',
    (content) => take(eventOf(content, 'decision.made').plain, 'evidence'),
    notRecorded
  ],
  [
    'signed',
    'a withheld value left out',
    'applicant-no-personal-data',
    (content) => void eventOf(content, 'note.made').plain.withheld.pop(),
    notRecorded
  ],
  [
    'signed',
    'a withheld value guessed',
    'applicant-no-personal-data',
    (content) => {
      const { plain } = eventOf(content, 'note.made')
      plain.withheld = []
      add(plain, 'text', 'nothing')
    },
    notRecorded
  ],
  [
    'signed',
    'a withheld value exchanged',
    'applicant-no-personal-data',
    (content) => {
      const [a, b] = [eventOf(content, 'note.made').plain, eventOf(content, 'tags.changed').plain]
      ;[a.withheld, b.withheld] = [b.withheld, a.withheld]
    },
    notRecorded
  ],
  [
    'signed',
    'a time changed',
    'applicant',
    (content) => void (eventOf(content, 'decision.made').at -= 86_400_000),
    notRecorded
  ],
  [
    'signed',
    'another kind',
    'applicant',
    (content) => void (eventOf(content, 'tags.changed').kind = 'note.made'),
    notRecorded
  ],
  [
    'signed',
    'another person',
    'applicant',
    (content) => void (eventOf(content, 'decision.made').subject! += 1),
    notRecorded
  ],
  [
    'signed',
    'another record',
    'applicant',
    (content) => void (eventOf(content, 'record.ended').record! += 1),
    notRecorded
  ],
  [
    'signed',
    'another place in a series',
    'applicant',
    (content) => void (eventOf(content, 'decision.made').links.subject![0] += 1),
    notRecorded
  ],
  [
    'signed',
    'another salt of a value',
    'applicant',
    (content) => void (eventOf(content, 'decision.made').plain.shown[0]![0] = 'f'.repeat(32)),
    notRecorded
  ],
  [
    'signed',
    'a sealed part left out',
    'applicant',
    (content) => void (eventOf(content, 'note.made').sealed = null),
    notRecorded
  ],
  [
    'signed',
    'a sealed part invented',
    'applicant',
    (content) => void (eventOf(content, 'due.changed').sealed = partOf('invented', { note: 'x' })),
    notRecorded
  ],
  [
    'signed',
    'the sealed parts of two events exchanged',
    'applicant',
    (content) => {
      const [a, b] = [eventOf(content, 'note.made'), eventOf(content, 'tags.changed')]
      ;[a.sealed, b.sealed] = [b.sealed, a.sealed]
    },
    notRecorded
  ],
  [
    'signed',
    'two events exchanged with all that proves them',
    'applicant',
    (content) => {
      const [a, b] = [eventOf(content, 'note.made'), eventOf(content, 'tags.changed')]
      ;[a.seq, b.seq] = [b.seq, a.seq]
      content.events.sort((x, y) => x.seq - y.seq)
    },
    /^Event \d+ (is not in the tree|does not follow the one before it)/
  ],
  [
    'signed',
    'an event dropped',
    'applicant',
    (content) => drop(content, ({ kind }) => kind === 'note.made'),
    /^Events of person 3 are missing: 1 event between events 3 and 7/
  ],
  [
    'signed',
    'a decision dropped',
    'applicant',
    (content) => drop(content, ({ kind }) => kind === 'decision.made'),
    /^Events of person 3 are missing: 1 event between events \d+ and \d+/
  ],
  [
    'signed',
    'the first event of a person dropped',
    'applicant',
    (content) => drop(content, ({ seq }) => seq === 2),
    /^Event 3 belongs to no record that is shown/
  ],
  [
    'signed',
    'a whole verification dropped',
    'applicant',
    (content) => {
      drop(content, ({ record, kind }) => record === 3 && kind.startsWith('record.'))
      content.bodies = content.bodies.filter(({ record }) => record !== 3)
    },
    /^Events of person 3 are missing: 3 events between events 7 and 14/
  ],
  [
    'signed',
    'a linked verification dropped',
    'applicant',
    (content) => {
      drop(content, ({ record, kind }) => record === 4 && kind.startsWith('record.'))
      content.bodies = content.bodies.filter(({ record }) => record !== 4)
    },
    /^Events of record 4 are missing: 2 events after event 0/
  ],
  [
    'signed',
    'the end of a linked verification dropped',
    'applicant',
    (content) => {
      drop(content, ({ record, kind }) => record === 4 && kind === 'record.ended')
      content.bodies = content.bodies.filter(({ record }) => record !== 4)
    },
    /^Events of record 4 are missing: 1 event after event 12/
  ],
  [
    'signed',
    'an earlier pack dropped',
    'applicant',
    (content) => drop(content, ({ seq }) => seq === 7),
    /^Events of person 3 are missing: 1 event between events 6 and 8/
  ],
  [
    'signed',
    'the last event dropped',
    'applicant',
    (content) => void content.events.pop(),
    /^Its last event is not the last one of the audit trail, or does not record a pack/
  ],
  [
    'signed',
    'the end of an unknown outcome dropped',
    'record-unanswered',
    (content) => drop(content, ({ kind }) => kind === 'record.resolved'),
    /^Events of record 3 are missing: 1 event after event 9/
  ],
  [
    'signed',
    'a row of a batch dropped',
    'batch',
    (content) => {
      drop(content, ({ record }) => record === 2)
      content.bodies = content.bodies.filter(({ record }) => record !== 2)
    },
    /^Events of batch \S+ are missing: 2 events between events 5 and 8/
  ],
  [
    'signed',
    'the creation of a batch dropped',
    'batch',
    (content) => drop(content, ({ kind }) => kind === 'batch.made'),
    /^Events of batch \S+ are missing: 1 event before event 5/
  ],
  [
    'signed',
    'a resolution after a restore dropped',
    'batch',
    (content) => drop(content, ({ kind }) => kind === 'batch.resolved'),
    /^Events of batch \S+ are missing: 1 event between events 10 and 12/
  ],
  [
    'signed',
    'an event twice',
    'applicant',
    (content) => void content.events.splice(2, 0, structuredClone(content.events[2]!)),
    /^Event \d+ is out of order/
  ],
  [
    'signed',
    'events in another order',
    'applicant',
    (content) => void content.events.reverse(),
    /^Event \d+ is out of order/
  ],
  [
    'signed',
    'a path that leads elsewhere',
    'applicant',
    (content) => void content.events[0]!.path.reverse(),
    notInTree
  ],
  ['signed', 'a path that goes on', 'applicant', (content) => void content.events[0]!.path.push(zeros), notInTree],
  ['signed', 'a path that ends early', 'applicant', (content) => void content.events[0]!.path.pop(), notInTree],
  [
    'signed',
    'another hash',
    'applicant',
    (content) => void (last(content).hash = zeros),
    /^Event \d+ is not (in the tree|what was recorded)/
  ],
  [
    'signed',
    'another previous hash',
    'applicant',
    (content) => void (content.events[2]!.previous = zeros),
    /^Event 3 does not follow the one before it/
  ],
  [
    'signed',
    'an event of another audit trail',
    'applicant',
    (content) => {
      const stranger = structuredClone(eventOf(contentOf(genuinePacks['batch'].file), 'record.begun'))
      content.events = [...content.events.filter(({ seq }) => seq !== stranger.seq), stranger].sort(
        (a, b) => a.seq - b.seq
      )
    },
    /^Event \d+ (is not in the tree|does not follow the one before it)/
  ],
  [
    'signed',
    'another applicant’s event, proved in the same audit trail',
    'applicant',
    (content, leaves) => {
      const theirs = eventOf(contentOf(genuinePacks['other-applicant'].file), 'note.made')
      borrow(content, leaves, [theirs])
    },
    /^Its events are about more than one applicant/
  ],
  [
    'signed',
    'another applicant’s verification, proved in the same audit trail',
    'applicant',
    (content, leaves) => {
      const theirs = contentOf(genuinePacks['other-applicant'].file)
      borrow(
        content,
        leaves,
        theirs.events.filter(({ record, kind }) => record === 2 && kind.startsWith('record.'))
      )
      content.bodies = [...content.bodies, ...theirs.bodies.filter(({ record }) => record === 2)].sort(
        (a, b) => a.record - b.record
      )
    },
    /^Its events are about more than one applicant/
  ],
  // The tree
  ['signed', 'a larger tree stated', 'record', (content) => void (content.size += 1), notInTree],
  [
    'signed',
    'a tree that goes on',
    'record',
    (content, leaves) => void Object.assign(content, withTree(content, [...leaves, zeros])),
    /^Its last event is not the last one of the audit trail/
  ],
  [
    'signed',
    'an event before the first one shown that is not in the tree',
    'other-applicant',
    (content, leaves) => {
      drop(content, ({ seq }) => seq === 1)
      const before = content.events[0]!.seq - 1
      Object.assign(
        content,
        withTree(
          content,
          leaves.map((hash, index) => (index === before - 1 ? zeros : hash))
        )
      )
    },
    /^It contradicts itself about events \d+ to \d+/
  ],
  ['signed', 'another root', 'record', (content) => void (content.root = zeros), notInTree],
  ...(
    [
      ['of another audit trail', (content) => void (content.origin.leaf = zeros)],
      ['with a path that ends early', (content) => void content.origin.path.pop()],
      ['with a path that leads elsewhere', (content) => void content.origin.path.reverse()]
    ] as const satisfies readonly (readonly [string, Change])[]
  ).map(([name, change]): Row => [
    'signed',
    `an origin ${name}`,
    'record',
    change,
    /^Event 1, which names the audit trail, is not in the tree/
  ]),
  [
    'signed',
    'a proof of consistency that leads elsewhere',
    'applicant',
    (content) => void content.consistency!.path.reverse(),
    /^The audit trail does not continue that of the pack before/
  ],
  [
    'signed',
    'a proof of consistency with another root',
    'applicant',
    (content) => void (content.consistency!.root = zeros),
    /^The audit trail does not continue that of the pack before/
  ],
  [
    'signed',
    'a proof of consistency with itself',
    'applicant',
    (content, leaves) => void (content.consistency = { path: [], root: rootOf(leaves), size: leaves.length }),
    /^The audit trail does not continue that of the pack before/
  ],
  [
    'signed',
    'no proof of consistency',
    'applicant',
    (content) => void (content.consistency = null),
    /^It shows an earlier pack, event 7, but does not prove that the audit trail continues it/
  ],
  [
    'signed',
    'a proof of consistency with an event that records no pack',
    'applicant',
    (content, leaves) => {
      content.consistency!.size = 8
      Object.assign(content, withTree(content, leaves))
    },
    /^It continues another audit trail than that of the pack before/
  ],
  [
    'signed',
    'a proof of consistency with a pack before the last one',
    'applicant',
    (content, leaves) => {
      content.consistency!.size = 5
      Object.assign(content, withTree(content, leaves))
    },
    /^It continues another audit trail than that of the pack before/
  ],
  // Responses and erasure
  [
    'signed',
    'a response taken out',
    'applicant',
    (content) => void content.bodies.shift(),
    /^The response of record 1 is missing, although its end names it/
  ],
  [
    'signed',
    'a response twice',
    'applicant',
    (content) => void content.bodies.unshift(structuredClone(content.bodies[0]!)),
    /^Its responses are not in order/
  ],
  [
    'signed',
    'responses in another order',
    'applicant',
    (content) => void content.bodies.reverse(),
    /^Its responses are not in order/
  ],
  [
    'signed',
    'a response of no record',
    'applicant',
    (content) => void content.bodies.push({ ...structuredClone(bodyOf(content)), record: 99 }),
    /^The response of record 99 belongs to no event/
  ],
  [
    'signed',
    'a response to a verification that had none',
    'record-unanswered',
    (content) => void content.bodies.push({ ...partOf('x', { body: '{}' }), record: 3, version: 1 }),
    /^The response of record 3 belongs to no event/
  ],
  [
    'signed',
    'a response changed',
    'applicant',
    (content) => put(bodyOf(content), 'body', '{"message":"Refused"}'),
    /^The response of record 1 is not the one that was recorded/
  ],
  [
    'signed',
    'a response exchanged',
    'applicant',
    (content) => {
      const [a, b] = [bodyOf(content, 0), bodyOf(content, 1)]
      ;[a.record, b.record] = [b.record, a.record]
      content.bodies.reverse()
    },
    /^The response of record 1 is not the one that was recorded/
  ],
  [
    'signed',
    'a response of other values, all erased',
    'applicant',
    (content) => void (content.bodies[0] = { record: bodyOf(content).record, version: 1, values: zeros }),
    /^The response of record 1 is not the one that was recorded/
  ],
  [
    'signed',
    'a response called erased',
    'applicant',
    (content) => {
      const { record, version, ...part } = bodyOf(content)
      content.bodies[0] = { ...erased(part), record, version }
    },
    /^Sealed data of the response of record 1 is missing, but other data of the same person is present/
  ],
  [
    'signed',
    'a note called erased',
    'applicant',
    (content) => {
      const note = eventOf(content, 'note.made')
      note.sealed = erased(sealedOf(note))
    },
    /^Sealed data of event 6 is missing, but other data of the same person is present/
  ],
  [
    'signed',
    'a withheld note called erased',
    'applicant-no-personal-data',
    (content) => {
      const note = eventOf(content, 'note.made')
      note.sealed = erased(sealedOf(note))
    },
    /^Sealed data of event 6 is missing, but other data of the same person is present/
  ],
  [
    'rebuilt',
    'everything of a person called erased, without an event that says so',
    'record',
    (content) => eraseAll(content, 3),
    unrecorded
  ],
  [
    'signed',
    'an erasure left out',
    'batch-half-erased',
    (content) => drop(content, ({ kind }) => kind === 'subject.erased'),
    unrecorded
  ],
  [
    'signed',
    'the erasure of a linked record left out',
    'applicant-linked-erased',
    (content) => drop(content, ({ kind }) => kind === 'subject.erased'),
    unrecorded
  ],
  ...(
    [
      ['of somebody else', [5]],
      ['of a number without a list', 6],
      ['of a number as text', ['6']],
      ['of null', null],
      ['of an object', { 6: 6 }]
    ] as const
  ).map(([name, subjects]): Row => [
    'rebuilt',
    `an erasure ${name}`,
    'batch-half-erased',
    (content) => put(eventOf(content, 'subject.erased').plain, 'subjects', subjects),
    unrecorded
  ]),
  [
    'rebuilt',
    'an erasure before what it erased',
    'batch-half-erased',
    (content) => {
      eventOf(content, 'subject.erased').seq = 4
      content.events.sort((a, b) => a.seq - b.seq)
    },
    unrecorded
  ],
  [
    'rebuilt',
    'an erased part of nobody',
    'record-erased',
    (content) => {
      eventOf(content, 'connection.noted').sealed = erased(partOf('nobody', { text: '' }))
      put(eventOf(content, 'subject.erased').plain, 'subjects', [3, null])
    },
    unrecorded
  ],
  [
    'signed',
    'an erasure that withholds whom it erased',
    'batch-half-erased',
    (content) => withhold(eventOf(content, 'subject.erased').plain, 'subjects'),
    /^Event \d+ does not show its subjects, which no pack withholds/
  ],
  ...(['record-erased', 'applicant-linked-erased-no-personal-data'] as const).map((base): Row => [
    'signed',
    `the reason of an erasure shown, ${base}`,
    base,
    (content) => {
      const event = eventOf(content, 'subject.erased')
      event.sealed = partOf(`sealed ${event.seq}`, { reason: 'Asked for by letter' })
    },
    /^Event \d+ shows why somebody was erased, which no pack does/
  ]),
  // Values
  [
    'signed',
    'a value of an erasure withheld in a full pack',
    'record-erased',
    (content) => withhold(eventOf(content, 'subject.erased').plain, 'cause'),
    /^It is a full pack, but withholds values of event \d+/
  ],
  [
    'signed',
    'a value withheld in a full pack',
    'applicant',
    (content) => withhold(eventOf(content, 'decision.made').plain, 'decision'),
    /^It is a full pack, but withholds values of event \d+/
  ],
  [
    'signed',
    'a sealed value withheld in a full pack',
    'applicant',
    (content) => withhold(sealedOf(eventOf(content, 'decision.made')), 'note'),
    /^It is a full pack, but withholds values of event \d+/
  ],
  [
    'signed',
    'a value of a response withheld in a full pack',
    'applicant',
    (content) => withhold(bodyOf(content), 'body'),
    /^It is a full pack, but withholds values of the response of record 1/
  ],
  [
    'signed',
    'a redacted pack that calls itself full',
    'applicant-no-personal-data',
    (content) => void (content.profile = 'full'),
    /^It is a full pack, but withholds|does not state what an event of its kind must|^Event \d+ is about another pack/
  ],
  [
    'signed',
    'a value shown and withheld',
    'applicant-no-personal-data',
    (content) => {
      const { plain } = eventOf(content, 'decision.made')
      plain.withheld = [...plain.withheld, valueDigest(plain.shown[0]!)].sort()
    },
    /^A value of event \d+ is shown and withheld/
  ],
  [
    'signed',
    'a value twice',
    'applicant',
    (content) =>
      void eventOf(content, 'decision.made').plain.shown.push(
        structuredClone(eventOf(content, 'decision.made').plain.shown[0]!)
      ),
    /^A value of event \d+ occurs twice/
  ],
  [
    'signed',
    'values in another order',
    'applicant',
    (content) => void eventOf(content, 'decision.made').plain.shown.reverse(),
    /^The values of event \d+ are not sorted/
  ],
  [
    'signed',
    'digests in another order',
    'applicant-no-personal-data',
    (content) => void eventOf(content, 'record.begun').plain.withheld.reverse(),
    /^The values of event \d+ are not sorted/
  ],
  [
    'signed',
    'a digest twice',
    'applicant-no-personal-data',
    (content) =>
      void eventOf(content, 'record.begun').plain.withheld.unshift(eventOf(content, 'record.begun').plain.withheld[0]!),
    /^The values of event \d+ are not sorted/
  ],
  [
    'signed',
    'the ID of a record withheld',
    'applicant-no-personal-data',
    (content) => withhold(eventOf(content, 'record.begun').plain, 'id'),
    /^Event \d+ does not show its id, which no pack withholds/
  ],
  [
    'signed',
    'an outcome withheld',
    'applicant-no-personal-data',
    (content) => withhold(eventOf(content, 'record.ended').plain, 'outcome'),
    /^Event \d+ does not show its outcome, which no pack withholds/
  ],
  [
    'signed',
    'the name of a response withheld',
    'applicant-no-personal-data',
    (content) => withhold(eventOf(content, 'record.ended').plain, 'reply'),
    /^Event \d+ does not show its reply, which no pack withholds/
  ],
  [
    'signed',
    'the ID of a batch withheld',
    'batch-no-personal-data',
    (content) => withhold(eventOf(content, 'batch.changed').plain, 'id'),
    /^Event \d+ does not show its id, which no pack withholds/
  ],
  [
    'signed',
    'what an earlier pack contained withheld',
    'applicant-no-personal-data',
    (content) => withhold(eventOf(content, 'pack.made').plain, 'series'),
    /^Event \d+ does not show its series, which no pack withholds/
  ],
  [
    'signed',
    'the batch of a record withheld',
    'batch-no-personal-data',
    (content) => withhold(eventOf(content, 'record.begun').plain, 'batchId'),
    /^It shows records of another batch/
  ],
  // What it is about
  [
    'rebuilt',
    'another profile in its last event',
    'applicant-no-personal-data',
    (content) => put(last(content).plain, 'profile', 'full'),
    /^Event 22 is about another pack/
  ],
  [
    'signed',
    'another applicant',
    'applicant',
    (content) => void (content.about.id = 'APP-OTHER'),
    /^It claims to be about applicant APP-OTHER, but shows another/
  ],
  [
    'signed',
    'an applicant that looks the same',
    'applicant',
    (content) => void (content.about.id = content.about.id!.replace('A', '\u0410')),
    /^It claims to be about applicant .+, but shows another/
  ],
  [
    'signed',
    'an applicant withheld',
    'applicant',
    (content) => void (content.about.id = null),
    /^It withholds what it is about/
  ],
  [
    'signed',
    'an applicant shown',
    'applicant-no-personal-data',
    (content) => void (content.about.id = 'APP-OTHER'),
    /^It withholds what it is about, or shows what its profile withholds/
  ],
  [
    'signed',
    'another record',
    'record',
    (content) => void (content.about.id = recordId(2)),
    /^It claims to be about record \S+, but event \d+ names another/
  ],
  [
    'signed',
    'a record called a batch',
    'record',
    (content) => void (content.about.kind = 'batch'),
    /^Event \d+ is about another pack/
  ],
  [
    'signed',
    'another record’s events',
    'record',
    (content, leaves) => {
      const theirs = contentOf(genuinePacks['applicant'].file)
      borrow(
        content,
        leaves,
        theirs.events.filter(({ record, kind }) => record === 3 && kind.startsWith('record.'))
      )
    },
    /^It claims to be about record \S+, but shows another/
  ],
  [
    'signed',
    'a link of another record',
    'record',
    (content, leaves) => {
      borrow(content, leaves, [eventOf(contentOf(genuinePacks['applicant'].file), 'link.made')])
    },
    /^It shows events of another record/
  ],
  [
    'signed',
    'another batch',
    'batch',
    (content) => void (content.about.id = recordId(2)),
    /^It claims to be about batch \S+, but event \d+ names another/
  ],
  [
    'signed',
    'a certificate of another key',
    'record',
    (content) => void (content.signer.certificates = [identity('Another').der.toString('base64')]),
    /^The certificate of its signer is that of another key/
  ],
  [
    'signed',
    'an attachment twice',
    'attachment',
    (content) => void content.attachments.push({ ...content.attachments[0]!, bytes: 1 }),
    /^Two of its attachments have the same name/
  ],
  // Structure
  ...(
    [
      ['a part that a pack does not have', (content) => Object.assign(content, { extra: true })],
      ['a part that is missing', (content) => void delete (content as Partial<Content>).console],
      ['no event', (content) => void (content.events = [])],
      [
        'an event without version',
        (content) => void delete (eventOf(content, 'note.made') as Partial<PackEvent>).version
      ],
      ['an event of version 3', (content) => Object.assign(eventOf(content, 'note.made'), { version: 3 })],
      ['an event with fields', (content) => Object.assign(eventOf(content, 'note.made'), { fields: [] })],
      ['a person of number zero', (content) => Object.assign(eventOf(content, 'note.made'), { subject: 0 })],
      ['an event with a commitment', (content) => Object.assign(eventOf(content, 'note.made'), { commitment: null })],
      [
        'a link of another kind',
        (content) => Object.assign(eventOf(content, 'note.made').links, { applicant: [1, 0] })
      ],
      ['a link of three', (content) => Object.assign(eventOf(content, 'note.made').links, { subject: [1, 0, 0] })],
      ['a link of nothing', (content) => Object.assign(eventOf(content, 'note.made').links, { subject: null })],
      [
        'a plain part that is erased',
        (content) =>
          Object.assign(eventOf(content, 'note.made'), { plain: erased(eventOf(content, 'note.made').plain) })
      ],
      [
        'a part that is shown and erased',
        (content) =>
          Object.assign(eventOf(content, 'note.made'), {
            sealed: { ...sealedOf(eventOf(content, 'note.made')), values: zeros }
          })
      ],
      ['a part with a text hash', (content) => Object.assign(eventOf(content, 'note.made').plain, { text: zeros })],
      ['a response with a text hash', (content) => Object.assign(bodyOf(content), { text: zeros })],
      ['a value of four', (content) => Object.assign(eventOf(content, 'note.made').plain.shown[0]!, { 3: null })],
      [
        'a value without a name',
        (content) => Object.assign(eventOf(content, 'note.made').plain.shown[0]!, { 1: null })
      ],
      [
        'a salt that is too short',
        (content) => Object.assign(eventOf(content, 'note.made').plain.shown[0]!, { 0: '00' })
      ],
      ['a hash in capitals', (content) => void (content.events[0]!.hash = content.events[0]!.hash.toUpperCase())],
      ['a time with a fraction', (content) => void (content.events[0]!.at += 0.5)],
      ['a time that is none', (content) => void (content.events[0]!.at = 9e15)],
      ['a number that is too large', (content) => void (content.events[0]!.seq = 2 ** 53)],
      ['a kind that is no text', (content) => Object.assign(content.events[0]!, { kind: 7 })],
      ['a profile that does not exist', (content) => Object.assign(content, { profile: 'some' })],
      ['a subject that does not exist', (content) => Object.assign(content.about, { kind: 'person' })],
      [
        'an attachment without a size',
        (content) => Object.assign(content, { attachments: [{ name: 'x', sha256: zeros }] })
      ],
      [
        'an attachment of less than nothing',
        (content) => void content.attachments.push({ name: 'x', sha256: zeros, bytes: -1 })
      ],
      ['a certificate that is not base64', (content) => void content.signer.certificates.push('?')],
      ['a certificate with another spelling', (content) => void content.signer.certificates.push('AB==')],
      ['a response of record zero', (content) => void (content.bodies[0]!.record = 0)],
      ['a key that is too short', (content) => void (content.signer.key = content.signer.key.slice(2))],
      ['a signer without a key', (content) => Object.assign(content, { signer: { certificates: [] } })]
    ] as const satisfies readonly (readonly [string, Change])[]
  ).map(([name, change]): Row => ['signed', name, 'applicant', change, badForm])
]

/** Signers who compute every hash anew. */
const liars: readonly Row[] = [
  [
    'rebuilt',
    'an event without its link',
    'applicant',
    (content) => void delete eventOf(content, 'note.made').links.subject,
    badLinks
  ],
  [
    'rebuilt',
    'an event of no person with a link',
    'applicant',
    (content) => void (eventOf(content, 'note.made').subject = null),
    badLinks
  ],
  [
    'rebuilt',
    'a verification without its place among all',
    'record',
    (content) => void delete eventOf(content, 'record.begun').links.all,
    badLinks
  ],
  [
    'rebuilt',
    'a note with a place among all',
    'applicant',
    (content) => void (eventOf(content, 'note.made').links.all = [1, 0]),
    badLinks
  ],
  [
    'rebuilt',
    'a verification whose place among all another one has',
    'applicant',
    (content) => void (content.events.findLast(({ kind }) => kind === 'record.begun')!.links.all = [1, 0]),
    /^Event \d+ contradicts the order of the events of all record\.begun/
  ],
  [
    'rebuilt',
    'a note with a link to a record',
    'applicant',
    (content) => void (eventOf(content, 'note.made').links.record = [1, 0]),
    badLinks
  ],
  [
    'rebuilt',
    'a verification without its link',
    'record',
    (content) => void delete eventOf(content, 'record.ended').links.record,
    badLinks
  ],
  [
    'rebuilt',
    'a connection with a link',
    'record',
    (content) => void (eventOf(content, 'connection.noted').links.record = [1, 0]),
    badLinks
  ],
  [
    'rebuilt',
    'a verification of no batch with a link to one',
    'record',
    (content) => void (eventOf(content, 'record.ended').links.batch = [1, 0]),
    badLinks
  ],
  [
    'rebuilt',
    'a row of a batch without its link',
    'batch',
    (content) => void delete eventOf(content, 'record.ended').links.batch,
    badLinks
  ],
  [
    'rebuilt',
    'a link to a later event',
    'applicant',
    (content) => void (eventOf(content, 'note.made').links.subject = [3, 6]),
    badLinks
  ],
  [
    'rebuilt',
    'a first link after another event',
    'applicant',
    (content) => void (eventOf(content, 'record.begun').links.subject = [1, 1]),
    badLinks
  ],
  [
    'rebuilt',
    'an event dropped and the next one linked to the one before',
    'applicant',
    (content) => {
      drop(content, ({ kind }) => kind === 'note.made')
      const next = content.events.find(({ seq }) => seq === 7) as PackEvent
      next.links.subject = [next.links.subject![0], 3]
    },
    /^Events of person 3 are missing: 1 event between events 3 and 7/
  ],
  [
    'rebuilt',
    'an event dropped and the others counted anew, but not linked',
    'applicant',
    (content) => {
      drop(content, ({ kind }) => kind === 'note.made')
      const before = structuredClone(content.events)
      countAnew(content, person)
      for (const [index, event] of before.entries()) {
        const [own, anew] = [event as PackEvent, content.events[index] as PackEvent]
        if (own.links.subject && anew.links.subject) anew.links.subject[1] = own.links.subject[1]
      }
    },
    /^Event 7 contradicts the order of the events of person 3/
  ],
  [
    'rebuilt',
    'an event counted twice',
    'applicant',
    (content) => void (eventOf(content, 'decision.made').links.subject![0] -= 1),
    /^Event \d+ contradicts the order of the events of person 3/
  ],
  [
    'rebuilt',
    'a smaller number of events stated',
    'applicant',
    (content) => void (seriesOf(content, 'subject')[2] -= 1),
    /^It states another number of events of person 3 than event 22 has/
  ],
  [
    'rebuilt',
    'another last event stated',
    'record',
    (content) => void (seriesOf(content, 'record')[3] -= 1),
    /^The events of record 1 are not those that the pack must contain/
  ],
  [
    'rebuilt',
    'fewer events of a record stated',
    'record',
    (content) => void (seriesOf(content, 'record')[2] -= 1),
    /^The events of record 1 are not those that the pack must contain/
  ],
  [
    'rebuilt',
    'more events of a record stated',
    'record',
    (content) => void (seriesOf(content, 'record')[2] += 1),
    /^Events of record 1 are missing: 1 event after event 3/
  ],
  [
    'rebuilt',
    'a series left out',
    'applicant',
    (content) =>
      put(
        last(content).plain,
        'series',
        statedSeries(content).filter(([kind]) => kind !== 'record')
      ),
    /^Event \d+ does not state the series that the pack must contain/
  ],
  [
    'rebuilt',
    'no series',
    'record',
    (content) => put(last(content).plain, 'series', []),
    /^Event \d+ does not state the series that the pack must contain/
  ],
  [
    'rebuilt',
    'the series of another batch',
    'batch',
    (content) => void (seriesOf(content, 'batch')[1] = 'another'),
    /^Event \d+ does not state the series that the pack must contain/
  ],
  [
    'rebuilt',
    'a series twice',
    'record',
    (content) => put(last(content).plain, 'series', [...statedSeries(content), ...statedSeries(content)]),
    /^Event \d+ does not state the series that the pack must contain/
  ],
  [
    'rebuilt',
    'a series of another kind',
    'record',
    (content) => put(last(content).plain, 'series', [...statedSeries(content), ['connection', 1, 1, 1]]),
    /^Event 22 does not state what the pack contains completely/
  ],
  [
    'rebuilt',
    'series in another order',
    'applicant',
    (content) => put(last(content).plain, 'series', statedSeries(content).toReversed()),
    /^Event \d+ does not state the series that the pack must contain/
  ],
  [
    'rebuilt',
    'a series that is no list',
    'record',
    (content) => put(last(content).plain, 'series', 'all'),
    /^Event 22 does not state what the pack contains completely/
  ],
  [
    'rebuilt',
    'another applicant’s series, without its events',
    'applicant',
    (content) => put(last(content).plain, 'series', [...statedSeries(content), ['subject', 4, 2, 5]]),
    /^Event \d+ does not state the series that the pack must contain/
  ],
  [
    'rebuilt',
    'a link that is not removed, without its record',
    'applicant',
    (content) => {
      drop(content, ({ kind }) => kind === 'link.removed')
      countAnew(content, person)
    },
    /^Event \d+ does not state the series that the pack must contain/
  ],
  [
    'rebuilt',
    'a last event that records no pack',
    'record',
    (content) => void (last(content).kind = 'note.made'),
    /^Its last event is not the last one of the audit trail, or does not record a pack/
  ],
  [
    'rebuilt',
    'what a pack of the profile must state: the operator',
    'record',
    (content) => withhold(last(content).plain, 'operator'),
    /^Event 22 does not state what an event of its kind must/
  ],
  [
    'rebuilt',
    'more than an event of its kind states',
    'record',
    (content) => add(last(content).plain, 'verified', true),
    /^Event 22 does not state what an event of its kind must/
  ],
  [
    'rebuilt',
    'no operator',
    'record',
    (content) => take(last(content).plain, 'operator'),
    /^Event 22 does not state what an event of its kind must/
  ],
  [
    'rebuilt',
    'an ID of an applicant in its last event',
    'applicant-no-personal-data',
    (content) => add(last(content).plain, 'id', 'APP-1'),
    /^Event 22 does not state what an event of its kind must/
  ],
  [
    'rebuilt',
    'another kind of subject in its last event',
    'record',
    (content) => put(last(content).plain, 'about', 'batch'),
    /^The links of event 22 are not those of its kind/
  ],
  [
    'rebuilt',
    'another record in its last event',
    'record',
    (content) => put(last(content).plain, 'id', recordId(2)),
    /^It claims to be about record \S+, but event 22 names another/
  ],
  [
    'rebuilt',
    'a last event of another record',
    'record',
    (content) => void (last(content).record = 2),
    /^It claims to be about record \S+, but shows another/
  ],
  [
    'rebuilt',
    'an operator shown',
    'applicant-no-personal-data',
    (content) => add(eventOf(content, 'note.made').plain, 'operator', 'first.person'),
    /^It withholds staff names, but shows that of event \d+/
  ],
  [
    'rebuilt',
    'what was sent in the part without personal data',
    'record',
    (content) => add(eventOf(content, 'record.begun').plain, 'input.name', 'Ada'),
    /^Event \d+ has input\.name in another part than its own/
  ],
  [
    'rebuilt',
    'an applicant in the part without personal data',
    'applicant-no-personal-data',
    (content) => add(eventOf(content, 'link.made').plain, 'applicantId', 'APP-OTHER'),
    /^Event \d+ has applicantId in another part than its own/
  ],
  [
    'rebuilt',
    'an operator in the sealed part',
    'record',
    (content) => add(sealedOf(eventOf(content, 'record.begun')), 'operator', 'first.person'),
    /^Event \d+ has operator in another part than its own/
  ],
  [
    'rebuilt',
    'a verification begun twice',
    'applicant',
    (content) => {
      const [first, ...later] = content.events.filter(({ kind }) => kind === 'record.begun') as [PackEvent, PackEvent]
      const [place] = first.links.all!
      for (const [n, { links }] of later.entries()) links.all = [place + n + 2, n === 0 ? 6 : links.all![1]]
      Object.assign(eventOf(content, 'note.made'), {
        kind: 'record.begun',
        record: 1,
        links: { all: [place + 1, first.seq], subject: [3, 3], record: [3, 3] },
        plain: structuredClone(first.plain)
      })
    },
    /^Event 6 is the second of its kind for one record/
  ],
  [
    'rebuilt',
    'a verification ended twice',
    'applicant',
    (content) =>
      void Object.assign(eventOf(content, 'note.made'), {
        kind: 'record.ended',
        record: 1,
        links: { subject: [3, 3], record: [3, 3] },
        plain: structuredClone(eventOf(content, 'record.ended').plain)
      }),
    /^(Event 6 is the second of its kind for one record|The response of record 1)/
  ],
  [
    'rebuilt',
    'a verification resolved twice',
    'record-unanswered',
    (content) =>
      void content.events.splice(-1, 0, {
        ...structuredClone(eventOf(content, 'record.resolved')),
        seq: 12,
        links: { subject: [7, 11], record: [4, 11] }
      } satisfies PackEvent),
    /^Event 12 is the second of its kind for one record/
  ],
  [
    'rebuilt',
    'a verification of no number',
    'applicant',
    (content) =>
      void Object.assign(eventOf(content, 'record.resolved'), {
        record: null,
        links: { subject: eventOf(content, 'record.resolved').links.subject }
      }),
    /^Event \d+ is the second of its kind for one record/
  ],
  ...linksOfNothing,
  [
    'rebuilt',
    'the end of a verification of another person',
    'record',
    (content) => void (eventOf(content, 'record.ended').subject = 4),
    /^Event 3 belongs to no record that is shown/
  ],
  [
    'rebuilt',
    'another applicant in an event',
    'applicant',
    (content) => put(sealedOf(eventOf(content, 'link.made')), 'applicantId', 'APP-OTHER'),
    /^It claims to be about applicant .+, but shows another/
  ],
  [
    'rebuilt',
    'an applicant in an event of a pack that withholds whom it is about',
    'applicant-no-personal-data',
    (content) => add(sealedOf(eventOf(content, 'link.made')), 'applicantId', 'APP-OTHER'),
    /^It withholds what it is about, or shows what its profile withholds/
  ],
  [
    'rebuilt',
    'an applicant named by a list',
    'applicant',
    (content) => put(sealedOf(eventOf(content, 'link.made')), 'applicantId', ['APP-\u00c9VIDENT']),
    /^It claims to be about applicant .+, but shows another/
  ],
  [
    'rebuilt',
    'an applicant whom nothing names',
    'applicant',
    (content) => {
      for (const event of content.events) if (event.sealed && !isErased(event.sealed)) take(event.sealed, 'applicantId')
    },
    /^It claims to be about applicant .+, but none of its events names that applicant/
  ],
  [
    'rebuilt',
    'a last event of no person',
    'applicant',
    (content) => void Object.assign(last(content), { subject: null, links: {} }),
    /^Its events are about more than one applicant/
  ],
  [
    'rebuilt',
    'another batch in an event',
    'batch',
    (content) => put(eventOf(content, 'batch.changed').plain, 'id', recordId(9)),
    /^It claims to be about batch \S+, but shows another/
  ],
  [
    'rebuilt',
    'a row of another batch',
    'batch',
    (content) => put(eventOf(content, 'record.begun').plain, 'batchId', recordId(9)),
    /^It shows records of another batch/
  ],
  [
    'signed',
    'a first event that follows another',
    'record',
    (content, leaves) => void Object.assign(content, rebuilt(content, leaves, 'f'.repeat(64))),
    /^The first event follows another/
  ],
  [
    'rebuilt',
    'a response that its end does not name',
    'applicant',
    (content) => put(eventOf(content, 'record.ended').plain, 'reply', null),
    /^The response of record 1 belongs to no event/
  ],
  [
    'rebuilt',
    'a response that its end names without the digest of its values',
    'applicant',
    (content) => put(eventOf(content, 'record.ended').plain, 'reply', { status: 200, bytes: 2, truncated: false }),
    /^The response of record 1 is not the one that was recorded/
  ],
  [
    'rebuilt',
    'a response that is no object',
    'applicant',
    (content) => put(eventOf(content, 'record.ended').plain, 'reply', 'yes'),
    /^The response of record 1 is not the one that was recorded/
  ],
  [
    'rebuilt',
    'a value that is nested too deeply',
    'applicant',
    (content) => put(eventOf(content, 'decision.made').plain, 'readings', nested(60)),
    /^It is nested more than 64 levels deep/
  ]
]

/** A list with this nesting depth. */
const nested = (levels: number): Json => (levels === 1 ? [] : [nested(levels - 1)])

/** Changed files whose content nobody signed again. */
function unsigned(): Forgery[] {
  const { file } = genuinePacks['applicant']
  const text = fileText(file)
  const content = contentOf(file)
  const of = (name: string, change: (file: PackFile) => unknown, why: RegExp): Forgery => {
    const draft = structuredClone(file)
    const made = change(draft)
    return { name, text: fileText((made ?? draft) as PackFile), why }
  }
  const wrongSignature = /^The signature does not match the content/
  const wrongBase = /^This is not an evidence pack: file\.envelope\.(payload|signatures\[0\]\.sig)/
  const smallOrder = `01${'0'.repeat(62)}`
  const withPayload = (payload: string, payloadType = packType): PackFile => ({
    ...file,
    envelope: envelopeOf(payloadType, payload, signer)
  })
  return [
    {
      name: 'another signature',
      why: wrongSignature,
      text: fileText({
        ...file,
        envelope: { ...file.envelope, signatures: genuinePacks['record'].file.envelope.signatures }
      })
    },
    { name: 'content that another key signed', why: wrongSignature, text: fileText(fileOf(content, director)) },
    of('a fingerprint of another key', ({ envelope }) => void (envelope.signatures[0]!.keyid = zeros), wrongSignature),
    of('two signatures', ({ envelope }) => void envelope.signatures.push(envelope.signatures[0]!), badForm),
    of('no signature', ({ envelope }) => void (envelope.signatures = []), badForm),
    of(
      'another type',
      ({ envelope }) => void (envelope.payloadType = 'application/vnd.veridesk.approval+json'),
      badForm
    ),
    of('a payload with a digit too many', ({ envelope }) => void (envelope.payload += 'A'), badForm),
    of(
      'a signature with another spelling',
      ({ envelope }) =>
        void (envelope.signatures[0]!.sig = envelope.signatures[0]!.sig.replace(
          /.==$/,
          (end) => `${String.fromCharCode(end.charCodeAt(0) + 1)}==`
        )),
      wrongBase
    ),
    of('a signature that is too short', ({ envelope }) => void (envelope.signatures[0]!.sig = 'AAAA'), wrongSignature),
    of('another part of the file', (draft) => Object.assign(draft, { note: '' }), badForm),
    of('a time-stamp that is not base64', (draft) => void draft.timestamps.push('no'), badForm),
    of('a time-stamp that is no text', (draft) => void (draft.timestamps as unknown[]).push(null), badForm),
    of('no list of time-stamps', (draft) => void delete (draft as Partial<PackFile>).timestamps, badForm),
    of('version 2', (draft) => void (draft.version = 2), badForm),
    of('version 3', (draft) => void (draft.version = 3), badForm),
    of('another format', (draft) => void (draft.format = 'another'), badForm),
    { name: 'white space', text: text.replace('{"', '{ "'), why: /^It is not in canonical form \(file\)/ },
    {
      name: 'a key twice',
      text: text.replace('"version":1', '"version":1,"version":1'),
      why: /^It is not in canonical form \(file\)/
    },
    { name: 'no line feed at the end', text: text.trimEnd(), why: /^It is not in canonical form \(file\)/ },
    { name: 'two line feeds at the end', text: `${text}\n`, why: /^It is not in canonical form \(file\)/ },
    { name: 'a mark at the beginning', text: `\ufeff${text}`, why: /^It is not JSON/ },
    {
      name: 'a deep nest',
      text: text.replace('"timestamps":[]', `"timestamps":${'['.repeat(64)}${']'.repeat(64)}`),
      why: /^It is nested more than 64 levels deep/
    },
    {
      name: 'content with white space, signed',
      text: fileText(withPayload(canonical(content).replace('{"', '{ "'))),
      why: /^It is not in canonical form \(content\)/
    },
    {
      name: 'content with a key twice, signed',
      text: fileText(withPayload(canonical(content).replace('"console":', '"console":"1","console":'))),
      why: /^It is not in canonical form \(content\)/
    },
    {
      name: 'content with another spelling of a number, signed',
      text: fileText(withPayload(canonical(content).replace('100.25', '1.0025e2'))),
      why: /^It is not in canonical form \(content\)/
    },
    {
      name: 'content with the escape of an unpaired surrogate, signed',
      text: fileText(withPayload(canonical(content).replace('\ufffd', String.raw`\ud83d`))),
      why: /^It is not in canonical form \(content\)/
    },
    {
      name: 'content with a number that is too large, signed',
      text: fileText(withPayload(canonical(content).replace('100.25', '1e400'))),
      why: /^It is not in canonical form \(content\)/
    },
    {
      name: 'content with a line feed, signed',
      text: fileText(withPayload(`${canonical(content)}\n`)),
      why: /^It is not in canonical form \(content\)/
    },
    { name: 'content that is no JSON, signed', text: fileText(withPayload('{')), why: /^It is not JSON/ },
    {
      name: 'content that is not text, signed',
      text: fileText({ ...file, envelope: { ...withPayload('').envelope, payload: '/w==' } }),
      why: /^It contains bytes that are not text/
    },
    {
      name: 'a signature that fits everything',
      why: /^One of its keys has small order/,
      text: fileText({
        ...file,
        envelope: {
          ...envelopeOf(packType, canonical({ ...content, signer: { certificates: [], key: smallOrder } }), signer),
          signatures: [
            { keyid: fingerprintOf(smallOrder), sig: Buffer.from(`01${'0'.repeat(126)}`, 'hex').toString('base64') }
          ]
        }
      })
    },
    {
      name: 'a signature that is valid only with the cofactor',
      why: wrongSignature,
      text: fileText(mixedOrderPack(false))
    }
  ]
}

/** Forged packs that each verifier must refuse. */
export function forgeries(): Forgery[] {
  const rows = [...signedAgain, ...liars, ...approvalRows]
  const all = [
    ...rows.map(([level, name, base, change, why]) => ({
      name: `${level}: ${name}`,
      why,
      text: fileText(remade(level, base, change))
    })),
    ...unsigned()
  ]
  const genuine = new Set(Object.values(genuinePacks).map(({ file }) => fileText(file)))
  const same = all.find(({ text }) => genuine.has(text))
  if (same) throw new Error(`nothing was forged: ${same.name}`)
  return all
}
