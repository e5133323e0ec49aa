/** Places of received events: one number for an installation and the number of its event. */
import { mostEvents } from './database.ts'

/** @param ref Of the installation in the file of received events. */
export const placeOf = (ref: number, seq: number): number => ref * mostEvents + seq
export const seqOf = (place: number): number => place % mostEvents
export const refOf = (place: number): number => Math.floor(place / mostEvents)
