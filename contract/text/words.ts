/** Whether letters could be a word: with vowels, and at most three consonants in a row. */
export const isWord = (letters: string): boolean =>
  /[aeiouy]/i.test(letters) && !/[^aeiouy]{4}|[aeiou]{4}/i.test(letters)
