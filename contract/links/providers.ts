/**
 * The forms of signed links that are known: which parameters and parts of a path they have, which of these are secret although no name says so,
 * and how each states its times. Sources: the documentation of each provider. In any other link, `link-secrets.ts` alone decides.
 */
import {
  between,
  ifTime,
  ofAzure,
  ofHex,
  ofJwt,
  ofNumberOrIso,
  ofPolicy,
  ofTildes,
  since,
  until,
  type LinkTimes
} from './times.ts'

/** A link as its form is recognised. */
export interface ReadLink {
  readonly host: string
  readonly path: string
  /** The parameters of the query and of parts of the path, by their names in lower case, decoded. */
  readonly parameters: ReadonlyMap<string, string>
}

export interface SignedForm {
  readonly provider: string
  /** Parameters that such a link always has. */
  readonly has: readonly string[]
  /** Where parameters alone do not show it. */
  readonly host?: RegExp
  readonly path?: RegExp
  readonly secret?: readonly string[]
  /** Parameters of the signature: they change with each one and do not name the object. */
  readonly terms: RegExp
  /** Absent if such a link does not state its end. */
  readonly times?: (get: (name: string) => string | undefined, path: string) => LinkTimes
}

/** The longest validity that version 4 of the signatures of AWS, Google, Alibaba and Volcengine accepts: seven days. */
const week = 604_800
const azure: Omit<SignedForm, 'has'> = {
  provider: 'azure',
  terms: /^(s[eiprtv]|sig|sk[a-z]*|spr|sdd|ses)$/,
  times: ofAzure
}
const akamai = ['hdnts', 'hdnea', 'hdntl', '__token__', '__cld_token__']
/**
 * Parameters in which `secure_link` of nginx and its relatives write a digest, and its end. Without an end beside it, a digest may as well
 * name the object.
 */
const digests = ['md5', 'hash', 'digest', 'hmac']
const ends = ['expires', 'expire', 'exp', 'e', 'expiry', 'ttl']

