/** The places of the window, in the order of the side bar: the side bar, the palette and the native menu follow this table. */

export const workPlaces = ['queue', 'applicants', 'batches', 'history', 'new-verification'] as const
export const recordPlaces = ['overview', 'catalogue', 'evidence', 'audit'] as const
export const places = [...workPlaces, ...recordPlaces, 'administration'] as const
export type PlaceName = (typeof places)[number]

/** The pages of administration, each a tab. */
export const administrationTabs = ['connections', 'data-management', 'team', 'keys', 'settings'] as const
export type AdministrationTab = (typeof administrationTabs)[number]
