/**
 * Whether a parameter of a link is a secret, by its name and its value alone. Names decide first, in both directions; a value decides only
 * under a name that says neither, and only if it is a long random token. UUIDs, ULIDs, numbers, hexadecimal digests and words stay: they name
 * documents, and must be found again.
 */
import { isWord } from '../text/words.ts'

/** Parameters whose name does not end like that of a secret. */
const secretNames = new Set([
  'sig',
  'sign',
  'mac',
  'auth',
  'authorization',
  'sas',
  'bearer',
  'policy',
  'pwd',
  'pass',
  'passcode',
  'otp',
  'assertion',
  'samlresponse',
  'session',
  'sessionid',
  'jsessionid',
  'phpsessid',
  'awsaccesskeyid',
  'ossaccesskeyid',
  'accesskeyid',
  'googleaccessid',
  'keypairid',
  'qak',
  'xossaccesskeyid'
])
/** How the names of secrets end, without case and separators: `X-Amz-Security-Token`, `rlkey`, `Ocp-Apim-Subscription-Key`. */
const secretEnds = new RegExp(
  `(token|tokens|signature|secret|password|passwd|passphrase|credential|credentials|authorization|jwt|hmac|tempauth|(${[
    'api',
    'auth',
    'access',
    'secret',
    'private',
    'security',
    'share',
    'resource',
    'rl',
    'link',
    'license',
    'subscription',
    'account',
    'master',
    'download',
    'sas',
    'function',
    'encryption'
  ].join('|')})key)$`
)
/** Words that are a secret as a part of a name, unless its last word says what it states about the secret. */
const secretWords = new Set([
  'sig',
  'sign',
  'signature',
  'token',
  'secret',
  'password',
  'auth',
  'jwt',
  'hmac',
  'sas',
  'apikey',
  'mac'
])
const stated = new Set([
  'version',
  'v',
  'algorithm',
  'alg',
  'method',
  'type',
  'time',
  'date',
  'expires',
  'expiry',
  'expiration',
  'exp',
  'ttl',
  'ts',
  'timestamp',
  'headers',
  'path',
  'name',
  'id',
  'format',
  'lifetime',
  'start',
  'end',
  'user',
  'length',
  'size',
  'issuer',
  'scope',
  'in',
  'out',
  'list',
  'countries',
  'limit',
  'ignore',
  'blocked'
])
/** Last words of names that name an object: whatever their value looks like, it stays. */
const naming =
  /^(ids?|uid|uuid|guid|ulid|cid|oid|resid|ref|reference|version|versionid|rev|revision|etag|generation|name|filename|file|path|page|object|document|doc|folder|bucket|email|title|lang)$/
const namingEnds = /[a-z](Id|ID|Ref|Name|Uuid)$/

const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '')

/** Names of digests: one of the file has hexadecimal digits, so that whatever has others is a signature. */
const digestNames = new Set(['hash', 'md5', 'sha1', 'sha256', 'digest', 'checksum'])

/** JSON Web Tokens (RFC 7519), also behind a version as in `v1.eyJ…`, and tokens of Slack, are recognisable under any name. */
const knownToken = /^(?:(?:v\d\.)?eyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?$|xox[a-z]-[\w-]{10,}$)/

const uuid = /^\{?[\da-f]{8}-?(?:[\da-f]{4}-?){3}[\da-f]{12}\}?$/i
const ulid = /^[0-7][\dA-HJKMNP-TV-Z]{25}$/i
/** An MD5 in base64 has 22 characters: a digest or key of fewer bits is no protection that counts. */
const shortestRandom = 22
/** Without both cases, as many bits take more characters. */
const shortestOneCase = 32
const fewestDistinct = 12

/** Whether most letters of a text are in words: whole ones between other characters, or of five letters and more within a name in camel case. */
function isWorded(text: string): boolean {
  let [letters, worded] = [0, 0]
  for (const { 0: piece } of text.matchAll(/[A-Za-z\d]+/g)) {
    const isWhole = /^(?:[A-Z]?[a-z]+|[A-Z]+)$/.test(piece) && isWord(piece)
    for (const { 0: run } of piece.matchAll(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g)) {
      letters += run.length
      if (isWhole || (/^[A-Z]?[a-z]{4,}$/.test(run) && isWord(run))) worded += run.length
    }
  }
  return worded * 2 > letters
}

/** Numbers and times, hexadecimal digits, UUIDs and ULIDs. */
const isName = (value: string): boolean =>
  /^[\d.:TZ_+-]+$/.test(value) || /^(?:0x)?[\da-f]+$/i.test(value) || uuid.test(value) || ulid.test(value)

/** Whether a value is a long random token and nothing that names documents. */
export function isRandomToken(value: string): boolean {
  if (value.length < shortestRandom || !/^[\w+/=~.:-]+$/.test(value)) return false
  // A file, and a path of words.
  if (isName(value) || /\.[a-z][a-z\d]{1,4}$/i.test(value) || isWorded(value)) return false
  if (new Set(value).size < fewestDistinct) return false
  const letters = /[a-z]/.test(value) ? (/[A-Z]/.test(value) ? 2 : 1) : Number(/[A-Z]/.test(value))
  return letters === 2 || (letters === 1 && /\d/.test(value) && value.length >= shortestOneCase)
}

/** What a name says about its value: a secret, a digest, a key of either kind, the name of an object, or nothing. */
type Meaning = 'secret' | 'digest' | 'key' | 'name' | 'nothing'

function meaningOf(name: string): Meaning {
  const words = wordsOf(name)
  const last = words.at(-1) ?? ''
  const whole = words.join('')
  if (secretNames.has(whole) || secretEnds.test(whole)) return 'secret'
  if (words.some((word) => secretWords.has(word)) && !stated.has(last)) return 'secret'
  if (whole === 'key') return 'key'
  if (digestNames.has(whole)) return 'digest'
  return naming.test(last) || namingEnds.test(name) ? 'name' : 'nothing'
}

/** The links of a batch have few names. */
const known = new Map<string, Meaning>()
const mostKnown = 1000
function knownMeaning(name: string): Meaning {
  const found = known.get(name)
  if (found !== undefined) return found
  if (known.size === mostKnown) known.clear()
  const meaning = meaningOf(name)
  known.set(name, meaning)
  return meaning
}

/** By what a parameter is a secret: its name says so, or its value is random under a name that says nothing. */
export function secretBy(name: string, value: string): 'name' | 'value' | undefined {
  if (value === '') return undefined
  if (knownToken.test(value)) return 'name'
  switch (knownMeaning(name)) {
    case 'secret':
      return 'name'
    case 'digest':
      return value.length >= 16 && !isName(value) ? 'name' : undefined
    // `key` is an API key on some services and an object's name on others; an object's name contains a dot or a slash.
    case 'key':
      return /^[\w-]{16,}$/.test(value) ? 'name' : undefined
    case 'name':
      return undefined
    default:
      return isRandomToken(value) ? 'value' : undefined
  }
}
