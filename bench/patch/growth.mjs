/** Time by file size; filled in below. */
export function measureGrowth() {}
