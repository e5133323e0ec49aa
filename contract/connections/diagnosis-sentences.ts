/** What a network diagnosis concludes: one row for each cause, and who can fix it. */
import type { FailureRows } from '../failures/declaration.ts'

const cannotSend =
  'Veridesk cannot send verifications to this address. The diagnosis sent no credentials and no personal data.'
const canSend =
  'Veridesk can send verifications to this address. The diagnosis sent no credentials and no personal data.'
const askAdministrator = 'Send this report to your network administrator.'
const askOperator = 'Send this report to the operator of the service.'

export const diagnosisFailures = {
  'diagnosis-address-invalid': {
    what: 'The address is invalid. {fields}',
    impact: 'Nothing was contacted.',
    nextStep: 'Correct the base URL of the connection.'
  },
  'diagnosis-proxy-setting': {
    what: 'The proxy address in the settings is invalid. {fields}',
    impact: cannotSend,
    nextStep: 'Correct the proxy under “Network” in the settings.'
  },
  'diagnosis-system-proxy': {
    what: 'The proxy that this computer’s settings name cannot be used: {reason}.',
    impact: cannotSend,
    nextStep: 'Ask your network administrator for an HTTP or SOCKS5 proxy, and enter it in the settings.',
    reasons: {
      socks: 'it is a SOCKS proxy of version 4, and Veridesk supports version 5, HTTP and HTTPS proxies',
      address: 'its address is invalid',
      unknown: 'the system did not say which proxy to use'
    }
  },
  'diagnosis-ca-file': {
    what: 'The certificate file in the settings cannot be used.',
    impact: cannotSend,
    nextStep: 'Restore the file, or choose another one under “Network” in the settings.'
  },
  'diagnosis-keychain': {
    what: 'The proxy {host} requires a user name and a password, but the keychain cannot be read.',
    impact: cannotSend,
    nextStep: 'Unlock the keychain, then diagnose again.'
  },
  'diagnosis-name-unknown': {
    what: 'This computer finds no address for the name {host}.',
    impact: cannotSend,
    nextStep: 'Check the base URL for typing errors, and whether the VPN is connected.'
  },
  'diagnosis-name-server': {
    what: 'The name servers of this computer did not answer when asked for {host} ({errno}).',
    impact: cannotSend,
    nextStep: `Check whether other sites open. If they do not, check the network cable, the Wi-Fi and the VPN. ${askAdministrator}`
  },
  'diagnosis-refused': {
    what: '{host} refuses connections at this port.',
    impact: cannotSend,
    nextStep: `Check the port in the base URL. If it is correct, the service is not running: ${askOperator}`
  },
  'diagnosis-unreachable': {
    what: 'There is no route from this computer to {host} ({errno}).',
    impact: cannotSend,
    nextStep: `Check the network and the VPN. ${askAdministrator}`
  },
  'diagnosis-connect-silent': {
    what: '{host} did not answer within {seconds} s. Usually a firewall discards the connection.',
    impact: cannotSend,
    nextStep: `If your network requires a proxy, set it in the settings. Otherwise: ${askAdministrator}`
  },
  'diagnosis-proxy-name': {
    what: 'This computer finds no address for the proxy {host}.',
    impact: cannotSend,
    nextStep: `Check the proxy in the settings. ${askAdministrator}`
  },
  'diagnosis-proxy-unreachable': {
    what: 'The proxy {host} refuses the connection or cannot be reached ({errno}).',
    impact: cannotSend,
    nextStep: `Check the proxy in the settings. ${askAdministrator}`
  },
  'diagnosis-proxy-silent': {
    what: 'The proxy {host} did not answer within {seconds} s.',
    impact: cannotSend,
    nextStep: `${askAdministrator} You can raise the connection timeout in the settings.`
  },
  'diagnosis-proxy-tls': {
    what: 'The secure connection to the proxy {host} failed ({errno}).',
    impact: cannotSend,
    nextStep: `Check whether the proxy must be entered with http:// instead of https://. ${askAdministrator}`
  },
  'diagnosis-proxy-sign-in': {
    what: 'The proxy {host} requires a user name and a password, and none are stored for it.',
    impact: cannotSend,
    nextStep: 'Enter them under “Network” in the settings.'
  },
  'diagnosis-proxy-password': {
    what: 'The proxy {host} does not accept the user name and the password that it was given.',
    impact: cannotSend,
    nextStep:
      'Enter them again under “Network” in the settings. Several attempts with a wrong password can lock your account.'
  },
  'diagnosis-proxy-scheme': {
    what: 'The proxy {host} accepts sign-in by {schemes} only, which Veridesk does not support.',
    impact: cannotSend,
    nextStep:
      'Ask your network administrator to let this address pass without sign-in or with Basic, or to set up a local proxy that signs in for you.'
  },
  'diagnosis-proxy-forbids': {
    what: 'The proxy {host} does not allow connections to this service ({answer}).',
    impact: cannotSend,
    nextStep: 'Ask your network administrator to allow the host and the port of the service.'
  },
  'diagnosis-proxy-gateway': {
    what: 'The proxy {host} works, but could not reach the service ({answer}).',
    impact: cannotSend,
    nextStep: `Check the base URL. ${askAdministrator} If other services can be reached through the proxy, send it to the operator of the service too.`
  },
  'diagnosis-proxy-status': {
    what: 'The proxy {host} answered with {answer} instead of opening a connection.',
    impact: cannotSend,
    nextStep: `Check whether this is the address of a proxy and not of a web server. ${askAdministrator}`
  },
  'diagnosis-proxy-closed': {
    what: 'The proxy {host} closed the connection without a valid answer.',
    impact: cannotSend,
    nextStep: `Check whether this is the address and the port of such a proxy. ${askAdministrator}`
  },
  'diagnosis-tunnel-broken': {
    what: 'The proxy {host} reported a connection to the service, but what came through it is not the service ({errno}).',
    impact: cannotSend,
    nextStep: askAdministrator
  },
  'diagnosis-untrusted-proxy': {
    what: 'The certificate that arrives through the proxy {host} was issued by “{issuer}”, which this computer does not trust. Your network probably inspects the traffic.',
    impact: cannotSend,
    nextStep:
      'Ask your network administrator for the certificate of this authority, and add it under “Network” in the settings. Do not accept it from anybody else.'
  },
  'diagnosis-untrusted': {
    what: 'The certificate of {host} was issued by “{issuer}”, which this computer does not trust, or the server does not send an intermediate certificate.',
    impact: cannotSend,
    nextStep:
      'If “{issuer}” is your company, ask your network administrator for its certificate and add it in the settings. Otherwise send this report to the operator of the service.'
  },
  'diagnosis-self-signed': {
    what: 'The certificate of {host} is self-signed: nobody that this computer trusts has confirmed it.',
    impact: cannotSend,
    nextStep: `Check the base URL. ${askOperator}`
  },
  'diagnosis-expired': {
    what: 'The certificate of {host} expired on {date}.',
    impact: cannotSend,
    nextStep: `If that date is in the future, correct this computer’s clock. Otherwise: ${askOperator}`
  },
  'diagnosis-not-yet-valid': {
    what: 'The certificate of {host} becomes valid on {date}, which this computer’s clock has not reached.',
    impact: cannotSend,
    nextStep: 'Correct the clock of this computer. If it is right, send this report to the operator of the service.'
  },
  'diagnosis-wrong-name': {
    what: 'The certificate is not for {host}, but for {names}.',
    impact: cannotSend,
    nextStep: `Check the base URL: it must have the name that your provider gave you. If it has: ${askOperator}`
  },
  'diagnosis-certificate': {
    what: 'The certificate of {host} is not accepted ({errno}).',
    impact: cannotSend,
    nextStep: askOperator
  },
  'diagnosis-old-tls': {
    what: '{host} supports only versions of TLS that are no longer secure.',
    impact: cannotSend,
    nextStep: askOperator
  },
  'diagnosis-not-tls': {
    what: 'The server at {host} does not use TLS.',
    impact: cannotSend,
    nextStep: `Check the port in the base URL. ${askOperator}`
  },
  'diagnosis-tls-closed': {
    what: '{host} closed the connection during the TLS handshake ({errno}).',
    impact: cannotSend,
    nextStep: `If other sites open, a firewall or the service ends it. ${askAdministrator}`
  },
  'diagnosis-tls-silent': {
    what: '{host} accepted the connection, but did not answer the TLS handshake within {seconds} s.',
    impact: cannotSend,
    nextStep: `${askOperator} If other people reach the service, a firewall discards it: send it to your network administrator too.`
  },
  'diagnosis-http-silent': {
    what: '{host} accepted the secure connection, but did not answer a request within {seconds} s.',
    impact:
      'A verification would probably end with an unknown outcome. The diagnosis sent no credentials and no personal data.',
    nextStep: askOperator
  },
  'diagnosis-http-closed': {
    what: '{host} closed the connection without answering a request ({errno}).',
    impact:
      'A verification would probably end with an unknown outcome. The diagnosis sent no credentials and no personal data.',
    nextStep: askOperator
  },
  'diagnosis-not-http': {
    what: 'The server at {host} does not use HTTP ({errno}).',
    impact:
      'A verification would probably end with an unknown outcome. The diagnosis sent no credentials and no personal data.',
    nextStep: `Check the port in the base URL. ${askOperator}`
  },
  'diagnosis-service-error': {
    what: '{host} can be reached, but answers with {status}: a server in front of the service, or the service itself, has an error.',
    impact:
      'Verifications are sent, but probably not processed. The diagnosis sent no credentials and no personal data.',
    nextStep: askOperator
  },
  'diagnosis-clock': {
    what: 'The service can be reached, but this computer’s clock is {minutes} minutes {reason} the service’s.',
    impact:
      'Certificates, signed links and times in records can be wrong. The diagnosis sent no credentials and no personal data.',
    nextStep:
      'Set the clock and the time zone of this computer, or let the system set them. If they are right, send this report to the operator of the service.',
    reasons: { ahead: 'ahead of', behind: 'behind' }
  },
  'diagnosis-slow': {
    what: 'The service can be reached, but the connection took {took} s of the {seconds} s allowed; most of it was spent on {reason}.',
    impact: canSend,
    nextStep: `${askAdministrator} You can raise the connection timeout in the settings.`,
    reasons: {
      name: 'finding the address of the name',
      connect: 'connecting',
      proxy: 'waiting for the proxy',
      tls: 'the TLS handshake'
    }
  },
  'diagnosis-other': {
    what: 'The connection to {host} failed.',
    impact: cannotSend,
    nextStep: askAdministrator
  }
} as const satisfies FailureRows

