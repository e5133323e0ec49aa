/** One request on its way: before, during and after sending. */
import type { FailureRows } from './declaration.ts'

export const callsFailures = {
  'name-not-found': {
    what: 'The name {host} could not be resolved.',
    safe: 'Nothing was sent.',
    todo: 'Check the base URL, the network and the VPN.'
  },
  'connection-refused': {
    what: '{host} refused the connection or could not be reached.',
    safe: 'Nothing was sent.',
    todo: 'Check the port in the base URL, and whether the service is up.'
  },
  'connect-timeout': {
    what: 'No connection to {host} within {seconds} s.',
    safe: 'Nothing was sent.',
    todo: 'Check the network, the proxy and the firewall; the limit is in the settings.'
  },
  'tls-failed': {
    what: 'The secure connection to {host} failed: {detail}.',
    safe: 'Nothing was sent: not one byte of the request left before the check of the certificate.',
    todo: 'If your company inspects traffic, add its certificate authority in the settings. Otherwise ask the service’s operator.'
  },
  'proxy-failed': {
    what: 'The proxy {host} could not be used: {detail}.',
    safe: 'Nothing was sent to the service.',
    todo: 'Check the proxy in the settings.'
  },
  'cancelled-before-sending': {
    what: 'You cancelled before the request left.',
    safe: 'Nothing was sent.',
    todo: 'Send it again whenever you like.'
  },
  'cancelled-after-sending': {
    what: 'You cancelled while the request was under way.',
    safe: 'The service may have processed it. Veridesk does not send it again by itself.',
    todo: 'Find out whether it was processed, then resolve the record in the history.'
  },
  'total-timeout': {
    what: 'No full reply within {seconds} s.',
    safe: 'The service may have processed the request. Veridesk does not send it again by itself.',
    todo: 'Find out whether it was processed, then resolve the record in the history.'
  },
  'connection-lost': {
    what: 'The connection broke before the full reply had come ({detail}).',
    safe: 'The service may have processed the request. Veridesk does not send it again by itself.',
    todo: 'Find out whether it was processed, then resolve the record in the history.'
  },
  'interrupted': {
    what: 'Veridesk ended while this request was under way.',
    safe: 'The service may have processed the request. It was not sent again.',
    todo: 'Find out whether it was processed, then resolve the record.'
  },
  'reply-not-json': {
    what: 'The reply is not a JSON object with a message: {detail}.',
    safe: 'The service, or something before it, received the request. The raw reply is kept.',
    todo: 'Read the raw reply. A login or error page often means a proxy or a wrong base URL.'
  },
  'reply-too-large': {
    what: 'The reply is larger than {limit}; reading was stopped there.',
    safe: 'The service received the request. The first part of the reply is kept.',
    todo: 'Read the raw reply, and ask the service’s operator.'
  },
  'reply-redirect': {
    what: 'The service answered with a redirect to {host}. Redirects are never followed with credentials.',
    safe: 'The credentials went to the configured address only.',
    todo: 'Check the base URL with the service’s operator.'
  }
} as const satisfies FailureRows
