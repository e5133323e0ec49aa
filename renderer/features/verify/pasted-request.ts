import { words } from './words.ts'
/**
 * The body of a request that was copied as a command or as text: curl for POSIX shells, cmd and PowerShell as Chrome, Firefox and Safari write
 * it, Invoke-WebRequest, HTTPie, wget, and a request of HTTP itself. Headers are not read: they hold credentials.
 */

export type Pair = readonly [name: string, value: string]
/** `file`: it is in a file, which a window cannot read. */
export type PastedBody = { readonly text: string } | { readonly pairs: readonly Pair[] } | 'file'

export interface PastedRequest {
  /** As the end of “Filled from …”. */
  readonly from: string
  /** What its body may be: the same text means different words to different shells. */
  readonly bodies: readonly PastedBody[]
}

const codePoint = (hex: string): string => {
  const code = parseInt(hex, 16)
  return code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code)
}

const simpleEscapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  e: '\u001b',
  E: '\u001b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v'
}
/** Bytes are UTF-8; where they are not, each is the character of its number, as Firefox writes it. */
function fromBytes(bytes: readonly number[]): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes))
  } catch {
    return String.fromCharCode(...bytes)
  }
}

/** What is between `$'` and `'` (POSIX.1-2024, 2.2.4). */
function dollarQuoted(text: string): string {
  return text.replace(
    /(?:\\x[\da-fA-F]{1,2}|\\[0-7]{1,3})+|\\u([\da-fA-F]{1,4})|\\U([\da-fA-F]{1,8})|\\c(.)|\\(.)/gs,
    (found, short?: string, long?: string, control?: string, other?: string) => {
      if (short !== undefined || long !== undefined) return codePoint(short ?? long ?? '')
      if (control !== undefined) return String.fromCharCode(control.toUpperCase().charCodeAt(0) & 31)
      if (other !== undefined) return simpleEscapes[other] ?? other
      return fromBytes(
        [...found.matchAll(/\\x([\da-f]{1,2})|\\([0-7]{1,3})/gi)].map(([, hex, octal]) =>
          hex === undefined ? parseInt(octal ?? '', 8) & 255 : parseInt(hex, 16)
        )
      )
    }
  )
}

