/** Keys of a team: what is sealed opens for whom it is meant, in its own epoch, and nothing else does. */
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openBox, openOneOf, sealBox } from '#team/keys/boxes.ts'
import { contentKeys, firstEpoch, nextEpoch, type Epoch, type EpochKeys } from '#team/keys/epochs.ts'
import { openSealed, sealFor } from '#kit/sealing/hpke.ts'
import { isUsableMailbox, mailboxText, newMailbox, parseMailbox } from '#team/keys/mailbox.ts'
import { unwrapSubjectKey, wrapSubjectKey } from '#exchange/keys/vault.ts'
import { newPrivateKey, privateKeyOf, publicKeyOf } from '#kit/sealing/x25519.ts'

const hex = (text: string): Buffer => Buffer.from(text, 'hex')
const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8')
const team = 'aa'.repeat(32)
const installation = '01'.repeat(16)
const address = { team, installation }
const value = <T>(
  given: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: unknown }
): T => {
  if (!given.ok) throw new Error(JSON.stringify(given.failure))
  return given.value
}
const refused = (reason: string): unknown => ({ ok: false, failure: { code: 'team-key-refused', details: { reason } } })
/** Each place of some bytes, with one bit of it changed. */
const flipped = (bytes: Buffer): Buffer[] =>
  [...bytes.keys()].map((at) => {
    const changed = Buffer.from(bytes)
    changed.writeUInt8(changed.readUInt8(at) ^ (1 << (at % 8)), at)
    return changed
  })
/** Public keys of small order (RFC 7748, 7), for which every secret is zero. */
const smallOrder = [
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
  '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
  `ec${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`
]

describe('HPKE', () => {
  it('seals like the test vector for this suite (RFC 9180, mode 0, 0x0020, 0x0001, 0x0002)', () => {
    const sealed = sealFor(
      hex('ac66bae9ffa270cf4a89ed9f274e30c0456babae2572aaaf002ff0d8884ab018'),
      { info: utf8('Ode on a Grecian Urn'), bound: utf8('Count-0') },
      utf8('Beauty is truth, truth beauty'),
      privateKeyOf(hex('28e212563a8b6f068af7ff17400ff1baf23612b7a738bbaf5dfb321b2b5b431a'))
    )
    expect(sealed?.subarray(32).toString('hex')).toBe(
      '23ded2d5d90ea89d975dac4792b297240f194952d7421aacbff0474100052b6bb8aa58d18ef6c42b6960e2e28f'
    )
  })

  it('opens what another implementation sealed (@hpke/core 1.9.0)', () => {
    const key = privateKeyOf(hex('896615161d5c4dab6be99bb69b180f22c86eb0ac1b8912e958ed5dd08813573b'))
    expect(publicKeyOf(key).toString('hex')).toBe('5fd47633b5e43fca7bad1bfbe424feacb175d9d4d4a30f166dbd30636f0b446b')
    const sealed = hex(
      'add619d6aa11ab2c6a167c3359b81af92afdfdacc60f98145d75255ef6416e09b53bcff3c2ad6c86f8fa9dc42243a827c069bbdee3298397a5066c'
    )
    expect(openSealed(key, { info: utf8('veridesk'), bound: utf8('epoch 1') }, sealed)?.toString()).toBe('content key')
  })

  it('opens any text with its key, use and case alone', () => {
    const key = newPrivateKey()
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.uint8Array({ maxLength: 40 }),
        fc.uint8Array({ maxLength: 40 }),
        fc.uint8Array({ minLength: 1, maxLength: 5 }),
        (text, info, bound, more) => {
          const sealed = sealFor(publicKeyOf(key), { info, bound }, text)!
          expect(sealed.length).toBe(text.length + 48)
          expect(openSealed(key, { info, bound }, sealed)).toEqual(Buffer.from(text))
          const longer = (bytes: Uint8Array): Buffer => Buffer.concat([bytes, more])
          expect(openSealed(newPrivateKey(), { info, bound }, sealed)).toBeUndefined()
          expect(openSealed(key, { info: longer(info), bound }, sealed)).toBeUndefined()
          expect(openSealed(key, { info, bound: longer(bound) }, sealed)).toBeUndefined()
          expect(openSealed(key, { info, bound }, longer(sealed))).toBeUndefined()
          expect(openSealed(key, { info, bound }, sealed.subarray(0, sealed.length - 1))).toBeUndefined()
        }
      ),
      { numRuns: 30 }
    )
  })

  it.each(smallOrder)('seals nothing for a public key of small order: %s', (publicKey) => {
    expect(sealFor(hex(publicKey), { info: utf8(''), bound: utf8('') }, utf8('x'))).toBeUndefined()
    expect(isUsableMailbox(publicKey)).toBe(false)
    const key = newPrivateKey()
    const sealed = sealFor(publicKeyOf(key), { info: utf8(''), bound: utf8('') }, utf8('x'))!
    expect(
      openSealed(key, { info: utf8(''), bound: utf8('') }, Buffer.concat([hex(publicKey), sealed.subarray(32)]))
    ).toBeUndefined()
  })
})

