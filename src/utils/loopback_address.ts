/** True for an IP address of this machine alone. */
export const isLoopbackAddress = (address: string): boolean => address === '::1' || address.startsWith('127.');
