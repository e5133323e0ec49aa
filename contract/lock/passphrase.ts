/**
 * What a passphrase must be: long rather than mixed, as NIST SP 800-63B asks. It is the second obstacle after the sign-in to
 * the computer, and each guess costs about a second, so twelve characters are the least. No character is required, and none is
 * forbidden.
 */

/** In characters (code points), after normalisation. */
export const passphraseLength = { least: 12, most: 256 } as const
/** Fewer different characters are a pattern. */
const leastDifferent = 5

/** What everybody tries first: a passphrase that is made of these is none. */
const common = [
  'correct horse battery staple',
  'password',
  'passphrase',
  'veridesk',
  'letmein',
  'welcome',
  'qwertyuiop',
  'asdfghjkl',
  'qwerty',
  'abcdefgh',
  '1234567890',
  '12345678',
  '123456',
  '1234',
  'admin',
  'secret',
  'changeme',
  'iloveyou'
] as const
/** Characters that must remain without those. */
const leastOwn = 6

/** The same passphrase from every keyboard: typed characters have several forms. */
export const normalised = (text: string): string => text.normalize('NFKC')

/** What is wrong with a new passphrase; undefined if nothing is. */
export function passphraseFault(text: string): 'short' | 'long' | 'pattern' | 'common' | undefined {
  const characters = [...normalised(text)]
  if (characters.length < passphraseLength.least) return 'short'
  if (characters.length > passphraseLength.most) return 'long'
  if (new Set(characters).size < leastDifferent) return 'pattern'
  const own = common.reduce((rest, word) => rest.replaceAll(word, ''), normalised(text).toLowerCase())
  return [...own.replace(/[\s\p{P}]/gu, '')].length < leastOwn ? 'common' : undefined
}
