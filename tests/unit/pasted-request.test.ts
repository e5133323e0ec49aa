/** Requests as browsers and other programs copy them: what they fill, and that none becomes a value of a field. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { operationOf } from '#contract/verification/operations.ts'
import { fieldFault } from '#contract/verification/verification.ts'
import { spreadPaste, type Spread } from '../../renderer/features/verify/pasted-fields.ts'

const fields = operationOf('validate-applicant-documents').fields
const [photo, id] = ['https://files.example.com/a.jpg?x=1&y=2%2F3', 'https://files.example.com/b.jpg']
const input = { applicant_id: 'APP-7', photo_document_url: photo, id_document_url: id }
const json = JSON.stringify(input)
const keys = ['SECRET-KEY-1', 'SECRET-2']

/** As the developer tools of Chromium write a text for cmd. */
const forCmd = (text: string): string =>
  `^"${text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replace(/[^a-zA-Z0-9\s_\-:=+~'/.',?;()*`]/g, '^$&')
    .replace(/%(?=[a-zA-Z0-9_])/g, '%^')
    .replace(/\r?\n/g, '^\n\n')}^"`
/** As those of Firefox did for Windows. */
const forFirefoxWindows = (text: string): string =>
  `"${text.replaceAll('"', '""').replaceAll('%', '"%"').replaceAll('\\', '\\\\')}"`
const unit = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
/** As Chromium writes for bash if there is a quote, a control character or an exclamation mark. */
const dollar = (text: string): string =>
  `$'${text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "\\'")
    .replaceAll('\n', '\\n')
    .replace(/[^\x20-\x7e\u00a0-\uffff]|!/g, unit)}'`
/** As Firefox and Safari write for bash if there is anything beyond ASCII. */
const firefoxDollar = (text: string): string =>
  `$'${text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "\\'")
    .replace(/[^\x20-\x7e]|!/g, (char) =>
      char.charCodeAt(0) < 256 ? `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}` : unit(char)
    )}'`
const powershell = (text: string): string =>
  `"${text.replace(/[`$"]/g, '`$&').replace(/[^\x20-\x7e]/g, (char) => `$([char]${char.charCodeAt(0)})`)}"`
const single = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const headers = [`x-api-key: ${keys[0]}`, `Authorization: Bearer ${keys[1]}`, 'content-type: application/json']
const curl = (
  quote: (text: string) => string,
  body: string,
  { program = 'curl', line = ' \\\n  ', option = '--data-raw' } = {}
): string =>
  [
    `${program} ${quote('https://kyc.example.com/x')}`,
    ...headers.map((header) => `-H ${quote(header)}`),
    `${option} ${quote(body)}`
  ].join(line)

const invoke = (body: string): string =>
  [
    '$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession',
    '$session.UserAgent = "Mozilla/5.0"',
    `Invoke-WebRequest -UseBasicParsing -Uri "https://kyc.example.com/x" \``,
    '-Method "POST" `',
    '-WebSession $session `',
    '-Headers @{',
    `"x-api-key"="${keys[0]}"`,
    `  "authorization"="Bearer ${keys[1]}"`,
    '} `',
    '-ContentType "application/json" `',
    `-Body ${body}`
  ].join('\n')

