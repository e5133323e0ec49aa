/** Single requests: before, during and after sending. */
import type { FailureRows } from '../failures/declaration.ts'
import { tlsReasons } from '../failures/phrases.ts'

const mayHaveBeenProcessed =
  'The provider may have processed the request. Veridesk does not send it again automatically.'
const resolveInHistory = 'Find out whether it was processed, then resolve the record in the history.'

export const callsFailures = {
  'name-not-found': {
    what: 'DNS lookup for {host} failed.',
    impact: 'Nothing was sent.',
    nextStep: 'Check the base URL, the network and the VPN.',
    guide: 'Network'
  },
  'connection-refused': {
    what: '{host} refused the connection or could not be reached.',
    impact: 'Nothing was sent.',
    nextStep: 'Check the port in the base URL and whether the service is available.',
    guide: 'Network'
  },
  'connect-timeout': {
    what: 'Connecting to {host} took longer than {seconds} s.',
    impact: 'Nothing was sent.',
    nextStep: 'Check the network, the proxy and the firewall. You can change the limit in the settings.',
    guide: 'Network'
  },
  'tls-failed': {
    what: 'The secure connection to {host} failed: {reason}.',
    impact: 'Nothing was sent. A request is sent only after the certificate has been verified.',
    nextStep:
      'If your company inspects network traffic, add its certificate authority in the settings. Otherwise contact the provider.',
    guide: 'Network',
    reasons: tlsReasons
  },
  'proxy-failed': {
    what: 'The proxy {host} could not be used: {reason}.',
    impact: 'Nothing was sent to the provider.',
    nextStep: 'Check the proxy in the settings. “Network diagnosis” shows what is wrong.',
    guide: 'Network',
    reasons: {
      ...tlsReasons,
      'name-not-found': 'DNS lookup failed',
      'unreachable': 'it refused the connection or could not be reached ({socketError})',
      'sign-in': 'it requires authentication',
      'password': 'it did not accept the user name and the password',
      'scheme': 'it requires authentication by {schemes}, which Veridesk does not support (407)',
      'status': 'it refused to connect to the service ({answer})',
      'closed': 'it closed the connection without a valid response'
    }
  },
  'proxy-setting-unusable': {
    what: 'The proxy in the settings cannot be used. {fields}',
    impact: 'Nothing was sent to the provider.',
    nextStep: 'Check the proxy in the settings.',
    guide: 'Network'
  },
  'system-proxy-unusable': {
    what: 'The system’s proxy cannot be used: {reason}.',
    impact: 'Nothing was sent to the provider.',
    nextStep: 'Check the proxy in the system settings, or set a proxy in Veridesk’s settings.',
    guide: 'Network',
    reasons: {
      socks: 'it is a SOCKS proxy of version 4, and Veridesk supports version 5, HTTP and HTTPS proxies',
      address:
        'its address cannot be read. Special characters of a user name or password are written with a percent sign, such as %23 for #',
      unknown: 'the system did not say which proxy to use'
    }
  },
  'request-held-back': {
    what: 'The request was not sent: {reason}.',
    impact: 'Nothing was sent.',
    nextStep: 'Find the earlier request in the history. To send this one all the same, run the failed rows again.',
    reasons: {
      answered: 'the same request was recently answered',
      unknown: 'the outcome of the same request is unknown, and nobody has resolved it'
    }
  },
  'cancelled-before-sending': {
    what: 'You cancelled before the request was sent.',
    impact: 'Nothing was sent.',
    nextStep: 'You can send it again at any time.'
  },
  'cancelled-after-sending': {
    what: 'You cancelled while the request was in progress.',
    impact: mayHaveBeenProcessed,
    nextStep: resolveInHistory
  },
  'total-timeout': {
    what: 'No complete response arrived within {seconds} s.',
    impact: mayHaveBeenProcessed,
    nextStep: resolveInHistory,
    guide: 'Reading an answer'
  },
  'connection-lost': {
    what: 'The connection was lost before the complete response arrived ({reason}).',
    impact: mayHaveBeenProcessed,
    nextStep: resolveInHistory,
    guide: 'Reading an answer',
    reasons: {
      'not-http': 'the response is not HTTP, {socketError}',
      'closed': 'the other side closed it',
      'other': '{errno}'
    }
  },
  'reply-malformed': {
    what: 'The service answered with status {status}, but its response cannot be read: {reason}.',
    impact: 'The provider received the request, and may have processed it. It was not sent again.',
    nextStep: `Tell the provider, or whoever runs the gateway or proxy in between, the reason above. ${resolveInHistory}`,
    reasons: {
      'two-lengths': 'it states its length in two ways ({socketError})',
      'long-headers': 'its headers are longer than {limitBytes}',
      'header': 'a header breaks the rules of HTTP ({socketError})'
    }
  },
  'interrupted': {
    what: 'Veridesk was closed while this request was in progress.',
    impact: 'The provider may have processed the request. It was not sent again.',
    nextStep: 'Find out whether it was processed, then resolve the record.'
  },
  'reply-not-json': {
    what: 'The response is not a JSON object with a message: {reason}.',
    impact: 'The provider, or a server in between, received the request. The raw response is stored.',
    nextStep: 'Read the raw response. A login or error page often means that a proxy or the base URL is wrong.',
    guide: 'Reading an answer',
    reasons: {
      'compression': 'its compression is damaged or not supported',
      'empty': 'it is empty',
      'not-utf8': 'it is not valid UTF-8',
      'blank': 'it is blank',
      'web-page': 'it looks like a web page',
      'not-json': 'it is not complete, valid JSON',
      'array': 'it is a JSON array',
      'null': 'it is null',
      'other-value': 'it is a JSON {type}',
      'no-message': 'the object has no “message”',
      'message-not-text': 'its “message” is not text'
    }
  },
  'reply-too-large': {
    what: 'The response is larger than {limitBytes}.',
    impact: 'The provider received the request. The first part of the response is stored.',
    nextStep: 'Read the raw response, and contact the provider.'
  },
  'reply-redirect': {
    what: 'The provider responded with a redirect to {host}. Veridesk does not follow redirects with credentials.',
    impact: 'The credentials were sent to the configured address only.',
    nextStep: 'Check the base URL with the provider.'
  }
} as const satisfies FailureRows