/** Who can fix a cause. */
export type Fixer = 'you' | 'administrator' | 'operator'

export const fixerNames: Readonly<Record<Fixer, string>> = {
  you: 'You',
  administrator: 'Your network administrator',
  operator: 'The operator of the service'
}

/** Who can fix each cause; the next step of its row says how. */
export const diagnosisFixers: Readonly<Record<keyof typeof diagnosisFailures, Fixer>> = {
  'diagnosis-address-invalid': 'you',
  'diagnosis-proxy-setting': 'you',
  'diagnosis-system-proxy': 'administrator',
  'diagnosis-ca-file': 'you',
  'diagnosis-keychain': 'you',
  'diagnosis-name-unknown': 'you',
  'diagnosis-name-server': 'administrator',
  'diagnosis-refused': 'operator',
  'diagnosis-unreachable': 'administrator',
  'diagnosis-connect-silent': 'administrator',
  'diagnosis-proxy-name': 'administrator',
  'diagnosis-proxy-unreachable': 'administrator',
  'diagnosis-proxy-silent': 'administrator',
  'diagnosis-proxy-tls': 'administrator',
  'diagnosis-proxy-sign-in': 'you',
  'diagnosis-proxy-password': 'you',
  'diagnosis-proxy-scheme': 'administrator',
  'diagnosis-proxy-forbids': 'administrator',
  'diagnosis-proxy-gateway': 'administrator',
  'diagnosis-proxy-status': 'administrator',
  'diagnosis-proxy-closed': 'administrator',
  'diagnosis-tunnel-broken': 'administrator',
  'diagnosis-untrusted-proxy': 'administrator',
  'diagnosis-untrusted': 'administrator',
  'diagnosis-self-signed': 'operator',
  'diagnosis-expired': 'operator',
  'diagnosis-not-yet-valid': 'you',
  'diagnosis-wrong-name': 'operator',
  'diagnosis-certificate': 'operator',
  'diagnosis-old-tls': 'operator',
  'diagnosis-not-tls': 'operator',
  'diagnosis-tls-closed': 'administrator',
  'diagnosis-tls-silent': 'operator',
  'diagnosis-http-silent': 'operator',
  'diagnosis-http-closed': 'operator',
  'diagnosis-not-http': 'operator',
  'diagnosis-service-error': 'operator',
  'diagnosis-clock': 'you',
  'diagnosis-slow': 'administrator',
  'diagnosis-other': 'administrator'
}