const commands: Readonly<Record<string, string>> = {
  'Chrome, bash': curl(single, json),
  'Chrome, bash with $': curl(dollar, json),
  'Firefox, bash with $': curl(firefoxDollar, json),
  'Safari': [
    `curl 'https://kyc.example.com/x' \\`,
    `-X 'POST' \\`,
    `-H 'x-api-key: ${keys[0]}' \\`,
    `--data-binary '${json}'`
  ].join('\n'),
  'Chrome, cmd': curl(forCmd, json, { line: ' ^\n  ' }),
  'Chrome, cmd, with the line ends of Windows': curl(forCmd, json, { line: ' ^\r\n  ' }),
  'Firefox, Windows': curl(forFirefoxWindows, json, { program: 'curl.exe', line: ' ' }),
  'curl.exe in PowerShell': curl(single, json, { program: 'curl.exe', line: ' `\n  ' }),
  'PowerShell': invoke(powershell(json)),
  'PowerShell, encoded': invoke(`([System.Text.Encoding]::UTF8.GetBytes(${powershell(json)}))`),
  'PowerShell, here-string': invoke(`@'\n${json}\n'@`),
  'with a prompt': `$ ${curl(single, json)}`,
  '-d': curl(single, json, { option: '-d' }),
  '--json': curl(single, json, { option: '--json' }),
  '-d within its word': `curl https://kyc.example.com/x -sSd${single(json)}`,
  'a header file': `curl https://kyc.example.com/x -H @secrets.txt -d ${single(json)}`,
  'a form': `curl https://kyc.example.com/x -d applicant_id=APP-7 --data photo_document_url=${encodeURIComponent(photo)} -d id_document_url=${encodeURIComponent(id)}`,
  '--data-urlencode': `curl https://kyc.example.com/x --data-urlencode applicant_id=APP-7 --data-urlencode 'photo_document_url=${photo}' --data-urlencode id_document_url=${id}`,
  '-F': `curl https://kyc.example.com/x -F applicant_id=APP-7 -F 'photo_document_url=${photo}' --form-string id_document_url=${id}`,
  'wget': `wget --header 'x-api-key: ${keys[0]}' --post-data '${json}' https://kyc.example.com/x`,
  'HTTPie': `http POST https://kyc.example.com/x x-api-key:${keys[0]} applicant_id=APP-7 photo_document_url='${photo}' id_document_url=${id}`,
  'a request': `POST https://kyc.example.com/x HTTP/1.1\nx-api-key: ${keys[0]}\ncontent-type: application/json\n\n${json}`,
  'a file of requests': `### First\n@host = kyc.example.com\nPOST https://{{host}}/x\nAuthorization: Bearer ${keys[1]}\n\n${json}`,
  'JSON with typographic quotes': json.replaceAll('"', '”'),
  'JSON with a comma too many': json.replace('}', ',\n}'),
  'a dictionary of Python': `{'applicant_id': 'APP-7', 'photo_document_url': '${photo}', 'id_document_url': '${id}', 'x': None, 'y': True,}`,
  'an object of JavaScript': `{applicant_id: "APP-7", photo_document_url: "${photo}", id_document_url: "${id}"}`,
  'a form by itself': `applicant_id=APP-7&photo_document_url=${encodeURIComponent(photo)}&id_document_url=${encodeURIComponent(id)}`,
  'a row of a spreadsheet': `APP-7\t${photo}\t${id}`,
  'a row with semicolons': `APP-7;${photo};${id}`
}

describe('fills the form', () => {
  it.each(Object.entries(commands))('%s', (_, text) =>
    expect(spreadPaste(fields, text)).toMatchObject({ values: input })
  )

  const odd = { ...input, applicant_id: `Ö!ß’s "A\\b" 50% $x \`y\` ^z €` }
  const oddJson = JSON.stringify(odd)
  it.each([
    ['Chrome, bash with $', curl(dollar, oddJson)],
    ['Firefox, bash with $', curl(firefoxDollar, oddJson)],
    ['bytes', `curl x -d $'{"applicant_id":"\\xc3\\x96\\303\\237 \\U0001F600"}'`],
    ['single quotes', curl(single, oddJson)],
    ['cmd', curl(forCmd, oddJson, { line: ' ^\n  ' })],
    ['PowerShell', invoke(powershell(oddJson))]
  ])('whatever the letters: %s', (name, text) =>
    expect((spreadPaste(fields, text) as Spread).values.applicant_id).toBe(
      name === 'bytes' ? 'Öß 😀' : odd.applicant_id
    )
  )

  it('in every shell, whatever an ID has', () => {
    const anything = fc.string({
      unit: fc.oneof(fc.constantFrom(...'!"\'\\%^&|<>$`@#{}[]();,=ÖßñжΩ'), fc.stringMatching(/^[ -~]$/)),
      minLength: 1,
      maxLength: 20
    })
    fc.assert(
      fc.property(anything, (value) => {
        // Not “x”: with what follows it could look like a header (“x-a=…”), which is refused.
        const id = `K${value}x`
        const body = JSON.stringify({ applicant_id: id })
        // In cmd, “%” of a variable cannot be written at all.
        for (const text of [
          curl(dollar, body),
          curl(firefoxDollar, body),
          curl(single, body),
          curl(forCmd, body, { line: ' ^\n  ' }),
          invoke(powershell(body))
        ])
          expect((spreadPaste(fields, text) as Spread).values, text).toEqual({ applicant_id: id })
      }),
      { numRuns: 200 }
    )
  })
})

