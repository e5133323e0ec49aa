/** The company's trust file: who signs packs and who approves, as its keepers say. All times are Unix milliseconds. */

/** The ending of a trust file. */
export const trustEnding = 'veridesk-trust'
/** What a key may do: answer requests for approval, sign packs. In the order of the alphabet. */
export const trustRoles = ['approver', 'pack'] as const
export type TrustRole = (typeof trustRoles)[number]
/** Most characters of a trust file, with all its versions. */
export const maxTrustText = 16 * 1024 * 1024
