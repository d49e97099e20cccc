/** Ids of the items that responses make. */

/** Returns the run of an item that a response made; undefined for an id of another form. */
export const runOfItem = (itemId: string): string | undefined => /^(?:msg|fc)_(run_[A-Za-z0-9]{1,50})_\d{1,4}$/.exec(itemId)?.[1];
