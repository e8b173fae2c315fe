/** Each browser also names those that it wants to be taken for, so the first match is the actual one. */
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\/(\d+)/, 'Edge'],
  [/\bOPR\/(\d+)/, 'Opera'],
  [/\bVivaldi\/(\d+)/, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS)\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d+).*\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly [RegExp, string][] = [
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** `Firefox 141 on Linux`; other programs are shown by the name that they send. */
export function browserName(userAgent: string): string {
  const [pattern, name] = BROWSERS.find(([each]) => each.test(userAgent)) ?? [];
  if (pattern === undefined) return userAgent;
  const system = SYSTEMS.find(([each]) => each.test(userAgent))?.[1];
  return `${name} ${pattern.exec(userAgent)?.[1]}${system === undefined ? '' : ` on ${system}`}`;
}
