/** What a check would cost, and what its button says. */
import type { ConnectionStatus } from '#contract/connections/connection.ts'
import { priceText } from '../../kit/price.ts'
import { words } from './words.ts'

/** How many requests are billed, and their price if the connection has one. */
export function requestsText(requests: number, connection: ConnectionStatus | undefined): string {
  const said = requests === 0 ? words.nothingIsSent : words.billableRequests({ requests })
  const price = requests > 0 ? priceText(connection?.price, requests) : ''
  return price === '' ? words.withoutPrice({ requests: said }) : words.withPrice({ requests: said, price })
}

/** What sending so many does. */
export function sendText(requests: number, connection: ConnectionStatus | undefined): string {
  if (requests === 0) return words.showTheAnswers
  return (connection?.mode === 'live' ? words.sendRequestsToLive : words.sendRequests)({ requests })
}
