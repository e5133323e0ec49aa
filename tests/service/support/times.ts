/** How often a scenario of a proof is repeated: once in `npm test`, as often as `npm run prove` asks otherwise. */
export const times = Number(process.env['VERIDESK_TIMES'] ?? '1')
