/** User names and passwords in addresses. */

const mark = '•••@'

/**
 * Replaces the user name and the password of each address in a text: `PROXY user:password@host:8080` becomes `PROXY
 * •••@host:8080`. Everything before the last @ of a word is replaced, because a password may contain one.
 */
export const withoutUserInfo = (text: string): string =>
  text.replace(/([a-z][a-z0-9+.-]*:\/\/)?[^\s;,]*@/gi, (_found, scheme: string | undefined) => `${scheme ?? ''}${mark}`)
