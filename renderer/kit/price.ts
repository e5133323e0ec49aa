/** What requests cost, where the organisation has stated a price for its connection. */
import type { ConnectionPrice } from '#contract/connections/connection.ts'
import { formats } from './formats.ts'

/** The price of as many requests, such as `€1.60`; empty without one. */
export const priceText = (price: ConnectionPrice | null | undefined, requests: number): string =>
  price && requests > 0 ? formats().money(price.amount * requests, price.currency) : ''