/** The words of a command for a POSIX shell (POSIX.1-2024, 2.2); undefined if a quote does not end. */
function posixWords(command: string): readonly string[] | undefined {
  const piece = /\\\r?\n|\$'((?:[^'\\]|\\.)*)'|'([^']*)'|\$?"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\$]+|\$)|(\s+)/gsy
  const words: string[] = ['']
  let at = 0
  for (const found of command.matchAll(piece)) {
    at = found.index + found[0].length
    const [, dollar, single, double, escaped, bare, space] = found
    if (space !== undefined) words.push('')
    else
      words[words.length - 1] +=
        (dollar === undefined ? undefined : dollarQuoted(dollar)) ??
        single ??
        double?.replace(/\\\r?\n/g, '').replace(/\\(["\\$`])/g, '$1') ??
        escaped ??
        bare ??
        ''
  }
  return at === command.length ? words : undefined
}

/** The command as cmd passes it on: outside of plain quotes, a caret makes the next character literal. */
function withoutCarets(command: string): string {
  let quoted = false
  return command.replace(/\^\r?\n(\r?\n)?|\^(.)|"/gs, (found, line?: string, literal?: string) => {
    if (found === '"') {
      quoted = !quoted
      return found
    }
    if (quoted) return found
    return literal ?? (line === undefined ? '' : '\n')
  })
}

/**
 * The words of a command line of Windows, as the C runtime separates them; undefined if a quote does not end. The runtime halves backslashes
 * before a quote only, but browsers double each.
 */
function windowsWords(command: string, doubled: boolean): readonly string[] | undefined {
  const words: string[] = ['']
  let quoted = false
  for (const { 0: found } of command.matchAll(/\\*""?|\\+|[^\S\\"]+|[^\s\\"]+/g)) {
    const slashes = /^\\*/.exec(found)?.[0].length ?? 0
    const isSpace = /^\s/.test(found) && !quoted
    if (isSpace) {
      words.push('')
      continue
    }
    let word = doubled && slashes === found.length ? '\\'.repeat((slashes + 1) >> 1) : found
    if (found.endsWith('"')) {
      const quotes = found.length - slashes
      word = '\\'.repeat(slashes >> 1)
      const literal = slashes % 2 === 1
      // An escaped quote is literal; of the others, two within quotes are one.
      const open = quotes - (literal ? 1 : 0)
      if (literal) word += '"'
      if (open === 2 && quoted) word += '"'
      else if (open === 1) quoted = !quoted
    }
    words[words.length - 1] += word
  }
  return quoted ? undefined : words
}

/** A string of PowerShell: what its quotes contain. */
function powershellText(text: string): string {
  if (/^@["']/.test(text)) return text.slice(2, -2).replace(/^\r?\n|\r?\n$/g, '')
  if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'")
  return text
    .slice(1, -1)
    .replace(
      /\$\(\[char\]\s*(0x[\da-f]+|\d+)\)|`u\{([\da-f]+)\}|`(\r?\n)|`(.)|""/gis,
      (found, char?: string, hex?: string, line?: string, other?: string) => {
        if (char !== undefined) return String.fromCharCode(Number(char))
        if (hex !== undefined) return codePoint(hex)
        if (found === '""') return '"'
        return (
          line ??
          { 0: '\0', a: '\u0007', b: '\b', e: '\u001b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }[other ?? ''] ??
          other ??
          ''
        )
      }
    )
}
const powershellString = /@"\r?\n[\s\S]*?\r?\n"@|@'\r?\n[\s\S]*?\r?\n'@|"(?:[^"`]|`[\s\S]|"")*"|'(?:[^']|'')*'/y

function powershellBody(text: string): PastedBody | undefined {
  const option = /\s-(?:Body|InFile)\s*(?::\s*)?(\(?\s*(?:\[System\.Text\.Encoding\]::\w+\.GetBytes\(\s*)?)/i.exec(text)
  if (!option) return undefined
  if (/^\s-InFile/i.test(option[0])) return 'file'
  powershellString.lastIndex = option.index + option[0].length
  const found = powershellString.exec(text)?.[0]
  return found === undefined ? undefined : { text: powershellText(found) }
}

/** Words of PowerShell, for `curl.exe`: quotes as in its strings, a backtick before a line break continues the line. */
function powershellWords(command: string): readonly string[] | undefined {
  const piece = /`\r?\n|("(?:[^"`]|`[\s\S]|"")*"|'(?:[^']|'')*')|`(.)|([^\s'"`]+)|(\s+)/gsy
  const words: string[] = ['']
  let at = 0
  for (const found of command.matchAll(piece)) {
    at = found.index + found[0].length
    const [, quoted, escaped, bare, space] = found
    if (space !== undefined) words.push('')
    else words[words.length - 1] += (quoted === undefined ? undefined : powershellText(quoted)) ?? escaped ?? bare ?? ''
  }
  return at === command.length ? words : undefined
}

/** Options of curl without a value, which may precede one with a value in the same word. */
const flags = '[#0-9aBfgGiIjJkLnNOpqRsSvZ]*'
const dataOption = new RegExp(
  `^(?:--(data|data-raw|data-binary|data-ascii|json|data-urlencode|form|form-string)(?:=(.*))?|-${flags}([dF])(.+)?)$`,
  's'
)

function urlencoded(value: string): Pair | 'file' {
  const at = value.indexOf('=')
  if (at >= 0) return [value.slice(0, at), value.slice(at + 1)]
  return value.includes('@') ? 'file' : ['', value]
}

/** What an option of curl adds to the body. */
function curlPart(option: string, value: string): { readonly pair: Pair } | { readonly text: string } | 'file' {
  if (option === 'data-urlencode') {
    const pair = urlencoded(value)
    return pair === 'file' ? pair : { pair }
  }
  if (option === 'form' || option === 'form-string') {
    const at = value.indexOf('=')
    const content = value.slice(at + 1)
    if (option === 'form' && /^[@<]/.test(content)) return 'file'
    return { pair: [value.slice(0, Math.max(0, at)), content] }
  }
  return option !== 'data-raw' && value.startsWith('@') ? 'file' : { text: value }
}

/** The body that the options of curl describe; undefined if they describe none. */
function curlBody(words: readonly string[]): PastedBody | undefined {
  const texts: string[] = []
  const pairs: Pair[] = []
  for (let index = 1; index < words.length; index += 1) {
    const found = dataOption.exec(words[index] ?? '')
    if (!found) continue
    const [, long, attached, short, following] = found
    const value = attached ?? following ?? words[(index += 1)]
    const option = long ?? (short === 'F' ? 'form' : 'data')
    if (value === undefined) return undefined
    const part = curlPart(option, value)
    if (part === 'file') return part
    if ('pair' in part) pairs.push(part.pair)
    else texts.push(part.text)
  }
  // `--data-urlencode '{…}'` has no name.
  const [only] = pairs
  if (pairs.length === 1 && only?.[0] === '') return { text: only[1] }
  if (pairs.length > 0) return { pairs: [...pairs, ...texts.flatMap(formPairs)] }
  return texts.length > 0 ? { text: texts.join('&') } : undefined
}

/** `name=value`, `name:=json` of HTTPie; headers have another mark. */
function httpieBody(words: readonly string[]): PastedBody | undefined {
  const pairs = words.slice(1).flatMap((word): Pair[] => {
    const found = /^([\w.[\]-]+)(:?=)(?!=)(.*)$/s.exec(word)
    if (!found) return []
    return [[found[1] ?? '', (found[3] ?? '').replace(/^"(.*)"$/s, '$1')]]
  })
  const raw = words.findIndex((word) => word === '--raw')
  if (raw > 0) return { text: words[raw + 1] ?? '' }
  return pairs.length > 0 ? { pairs } : undefined
}

function wgetBody(words: readonly string[]): PastedBody | undefined {
  for (const [index, word] of words.entries()) {
    const found = /^--(?:post|body)-(data|file)(?:=(.*))?$/s.exec(word)
    if (found) return found[1] === 'file' ? 'file' : { text: found[2] ?? words[index + 1] ?? '' }
  }
  return undefined
}

/** Pairs of a form (WHATWG URL, application/x-www-form-urlencoded). */
export const formPairs = (text: string): Pair[] => [...new URLSearchParams(text)]

const known = (bodies: readonly (PastedBody | undefined)[]): readonly PastedBody[] =>
  bodies.filter((body) => body !== undefined)
const inShells = (
  text: string,
  read: (words: readonly string[]) => PastedBody | undefined,
  shells: readonly ((text: string) => readonly string[] | undefined)[]
): readonly PastedBody[] => known(shells.map((words) => words(text)).map((words) => words && read(words)))

/** Browsers write carets before quotes, or two quotes for one. */
const cmdWords = (text: string): readonly string[] | undefined =>
  windowsWords(withoutCarets(text), /\^"|[^\s"]""|""[^\s"]/.test(text))

/** A request that was copied; undefined if a text is none that is known. */
export function pastedRequest(pasted: string): PastedRequest | undefined {
  // A file of requests begins with comments and variables, a copied command with a prompt.
  const text = pasted
    .trim()
    .replace(/^(?:(?:#|\/\/|@[\w-]+\s*=)[^\n]*\n\s*)+/, '')
    .replace(/^[$#>%]\s+/, '')
  if (/^curl(?:\.exe)?\s/i.test(text)) {
    // Only cmd has carets, and to a POSIX shell they are letters.
    const shells =
      text.includes('^"') || /\^\r?\n/.test(text) ? [cmdWords, posixWords] : [posixWords, cmdWords, powershellWords]
    return { from: words.aCurlCommand, bodies: inShells(text, curlBody, shells) }
  }
  if (/^wget(?:\.exe)?\s/i.test(text))
    return { from: words.aWgetCommand, bodies: inShells(text, wgetBody, [posixWords, cmdWords]) }
  if (/(?:^|[\r\n;|=]\s*)(?:Invoke-WebRequest|Invoke-RestMethod|iwr|irm)\s/i.test(text))
    return { from: words.aPowershellCommand, bodies: known([powershellBody(text)]) }
  if (/^(?:https?|xhs?)\s/i.test(text))
    return { from: words.anHttpieCommand, bodies: inShells(text, httpieBody, [posixWords, cmdWords]) }
  if (/^(?:GET|POST|PUT|PATCH|DELETE)\s+\S+(?:\s+HTTP\/[\d.]+)?\s*\r?\n/i.test(text)) {
    const at = /\r?\n[ \t]*\r?\n/.exec(text)
    const body = at ? text.slice(at.index + at[0].length) : ''
    return { from: words.aRequest, bodies: /^<\s/.test(body) ? ['file'] : [{ text: body }] }
  }
  return undefined
}
