/** Such as "Firefox, Linux": enough to tell one's devices apart. A program has the name with which it calls. */
export function nameOfBrowser(userAgent: string): string {
  const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? /^[^\s/]+/.exec(userAgent)?.[0] ?? '?';
  const system = /Android|iPhone|iPad|Windows|Mac OS|Linux/.exec(userAgent)?.[0];
  return system === undefined ? browser : `${browser}, ${system}`;
}

/** Edge also calls itself Chrome, and Chrome calls itself Safari. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Firefox\//, 'Firefox'],
  [/Edg\w*\//, 'Edge'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
