/** Folding: what people take for the same text is the same, and what was found can be shown in the original. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  finder,
  folded,
  graphemes,
  isIndexed,
  isPair,
  likeness,
  pairsIn,
  piecesOf,
  spellings
} from '../../kit/text/folding.ts'

const anyText = fc.string({ unit: 'binary', maxLength: 30 }).filter((text) => text.isWellFormed())
/** Letters of the scripts whose users sent the reports. */
const name = fc.string({
  unit: fc.constantFrom(...'aZßéÉÑığİşŁøÅäöüÄÖÜőčđĐþæœΣςσΌίйЁёшשלםىةکمحمد王伟김철수ガｶﾞＡ１ '),
  maxLength: 20
})

describe('folding', () => {
  it('changes nothing a second time', () =>
    fc.assert(
      fc.property(fc.oneof(anyText, name), (text) => {
        expect(folded(folded(text))).toBe(folded(text))
      })
    ))

  it('is the same however a text is composed or written in capitals', () =>
    fc.assert(
      fc.property(name, (text) => {
        for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const)
          expect(folded(text.normalize(form)), form).toBe(folded(text))
        // Turkish I without a dot becomes one with a dot in lower case, for everybody but Turkish.
        expect(folded(text.toUpperCase())).toBe(folded(text))
        expect(folded(text.toLowerCase())).toBe(folded(text))
      })
    ))

  it('is the same for an ASCII text with and without its short way', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
        // The sharp s takes the long way.
        expect(folded(`${text}ß`)).toBe(`${folded(text)}ss`)
      })
    ))

  it.each([
    ['ﬁﬃ', 'fiffi'],
    ['ǅ', 'dz'],
    ['ẞ', 'ss'],
    ['K', 'k'],
    ['ſ', 's'],
    ['Ⅷ', 'viii'],
    ['ᾼ', 'αι'],
    ['ѓ', 'г'],
    ['ـمـحـمـد', 'محمد'],
    ['أحمد', 'احمد'],
    ['فاطمة', 'فاطمه'],
    ['ガギ', 'ガギ'],
    ['हिन्दी', 'हिन्दी'],
    ['a\u00adb\u200dc\ufeff', 'abc'],
    ['\u0301', '']
  ])('%s is %s', (text, expected) => expect(folded(text)).toBe(expected))

  it('costs little', () => {
    const texts = Array.from(
      { length: 20_000 },
      (_, n) => `Applicant APP-${n} was verified, files.example.com/${n}.jpg`
    )
    const before = process.cpuUsage()
    for (const text of texts) folded(text)
    // Microseconds of processor: one each.
    expect(process.cpuUsage(before).user / texts.length).toBeLessThan(20)
  })
})

describe('a query', () => {
  it('is asked in both spellings of an umlaut', () => {
    expect(spellings('Müller')).toEqual(['muller', 'mueller'])
    expect(spellings('Mueller')).toEqual(['mueller', 'muller'])
    expect(spellings('Muller')).toEqual(['muller'])
    expect(spellings(' Mu\u0308ller ')).toEqual(['muller', 'mueller'])
  })
  it('of nothing finds everything, of marks alone nothing', () => {
    expect(finder('  ')).toBeUndefined()
    expect(finder(undefined)).toBeUndefined()
    expect(finder('\u0301')?.('José')).toBe(false)
    expect(finder('E')?.('José')).toBe(true)
  })
  it.each([
    ['ab', false],
    ['abc', true],
    ['王伟', true],
    ['王', false],
    ['王a', false],
    ['ｶﾞ', false],
    ['ßa', true],
    ['a\u0301\u0301b', false],
    ['', false]
  ])('“%s” can be found by the index: %s', (query, expected) => expect(isIndexed(query)).toBe(expected))
})

it('takes runs of Chinese, Japanese and Korean apart into pairs', () => {
  expect(pairsIn('申请人 王伟 id 김철수, 王伟')).toBe('申请 请人 王伟 김철 철수')
  expect(pairsIn('王 伟 plain')).toBe('')
  expect(isPair('王伟人')).toBe(false)
  expect(isPair('々ー')).toBe(true)
})

it('IDs look alike that differ by nothing that people see', () => {
  const ids = ['JOSÉ-7', 'JOSE\u0301-7', 'josé-7', ' JOSÉ-7', 'JOSÉ-7\u200b', 'ＪＯＳÉ－７', 'JOSE-7', 'JOSÉ‑7']
  expect([...new Set(ids.map(likeness))]).toEqual(['jose-7'])
  expect(likeness('A  B')).toBe(likeness('A\u00a0B'))
  expect(likeness('JOSÉ-8')).not.toBe('jose-7')
})

describe('what was found', () => {
  const marked = (text: string, query: string): string =>
    piecesOf(text, query)
      .map((piece) => (piece.hit ? `[${piece.text}]` : piece.text))
      .join('')
  it.each([
    ['Jose\u0301 Nun\u0303ez', 'nunez', 'Jose\u0301 [Nun\u0303ez]'],
    ['Große Straße', 'SS', 'Gro[ß]e Stra[ß]e'],
    ['Müller, Mueller, Muller', 'Mueller', '[Müller], [Mueller], [Muller]'],
    ['İşl-0001', 'isl', '[İşl]-0001'],
    ['مُحَمَّد', 'حم', 'مُ[حَمَّ]د'],
    ['ﬁsh', 'i', '[ﬁ]sh'],
    ['a\u200bb', 'ab', '[a\u200bb]'],
    ['王伟伟', '伟', '王[伟伟]'],
    ['👩‍👩‍👧 x', '👩', '[👩‍👩‍👧] x'],
    ['plain', '', 'plain'],
    ['plain', '\u0301', 'plain'],
    ['plain', 'none', 'plain']
  ])('in “%s” by “%s” is marked', (text, query, expected) => expect(marked(text, query)).toBe(expected))

  it('is the same text in pieces, marked exactly if the text is found', () =>
    fc.assert(
      fc.property(name, name, (text, query) => {
        const pieces = piecesOf(text, query)
        expect(pieces.map((piece) => piece.text).join('')).toBe(text)
        if (query.trim() !== '') expect(pieces.some(({ hit }) => hit)).toBe(finder(query)?.(text))
      })
    ))
})

it('letters are what people take for them', () =>
  fc.assert(
    fc.property(anyText, (text) => {
      expect(graphemes(text).join('')).toBe(text)
      expect(graphemes('a\r\nb')).toEqual(['a', '\r\n', 'b'])
    })
  ))
