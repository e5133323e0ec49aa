/** Characters that are invisible, that reorder the text around them, or that a terminal executes. */

// Variation selectors are excluded: they choose between two forms of the preceding character, as in most emoji.
const hidden = /(?!\p{Variation_Selector})[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u
const eachHidden = new RegExp(hidden, 'gu')

const hex = (code: number): string => code.toString(16).padStart(4, '0')

/** Whether there is any; tabs and line breaks count. */
export const holdsHidden = (text: string): boolean => hidden.test(text)

/** Removes all of them, including tabs and line breaks. */
export const withoutHidden = (text: string): string => text.replace(eachHidden, '')

/** Equivalent JSON with each character escaped. */
export const escapedInJson = (json: string): string =>
  json.replace(eachHidden, (character) =>
    character
      .split('')
      .map((unit) => `\\u${hex(unit.charCodeAt(0))}`)
      .join('')
  )

/** A text as it is written, without anything that looks like something else: in quotes, all beyond ASCII as code points. */
export const spelledOut = (text: string): string =>
  `"${text.replace(/[^ -~]/gu, (character) => `\\u{${hex(character.codePointAt(0) ?? 0)}}`)}"`

/** Makes each visible; tabs and line breaks stay. */
export function visible(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(eachHidden, (character) => {
    const code = character.codePointAt(0) ?? 0
    if (character === '\t' || character === '\n') return character
    if (code < 0x20) return String.fromCharCode(0x2400 + code)
    if (code === 0x7f) return '\u2421'
    return `⟨U+${hex(code).toUpperCase()}⟩`
  })
}

/** Like `visible`, on one line: for tables, titles and messages. */
export const oneLine = (text: string): string => visible(text).replace(/\s+/g, ' ').trim()
