/** Names the browser and the system of a client by what the client says it is. */

/** Such as "Firefox, Linux". Versions change too often to count. */
export function clientOf(userAgent: string): string {
  const browser = /(Firefox|Edg|OPR|Chrome|Safari|curl|node)/.exec(userAgent)?.[1]?.replace('Edg', 'Edge') ?? 'other';
  const system = /Android|iPhone|iPad|Windows|Mac OS|Linux/.exec(userAgent)?.[0];
  return system === undefined ? browser : `${browser}, ${system}`;
}
