/** True for an IP address of this machine alone. */
export const isLoopbackAddress = (address: string): boolean => address === '::1' || address.startsWith('127.');

/** True for the host of a URL that is this machine, also without asking DNS. */
export const isLoopbackHost = (hostname: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
