/** What a window may know of the user names and passwords for proxies. */

export interface ProxySignInStatus {
  /** Scheme, host and port. */
  readonly proxy: string
  /** `session` without a keychain: lost when the console is closed. */
  readonly kept: 'keychain' | 'session'
}