describe('a mailbox key', () => {
  it('is stored as text and read again', () => {
    const mailbox = newMailbox()
    expect(value(parseMailbox(mailboxText(mailbox))).publicKey).toBe(mailbox.publicKey)
    expect(isUsableMailbox(mailbox.publicKey)).toBe(true)
  })

  it.each([
    '',
    'mailbox-1:',
    `mailbox-2:${'0'.repeat(64)}`,
    `mailbox-1:${'0'.repeat(63)}`,
    `mailbox-1:${'0'.repeat(66)}`,
    `mailbox-1:${'G'.repeat(64)}`
  ])('is refused in another form: %j', (text) => {
    expect(parseMailbox(text)).toEqual(refused('stored'))
  })
})

describe('a box', () => {
  const mailbox = newMailbox()
  const { epoch, keys } = firstEpoch()
  const second = nextEpoch(team, keys)
  const box = value(sealBox(keys, address, mailbox.publicKey))

  it('gives the keys of its epoch to its installation', () => {
    expect(value(openBox(box, address, mailbox, epoch))).toEqual(keys)
    expect(box.length).toBe(113)
  })

  it('is refused with another mailbox key, installation, team or epoch', () => {
    expect(openBox(box, address, newMailbox(), epoch)).toEqual(refused('sealed'))
    expect(openBox(box, { team, installation: '02'.repeat(16) }, mailbox, epoch)).toEqual(refused('sealed'))
    expect(openBox(box, { team: 'ab'.repeat(32), installation }, mailbox, epoch)).toEqual(refused('sealed'))
    expect(openBox(box, address, mailbox, second.epoch)).toEqual(refused('sealed'))
  })

  it('is refused with any byte changed', () => {
    const answers = flipped(box).map((changed) => openBox(changed, address, mailbox, epoch))
    expect(answers.slice(1)).toEqual(answers.slice(1).map(() => refused('sealed')))
    expect(answers[0]).toEqual(refused('version'))
  })

  it('is refused with another size', () => {
    for (const size of [1, 2, 112])
      expect(openBox(box.subarray(0, size), address, mailbox, epoch)).toEqual(refused('size'))
    expect(openBox(Buffer.concat([box, Buffer.alloc(1)]), address, mailbox, epoch)).toEqual(refused('size'))
    expect(openBox(Buffer.alloc(0), address, mailbox, epoch)).toEqual(refused('version'))
  })

  it('is refused with keys that the list of members does not announce: the administrator of the database knows them', () => {
    const forged: EpochKeys = { number: 1, content: randomBytes(32), vault: randomBytes(32) }
    for (const given of [
      forged,
      { ...keys, content: forged.content },
      { ...keys, vault: forged.vault },
      { ...keys, content: keys.vault, vault: keys.content }
    ])
      expect(openBox(value(sealBox(given, address, mailbox.publicKey)), address, mailbox, epoch)).toEqual(
        refused('commitment')
      )
  })

  it('is found among others that are rubbish', () => {
    const rubbish = [Buffer.alloc(0), randomBytes(113), value(sealBox(second.keys, address, mailbox.publicKey))]
    expect(value(openOneOf([...rubbish, box], address, mailbox, epoch))).toEqual(keys)
    expect(openOneOf(rubbish, address, mailbox, epoch)).toMatchObject({ ok: false })
    expect(openOneOf([], address, mailbox, epoch)).toEqual(refused('none'))
  })

  it('is not sealed for a mailbox of small order', () => {
    expect(sealBox(keys, address, '00'.repeat(32))).toEqual(refused('mailbox'))
  })
})