describe('refuses what it does not understand, and says so', () => {
  it.each([
    ['a body in a file', `curl https://kyc.example.com/x -H 'x-api-key: ${keys[0]}' -d @body.json`, 'paste-file'],
    ['a body in a file, encoded', 'curl https://kyc.example.com/x --data-urlencode applicant_id@file', 'paste-file'],
    ['a file of a form', 'curl https://kyc.example.com/x -F applicant_id=@file', 'paste-file'],
    ['a file of PowerShell', 'Invoke-WebRequest -Uri https://kyc.example.com/x -InFile body.json', 'paste-file'],
    ['a quote that does not end', `curl https://kyc.example.com/x -H 'x-api-key: ${keys[0]} -d {}`, 'paste-request'],
    ['no body', `curl https://kyc.example.com/x -H 'x-api-key: ${keys[0]}'`, 'paste-request'],
    ['a body without a field', `curl https://kyc.example.com/x -d '{"colour":"red"}'`, 'paste-request'],
    ['a variable of PowerShell', 'irm https://kyc.example.com/x -Body $body', 'paste-request'],
    [
      'fetch',
      `fetch("https://kyc.example.com/x", {"headers": {"x-api-key": "${keys[0]}"}, "body": "{}"})`,
      'paste-request'
    ],
    ['a pipe', `echo '{}' | http POST https://kyc.example.com/x`, 'paste-request'],
    ['a header', `x-api-key: ${keys[0]}`, 'paste-request'],
    ['headers', `Authorization: Bearer ${keys[1]}\nx-api-key: ${keys[0]}`, 'paste-request'],
    ['a request without a body', `POST /x HTTP/1.1\nx-api-key: ${keys[0]}`, 'paste-request'],
    ['a token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', 'paste-request'],
    ['JSON of something else', '{"colour":"red"}', 'paste-unmatched'],
    ['damaged JSON', '{"applicant_id": "APP-7', 'paste-unmatched']
  ])('%s', (_, text, code) => expect(spreadPaste(fields, text)).toEqual({ refused: { code } }))

  it('a header among lines, which fills nothing', () =>
    expect((spreadPaste(fields, `APP-7\nx-api-secret: ${keys[0]}`) as Spread).values).toEqual({
      applicant_id: 'APP-7'
    }))

  it('and no value of any command has a credential', () => {
    for (const text of Object.values(commands))
      for (const key of keys) expect(JSON.stringify((spreadPaste(fields, text) as Spread).values)).not.toContain(key)
  })

  it('neither whole nor cut, in any field', () => {
    const texts = Object.values(commands).filter((text) => keys.some((key) => text.includes(key)))
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.double({ min: 0.1, max: 1, noNaN: true }), (text, share) => {
        const found = spreadPaste(fields, text.slice(0, Math.floor(text.length * share)))
        for (const value of Object.values(found && 'values' in found ? found.values : {}))
          for (const key of keys) expect(value).not.toContain(key)
      })
    )
  })
})

describe('an applicant’s ID', () => {
  it.each(
    Object.values(commands)
      .filter((text) => keys.some((key) => text.includes(key)) && !text.startsWith('###'))
      .map((text) => text.replaceAll(/\s*\n\s*/g, ' ').slice(0, 250))
  )('is no command: %s', (text) => expect(fieldFault('applicant-id', text)?.code).toMatch(/^looks-like-/))

  it.each([
    'APP-000123',
    'Ö! 7',
    'https',
    'http 7',
    'Curl, Anna',
    'get 12',
    'Post Office 7',
    'x-12',
    'host-7',
    'Bearer of the passport',
    'Basic 3',
    'fetch-7',
    'id=7',
    'A:B:C',
    '$7',
    '# 12',
    'acceptance 9',
    '{7}',
    'x-ray: 7'.replace(': ', '-')
  ])('is: %s', (text) => expect(fieldFault('applicant-id', text)).toBeUndefined())
})
