/** Whether a request was made to this machine by a page of this machine: stops foreign pages and DNS rebinding while only loopback is served. */
export function isLocalRequest(headers: { host?: string | undefined; origin?: string | undefined }): boolean {
  if (!headers.host || !isLoopbackUrl(`http://${headers.host}`)) return false;
  return headers.origin === undefined || isLoopbackUrl(headers.origin);
}

function isLoopbackUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { hostname } = new URL(text);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
