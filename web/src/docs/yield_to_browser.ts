/** Lets the browser draw and answer input before more work is done. A timeout of nothing comes after at least one of them. */
export const yieldToBrowser = (): Promise<void> => new Promise(resolve => setTimeout(resolve));
