import { randomInt } from 'node:crypto'

/** A whole number from `least` up to, and without, `limit`: each as likely as any other. Tests bring their own. */
export type RandomInt = (least: number, limit: number) => number

export const systemRandomInt: RandomInt = (least, limit) => randomInt(least, limit)
