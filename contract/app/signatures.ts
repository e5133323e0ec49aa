/**
 * How a person signs what is recorded: the name in decisions with the account of the system, as `Mira Rahn (mrahn)`; the account alone
 * while no name is known. The account says who it is; the name is for people. Pure.
 */

/** @param name The name in decisions; empty if there is none. */
export function signatureOf(name: string, account: string): string {
  // The first bracket begins the account.
  const plain = name.replace(/[()]/gu, ' ').replace(/\s+/gu, ' ').trim()
  return plain === '' || plain === account ? account : `${plain} (${account})`
}

/** The parts of a signature. Without a name, both are the account. */
export function signerOf(signature: string): { readonly name: string; readonly account: string } {
  const [, name, account] = /^([^()]+) \((.+)\)$/u.exec(signature) ?? []
  return name === undefined || account === undefined ? { name: signature, account: signature } : { name, account }
}
