/** Names a device for its person by the header User-Agent of its browser. */

type Names = readonly (readonly [pattern: RegExp, name: string])[];

/** Browsers imitate each other, so the first that fits is the right one. */
const BROWSERS: Names = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: Names = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Returns browser and system, such as `Chrome, Android`; undefined for a program that is no known browser. */
export function nameDevice(userAgent: string): string | undefined {
  const [browser, system] = [BROWSERS, SYSTEMS].map(names => names.find(([pattern]) => pattern.test(userAgent))?.[1]);
  return browser && [browser, system].filter(Boolean).join(', ');
}
