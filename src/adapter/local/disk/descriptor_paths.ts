import { existsSync } from 'node:fs';

const DESCRIPTORS = '/proc/self/fd';
const isThere = existsSync(DESCRIPTORS);

/** Linux has a path for each open descriptor. */
export const hasDescriptorPaths = (): boolean => isThere;

/** Returns the path by which the kernel reaches the open file or directory, even when its name leads elsewhere by now. */
export const descriptorPath = (descriptor: number): string => `${DESCRIPTORS}/${descriptor}`;