describe('epochs', () => {
  /** A team's epochs, and the keys of each. */
  function chain(count: number): { epochs: Epoch[]; keys: EpochKeys[] } {
    const made = [firstEpoch()]
    while (made.length < count) made.push(nextEpoch(team, made.at(-1)!.keys))
    return { epochs: made.map(({ epoch }) => epoch), keys: made.map(({ keys }) => keys) }
  }

  it('let a newcomer read the past', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), (count) => {
        const { epochs, keys } = chain(count)
        const found = value(contentKeys(team, epochs, keys.at(-1)!))
        expect([...found].sort(([a], [b]) => a - b)).toEqual(keys.map(({ number, content }) => [number, content]))
      }),
      { numRuns: 12 }
    )
  })

  it('do not let a removed member read the future', () => {
    const { epochs, keys } = chain(5)
    // All that one knows who was removed at the end of epoch 3, and whatever is public.
    const known = value(contentKeys(team, epochs, keys[2]!))
    expect([...known.keys()].sort()).toEqual([1, 2, 3])
    const guesses = [...known.values(), ...keys.slice(0, 3).map(({ vault }) => vault)]
    for (const content of guesses)
      expect(contentKeys(team, epochs, { number: 4, content })).toEqual(refused('commitment'))
  })

  it('never lead from a vault key to another', () => {
    const { epochs, keys } = chain(4)
    const last = keys.at(-1)!
    const reachable = [last.vault, ...value(contentKeys(team, epochs, last)).values()]
    const tag = '0b'.repeat(32)
    const wrapped = wrapSubjectKey(randomBytes(32), { team, tag }, keys[2]!)
    // A row of a backup, wrapped in the epoch before the erasure.
    for (const vault of reachable)
      expect(unwrapSubjectKey(wrapped, { team, tag }, { number: 3, vault })).toEqual(refused('sealed'))
    expect(unwrapSubjectKey(wrapped, { team, tag }, keys[2]!).ok).toBe(true)
  })

  it('are refused in another order, of another team, or with a byte of the sealed key changed', () => {
    const { epochs, keys } = chain(3)
    const last = keys[2]!
    const [one, two, three] = epochs as [Epoch, Epoch, Epoch]
    expect(contentKeys(team, [two, one, three], last)).toEqual(refused('commitment'))
    expect(contentKeys(team, [one, two], last)).toEqual(refused('commitment'))
    expect(contentKeys('ab'.repeat(32), epochs, last)).toEqual(refused('commitment'))
    expect(contentKeys(team, [one, two, { ...three, previous: two.previous }], last)).toEqual(refused('commitment'))
    for (const changed of flipped(Buffer.from(three.previous!, 'hex')))
      expect(contentKeys(team, [one, two, { ...three, previous: changed.toString('hex') }], last)).toEqual(
        refused('commitment')
      )
  })
})

describe('an applicant’s key in the vault', () => {
  const place = { team, tag: '0c'.repeat(32) }
  const { keys } = firstEpoch()
  const key = randomBytes(32)
  const wrapped = wrapSubjectKey(key, place, keys)

  it('is unwrapped for its applicant, team and epoch alone', () => {
    expect(value(unwrapSubjectKey(wrapped, place, keys))).toEqual(key)
    expect(unwrapSubjectKey(wrapped, { ...place, tag: '0d'.repeat(32) }, keys)).toEqual(refused('sealed'))
    expect(unwrapSubjectKey(wrapped, { ...place, team: 'ab'.repeat(32) }, keys)).toEqual(refused('sealed'))
    expect(unwrapSubjectKey(wrapped, place, { ...keys, number: 2 })).toEqual(refused('sealed'))
    expect(unwrapSubjectKey(wrapped, place, { ...keys, vault: keys.content })).toEqual(refused('sealed'))
  })

  it('is refused with any byte changed, and with another size', () => {
    for (const changed of flipped(wrapped)) expect(unwrapSubjectKey(changed, place, keys)).toEqual(refused('sealed'))
    expect(unwrapSubjectKey(wrapped.subarray(1), place, keys)).toEqual(refused('size'))
    expect(() => wrapSubjectKey(randomBytes(31), place, keys)).toThrow(/32 bytes/)
  })
})
