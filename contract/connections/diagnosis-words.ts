/** The words of a network diagnosis: its steps, and what they found. */
import type { DiagnosisFact, DiagnosisFactCode, DiagnosisFactName, DiagnosisStepName } from './diagnosis.ts'

/** What the person is told before anything is contacted. */
export const diagnosisNotice =
  'Connects as a verification would, then sends one request, HEAD /, without credentials, to read the status and the clock of the server. No verification is sent. If a proxy asks for sign-in, it gets the user name and password that are stored for it.'

export const diagnosisStepNames: Readonly<Record<DiagnosisStepName, string>> = {
  'route': 'Route',
  'trust': 'Trusted certificates',
  'name': 'DNS lookup',
  'connect': 'Connection',
  'proxy-tls': 'TLS',
  'tunnel': 'CONNECT',
  'sign-in': 'Sign-in',
  'tls': 'TLS',
  'http': 'Answer',
  'clock': 'Clock'
}

export const diagnosisFactNames: Readonly<Record<DiagnosisFactName, string>> = {
  'route': 'Decided by',
  'proxy': 'Route',
  'verdict': 'The system’s answer',
  'stores': 'Certificates',
  'host': 'Name',
  'addresses': 'Addresses',
  'resolver': 'Resolver',
  'connected': 'Connected to',
  'attempts': 'Failed attempts',
  'answer': 'Answer',
  'schemes': 'Sign-in by',
  'sign-in': 'User name and password',
  'protocol': 'Protocol',
  'cipher': 'Cipher',
  'alpn': 'Application protocol',
  'name': 'Host name',
  'chain': 'Trust',
  'request': 'Request',
  'server': 'Server',
  'redirect': 'Redirect to',
  'server-time': 'Server’s clock',
  'own-time': 'This computer’s clock',
  'difference': 'Difference'
}

/** {0}, {1}: the values of the fact. */
const factCodes: Readonly<Record<DiagnosisFactCode, string>> = {
  'no-proxy': 'the setting “None”',
  'loopback': 'the address: this computer is never reached through a proxy',
  'bypass': 'the entry “{0}” of the hosts that bypass the proxy',
  'manual': 'the proxy in the settings',
  'system': 'the system (its proxy settings or its PAC file; environment variables without Electron)',
  'store-system': 'operating system: {0}',
  'store-runtime': 'built into Veridesk: {0}',
  'store-file': 'the file in the settings: {0}',
  'is-address': 'it is an address, so nothing is looked up',
  'system-resolver': 'the operating system’s, with its hosts file {0}',
  'no-alpn': 'not negotiated',
  'name-matches': 'the certificate is valid for {0}',
  'name-differs': 'the certificate is not valid for {0}; it is for {1}',
  'chain-trusted': '“{0}” is in a store',
  'chain-not-trusted': '“{0}” is in no store',
  'from-environment': 'from an environment variable',
  'from-keychain': 'stored for this proxy',
  'none-stored': 'none stored for this proxy',
  'seconds-ahead': 'this computer is {0} s ahead',
  'seconds-behind': 'this computer is {0} s behind'
}

/** A fact as text. */
export const diagnosisFactText = ({ values, code }: DiagnosisFact): string =>
  code === undefined
    ? values.join(', ')
    : factCodes[code].replace(/\{(\d)\}/g, (_found, index: string) => values[Number(index)] ?? '').trim()

const storeNames = {
  system: 'the operating system’s store',
  runtime: 'the store built into Veridesk',
  file: 'the file in the settings'
} as const
/** Where a certificate is trusted from. */
export const certificateStoreText = (store: keyof typeof storeNames | undefined): string =>
  store ? `in ${storeNames[store]}` : 'in no store'
