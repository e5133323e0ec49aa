/** A policy of trusted types for one address. */
export interface AddressPolicy {
  createScriptURL(text: string): string
}

/** Makes the given address and no other; throws for any other. */
export const onlyAddress = (own: string): AddressPolicy => ({
  createScriptURL(text) {
    if (text !== own) throw new TypeError('this is not the worker of documents')
    return text
  }
})
