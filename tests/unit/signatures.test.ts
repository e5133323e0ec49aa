/** How a person signs: the name for people, the account for who it is. */
import { expect, it } from 'vitest'
import { signatureOf, signerOf } from '#contract/app/signatures.ts'
import { secondPerson } from '#contract/evidence/second-person.ts'

it.each([
  ['Mira Rahn', 'mrahn', 'Mira Rahn (mrahn)'],
  ['', 'mrahn', 'mrahn'],
  ['mrahn', 'mrahn', 'mrahn'],
  // A name cannot pretend to have another account.
  ['Mira (root)', 'mrahn', 'Mira root (mrahn)'],
  ['()', 'mrahn', 'mrahn'],
  ['Mira', 'm (b)', 'Mira (m (b))']
])('%j with the account %j signs as %j, and is read back', (name, account, signature) => {
  expect(signatureOf(name, account)).toBe(signature)
  expect(signerOf(signature).account).toBe(account)
})

it('a name alone makes nobody a second person, and the same name in two accounts is two', () => {
  expect(secondPerson('Mira Rahn (mrahn)', ['M. Rahn (mrahn)'])).toBe('no')
  expect(secondPerson('Mira Rahn (mrahn)', ['mrahn'])).toBe('no')
  expect(secondPerson('Mira Rahn (mrahn)', ['Mira Rahn (jberg)'])).toBe('yes')
  expect(secondPerson('Mira Rahn (unknown)', ['jberg'])).toBe('unknown')
})