const forms: readonly SignedForm[] = [
  {
    provider: 's3',
    has: ['x-amz-signature'],
    terms: /^x-amz-/,
    times: (get) => since(get('x-amz-date'), get('x-amz-expires'), week)
  },
  {
    provider: 'gcs',
    has: ['x-goog-signature'],
    terms: /^x-goog-/,
    times: (get) => since(get('x-goog-date'), get('x-goog-expires'), week)
  },
  {
    provider: 'gcs',
    has: ['googleaccessid', 'signature'],
    terms: /^(googleaccessid|expires|signature)$/,
    times: (get) => until(get('expires'))
  },
  {
    provider: 's3',
    has: ['awsaccesskeyid', 'signature'],
    terms: /^(awsaccesskeyid|expires|signature|x-amz-.*)$/,
    times: (get) => until(get('expires'))
  },
  {
    provider: 'cloudfront',
    has: ['key-pair-id', 'signature', 'policy'],
    terms: /^(key-pair-id|signature|policy|hash-algorithm)$/,
    times: (get) => ofPolicy(get('policy') ?? '')
  },
  {
    provider: 'cloudfront',
    has: ['key-pair-id', 'signature'],
    terms: /^(key-pair-id|expires|signature|hash-algorithm)$/,
    times: (get) => until(get('expires'))
  },
  { ...azure, has: ['sig', 'sv'] },
  { ...azure, has: ['sig', 'se'] },
  // What `process` names is another image.
  {
    provider: 'oss',
    has: ['x-oss-signature', 'x-oss-access-key-id'],
    terms: /^x-oss-(?!process)/,
    times: (get) => until(get('x-oss-expires'))
  },
  {
    provider: 'oss',
    has: ['x-oss-signature'],
    terms: /^x-oss-(?!process)/,
    times: (get) => since(get('x-oss-date'), get('x-oss-expires'), week)
  },
  {
    provider: 'oss',
    has: ['ossaccesskeyid', 'signature'],
    terms: /^(ossaccesskeyid|expires|signature|security-token)$/,
    times: (get) => until(get('expires'))
  },
  {
    provider: 'cos',
    has: ['q-signature'],
    terms: /^(q-.*|x-cos-security-token)$/,
    times: (get) => between(get('q-sign-time'))
  },
  {
    provider: 'obs',
    has: ['accesskeyid', 'signature'],
    terms: /^(accesskeyid|expires|signature|x-obs-security-token)$/,
    times: (get) => until(get('expires'))
  },
  {
    provider: 'tos',
    has: ['x-tos-signature'],
    terms: /^x-tos-(?!process)/,
    times: (get) => since(get('x-tos-date'), get('x-tos-expires'), week)
  },
  {
    provider: 'swift',
    has: ['temp_url_sig'],
    terms: /^temp_url_/,
    times: (get) => ofNumberOrIso(get('temp_url_expires'))
  },
  { provider: 'b2', has: ['authorization'], terms: /^authorization$/ },
  { provider: 'qiniu', has: ['token', 'e'], terms: /^(token|e)$/, times: (get) => ifTime(get('e')) },
  {
    provider: 'upyun',
    has: ['_upt'],
    secret: ['_upt'],
    terms: /^_upt$/,
    times: (get) => ifTime(/^\w{8}(\d{10})$/.exec(get('_upt') ?? '')?.[1])
  },
  ...akamai.map((name): SignedForm => ({
    provider: 'akamai',
    has: [name],
    secret: [name],
    terms: new RegExp(`^${name}$`),
    times: (get) => ofTildes(get(name))
  })),
  {
    provider: 'akamai',
    has: ['__gda__'],
    secret: ['__gda__'],
    terms: /^__gda__$/,
    times: (get) => ifTime(get('__gda__')?.split('_')[0])
  },
  {
    provider: 'bunny',
    has: ['bcdn_token'],
    terms: /^(bcdn_token|expires|token_.*)$/,
    times: (get) => ifTime(get('expires'))
  },
  {
    provider: 'bunny',
    has: ['token', 'expires'],
    terms: /^(token|expires|token_.*)$/,
    times: (get) => ifTime(get('expires'))
  },
  {
    provider: 'imgix',
    has: ['s'],
    host: /\.imgix\.net$/,
    secret: ['s'],
    terms: /^(s|expires)$/,
    times: (get) => ifTime(get('expires'))
  },
  { provider: 'cloudflare', has: ['sig', 'exp'], terms: /^(sig|exp)$/, times: (get) => ifTime(get('exp')) },
  // It states when it was signed; how long it is valid is a rule of its owner.
  { provider: 'cloudflare', has: ['verify'], secret: ['verify'], terms: /^verify$/ },
  {
    provider: 'discord',
    has: ['ex', 'is', 'hm'],
    secret: ['hm'],
    terms: /^(ex|is|hm)$/,
    times: (get) => ofHex(get('is'), get('ex'))
  },
  {
    provider: 'meta',
    has: ['oh', 'oe'],
    secret: ['oh'],
    terms: /^(oh|oe)$/,
    times: (get) => ofHex(undefined, get('oe'))
  },
  { provider: 'dropbox', has: ['rlkey'], secret: ['st'], terms: /^(rlkey|st)$/ },
  { provider: 'drive', has: ['resourcekey'], terms: /^resourcekey$/ },
  { provider: 'onedrive', has: ['authkey'], terms: /^authkey$/ },
  { provider: 'sharepoint', has: ['tempauth'], terms: /^tempauth$/, times: (get) => ofJwt(get('tempauth')) },
  { provider: 'slack', has: ['t'], host: /(^|\.)slack\.com$/, secret: ['t'], terms: /^t$/ },
  { provider: 'sumsub', has: ['x-app-access-sig'], terms: /^x-app-/ },
  { provider: 'oracle', has: [], path: /^\/p\/[^/]+\/n\/[^/]+\/b\/[^/]+\/o\//, terms: /^(?!)/ },
  {
    provider: 'cdn77',
    has: [],
    path: /^\/[^/]+,\d{10}\//,
    terms: /^(?!)/,
    times: (_, path) => ifTime(/^\/[^/]+,(\d{10})\//.exec(path)?.[1])
  },
  {
    provider: 'secure-link',
    has: ['signature', 'expires'],
    terms: /^(signature|expires)$/,
    times: (get) => ifTime(get('expires'))
  },
  ...digests.flatMap((name) =>
    ends.map((end): SignedForm => ({
      provider: 'secure-link',
      has: [name, end],
      secret: [name],
      terms: new RegExp(`^(${name}|${end})$`),
      times: (get) => ifTime(get(end))
    }))
  )
]

/** The rows by the first parameter that each needs; under `undefined` those that need none. */
const byFirst = Map.groupBy(forms.entries(), ([, { has }]) => has[0])

/** The form of a link, the first that fits; undefined if it is not known. */
export function formOf({ host, path, parameters }: ReadLink): SignedForm | undefined {
  let found: readonly [number, SignedForm] | undefined
  for (const first of [undefined, ...parameters.keys()])
    for (const row of byFirst.get(first) ?? []) {
      const [place, form] = row
      const fits =
        form.has.every((name) => parameters.get(name)) &&
        (form.host?.test(host) ?? true) &&
        (form.path?.test(path) ?? true)
      if (fits && place < (found?.[0] ?? Infinity)) found = row
    }
  return found?.[1]
}
