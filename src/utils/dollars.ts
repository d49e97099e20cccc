/**
 * Amounts of US dollars without drift: they are added as whole nano-dollars (1e-9 USD). Exact up to 2,000,000 USD, where a double still tells
 * neighbouring nano-dollars apart.
 */

const NANOS_PER_DOLLAR = 1e9;

/** Rounds US dollars to whole nano-dollars. */
export const toNanoDollars = (usd: number): number => Math.round(usd * NANOS_PER_DOLLAR);

/** Returns nano-dollars in US dollars. */
export const fromNanoDollars = (nanos: number): number => nanos / NANOS_PER_DOLLAR;

/** Adds two amounts of US dollars without drift. */
export const addDollars = (usd: number, more: number): number => fromNanoDollars(toNanoDollars(usd) + toNanoDollars(more));
