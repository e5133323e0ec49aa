/** Text that a terminal may be given. */

// A terminal obeys control characters in what it prints; a reply must not be able to use that.
// eslint-disable-next-line no-control-regex
export const harmless = (text: string): string => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
export const oneLine = (text: string): string => harmless(text).replace(/\s+/g, ' ')
